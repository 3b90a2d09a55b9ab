#include "core/io/export/AnimationExport.h"
#include "core/io/project/ProjectFile.h"
#include "tests/support/TestProgram.h"
#include "tests/unit/io/GltfTestModel.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QProcess>
#include <QTemporaryDir>

using namespace tendon;
using namespace tendon::test;

/// The program itself: what it writes, says and exits with.
class TestBakeCommand : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    QByteArray m_errors, m_output;

    int tendon(const QStringList& arguments)
    {
        QProcess process;
        process.setWorkingDirectory(m_folder.path());
        process.start(QStringLiteral(TENDON_PROGRAM), arguments);
        if (!process.waitForFinished(60'000)) qFatal("tendon does not end");
        m_errors = process.readAllStandardError();
        m_output = process.readAllStandardOutput();
        return process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1;
    }

    void writeProjectOf(const Scene& scene)
    {
        const auto written = writeProject({scene, {}}, m_folder.filePath("p.tendon").toStdString());
        if (!written) qFatal("%s", written.error().text().c_str());
    }

    QJsonObject report() const { return QJsonDocument::fromJson(fileBytes(m_folder.filePath("r.json"))).object(); }

    /// Two joints, a metre apart; a handle on the second.
    static Scene arm(const Vector3& goal)
    {
        Scene scene;
        std::vector<JointId> ids;
        for (const char* name : {"upper", "lower", "hand"}) {
            Joint joint;
            joint.id = {scene.takeId()};
            joint.name = name;
            if (!ids.empty()) {
                joint.parent = ids.back();
                joint.rest.translation = {0.8, ids.size() == 1 ? 0.2 : -0.2, 0};
            }
            ids.push_back(joint.id);
            scene.joints.edit().push_back(joint);
        }
        Handle handle;
        handle.id = {scene.takeId()};
        handle.name = "grip";
        handle.start = ids.front();
        handle.end = ids.back();
        handle.solver = "dls";
        scene.handles.edit().push_back(handle);
        scene.statics.edit()[{handle.id.value, Property::GoalPosition}] = {1.2, 0.5, 0, 0};
        scene.statics.edit()[{handle.id.value, Property::GoalRotation}] = {0, 0, 0, 1};
        Clip clip;
        clip.id = {scene.takeId()};
        clip.name = "reach";
        clip.channels[{handle.id.value, Property::GoalPosition}] = KeyList(
            {{.time = scene.fps.timeOf(0), .value = {1.2, 0.5, 0, 0}, .interpolation = Interpolation::Linear},
             {.time = scene.fps.timeOf(10),
              .value = {goal.x(), goal.y(), goal.z(), 0},
              .interpolation = Interpolation::Linear}});
        scene.clips.push_back(clip);
        return scene;
    }

private slots:
    void init()
    {
        QDir(m_folder.path()).removeRecursively();
        QDir().mkpath(m_folder.path());
        writeBytes(m_folder.filePath("m.glb"), GltfTestModel().glb());
    }

    void anImportedModelBakesAllItsClips()
    {
        QCOMPARE(tendon({"import", "m.glb", "-o", "p.tendon"}), 0);
        QCOMPARE(tendon({"bake", "p.tendon", "-o", "o.glb", "--clips", "all", "--report", "r.json"}), 0);
        const QJsonObject json = report();
        QCOMPARE(json["file"].toString(), QStringLiteral("o.glb"));
        QCOMPARE(json["clip"].toString(), QStringLiteral("walk"));
        QCOMPARE(json["clips"].toArray().size(), 2);
        QCOMPARE(json["bytes"].toInteger(), QFileInfo(m_folder.filePath("o.glb")).size());
        QVERIFY(json["goals"].toObject()["worst"].isNull());
        QCOMPARE(json["goals"].toObject()["missed"].toArray().size(), 0);
        const QJsonObject readBack = json["readBack"].toObject();
        QVERIFY(!readBack["reader"].toString().isEmpty());
        QVERIFY(readBack["jointError"].toDouble(1) < 1e-5 && readBack["vertexError"].toDouble(1) < 1e-4);
        QCOMPARE(readBack["missing"].toArray().size(), 0);
        QCOMPARE(tendon({"bake", "p.tendon", "-o", "o2.glb", "--clips", "all", "--json", "--quiet"}), 0);
        QCOMPARE(QJsonDocument::fromJson(m_output).object()["readBack"], json["readBack"]);
        QCOMPARE(m_errors, QByteArray());
        QCOMPARE(fileBytes(m_folder.filePath("o2.glb")), fileBytes(m_folder.filePath("o.glb")));
    }

    void rangeAndRateAreAsRequested()
    {
        QCOMPARE(tendon({"import", "m.glb", "-o", "p.tendon"}), 0);
        QCOMPARE(tendon({"bake", "p.tendon", "-o", "o.glb", "--clip", "idle", "--range", "12:24", "--fps", "48",
                         "--only", "--report", "r.json"}),
                 0);
        QCOMPARE(report()["frames"].toInt(), 25); // half a second at 48, both ends
        QCOMPARE(report()["fps"].toDouble(), 48.0);
        const QJsonArray animations = takeApart(fileBytes(m_folder.filePath("o.glb"))).json["animations"].toArray();
        QCOMPARE(animations.size(), 1);
        QCOMPARE(animations[0].toObject()["name"].toString(), QStringLiteral("idle"));
    }

    /// Of a clip with a key on each of 48 frames a second, 24 leave every other; its end stays where it is.
    void theRateThinsOutTheSourcesKeys()
    {
        Scene scene = arm(Vector3::Zero());
        scene.handles.edit().clear();
        scene.statics.edit().clear();
        scene.fps = {48, 1};
        Clip clip;
        clip.id = {scene.takeId()};
        clip.name = "swing";
        std::vector<Key> keys;
        for (int frame = 0; frame <= 47; ++frame)
            keys.push_back({.time = scene.fps.timeOf(frame),
                            .value = {0.01 * frame * frame},
                            .interpolation = Interpolation::Linear});
        clip.channels[{scene.joints->front().id.value, Property::Rx}] = KeyList(keys);
        scene.clips = {clip};
        writeProjectOf(scene);
        const auto keysAt = [&](const QStringList& options) {
            if (tendon(QStringList{"bake", "p.tendon", "-o", "o.glb"} + options) != 0) return qsizetype(-1);
            const QJsonObject json = takeApart(fileBytes(m_folder.filePath("o.glb"))).json;
            qsizetype most = 0;
            for (const QJsonValue& sampler : json["animations"][0]["samplers"].toArray())
                most = std::max(most, qsizetype(json["accessors"][sampler["input"].toInt()]["count"].toInteger()));
            return most;
        };
        QCOMPARE(keysAt({}), 48);
        QCOMPARE(keysAt({"--fps", "24"}), 25);    // 0 to 23, and the end between two frames
        QCOMPARE(keysAt({"--fps", "29.97"}), 31); // not the keys of both rates
        QCOMPARE(keysAt({"--fps", "24", "--all-keys"}), 48);
        QCOMPARE(tendon({"bake", "p.tendon", "-o", "o.glb", "--all-keys"}), 2);
    }

    /// An FBX without its meshes, a BVH of who knows what: no format is written from a model that is not there.
    void aModelThatIsGoneOrChangedIsARefusalInEveryFormat()
    {
        QCOMPARE(tendon({"import", "m.glb", "-o", "p.tendon"}), 0);
        QCOMPARE(tendon({"import", "m.glb", "-o", "e.tendon", "--embed"}), 0);
        QByteArray embedded = fileBytes(m_folder.filePath("e.tendon"));
        const qsizetype at = embedded.indexOf("\"embedded\"");
        const qsizetype begin = embedded.indexOf('"', embedded.indexOf(':', at)) + 1;
        embedded.replace(begin, 8, "AAAAAAAA"); // its first bytes, by which it is known
        writeBytes(m_folder.filePath("e.tendon"), embedded);
        const QByteArray model = fileBytes(m_folder.filePath("m.glb"));
        GltfTestModel other;
        other.jsonText.replace("\"walk\"", "\"talk\"");
        for (const QByteArray& now : {QByteArray(), other.glb()}) {
            QFile::remove(m_folder.filePath("m.glb"));
            if (!now.isEmpty()) writeBytes(m_folder.filePath("m.glb"), now);
            for (const char* project : {"p.tendon", "e.tendon"})
                for (const char* file : {"o.fbx", "o.bvh", "o.glb"}) {
                    QCOMPARE(tendon({"bake", project, "-o", file, "--quiet"}), 1);
                    QVERIFY2(m_errors.count('\n') == 1, m_errors.constData());
                    QVERIFY(!QFileInfo::exists(m_folder.filePath(file)));
                }
            QCOMPARE(tendon({"bake", "p.tendon", "-o", "o.csv", "--quiet"}), 0); // numbers of joints need no model
        }
        writeBytes(m_folder.filePath("m.glb"), model);
        QCOMPARE(tendon({"bake", "p.tendon", "-o", "o.fbx", "--quiet"}), 0);
    }

    void onlyAVrmBecomesAVrm()
    {
        QCOMPARE(tendon({"import", "m.glb", "-o", "p.tendon"}), 0);
        QCOMPARE(tendon({"bake", "p.tendon", "-o", "o.vrm"}), 1);
        QVERIFY2(m_errors.contains("made from a VRM"), m_errors.constData());
        GltfTestModel avatar;
        avatar.jsonText.replace(avatar.jsonText.lastIndexOf('}'), 1,
                                R"(, "extensions": {"VRMC_vrm": {"specVersion": "1.0"}}})");
        writeBytes(m_folder.filePath("a.vrm"), avatar.glb());
        QCOMPARE(tendon({"import", "a.vrm", "-o", "a.tendon"}), 0);
        QCOMPARE(tendon({"bake", "a.tendon", "-o", "o.vrm"}), 0);
        const QJsonObject json = takeApart(fileBytes(m_folder.filePath("o.vrm"))).json;
        QCOMPARE(json["extensions"]["VRMC_vrm"]["specVersion"].toString(), QStringLiteral("1.0"));
    }

    void withoutAClipThePoseIsWrittenAsAClip()
    {
        Scene scene = arm(Vector3::Zero());
        scene.clips.clear();
        writeProjectOf(scene);
        QCOMPARE(tendon({"bake", "p.tendon", "-o", "o.glb", "--report", "r.json"}), 0);
        QCOMPARE(report()["clip"].toString(), QStringLiteral("pose"));
        QCOMPARE(report()["frames"].toInt(), 1);
        QCOMPARE(takeApart(fileBytes(m_folder.filePath("o.glb"))).json["animations"].toArray().size(), 1);
    }

    void metGoalsExitWith0AndMissedGoalsWith3()
    {
        writeProjectOf(arm({0.9, -0.6, 0.3}));
        QCOMPARE(tendon({"bake", "p.tendon", "-o", "o.glb", "--report", "r.json"}), 0);
        QCOMPARE(report()["goals"].toObject()["worst"].toObject()["handle"].toString(), QStringLiteral("grip"));
        QVERIFY(report()["goals"].toObject()["worst"].toObject()["error"].toDouble(1) <= 1e-4);

        writeProjectOf(arm({4, 0, 0})); // out of reach from some frame on
        QCOMPARE(tendon({"bake", "p.tendon", "-o", "far.glb", "--report", "r.json"}), 3);
        const QJsonArray missed = report()["goals"].toObject()["missed"].toArray();
        QVERIFY(!missed.isEmpty() && missed.size() < 11);
        QCOMPARE(missed.last().toObject()["handle"].toString(), QStringLiteral("grip"));
        QCOMPARE(missed.last().toObject()["frame"].toInt(), 10);
        QVERIFY(missed.last().toObject()["error"].toDouble() > 2);
        QVERIFY2(m_errors.contains("grip") && m_errors.contains("frame 10"), m_errors.constData());
        QVERIFY(QFileInfo::exists(m_folder.filePath("far.glb")));
    }

    void aFileThatCannotHoldThePoseExitsWith4AndStays()
    {
        // So far from the origin that single precision, which is what glTF has, does not tell the arm's joints apart.
        Scene scene = arm({0.9, -0.6, 0.3});
        scene.handles.edit().clear();
        scene.statics.edit().clear();
        scene.clips.clear();
        scene.joints.edit()[0].rest.translation = {30'000'001.3, 0, 0};
        writeProjectOf(scene);
        QCOMPARE(tendon({"bake", "p.tendon", "-o", "o.glb", "--report", "r.json"}), 4);
        QVERIFY(report()["readBack"].toObject()["jointError"].toDouble() > 0.1);
        QVERIFY2(m_errors.contains("read back, a joint is") && m_errors.contains("joint "), m_errors.constData());
        QVERIFY(QFileInfo::exists(m_folder.filePath("o.glb")));
    }

    void whatCappingInfluencesCostsIsToldInMillimetres()
    {
        std::mt19937 random(3);
        const Scene scene = richScene(random); // up to seven influences per vertex, which FBX keeps
        QVERIFY(exportAnimation(scene, {wiggle(scene, "go", 5, random)}, m_folder.filePath("m.fbx").toStdString(), {})
                    .has_value());
        QCOMPARE(tendon({"import", "m.fbx", "-o", "p.tendon"}), 0);
        QCOMPARE(tendon({"bake", "p.tendon", "-o", "o.glb", "--preset", "unity", "--report", "r.json"}), 0);
        const QJsonObject readBack = report()["readBack"].toObject();
        QVERIFY(readBack["cappedVertices"].toInt() > 0);
        QVERIFY2(readBack["cappingMm"].toDouble() > 10, qPrintable(QString::number(readBack["cappingMm"].toDouble())));
        QVERIFY(readBack["cappingAt"].toString().startsWith("clip go, frame "));
        QVERIFY(readBack["vertexError"].toDouble(1) < 1e-4);
        QVERIFY2(m_output.contains(" vertices had more than 4 influences; capping moves them by up to ") &&
                     m_output.contains(" mm (clip go, frame "),
                 m_output.constData());
        QCOMPARE(tendon({"bake", "p.tendon", "-o", "o.glb", "--preset", "godot", "--report", "r.json"}), 0);
        QCOMPARE(report()["readBack"].toObject()["cappingMm"].toDouble(-1), 0.0);
        QVERIFY2(!m_output.contains("capping"), m_output.constData());
    }

    void limitsAreThoseOfTheOperation()
    {
        QCOMPARE(tendon({"import", "m.glb", "-o", "p.tendon"}), 0);
        for (const QStringList& limit : QList<QStringList>{{"--fps", "0.009"},
                                                           {"--fps", "10001"},
                                                           {"--range", "0:10000001"},
                                                           {"--range", "-10000001:0"},
                                                           {"--range", "2:1"}}) {
            QCOMPARE(tendon(QStringList{"bake", "p.tendon", "-o", "o.csv"} + limit), 2);
            QVERIFY(!QFileInfo::exists(m_folder.filePath("o.csv")));
        }
        for (const char* limit : {R"("fps": 0.009)", R"("fps": 10001)", R"("range": [0, 10000001])",
                                  R"("range": [-10000001, 0])", R"("range": [2, 1])"}) {
            writeBytes(m_folder.filePath("s.json"),
                       QByteArray(R"([{"op": "export", "file": "o.csv", )") + limit + "}]");
            QCOMPARE(tendon({"run", "s.json", "-p", "p.tendon"}), 1);
            QVERIFY2(m_errors.contains("must be"), m_errors.constData());
            QVERIFY(!QFileInfo::exists(m_folder.filePath("o.csv")));
        }
    }

    void aFrameThatIsEmptyIsNoFrame()
    {
        writeProjectOf(arm(Vector3(0, 1, 0)));
        const QStringList lines[] = {{"pose", "p.tendon", "--frame", ""},
                                     {"render", "p.tendon", "--frame", "", "-o", "a.png"}};
        for (const QStringList& arguments : lines) {
            QCOMPARE(tendon(arguments), 2);
            QVERIFY2(m_errors.contains("--frame: must be a") && m_errors.contains("but is empty"), m_errors);
            QCOMPARE(m_errors.count('\n'), 1);
            QVERIFY(m_output.isEmpty());
        }
    }

    void aNameThatIsNotUtf8IsRefused()
    {
        QProcess shell;
        shell.setWorkingDirectory(m_folder.path());
        shell.start(
            "sh", {"-c", "exec \"$0\" samples leg -o \"$(printf 'bad\\377.tendon')\"", QStringLiteral(TENDON_PROGRAM)});
        QVERIFY(shell.waitForFinished());
        QCOMPARE(shell.exitCode(), 2);
        QVERIFY(shell.readAllStandardError().contains("is not UTF-8"));
        QVERIFY(QDir(m_folder.path()).entryList({"*.tendon"}, QDir::Files).filter("bad").isEmpty());
    }

    void failuresExitWith1InOneLineAndWriteNothing()
    {
        QCOMPARE(tendon({"import", "m.glb", "-o", "p.tendon"}), 0);
        const QStringList before = QDir(m_folder.path()).entryList(QDir::Files);
        const QList<QStringList> wrong{{"bake", "absent.tendon", "-o", "o.glb"},
                                       {"bake", "p.tendon", "-o", "o.obj"},
                                       {"bake", "p.tendon", "-o", "o.xyz"},
                                       {"bake", "p.tendon", "-o", "m.glb"},
                                       {"bake", "p.tendon", "-o", "no/such/folder/o.glb"},
                                       {"bake", "p.tendon", "-o", "o.glb", "--clip", "absent"},
                                       {"bake", "p.tendon", "-o", "o.glb", "--range", "-5:5"},
                                       {"bake", "p.tendon", "-o", "o.glb", "--report", "no/such/folder/r.json"}};
        const QByteArray model = fileBytes(m_folder.filePath("m.glb"));
        for (const QStringList& arguments : wrong) {
            QCOMPARE(tendon(arguments), 1);
            QCOMPARE(m_errors.count('\n'), 1);
            QCOMPARE(QDir(m_folder.path()).entryList(QDir::Files), before);
        }
        QCOMPARE(fileBytes(m_folder.filePath("m.glb")), model);
    }

    /// What a command reads, and what is no ordinary file, is never written over.
    void inputsAndDevicesStay()
    {
        QCOMPARE(tendon({"import", "m.glb", "-o", "p.tendon"}), 0);
        QVERIFY(QFile::link("m.glb", m_folder.filePath("link.glb")));
        struct Row
        {
            QStringList arguments;
            QByteArray why, script = {};
        };
        const QStringList run{"run", "s.json", "-p", "p.tendon"};
        const QList<Row> refused{
            {{"bake", "p.tendon", "-o", "o.glb", "--report", "p.tendon"}, "is the project that is baked"},
            {{"bake", "p.tendon", "-o", "o.glb", "--report", "m.glb"}, "is the model that the project was made from"},
            {{"bake", "p.tendon", "-o", "link.glb"}, "is the model that the project was made from"},
            {{"bake", "p.tendon", "-o", "o.glb", "--report", "/dev/null"}, "is a device"},
            {run, "the name of a project ends in .tendon", R"({"op": "save", "file": "m.glb"})"},
            {run, "the name of a project ends in .tendon", R"({"op": "save", "file": "other.glb"})"},
            {run, "is the script that is run", R"({"op": "export", "file": "s.json"})"},
            {run, "is a file that was read",
             R"({"op": "importClip", "file": "other.glb", "as": "b"}, {"op": "export", "file": "other.glb"})"}};
        QVERIFY(QFile::copy(m_folder.filePath("m.glb"), m_folder.filePath("other.glb")));
        writeBytes(m_folder.filePath("s.json"), "");
        const QByteArray model = fileBytes(m_folder.filePath("m.glb"));
        const QStringList before = QDir(m_folder.path()).entryList(QDir::AllEntries | QDir::Hidden);
        for (const auto& [arguments, why, operations] : refused) {
            writeBytes(m_folder.filePath("s.json"), "[" + operations + "]");
            QCOMPARE(tendon(arguments), 1);
            QVERIFY2(m_errors.contains(why) && m_errors.count('\n') == 1, m_errors.constData());
            QCOMPARE(fileBytes(m_folder.filePath("m.glb")), model);
            QCOMPARE(QDir(m_folder.path()).entryList(QDir::AllEntries | QDir::Hidden), before);
        }
    }

    void outputThatCannotBeWrittenIsAFailure()
    {
        QCOMPARE(tendon({"import", "m.glb", "-o", "p.tendon"}), 0);
        for (const QStringList& arguments : QList<QStringList>{{"pose", "p.tendon", "--frame", "1", "--json"},
                                                               {"info", "p.tendon", "--json"},
                                                               {"--version"},
                                                               {"bake", "--help"}}) {
            QProcess process;
            process.setWorkingDirectory(m_folder.path());
            process.setStandardOutputFile("/dev/full");
            process.start(QStringLiteral(TENDON_PROGRAM), arguments);
            QVERIFY(process.waitForFinished(60'000));
            QCOMPARE(process.exitCode(), 1);
            QVERIFY(process.readAllStandardError().contains("standard output: cannot be written"));
            QProcess closed;
            closed.setWorkingDirectory(m_folder.path());
            closed.start("/bin/sh",
                         QStringList{"-c", "exec \"$0\" \"$@\" >&-", QStringLiteral(TENDON_PROGRAM)} + arguments);
            QVERIFY(closed.waitForFinished(60'000));
            QCOMPARE(closed.exitCode(), 1);
            QVERIFY(closed.readAllStandardError().contains("standard output: cannot be written"));
        }
    }

    /// 1 says that nothing has changed.
    void filesThatAreWrittenAreNamedWhereNothingCanBePrinted()
    {
        QCOMPARE(tendon({"import", "m.glb", "-o", "p.tendon"}), 0);
        for (const QStringList& arguments : QList<QStringList>{{"bake", "p.tendon", "-o", "full.glb", "--json"},
                                                               {"samples", "arm", "-o", "full.tendon"}}) {
            QProcess process;
            process.setWorkingDirectory(m_folder.path());
            process.setStandardOutputFile("/dev/full");
            process.start(QStringLiteral(TENDON_PROGRAM), arguments);
            QVERIFY(process.waitForFinished(60'000));
            QCOMPARE(process.exitCode(), 3);
            const QByteArray errors = process.readAllStandardError();
            QVERIFY2(errors.contains(arguments[arguments.indexOf("-o") + 1].toUtf8() + ": is written;"),
                     errors.constData());
            QVERIFY(QFile::exists(m_folder.filePath(arguments[arguments.indexOf("-o") + 1])));
        }
    }

    void anEmbeddedModelNeedsNoTemporaryFolder()
    {
        QCOMPARE(tendon({"samples", "mannequin", "-o", "s.tendon"}), 0);
        QVERIFY(fileBytes(m_folder.filePath("s.tendon")).contains("\"embedded\""));
        qputenv("TMPDIR", m_folder.filePath("none").toUtf8());
        const int exitCode = tendon({"bake", "s.tendon", "-o", "s.glb"});
        qunsetenv("TMPDIR");
        QCOMPARE(exitCode, 0);
    }

    /// The C library chooses its sin, exp and the like by the processor; the tunables hide parts of this one from it.
    void bytesDoNotDependOnTheProcessor()
    {
        const QStringList formats = {"glb", "fbx", "bvh", "csv"};
        for (const QString sample : {"robot-arm", "dragon-neck", "mannequin"}) {
            QCOMPARE(tendon({"samples", sample, "-o", "s.tendon"}), 0);
            QList<QByteArray> here, elsewhere;
            for (QList<QByteArray>* bytes : {&here, &elsewhere}) {
                if (bytes == &elsewhere) qputenv("GLIBC_TUNABLES", "glibc.cpu.hwcaps=-FMA,-FMA4,-AVX2");
                for (const QString& format : formats) {
                    tendon({"bake", "s.tendon", "-o", "s." + format});
                    bytes->append(fileBytes(m_folder.filePath("s." + format)));
                }
                qunsetenv("GLIBC_TUNABLES");
            }
            for (qsizetype i = 0; i < formats.size(); ++i) {
                QVERIFY2(here[i].size() > 1000, qPrintable(sample + "." + formats[i]));
                QVERIFY2(here[i] == elsewhere[i], qPrintable(sample + "." + formats[i]));
            }
        }
    }

    void wrongUsageExitsWith2()
    {
        QCOMPARE(tendon({"import", "m.glb", "-o", "p.tendon"}), 0);
        for (const QStringList& arguments :
             QList<QStringList>{{"bake", "p.tendon"},
                                {"bake", "p.tendon", "-o", "o.glb", "--range", "5"},
                                {"bake", "p.tendon", "-o", "o.glb", "--range", "9:3"},
                                {"bake", "p.tendon", "-o", "o.glb", "--fps", "0"},
                                {"bake", "p.tendon", "-o", "o.glb", "--clip", "walk", "--clips", "all"},
                                {"bake", "p.tendon", "-o", "o.json", "--report", "o.json"}})
            QCOMPARE(tendon(arguments), 2);
    }
};

TENDON_TEST(TestBakeCommand)
#include "tst_bake_command.moc"
