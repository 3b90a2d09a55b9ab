#include "core/conformance/SolverProblemFile.h"
#include "tests/support/TestProgram.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include <cmath>
#include <random>

using namespace tendon;

namespace {

const QByteArray kProblem = R"({
    "name": "crane", "kind": "independent", "cases": "crane.csv",
    "joints": [
        { "name": "base", "parent": -1, "type": "revolute", "axis": [0, 0, 1], "pos": [0, 0, 0.5], "quat": [1, 0, 0, 0], "lower": -1, "upper": 1 },
        { "name": "boom", "parent": 0, "type": "prismatic", "axis": [1, 0, 0], "pos": [0.1, 0, 0],
          "quat": [0.7071067811865476, 0, 0, 0.7071067811865475], "lower": 0, "upper": null },
        { "name": "tip", "parent": 1, "type": "fixed", "pos": [0.2, 0, 0], "quat": [1, 0, 0, 0] }
    ],
    "goals": [ { "name": "hook", "joint": 2, "offset": [0, 0, -0.1], "position": true, "orientation": true } ],
    "start": [0, 0.25], "tolerance": { "position": 1e-3, "rotation": 1e-2 }, "time_limit": 0.005
})";
const QByteArray kCases = "case,g0_px,g0_py,g0_pz,g0_qw,g0_qx,g0_qy,g0_qz\n0,0.1,0.2,0.3,1,0,0,0\n3,1e-1,2,3,0,1,0,0\n";

struct Files
{
    QTemporaryDir folder;

    Result<SolverProblem> read(const QByteArray& problem, const QByteArray& cases) const
    {
        write(QStringLiteral("crane.json"), problem);
        write(QStringLiteral("crane.csv"), cases);
        return readSolverProblem(folder.filePath(QStringLiteral("crane.json")).toStdString());
    }

private:
    void write(const QString& name, const QByteArray& bytes) const
    {
        QFile file(folder.filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
            qFatal("cannot write %s", qPrintable(name));
    }
};

/// World transforms by the SDK's definition of a local transform, implemented independently.
std::vector<Affine> sdkKinematics(const sdk::Model& model, std::span<const double> base, std::span<const double> q)
{
    std::vector<Affine> world;
    for (std::size_t b = 0; b < model.parent.size(); ++b) {
        const double* c = base.data() + 8 * b;
        const double* value = q.data() + model.qBegin[b];
        const Vector3 axis(model.vBegin[b] < model.vBegin[b + 1] ? model.axis.data() + 3 * model.vBegin[b] : c);
        Vector3 translation(c);
        Quaternion motion = Quaternion::Identity();
        if (model.kind[b] == sdk::JointKind::Revolute) motion = Eigen::AngleAxisd(value[0], axis);
        if (model.kind[b] == sdk::JointKind::Prismatic) translation += value[0] * axis;
        if (model.kind[b] == sdk::JointKind::Ball) motion = Quaternion(value[3], value[0], value[1], value[2]);
        const Affine local = Eigen::Translation3d(translation) * (Quaternion(c[6], c[3], c[4], c[5]) * motion) *
                             Eigen::Scaling(c[7]);
        world.push_back(model.parent[b] < 0 ? local : world[static_cast<std::size_t>(model.parent[b])] * local);
    }
    return world;
}

/// A serial chain of free balls whose three axes are `axes`.
SolverProblem ballChain(int balls, const Eigen::Matrix3d& axes)
{
    SolverProblem problem;
    problem.isBallChain = true;
    for (int i = 0; i < 3 * balls; ++i) {
        SolverProblem::Joint joint;
        joint.parent = i - 1;
        joint.motion = SolverProblem::Motion::Revolute;
        joint.axis = axes.col(i % 3);
        joint.dof = i;
        if (i % 3 == 0 && i > 0) joint.position = Vector3(0, 0.1, 0.02);
        problem.joints.push_back(joint);
    }
    SolverProblem::Joint tip;
    tip.parent = 3 * balls - 1;
    tip.position = Vector3(0, 0.1, 0);
    problem.joints.push_back(tip);
    problem.start.assign(static_cast<std::size_t>(3 * balls), 0.0);
    return problem;
}

} // namespace

class TestSolverProblem : public QObject
{
    Q_OBJECT

private slots:
    void readsMechanismGoalsAndCases()
    {
        const Files files;
        const auto problem = files.read(kProblem, kCases);
        QVERIFY2(problem.has_value(), problem.has_value() ? "" : problem.error().text().c_str());
        QCOMPARE(problem->name, std::string("crane"));
        QCOMPARE(problem->joints.size(), std::size_t{3});
        QCOMPARE(problem->dofCount(), std::size_t{2});
        QVERIFY(std::isinf(problem->joints[1].upper));
        QCOMPARE(problem->maxSeconds, 0.005);
        QCOMPARE(problem->cases.size(), std::size_t{2});
        QCOMPARE(problem->cases[1].number, std::int64_t{3});
        QCOMPARE(problem->cases[1].targets[0].rotation.x(), 1.0);
    }

