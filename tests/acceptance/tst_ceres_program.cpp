#include "tests/support/TestProgram.h"

#include "TendonProgram.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>

#include <cmath>

/// The solver `ceres` as people meet it, through the program.
class TestCeresProgram : public QObject
{
    Q_OBJECT

private slots:
    // Four sliders (F9): each changes the pose of a redundant chain while the goal error stays within its tolerance.
    void eachObjectiveChangesThePoseAndTheGoalIsStillMet_data()
    {
        QTest::addColumn<QByteArray>("objective");
        for (const char* name : {"restPose", "naturalPose", "velocity", "power"})
            QTest::newRow(name) << QByteArray(name);
    }

    void eachObjectiveChangesThePoseAndTheGoalIsStillMet()
    {
        QFETCH(QByteArray, objective);
        const TendonProgram tendon;
        PrintedPose off, least, most;
        for (const auto& [weight, pose] :
             {std::pair<const char*, PrintedPose*>{"0", &off}, {"0.5", &least}, {"50", &most}}) {
            QFile script(tendon.file("script.json"));
            QVERIFY(script.open(QIODevice::WriteOnly));
            script.write(chain() + ",\n{\"op\": \"setHandle\", \"name\": \"tip\", \"objectives\": {\"" + objective +
                         "\": " + weight + "}}]");
            script.close();
            const QString project = tendon.file("chain.tendon");
            const TendonProgram::Outcome made = tendon.run({"run", script.fileName(), "-o", project});
            QVERIFY2(made.exit == 0, made.err);
            const TendonProgram::Outcome posed = tendon.run({"pose", project, "--frame", "5"});
            QVERIFY2(posed.exit == 0, posed.out + posed.err); // 3 where a goal is missed
            const QJsonObject handle = tendon.poseJson(project, 5)["handles"].toArray().at(0).toObject();
            QCOMPARE(handle["status"].toString(), QStringLiteral("converged"));
            QVERIFY(handle["positionError"].toDouble() <= 1e-4);
            *pose = tendon.pose(project, 5);
        }
        double little = 0, much = 0;
        for (const QString& joint : off.keys()) {
            little += difference(off[joint].local, least[joint].local);
            much += difference(off[joint].local, most[joint].local);
        }
        qInfo("%s: transforms differ by %.3g in all at weight 0.5, by %.3g at 50", objective.constData(), little, much);
        QVERIFY(little > 1e-3);
        QVERIFY(much > little);
    }

    void aSolverWithoutObjectivesRefusesThem()
    {
        const TendonProgram tendon;
        const QString arm = tendon.sample("arm");
        const QJsonObject handle = tendon.poseJson(arm)["handles"].toArray().at(0).toObject();
        QFile named(tendon.file("named.json"));
        QVERIFY(named.open(QIODevice::WriteOnly));
        named.write("[{\"op\": \"setHandle\", \"name\": \"" + handle["name"].toString().toUtf8() +
                    "\", \"solver\": \"dls\", \"objectives\": {\"restPose\": 1}}]");
        named.close();
        const TendonProgram::Outcome refused = tendon.run(
            {"run", named.fileName(), "-p", arm, "-o", tendon.file("out.tendon")});
        QCOMPARE(refused.exit, 1);
        QVERIFY2(refused.err.contains("objectives") && !QFile::exists(tendon.file("out.tendon")), refused.err);
    }

    void findsThePosesOfTheCatalogue()
    {
        const QString shared = qEnvironmentVariable("TENDON_SHARED", TENDON_SOURCE_DIR "/../shared"),
                      problem = shared + "/problems/sets/humanoid_pose.json";
        if (!QFile::exists(problem))
            QSKIP(
                qPrintable("no problems to solve: TENDON_SHARED names no folder with problems/sets (" + shared + ")"));
        const TendonProgram tendon;
        const TendonProgram::Outcome outcome = tendon.run({"bench", "--problem", problem, "--solver", "ceres",
                                                           "--cases", "250", "--json", "-o",
                                                           tendon.file("answers.csv")});
        QVERIFY2(outcome.exit == 0 || outcome.exit == 3, outcome.err);
        const QJsonObject figures = QJsonDocument::fromJson(outcome.out).object();
        qInfo("%d of %d solved cold, %.0f us in the median", figures["solved"].toInt(), figures["cases"].toInt(),
              figures["medianMicroseconds"].toDouble());
        QCOMPARE(figures["cases"].toInt(), 250);
        QCOMPARE(figures["limitViolations"].toInt(), 0);
        QVERIFY(figures["solved"].toInt() * 100 >= 250 * 98);
    }

private:
    /// Six bones of 0.5 m that were bent by hand, prefer to bend otherwise, and follow a goal that moves.
    static QByteArray chain()
    {
        QByteArray script = R"([{"op": "addJoint", "name": "j0"})";
        for (int i = 1; i <= 6; ++i)
            script += ",\n{\"op\": \"addJoint\", \"name\": \"j" + QByteArray::number(i) + "\", \"parent\": \"j" +
                      QByteArray::number(i - 1) + "\", \"translation\": [0, 0.5, 0]}";
        for (int i = 0; i < 6; ++i) {
            const QByteArray joint = "\"joint\": \"j" + QByteArray::number(i) + "\"";
            script += ",\n{\"op\": \"setPreferredAngle\", " + joint + ", \"value\": [20, 0, -15]}";
            script += ",\n{\"op\": \"rotate\", " + joint +
                      ", \"axis\": \"z\", \"value\": " + QByteArray::number(15 + 5 * i) + "}";
            script += ",\n{\"op\": \"setSegment\", " + joint + ", \"mass\": " + QByteArray::number(6 - i) +
                      ", \"shape\": {\"kind\": \"cylinder\", \"size\": [0.1, 0.5]}}";
        }
        script += R"(,
{"op": "addHandle", "name": "tip", "start": "j0", "end": "j6", "solver": "ceres"},
{"op": "addClip", "name": "sweep"},
{"op": "setFrame", "value": 1}, {"op": "setGoal", "handle": "tip", "position": [-1, 1, 0.5]}, {"op": "key", "target": "tip"},
{"op": "setFrame", "value": 9}, {"op": "setGoal", "handle": "tip", "position": [1.2, 1.2, -0.3]}, {"op": "key", "target": "tip"})";
        return script;
    }
};

TENDON_TEST(TestCeresProgram)
#include "tst_ceres_program.moc"
