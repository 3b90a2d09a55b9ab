#include "core/document/ExportJob.h"
#include "core/io/base/Files.h"
#include "core/io/export/AnimationExport.h"
#include "core/io/import/ModelImport.h"
#include "core/runtime/BakedClip.h"
#include "core/scene/RestPose.h"
#include "tests/support/TestDocument.h"
#include "tests/support/TestProgram.h"

#include <QDir>
#include <QFileInfo>
#include <QTemporaryDir>

using namespace tendon;
using namespace tendon::test;

namespace {

std::string runText(Document& document, const std::string& text, const RunOptions& options = {})
{
    const auto script = parseScript(text);
    if (!script) return script.error().text();
    const auto done = runScript(document, *script, options);
    return done ? "" : done.error().text();
}

/// A model without a file: two joints of which the lower one turns.
Result<ImportedModel> fakeImport(const std::string& path, const ImportOptions& options)
{
    if (path == "broken.glb") return Error{ErrorCode::InvalidArgument, "this is no model", path};
    TestDocument test;
    test(R"({"op": "addJoint", "name": "hips", "translation": [0, 1, 0]})")(
        R"({"op": "addJoint", "name": "leg", "parent": "hips", "translation": [0, -0.5, 0]})");
    test(R"({"op": "addClip", "name": "step"})")(R"({"op": "autoKey", "on": true})")(
        R"({"op": "setFrame", "value": 12})");
    test(R"({"op": "rotate", "joint": "leg", "axis": "x", "value": 40})")(
        R"({"op": "setPose", "joint": "hips", "translation": [0, 1.2, 0]})");
    ImportedModel model;
    model.scene = test.scene();
    auto asset = std::make_shared<ModelAsset>();
    asset->metresPerUnit = options.metresPerUnit.value_or(1);
    Mesh mesh;
    mesh.skin.joints = {model.scene.joints->back().id};
    asset->meshes.push_back(mesh);
    model.scene.model = asset;
    return model;
}

} // namespace

class TestScript : public QObject
{
    Q_OBJECT

    [[nodiscard]] std::string in(const char* name) const
    {
        return m_folder.filePath(QString::fromUtf8(name)).toStdString();
    }
    [[nodiscard]] QStringList files() const
    {
        return QDir(m_folder.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
    }

    QTemporaryDir m_folder;

private slots:
    void init()
    {
        QVERIFY(m_folder.isValid());
        QVERIFY(QDir(m_folder.path()).removeRecursively() && QDir().mkpath(m_folder.path()));
    }

    void anArrayAndLinesGiveTheSameScript()
    {
        TestDocument array, lines;
        QCOMPARE(
            runText(
                array.document,
                "[\n {\"op\": \"addJoint\", \"name\": \"a\"},\n {\"op\": \"addJoint\",\n \"name\": \"b [{\\\"\"}\n]\n"),
            std::string());
        QCOMPARE(runText(lines.document,
                         "{\"op\": \"addJoint\", \"name\": \"a\"}\n\n{\"op\": \"addJoint\", \"name\": \"b [{\\\"\"}"),
                 std::string());
        QVERIFY(array.scene() == lines.scene());
        QCOMPARE(array.scene().joints->size(), std::size_t(2));
        QCOMPARE(runText(array.document, "[]"), std::string());
        QCOMPARE(runText(array.document, "  \n"), std::string());
    }

    void errorsNameTheLine_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("said");
        QTest::newRow("name")
            << "{\"op\":\"addJoint\",\"name\":\"a\"}\n{\"op\":\"rotate\",\"joint\":\"b\",\"axis\":\"x\",\"value\":1}"
            << "line 2: rotate: there is no joint called \"b\"";
        QTest::newRow("array") << "[\n\n{\"op\":\"addJoint\",\"name\":\"a\"},\n{\"op\":\"fly\"}]"
                               << "line 4 (operation 2): there is no operation \"fly\"";
        QTest::newRow("syntax") << "{\"op\":\"addJoint\",\"name\":\"a\"}\n{\"op\":\n\"addJoint\" \"name\"}"
                                << "line 3: not valid JSON";
        QTest::newRow("open") << "[{\"op\":\"addJoint\""
                              << "line 1: the operation that begins here has no end";
        QTest::newRow("open array") << "[{\"op\":\"addJoint\",\"name\":\"a\"}\n"
                                    << "line 2: the list of operations has no end";
        QTest::newRow("comma") << "[{\"op\":\"addJoint\",\"name\":\"a\"}\n{\"op\":\"addJoint\",\"name\":\"b\"}]"
                               << "line 2: a ',' is missing";
        QTest::newRow("after") << "[]\n[]"
                               << "line 2: there is something after";
        QTest::newRow("number") << "[1]"
                                << "line 1: an operation is an object";
        QTest::newRow("trailing comma") << "[{\"op\":\"addJoint\",\"name\":\"a\"},]"
                                        << "line 1: an operation is an object";
        QTest::newRow("member given twice")
            << "{\"op\":\"addJoint\",\"name\":\"a\"}\n{\"op\":\"addJoint\",\n\"name\":\"b\",\"name\":\"c\"}"
            << "line 3: the operation gives the member \"name\" twice";
        QTest::newRow("half a surrogate pair") << "[{\"op\":\"addJoint\",\"name\":\"\\ud800\"}]"
                                               << "line 1: /name contains \\ud800, half of a surrogate pair";
        QTest::newRow("infinite") << "{\"op\":\"addJoint\",\"name\":\"a\",\"translation\":[1e999,0,0]}"
                                  << "line 1: ";
    }