    void theSolversModelMovesLikeTheMechanismOfTheFile()
    {
        const Files files;
        const SolverProblem problem = *files.read(kProblem, kCases);
        const SolverProblemModel seen(problem, false);
        std::mt19937 random(11);
        std::uniform_real_distribution<double> value(-1, 1);
        for (int i = 0; i < 100; ++i) {
            const std::vector<double> q = {value(random), value(random)};
            const auto wanted = problem.forwardKinematics(q);
            const auto world = sdkKinematics(seen.model(), seen.base(), q);
            for (std::size_t b = 0; b < wanted.size(); ++b) {
                QVERIFY((world[b].translation() - wanted[b].position).norm() < 1e-14);
                QVERIFY((world[b].linear() - wanted[b].rotation.toRotationMatrix()).norm() < 1e-14);
            }
        }
    }

    void ballsAndAxesGiveTheSamePose_data()
    {
        QTest::addColumn<bool>("isLeftHanded");
        QTest::newRow("x y z") << false;
        QTest::newRow("left-handed") << true;
    }

    void ballsAndAxesGiveTheSamePose()
    {
        QFETCH(bool, isLeftHanded);
        Eigen::Matrix3d axes = Quaternion(0.3, -0.5, 0.7, 0.4).normalized().toRotationMatrix();
        if (isLeftHanded) axes.col(1) *= -1;
        const SolverProblem problem = ballChain(4, axes);
        const SolverProblemModel balls(problem, true);
        QCOMPARE(balls.model().bodyCount, 5);
        QCOMPARE(balls.model().kind[0], sdk::JointKind::Ball);
        std::mt19937 random(12);
        std::uniform_real_distribution<double> angle(-3, 3);
        for (int i = 0; i < 200; ++i) {
            std::vector<double> q(12);
            for (double& each : q) each = angle(random);
            const std::vector<double> inBalls = balls.toSolver(q);
            const auto wanted = problem.forwardKinematics(q);
            const auto world = sdkKinematics(balls.model(), balls.base(), inBalls);
            QVERIFY((world.back().translation() - wanted.back().position).norm() < 1e-13);
            const auto back = problem.forwardKinematics(balls.toFile(inBalls));
            QVERIFY((back.back().position - wanted.back().position).norm() <
                    1e-7); // acos-like loss at the gimbal's poles
        }
    }

    void judgingFindsErrorsAndViolatedLimits()
    {
        const Files files;
        SolverProblem problem = *files.read(kProblem, kCases);
        const std::vector<double> q = {0.5, 0.3};
        const auto world = problem.forwardKinematics(q);
        const Vector3 hook = world[2].position + world[2].rotation * Vector3(0, 0, -0.1);
        SolverProblem::Case wanted{0, {{hook, world[2].rotation}}};
        QVERIFY(problem.isSolved(problem.judge(q, wanted)));
        wanted.targets[0].position.x() += 0.01;
        QVERIFY(std::abs(problem.judge(q, wanted).positionError - 0.01) < 1e-15);
        QVERIFY(!problem.isSolved(problem.judge(q, wanted)));
        wanted.targets[0] = {hook, world[2].rotation * Eigen::AngleAxisd(0.1, Vector3::UnitY())};
        QVERIFY(std::abs(problem.judge(q, wanted).rotationError - 0.1) < 1e-12);
        problem.joints[0].upper = 0.4;
        QVERIFY(std::abs(problem.judge(q, wanted).limitExcess - 0.1) < 1e-15);
        const std::vector<double> nothing(q.size(), std::nan(""));
        QVERIFY(!problem.isSolved(problem.judge(nothing, wanted)));
    }

    void anErrorNamesThePlaceOfTheMistake_data()
    {
        QTest::addColumn<QByteArray>("from");
        QTest::addColumn<QByteArray>("to");
        QTest::addColumn<QString>("place");
        const auto row = [](const char* name, const char* from, const char* to, const char* place) {
            QTest::newRow(name) << QByteArray(from) << QByteArray(to) << QString::fromLatin1(place);
        };
        row("parent below", "\"parent\": 0", "\"parent\": 1", "crane.json: /joints/1/parent");
        row("parent far off", "\"parent\": 0", "\"parent\": 1e300", "crane.json: /joints/1/parent");
        row("unknown type", "prismatic", "sliding", "crane.json: /joints/1/type");
        row("no unit axis", "\"axis\": [1, 0, 0]", "\"axis\": [0, 0, 0]", "crane.json: /joints/1/axis");
        row("no unit quaternion", "0.7071067811865476, 0", "0, 0", "crane.json: /joints/1/quat");
        row("short position", "[0.1, 0, 0]", "[0.1, 0]", "crane.json: /joints/1/pos");
        row("limits upside down", "\"lower\": -1", "\"lower\": 2", "crane.json: /joints/0/upper");
        row("start outside", "[0, 0.25]", "[2, 0.25]", "crane.json: /start/0");
        row("start too short", "[0, 0.25]", "[0]", "crane.json: /start");
        row("goal on no joint", "\"joint\": 2", "\"joint\": 3", "crane.json: /goals/0/joint");
        row("goal without wish", "\"position\": true, \"orientation\": true",
            "\"position\": false, \"orientation\": false", "crane.json: /goals/0");
        row("zero tolerance", "1e-3", "0", "crane.json: /tolerance/position");
        row("unknown kind", "independent", "sorted", "crane.json: /kind");
        row("no such cases", "crane.csv", "gone.csv", "gone.csv");
        row("cases elsewhere", "crane.csv", "/dev/zero", "crane.json: /cases");
        row("cases above", "crane.csv", "../crane.csv", "crane.json: /cases");
        row("cases in a folder", "crane.csv", "./crane.csv", "crane.json: /cases");
        row("cases in no file", "crane.csv", "..", "crane.json: /cases");
        row("ball chain of a crane", "\"kind\"", "\"ball_chain\": true, \"kind\"", "crane.json: /joints/0");
        row("member given twice", "\"parent\": 0", "\"parent\": 0, \"parent\": 0", "crane.json: /joints/1");
        row("cut off", "\"name\": \"crane\",", "\"name\": \"crane", "crane.json");
    }

