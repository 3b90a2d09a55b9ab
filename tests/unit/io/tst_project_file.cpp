#include "core/io/base/Files.h"
#include "core/io/project/ProjectFile.h"
#include "core/io/project/Schema.h"
#include "tests/support/RandomScene.h"
#include "tests/support/TestProgram.h"

#include <QElapsedTimer>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTemporaryDir>

#include <limits>

using namespace tendon;

namespace {

QJsonObject jsonOf(const std::string& bytes)
{
    return QJsonDocument::fromJson(QByteArray::fromStdString(bytes)).object();
}

std::string textOf(const QJsonObject& json) { return QJsonDocument(json).toJson().toStdString(); }

/// Adds a member to every object, however deep, but not to the maps whose members are names that users chose.
QJsonValue withUnknownMembers(const QJsonValue& value, int& count)
{
    if (value.isArray()) {
        QJsonArray array = value.toArray();
        for (auto element : array) element = withUnknownMembers(element, count);
        return array;
    }
    if (!value.isObject()) return value;
    QJsonObject object = value.toObject();
    for (const QString& name : object.keys())
        if (name != "parameters" && name != "roles") object[name] = withUnknownMembers(object[name], count);
    object["fromTheFuture"] = QJsonObject{{"number", ++count}, {"list", QJsonArray{1, "two", true}}};
    return object;
}

} // namespace

class TestProjectFile : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    std::string file(const char* name) const { return m_folder.filePath(name).toStdString(); }

    std::string written(const Project& project)
    {
        const auto bytes = projectBytes(project, file("p.tendon"));
        return bytes ? *bytes : "error: " + bytes.error().text();
    }

    Result<Project> read(const std::string& bytes, Issues* issues = nullptr)
    {
        return projectFromBytes(bytes, file("read.tendon"), issues, {.loadsMeshes = false});
    }