    void errorsNameTheLine()
    {
        QFETCH(QString, text);
        QFETCH(QString, said);
        TestDocument test;
        const std::string error = runText(test.document, text.toStdString());
        QVERIFY2(error.starts_with(said.toStdString()), error.c_str());
        QVERIFY(test.scene() == Scene{});
    }

    void aScriptIsAllOrNothing()
    {
        TestDocument test = arm();
        QVERIFY(writeFile(in("old.tendon"), "as it was").has_value());
        const Scene before = test.scene();
        const std::size_t steps = test.document.history.undoCount();
        const std::string script =
            "{\"op\":\"rotate\",\"joint\":\"elbow\",\"axis\":\"x\",\"value\":10}\n{\"op\":\"save\",\"file\":\"" +
            in("new.tendon") + "\"}\n{\"op\":\"save\",\"file\":\"" + in("old.tendon") + "\"}\n";
        const std::string error = runText(test.document, script + "{\"op\":\"removeJoint\",\"joint\":\"nobody\"}");
        QVERIFY2(error.starts_with("line 4: removeJoint: "), error.c_str());
        QVERIFY(test.scene() == before);
        QCOMPARE(test.document.history.undoCount(), steps);
        QCOMPARE(files(), QStringList{"old.tendon"});
        QCOMPARE(*readFile(in("old.tendon")), std::string("as it was"));

        QCOMPARE(runText(test.document, script, {.saveTo = in("third.tendon"), .progress = {}}), std::string());
        QCOMPARE(files(), (QStringList{"new.tendon", "old.tendon", "third.tendon"}));
        QVERIFY(test.document.history.isSaved());
        const auto read = readProject(in("third.tendon"));
        QVERIFY2(read.has_value(), read ? "" : read.error().text().c_str());
        QVERIFY(read->scene == test.scene());
        QCOMPARE(*readFile(in("third.tendon")), *readFile(in("new.tendon")));
    }