    void anErrorNamesThePlaceOfTheMistake()
    {
        QFETCH(QByteArray, from);
        QFETCH(QByteArray, to);
        QFETCH(QString, place);
        QByteArray text = kProblem;
        QVERIFY(text.contains(from));
        text.replace(text.indexOf(from), from.size(), to);
        const Files files;
        const auto problem = files.read(text, kCases);
        QVERIFY(!problem.has_value());
        QVERIFY2(QString::fromStdString(problem.error().where).endsWith(place), problem.error().text().c_str());
    }

    void anErrorInTheCasesNamesTheLine_data()
    {
        QTest::addColumn<QByteArray>("cases");
        QTest::addColumn<QString>("place");
        const QByteArray header = kCases.left(kCases.indexOf('\n') + 1);
        QTest::newRow("other header") << QByteArray("case,x\n0,1\n") << "crane.csv: line 1";
        QTest::newRow("short row") << header + "0,0,0,0,1,0,0,0\n1,0,0\n"
                                   << "crane.csv: line 3";
        QTest::newRow("not a number") << header + "0,0,x,0,1,0,0,0\n"
                                      << "crane.csv: line 2";
        QTest::newRow("infinite") << header + "0,inf,0,0,1,0,0,0\n"
                                  << "crane.csv: line 2";
        QTest::newRow("no unit quaternion") << header + "0,0,0,0,2,0,0,0\n"
                                            << "crane.csv: line 2: g0_q";
        QTest::newRow("no whole case") << header + "0.5,0,0,0,1,0,0,0\n"
                                       << "crane.csv: line 2";
        QTest::newRow("no cases") << header << "crane.csv";
        QTest::newRow("empty") << QByteArray() << "crane.csv";
    }

    void anErrorInTheCasesNamesTheLine()
    {
        QFETCH(QByteArray, cases);
        QFETCH(QString, place);
        const Files files;
        const auto problem = files.read(kProblem, cases);
        QVERIFY(!problem.has_value());
        QVERIFY2(QString::fromStdString(problem.error().where).endsWith(place), problem.error().text().c_str());
    }

    void answersKeepEveryBit()
    {
        const std::vector<SolverProblemAnswer> answers = {{7, 12.3456, 5, {0.1, -1e-17, 1.0 / 3}}};
        const std::string bytes = solverProblemResult(3, answers);
        QCOMPARE(bytes, std::string("case,time_us,iters,q0,q1,q2\n7,12.346,5,0.1,-1e-17,0.3333333333333333\n"));
    }

    void theGivenProblemsLoadAndTheirReferenceAnswersSolveThem()
    {
        const QString shared = qEnvironmentVariable("TENDON_SHARED", QStringLiteral(TENDON_SOURCE_DIR "/../shared"));
        const QDir sets(shared + QStringLiteral("/problems/sets"));
        if (!sets.exists()) QSKIP("the problem sets are not here: set TENDON_SHARED");
        int judged = 0;
        for (const QString& name : sets.entryList({QStringLiteral("*.json")}, QDir::Files)) {
            if (name.startsWith(QLatin1String("arm_"))) continue; // large; armtraj_* have the same mechanisms
            const auto problem = readSolverProblem(sets.filePath(name).toStdString());
            QVERIFY2(problem.has_value(), problem.has_value() ? "" : problem.error().text().c_str());
            QFile truth(sets.filePath(name.chopped(5) + QStringLiteral(".truth.csv")));
            if (!truth.open(QIODevice::ReadOnly)) continue;
            truth.readLine();
            for (const SolverProblem::Case& each : problem->cases) {
                QList<QByteArray> fields = truth.readLine().trimmed().split(',');
                fields.removeFirst();
                std::vector<double> q;
                for (const QByteArray& field : fields) q.push_back(field.toDouble());
                QCOMPARE(q.size(), problem->dofCount());
                const auto judgement = problem->judge(q, each);
                QVERIFY2(problem->isSolved(judgement), qPrintable(name));
                ++judged;
            }
        }
        QVERIFY(judged > 1000);
    }
};

TENDON_TEST(TestSolverProblem)
#include "tst_solver_problem.moc"