private slots:
    void savingAndLoadingGivesTheSameProject()
    {
        for (unsigned seed = 1; seed <= 200; ++seed) {
            std::mt19937 random(seed);
            Project project = test::randomProject(random);
            project.state.layer = seed % 2 == 0 ? Layer::Keys : Layer::Corrections;
            const std::string bytes = written(project);
            Issues issues;
            const auto back = read(bytes, &issues);
            QVERIFY2(back, qPrintable(QString("seed %1: %2").arg(seed).arg(back ? "" : back.error().text().c_str())));
            QVERIFY2(issues.empty(),
                     qPrintable(QString("seed %1: %2").arg(seed).arg(issues.empty() ? "" : issues[0].text.c_str())));
            QVERIFY2(back->scene == project.scene, qPrintable(QString("seed %1").arg(seed)));
            QVERIFY(back->state == project.state);
            QVERIFY2(written(*back) == bytes, qPrintable(QString("seed %1: other bytes").arg(seed)));
        }
    }

    void anEmptyProjectIsValid()
    {
        const auto back = read(written({}));
        QVERIFY(back);
        QVERIFY(back->scene == Scene{});
        QCOMPARE(back->state.frame, 1);
    }

    void absentMembersHaveTheirDefaults()
    {
        const auto project = read(R"({"schema":"tendon.project","version":1,"joints":[{"id":1,"name":"a"}]})");
        QVERIFY2(project, project ? "" : project.error().text().c_str());
        Joint expected;
        expected.id.value = 1;
        expected.name = "a";
        QVERIFY(project->scene.joints->front() == expected);
        QCOMPARE(project->scene.nextId, std::uint64_t{2});
    }

    void aNumberThatIsNotFiniteIsRefusedAndTheErrorNamesItsPlace_data()
    {
        QTest::addColumn<int>("which");
        QTest::addColumn<QString>("pointer");
        QTest::newRow("rest") << 0 << "/joints/1/rest/translation/2";
        QTest::newRow("limit") << 1 << "/joints/1/turning/y/to";
        QTest::newRow("static") << 2 << "/statics/0/value/0";
        QTest::newRow("key") << 3 << "/clips/0/channels/0/values/1";
        QTest::newRow("handle") << 4 << "/handles/0/offset/1";
        QTest::newRow("too large to be read again") << 6 << "/joints/1/rest/translation/2";
        QTest::newRow("parameter") << 5 << "/handles/0/parameters/damping";
    }

    void aNumberThatIsNotFiniteIsRefusedAndTheErrorNamesItsPlace()
    {
        QFETCH(int, which);
        QFETCH(QString, pointer);
        constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
        constexpr double kInfinity = std::numeric_limits<double>::infinity();
        Project project;
        Scene& scene = project.scene;
        auto& joints = scene.joints.edit();
        for (int i = 0; i < 2; ++i) joints.push_back({});
        joints[0].id.value = scene.takeId(), joints[0].name = "a";
        joints[1].id.value = scene.takeId(), joints[1].name = "b";
        if (which == 0) joints[1].rest.translation.z() = kNan;
        if (which == 6) joints[1].rest.translation.z() = 2e12;
        if (which == 1) joints[1].turning[1].to = kInfinity;
        const ChannelId channel{joints[0].id.value, Property::Tx};
        scene.statics.edit()[channel] = {which == 2 ? -kInfinity : 0.5};
        Clip clip;
        clip.id.value = scene.takeId();
        clip.channels[channel] = KeyList({{.time = {1}}, {.time = {2}, .value = {which == 3 ? kNan : 1.0}}});
        scene.clips.emplace_back(clip);
        Handle handle;
        handle.id.value = scene.takeId(), handle.name = "h";
        handle.start = handle.end = joints[0].id;
        handle.offset.y() = which == 4 ? kNan : 0;
        handle.parameters["damping"] = which == 5 ? kNan : 1;
        scene.handles.edit().push_back(handle);

        QVERIFY(writeFile(file("finite.tendon"), "as it was"));
        const auto result = writeProject(project, file("finite.tendon"));
        QVERIFY(!result);
        QVERIFY2(result.error().where.ends_with(": " + pointer.toStdString()), result.error().text().c_str());
        QCOMPARE(*readFile(file("finite.tendon")), std::string("as it was"));
    }

    void minusZeroMakesTheSameFileAsZero()
    {
        Project plus, minus;
        for (Project* project : {&plus, &minus}) {
            Joint joint;
            joint.id.value = project->scene.takeId(), joint.name = "a";
            joint.rest.translation = {1, project == &minus ? -0.0 : 0.0, 2};
            project->scene.joints.edit().push_back(joint);
        }
        QVERIFY(plus.scene == minus.scene);
        QCOMPARE(written(minus), written(plus));
    }

    void unknownMembersAreKeptAtEveryLevel()
    {
        for (unsigned seed = 1; seed <= 50; ++seed) {
            std::mt19937 random(seed);
            const QJsonObject plain = jsonOf(written(test::randomProject(random)));
            int count = 0;
            const QJsonObject extended = withUnknownMembers(plain, count).toObject();
            const auto project = read(textOf(extended));
            QVERIFY2(project, project ? "" : project.error().text().c_str());
            QCOMPARE(jsonOf(written(*project)), extended);
            QVERIFY(count > 5);
        }
    }

    void unknownMembersAreRemovedWithTheirObject()
    {
        const auto project = read(R"({"schema":"tendon.project","version":1,"nextId":9,"joints":[
            {"id":1,"name":"a","colour":"red"},{"id":2,"name":"b","colour":"blue"}]})");
        QVERIFY(project);
        Project changed = *project;
        erase_if(changed.scene.joints.edit(), [](const Joint& joint) { return joint.id.value == 1; });
        const QJsonArray left = jsonOf(written(changed))["joints"].toArray();
        QCOMPARE(left.size(), 1);
        QCOMPARE(left[0].toObject()["colour"].toString(), QString("blue"));
    }

    void aNewerVersionIsRefused()
    {
        const auto project = read(R"({"schema":"tendon.project","version":3})");
        QVERIFY(!project);
        QCOMPARE(project.error().code, ErrorCode::Unsupported);
        QVERIFY2(project.error().text().find("newer Tendon") != std::string::npos, project.error().text().c_str());
        QVERIFY(project.error().where.ends_with("/version"));
    }

    void olderVersionsAreUpgradedThroughEveryStep()
    {
        const std::array<UpgradeStep, 2> steps = {UpgradeStep{1,
                                                              [](QJsonObject p) {
                                                                  p["trail"] = p["trail"].toString() + "1>2 ";
                                                                  return p;
                                                              }},
                                                  UpgradeStep{2, [](QJsonObject p) {
                                                                  p["trail"] = p["trail"].toString() + "2>3 ";
                                                                  return p;
                                                              }}};
        const auto trail = [&](int version) {
            const auto up = upgradeProject({{"schema", "tendon.project"}, {"version", version}}, 3, steps);
            return up ? (*up)["trail"].toString() + "v" + QString::number((*up)["version"].toInt())
                      : QString("refused");
        };
        QCOMPARE(trail(1), QString("1>2 2>3 v3"));
        QCOMPARE(trail(2), QString("2>3 v3"));
        QCOMPARE(trail(3), QString("v3"));
        QCOMPARE(trail(4), QString("refused"));
        QCOMPARE(trail(0), QString("refused"));
    }

    void thereIsAStepFromEveryOldVersion()
    {
        int version = 1;
        for (const UpgradeStep& step : projectUpgrades()) QCOMPARE(step.from, version++);
        QCOMPARE(version, kProjectVersion);
    }

    void invalidMembersAreRefusedAndTheErrorNamesTheirPlace_data()
    {
        QTest::addColumn<QByteArray>("members");
        QTest::addColumn<QString>("pointer");
        const auto row = [](const char* members, const char* pointer) {
            QTest::newRow(members) << QByteArray(members) << pointer;
        };
        row(R"("joints":{})", "/joints");
        row(R"("joints":[3])", "/joints/0");
        row(R"("joints":[{"name":"a"}])", "/joints/0/id");
        row(R"("joints":[{"id":1.5,"name":"a"}])", "/joints/0/id");
        row(R"("joints":[{"id":-1,"name":"a"}])", "/joints/0/id");
        row(R"("joints":[{"id":1}])", "/joints/0/name");
        row(R"("joints":[{"id":1,"name":"a","segment":{"shape":"box","size":[1e39,1,1]}}])",
            "/joints/0/segment/size/0");
        row(R"("joints":[{"id":1,"name":"a","rest":{"translation":[0,-1e308,0]}}])", "/joints/0/rest/translation/1");
        row(R"("joints":[{"id":1,"name":7}])", "/joints/0/name");
        row(R"("joints":[{"id":1,"name":"a"},{"id":1,"name":"b"}])", "/joints/1/id");
        row(R"("joints":[{"id":1,"name":"a","parent":5}])", "/joints/0/parent");
        row(R"("joints":[{"id":1,"name":"a","parent":1}])", "/joints/0/parent");
        row(R"("joints":[{"id":1,"name":"a","parent":2},{"id":2,"name":"b","parent":1}])", "/joints/0/parent");
        row(R"("joints":[{"id":1,"name":"a","rest":{"translation":[1,2]}}])", "/joints/0/rest/translation");
        row(R"("joints":[{"id":1,"name":"a","rest":{"translation":[1,2,null]}}])", "/joints/0/rest/translation/2");
        row(R"("joints":[{"id":1,"name":"a","rest":{"rotation":[0,0,0,0]}}])", "/joints/0/rest/rotation");
        row(R"("joints":[{"id":1,"name":"a","rotationOrder":"xxy"}])", "/joints/0/rotationOrder");
        row(R"("joints":[{"id":1,"name":"a","turning":{"x":{"active":1}}}])", "/joints/0/turning/x/active");
        row(R"("joints":[{"id":1,"name":"a","ball":{"swing":[1,1,-1,1]}}])", "/joints/0/ball/swing");
        row(R"("joints":[{"id":1,"name":"a","segment":{"shape":"teapot"}}])", "/joints/0/segment/shape");
        row(R"("handles":[{"id":1,"name":"h","start":2,"end":2}])", "/handles/0/start");
        row(R"("joints":[{"id":1,"name":"a"}],"handles":[{"id":2,"name":"h","start":1,"end":1,"follow":9}])",
            "/handles/0/follow");
        row(R"("joints":[{"id":1,"name":"a"}],"handles":[{"id":2,"name":"h","start":1,"end":1,"curve":[[0,0,0],[0,0]]}])",
            "/handles/0/curve/1");
        row(R"("joints":[{"id":1,"name":"a"}],"handles":[{"id":2,"name":"h","start":1,"end":1,"parameters":{"p":"x"}}])",
            "/handles/0/parameters/p");
        row(R"("statics":[{"target":1,"channel":"nose","value":[1]}])", "/statics/0/channel");
        row(R"("statics":[{"target":1,"channel":"tx","value":[1,2]}])", "/statics/0/value");
        row(R"("clips":[{"id":1,"name":"c","channels":[{"target":2,"channel":"tx","times":[],"values":[]}]}])",
            "/clips/0/channels/0/times");
        row(R"("clips":[{"id":1,"name":"c","channels":[{"target":2,"channel":"tx","times":[2,1],"values":[0,0]}]}])",
            "/clips/0/channels/0/times/1");
        row(R"("clips":[{"id":1,"name":"c","channels":[{"target":2,"channel":"tx","times":[1],"values":[]}]}])",
            "/clips/0/channels/0/values");
        row(R"("clips":[{"id":1,"name":"c","channels":[{"target":2,"channel":"rotation","times":[1],"values":[0,0,0,0]}]}])",
            "/clips/0/channels/0/values/0");
        row(R"("clips":[{"id":1,"name":"c","channels":[{"target":2,"channel":"tx","times":[1],"values":[0]}]}])",
            "/clips/0/channels");
        row(R"("clips":[{"id":1,"name":"c","channels":[{"target":2,"channel":"tx","times":[1,2],"values":[0,0],"interpolation":["step"]}]}])",
            "/clips/0/channels/0/interpolation");
        row(R"("fps":[0,1])", "/fps");
        row(R"("fps":[24.5,1])", "/fps");
        row(R"("range":[5,1])", "/range");
        row(R"("state":{"clip":3})", "/state/clip");
        row(R"("model":{})", "/model/path");
        row(R"("model":{"path":"a.glb","format":"../glb"})", "/model/format");
        row(R"("model":{"embedded":"no base64!"})", "/model/embedded");
    }

    void invalidMembersAreRefusedAndTheErrorNamesTheirPlace()
    {
        QFETCH(QByteArray, members);
        QFETCH(QString, pointer);
        const auto project = read(R"({"schema":"tendon.project","version":1,)" + members.toStdString() + "}");
        QVERIFY(!project);
        QVERIFY2(project.error().where.ends_with(": " + pointer.toStdString()), project.error().text().c_str());
        QVERIFY(!project.error().message.empty());
    }

    void aFileThatIsNotAProjectIsRefused_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("text") << QByteArray("hello");
        QTest::newRow("array") << QByteArray("[]");
        QTest::newRow("other JSON") << QByteArray("{\"asset\":{\"version\":\"2.0\"}}");
        QTest::newRow("cut off") << QByteArray("{\"schema\":\"tendon.project\",\"version\":1");
        QTest::newRow("binary") << QByteArray("glTF\x02\0\0\0\x10", 9);
        QTest::newRow("version is a word") << QByteArray("{\"schema\":\"tendon.project\",\"version\":\"1\"}");
        QTest::newRow("deep") << QByteArray("[").repeated(100'000);
        QTest::newRow("member given twice") << QByteArray(R"({"schema":"tendon.project","version":1,"version":1})");
    }

    void aFileThatIsNotAProjectIsRefused()
    {
        QFETCH(QByteArray, bytes);
        const auto project = read(bytes.toStdString());
        QVERIFY(!project);
        QVERIFY(project.error().where.starts_with(file("read.tendon")));
    }

    void aValueOutsideItsRangeIsClampedAndReported()
    {
        Issues issues;
        const auto project = read(
            R"({"schema":"tendon.project","version":1,"joints":[{"id":1,"name":"a","stiffness":7}]})", &issues);
        QVERIFY(project);
        QCOMPARE(project->scene.joints->front().stiffness, 1.0);
        QCOMPARE(issues.size(), std::size_t{2}); // and nextId, which was not given
        QVERIFY(issues[0].where.ends_with("/joints/0/stiffness"));
    }

    void aHundredThousandKeysAreLoadedAndSavedWithinASecond()
    {
        std::mt19937 random(1);
        Project project = test::randomProject(random);
        while (project.scene.joints->size() < 50) {
            Joint joint;
            joint.id.value = project.scene.takeId(), joint.name = "j" + std::to_string(joint.id.value);
            project.scene.joints.edit().push_back(joint);
        }
        project.scene.clips = {test::longClip(project.scene, 100'000, random)};
        project.state.currentClip = {};
        QElapsedTimer timer;
        timer.start();
        const std::string bytes = written(project);
        const qint64 writing = timer.restart();
        const auto back = read(bytes);
        const qint64 reading = timer.elapsed();
        qInfo("%zu keys of 4 numbers: %.1f MB, written in %lld ms, read in %lld ms", project.scene.clips[0]->keyCount(),
              static_cast<double>(bytes.size()) / 1e6, writing, reading);
        QVERIFY(back && back->scene == project.scene);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
        QVERIFY(writing < 1000);
        QVERIFY(reading < 1000);
#endif
    }

    void aModelsPathIsStoredRelativeToTheProject()
    {
        Project project;
        auto model = std::make_shared<ModelAsset>();
        model->source = {
            .format = "glb", .path = file("models/robot.glb"), .sha256 = std::string(64, 'a'), .embedded = nullptr};
        project.scene.model = model;
        const auto bytes = projectBytes(project, file("shots/walk.tendon"));
        QVERIFY(bytes);
        QCOMPARE(jsonOf(*bytes)["model"].toObject()["path"].toString(), QString("../models/robot.glb"));
        QVERIFY(QDir(m_folder.path()).mkpath("shots"));
        QVERIFY(writeFile(file("shots/walk.tendon"), *bytes));
        const auto back = readProject(file("shots/walk.tendon"), nullptr, {.loadsMeshes = false});
        QVERIFY(back);
        QCOMPARE(back->scene.model->source.path, file("models/robot.glb"));
        QCOMPARE(back->scene.model->source.sha256, std::string(64, 'a'));
    }

    void theJsonIsFormattedForReadingAndComparing()
    {
        std::mt19937 random(5);
        const std::string text = written(test::randomProject(random));
        QVERIFY(text.starts_with("{\n  \"schema\": \"tendon.project\",\n  \"version\": 2,\n"));
        QVERIFY(text.ends_with("}\n"));
    }
};

TENDON_TEST(TestProjectFile)
#include "tst_project_file.moc"