    void anErrorInAGroupNamesTheLineOfItsOperation()
    {
        TestDocument test = arm();
        const std::string error = runText(
            test.document,
            "{\"op\": \"setFrame\", \"value\": 2}\n{\"op\": \"group\", \"label\": \"[{ }\", \"operations\": [\n"
            " {\"op\": \"addJoint\", \"name\": \"a\"},\n {\"op\": \"group\", \"operations\": [{\"op\": "
            "\"addJoint\", \"name\": \"b [{\"},\n  {\"op\": \"rotate\", \"joint\": \"nobody\", \"axis\": \"x\", "
            "\"value\": 1}]}]}\n");
        QVERIFY2(error.starts_with("line 5 (operation 2): group: operations[1]: group: operations[1]: rotate: "),
                 error.c_str());
        const std::string wrong = runText(test.document, "{\"op\": \"group\", \"operations\": [\n\"x{\",\n3]}");
        QVERIFY2(wrong.starts_with("line 1: group: operations"), wrong.c_str());
    }

    void aScriptThatEndsWithAPendingPoseFailsKeysOrDiscardsIt()
    {
        // elbow has a key at frame 1 and is posed at frame 10, without Auto Key.
        const std::string posed = "{\"op\":\"key\",\"target\":\"elbow\"}\n{\"op\":\"setFrame\",\"value\":10}\n"
                                  "{\"op\":\"rotate\",\"joint\":\"elbow\",\"axis\":\"z\",\"value\":30}\n"
                                  "{\"op\":\"setRange\",\"from\":1,\"to\":20}\n";
        RunOptions options;
        options.saveTo = in("out.tendon");
        TestDocument failed = arm();
        const Scene before = failed.scene();
        options.onPending = OnPending::Fail;
        const std::string error = runText(failed.document, posed, options);
        QVERIFY2(error.starts_with("line 3: its pose at frame 10 is not keyed when the script ends"), error.c_str());
        QVERIFY2(error.find("elbow rz") != std::string::npos, error.c_str());
        QVERIFY(failed.scene() == before && files().isEmpty());

        TestDocument keyed = arm();
        options.onPending = OnPending::Key;
        QCOMPARE(runText(keyed.document, posed, options), std::string());
        QVERIFY(std::abs(keyed.keyed("elbow", Property::Rz, 10) - radians(30)) < 1e-12);
        QVERIFY(keyed.document.edit.pending.empty());
        const auto saved = readProject(in("out.tendon"));
        QVERIFY(saved && saved->scene == keyed.scene());

        TestDocument discarded = arm();
        options.onPending = OnPending::Discard;
        QCOMPARE(runText(discarded.document, posed, options), std::string());
        QCOMPARE(discarded.frames("elbow", Property::Rz), (std::vector<double>{1}));
        QVERIFY(discarded.document.edit.pending.empty());
        QCOMPARE(discarded.document.messages.size(), std::size_t(1));
        QVERIFY(discarded.document.messages[0].where.starts_with("line 3"));

        // A pose that was keyed or discarded in the script is no reason to fail.
        options.onPending = OnPending::Fail;
        for (const char* end : {R"({"op":"key","target":"elbow"})", R"({"op":"keyPending"})",
                                R"({"op":"discardPending"})", R"({"op":"setFrame","value":1})"}) {
            TestDocument settled = arm();
            QCOMPARE(runText(settled.document, posed + end, options), std::string());
        }
    }

    void aFileIsNotWrittenWithoutThePoseThatIsPending()
    {
        const std::string posed = "{\"op\":\"key\",\"target\":\"elbow\"}\n{\"op\":\"setFrame\",\"value\":10}\n"
                                  "{\"op\":\"rotate\",\"joint\":\"elbow\",\"axis\":\"z\",\"value\":30}\n",
                          save = "{\"op\":\"save\",\"file\":\"" + in("middle.tendon") + "\"}\n",
                          end = R"({"op":"setFrame","value":1})";
        RunOptions options;
        options.onPending = OnPending::Fail;
        TestDocument failed = arm();
        const std::string error = runText(failed.document, posed + save + end, options);
        QVERIFY2(error.starts_with("line 3: its pose at frame 10 is not keyed when this file is written"),
                 error.c_str());
        QVERIFY(files().isEmpty());

        options.onPending = OnPending::Key;
        TestDocument keyed = arm();
        QCOMPARE(runText(keyed.document, posed + save + end, options), std::string());
        const auto saved = readProject(in("middle.tendon"));
        QVERIFY(saved && saved->scene == keyed.scene());
        QCOMPARE(keyed.frames("elbow", Property::Rz), (std::vector<double>{1, 10}));

        // By hand it is saved without the pose, with a warning; the pose stays.
        TestDocument byHand = arm();
        byHand(R"({"op":"key","target":"elbow"})")(R"({"op":"setFrame","value":10})")(
            R"({"op":"rotate","joint":"elbow","axis":"z","value":30})")(save.c_str());
        QCOMPARE(byHand.document.messages.size(), std::size_t(1));
        QVERIFY(byHand.document.messages[0].text.find("was not saved: elbow rz") != std::string::npos);
        QCOMPARE(byHand.document.edit.pending.size(), std::size_t(1));
    }

    void aFileThatCannotBeWrittenFailsTheWholeScript()
    {
        TestDocument test = arm();
        const Scene before = test.scene();
        const std::string error = runText(
            test.document,
            "{\"op\":\"rotate\",\"joint\":\"elbow\",\"axis\":\"x\",\"value\":10}\n{\"op\":\"save\",\"file\":\"" +
                in("no/where.tendon") + "\"}");
        QVERIFY2(error.starts_with("line 2: save: ") && error.find("folder") != std::string::npos, error.c_str());
        QVERIFY(test.scene() == before);
        QVERIFY(files().isEmpty());
        QVERIFY(test.error(R"({"op": "save"})").find("has not been saved before") != std::string::npos);
    }

    void importingAModelIsOneStepThatUndoRemovesCompletely()
    {
        TestDocument test;
        test.document.services.import = fakeImport;
        QVERIFY(test.error(R"({"op": "import", "file": "broken.glb"})").find("this is no model") != std::string::npos);
        QVERIFY(test.error(R"({"op": "import", "file": "a.glb", "unit": "parsec"})").find("unit: must be one of") !=
                std::string::npos);
        test(R"({"op": "addJoint", "name": "leg"})")(R"({"op": "import", "file": "a.glb", "unit": "cm"})");
        QCOMPARE(test.scene().model->metresPerUnit, 0.01);
        QCOMPARE(test.scene().joints->size(), std::size_t(3));
        QCOMPARE(test.joint("leg_2").parent, test.joint("hips").id);
        QCOMPARE(test.scene().model->meshes[0].skin.joints[0], test.joint("leg_2").id);
        QCOMPARE(test.document.clip()->name, std::string("step"));
        QCOMPARE(test.frames("leg_2", Property::Rx), (std::vector<double>{1, 12}));
        QVERIFY(test.error(R"({"op": "import", "file": "a.glb"})").find("holds a model already") != std::string::npos);
        test(R"({"op": "undo"})");
        QVERIFY(test.scene().model == nullptr && test.scene().joints->size() == 1);
    }

    void removingASkinnedJointBindsItsMeshToTheJointAbove()
    {
        TestDocument test;
        test.document.services.import = fakeImport;
        test(R"({"op": "import", "file": "a.glb"})");
        test(R"({"op": "removeJoint", "joint": "leg"})");
        QCOMPARE(test.scene().model->meshes[0].skin.joints[0], test.joint("hips").id);
        QVERIFY(test.error(R"({"op": "removeJoint", "joint": "hips"})").find("no parent that could take the mesh") !=
                std::string::npos);
    }

    void clipsOfOtherFilesAreImportedByNameOrByMap()
    {
        TestDocument same;
        same.document.services.import = fakeImport;
        same(R"({"op": "addJoint", "name": "hips", "translation": [0, 1, 0]})")(
            R"({"op": "addJoint", "name": "leg", "parent": "hips", "translation": [0, -0.5, 0]})");
        same(R"({"op": "importClip", "file": "a.glb", "as": "walk"})");
        QCOMPARE(same.document.clip()->name, std::string("walk"));
        QVERIFY(std::abs(same.keyed("leg", Property::Rx, 12) - radians(40)) < 1e-9);
        QVERIFY(same.error(R"({"op": "importClip", "file": "a.glb", "clip": "jump"})").find("there are \"step\"") !=
                std::string::npos);

        // Twice the size, other names, other axes: the same motion, twice as large.
        TestDocument other;
        other.document.services.import = fakeImport;
        other(R"({"op": "addJoint", "name": "pelvis", "translation": [0, 2, 0], "rotation": [0, 90, 0]})");
        other(
            R"({"op": "addJoint", "name": "thigh", "parent": "pelvis", "translation": [0, -1, 0], "rotation": [0, 0, 180]})");
        other(R"({"op": "importClip", "file": "a.glb", "map": {"hips": "pelvis", "leg": "thigh"}})");
        QVERIFY((other.worldAt("pelvis", 12).translation() - Vector3(0, 2.4, 0)).norm() < 1e-9);
        const Quaternion rest = rotationOf(worldInRestPose(other.scene(), other.joint("thigh").id));
        const Quaternion turned = rotationOf(other.worldAt("thigh", 12)) * rest.conjugate();
        QVERIFY(turned.angularDistance(Quaternion(Eigen::AngleAxisd(radians(40), Vector3::UnitX()))) < 1e-9);
        QVERIFY(other.error(R"({"op": "importClip", "file": "a.glb", "map": {"hips": "nobody"}})").find("nobody") !=
                std::string::npos);
        QVERIFY(other.error(R"({"op": "importClip", "file": "a.glb"})").find("map") != std::string::npos);
    }

    void exportsAreStagedWithTheScript()
    {
        TestDocument test = arm();
        test(R"({"op": "key", "target": "elbow", "frame": 1})")(R"({"op": "key", "target": "elbow", "frame": 5})");
        std::string seen;
        test.document.services.exported = [&](const ExportOutcome& outcome) { seen = outcome.clips.front().name; };
        const std::string script = "{\"op\":\"export\",\"file\":\"" + in("arm.glb") + "\"}\n";
        QVERIFY(!runText(test.document, script + "{\"op\":\"undo\",\"count\":99}").empty());
        QCOMPARE(seen, std::string("Clip"));
        QVERIFY(files().isEmpty());
        QCOMPARE(runText(test.document, script), std::string());
        QCOMPARE(files(), QStringList{"arm.glb"});
    }

    void theRecordedScriptReplaysToTheSameBytes()
    {
        const std::vector<QJsonObject> session{
            json(R"({"op": "addJoint", "name": "a", "translation": [0.1, 0.30000000000000004, 1e-17]})"),
            json("{\"op\": \"addJoint\", \"parent\": \"a\", \"name\": \"b \\\"quoted\\\" é\", \"translation\": "
                 "[0.3333333333333333, 0, 0]}"),
            json("{\"op\": \"addJoint\", \"parent\": \"b \\\"quoted\\\" é\", \"name\": \"c\", \"translation\": [0.7, "
                 "0, 0]}"),
            json(R"({"op": "drag", "joint": "c", "by": [-0.123456789012345678, 0.2, 0.1]})"),
            json(R"({"op": "autoKey", "on": true})"),
            json(R"({"op": "setFrame", "value": 12})"),
            json(R"({"op": "rotate", "joint": "a", "axis": "y", "value": 33.3})")};
        TestDocument first, again;
        for (const QJsonObject& operation : session) QVERIFY(carryOut(first.document, operation).has_value());
        const std::string text = scriptToText(session);
        QVERIFY(text.starts_with(
            "{\"op\": \"addJoint\", \"name\": \"a\", \"translation\": [0.1, 0.30000000000000004, 1e-17]}\n"));
        QCOMPARE(runText(again.document, text), std::string());
        QCOMPARE(*projectBytes(projectOf(first.document), in("x.tendon")),
                 *projectBytes(projectOf(again.document), in("x.tendon")));
    }
};

TENDON_TEST(TestScript)
#include "tst_script.moc"
