#include "core/document/MakeOperation.h"
#include "core/io/project/ProjectFile.h"
#include "core/scene/Validate.h"
#include "tests/support/TestDocument.h"
#include "tests/support/TestProgram.h"

#include <QTemporaryDir>

using namespace tendon;
using namespace tendon::test;

/// What is hidden and locked, selection sets and camera bookmarks: operations, undo, files.
class TestViewSetup : public QObject
{
    Q_OBJECT

private slots:
    void hidingAJointHidesWhatIsBelowAndUndoShowsItAgain()
    {
        TestDocument test = arm();
        const Scene before = test.scene();
        test(R"({"op": "setHidden", "objects": ["elbow"]})");
        QVERIFY(isJointHidden(test.scene(), test.joint("elbow").id));
        QVERIFY(isJointHidden(test.scene(), test.joint("wrist").id));
        QVERIFY(!isJointHidden(test.scene(), test.joint("shoulder").id));
        QCOMPARE(allHidden(test.scene()).size(), std::size_t{2});
        QVERIFY(test.scene().joints.isSame(before.joints)); // no rig is compiled again
        QVERIFY(carryOut(test.document, ops::undo()).has_value());
        QVERIFY(test.scene() == before);
    }

    void showAndUnlockWithoutNamesTakeAllMarks()
    {
        TestDocument test = arm();
        test(R"({"op": "setHidden", "objects": ["elbow", "wrist"]})");
        test(R"({"op": "setLocked", "objects": ["elbow"]})");
        test(R"({"op": "setHidden", "objects": ["wrist"], "on": false})");
        QCOMPARE(test.scene().view->hidden, std::set<ObjectId>{test.joint("elbow").id.value});
        test(R"({"op": "setHidden", "on": false})");
        QVERIFY(test.scene().view->hidden.empty());
        QCOMPARE(test.scene().view->locked.size(), std::size_t{1});
        test(R"({"op": "setLocked", "on": false})");
        QVERIFY(*test.scene().view == ViewSetup{});
    }

    void selectionSetsAreMadeChangedRenamedAndRemoved()
    {
        TestDocument test = arm();
        test(R"({"op": "setSelectionSet", "name": "hand", "objects": ["wrist", "elbow", "wrist"]})");
        QCOMPARE(test.scene().view->sets.front().objects.size(), std::size_t{2}); // each once
        test(R"({"op": "setSelectionSet", "name": "hand", "to": "tip"})");
        QVERIFY(test.scene().view->setNamed("hand") == nullptr);
        QCOMPARE(test.scene().view->setNamed("tip")->objects.size(), std::size_t{2});
        test(R"({"op": "setSelectionSet", "name": "tip", "objects": ["elbow"]})");
        QCOMPARE(test.scene().view->setNamed("tip")->objects, std::vector<ObjectId>{test.joint("elbow").id.value});
        test(R"({"op": "removeSelectionSet", "name": "tip"})");
        QVERIFY(test.scene().view->sets.empty());
    }

    void whatIsRemovedLeavesTheView()
    {
        TestDocument test = arm();
        test(R"({"op": "setSelectionSet", "name": "hand", "objects": ["wrist"]})");
        test(R"({"op": "setSelectionSet", "name": "arm", "objects": ["shoulder", "wrist"]})");
        test(R"({"op": "setHidden", "objects": ["wrist"]})");
        test(R"({"op": "setLocked", "objects": ["wrist"]})");
        test(R"({"op": "removeJoint", "joint": "wrist"})");
        QVERIFY(test.scene().view->hidden.empty() && test.scene().view->locked.empty());
        QCOMPARE(test.scene().view->sets.size(), std::size_t{1}); // nothing was left of the other
        QCOMPARE(test.scene().view->sets.front().objects.size(), std::size_t{1});
        QVERIFY(checkScene(test.scene()).has_value());
    }

    void aBookmarkKeepsWhatIsNotGiven()
    {
        TestDocument test = arm();
        test(R"({"op": "setCameraBookmark", "name": "close", "target": [1, 2, 3], "distance": 2, "yaw": 90})");
        test(R"({"op": "setCameraBookmark", "name": "close", "distance": 5})");
        const ViewCamera& camera = test.scene().view->bookmarkNamed("close")->camera;
        QCOMPARE(camera.distance, 5.0);
        QVERIFY((camera.target - Vector3(1, 2, 3)).norm() == 0);
        QVERIFY(std::abs(camera.yaw - 1.5707963267948966) < 1e-15);
        test(R"({"op": "setCameraBookmark", "name": "close", "to": "near"})");
        QVERIFY(test.scene().view->bookmarkNamed("near") != nullptr);
        test(R"({"op": "removeCameraBookmark", "name": "near"})");
        QVERIFY(test.scene().view->bookmarks.empty());
    }

    void wrongEditsSayWhyAndChangeNothing_data()
    {
        QTest::addColumn<QByteArray>("operation");
        QTest::addColumn<QByteArray>("reason");
        QTest::newRow("nothing to hide") << QByteArray(R"({"op": "setHidden"})") << QByteArray("name what to hide");
        QTest::newRow("nothing to lock") << QByteArray(R"({"op": "setLocked", "objects": []})")
                                         << QByteArray("name what to lock");
        QTest::newRow("no such joint") << QByteArray(R"({"op": "setLocked", "objects": ["knee"]})")
                                       << QByteArray("no joint or handle called \"knee\"");
        QTest::newRow("no such mesh") << QByteArray(R"({"op": "setHidden", "meshes": ["body"]})")
                                      << QByteArray("no mesh called \"body\"");
        QTest::newRow("empty set") << QByteArray(R"({"op": "setSelectionSet", "name": "a", "objects": []})")
                                   << QByteArray("at least one");
        QTest::newRow("set of nothing") << QByteArray(R"({"op": "setSelectionSet", "name": "a"})")
                                        << QByteArray("no selection set called \"a\"");
        QTest::newRow("name taken")
            << QByteArray(R"({"op": "setSelectionSet", "name": "b", "objects": ["wrist"], "to": "first"})")
            << QByteArray("\"first\" is there already");
        QTest::newRow("no such set") << QByteArray(R"({"op": "removeSelectionSet", "name": "a"})")
                                     << QByteArray("no selection set called \"a\"");
        QTest::newRow("bookmark of nothing") << QByteArray(R"({"op": "setCameraBookmark", "name": "a"})")
                                             << QByteArray("no camera bookmark called \"a\"");
        QTest::newRow("no distance") << QByteArray(R"({"op": "setCamera", "distance": 0})")
                                     << QByteArray("distance: must be above 0");
        QTest::newRow("no name") << QByteArray(R"({"op": "setCameraBookmark", "name": "", "yaw": 2})")
                                 << QByteArray("name");
    }

    void wrongEditsSayWhyAndChangeNothing()
    {
        QFETCH(QByteArray, operation);
        QFETCH(QByteArray, reason);
        TestDocument test = arm();
        test(R"({"op": "setSelectionSet", "name": "first", "objects": ["wrist"]})");
        const Scene before = test.scene();
        const auto done = carryOut(test.document, QJsonDocument::fromJson(operation).object());
        QVERIFY(!done.has_value());
        QVERIFY2(done.error().text().find(reason.toStdString()) != std::string::npos, done.error().text().c_str());
        QVERIFY(test.scene() == before);
    }

    void theCameraIsEditingStateThatIsSaved()
    {
        QTemporaryDir folder;
        const std::string path = folder.filePath("a.tendon").toStdString();
        TestDocument test = arm();
        QVERIFY(carryOut(test.document, ops::save(path)).has_value());
        const std::size_t steps = test.document.history.undoCount();
        test(R"({"op": "setCamera", "target": [0, 1, 0], "distance": 3, "orthographic": true})");
        QCOMPARE(test.document.history.undoCount(), steps); // no step,
        QVERIFY(test.document.history.isSaved());           // and nothing to be asked about
        test(R"({"op": "setHidden", "objects": ["wrist"]})");
        test(R"({"op": "setCameraBookmark", "name": "close", "distance": 0.5})");
        QVERIFY(carryOut(test.document, ops::save()).has_value());
        const auto read = readProject(path);
        QVERIFY2(read.has_value(), read ? "" : read.error().text().c_str());
        QVERIFY(read->scene.view == test.scene().view);
        const Document opened = openDocument(*read, path, *test.document.solvers);
        QVERIFY(opened.edit.camera == test.document.edit.camera);
        QVERIFY(opened.edit.camera->isOrthographic);
    }

    void aFileThatHidesWhatIsNotThereIsRefused()
    {
        const TestDocument test = arm();
        std::string bytes = *projectBytes({test.scene(), {}}, "/nowhere/p.tendon");
        bytes.insert(bytes.rfind('}'), R"(, "view": {"hidden": [9999]})");
        const auto read = projectFromBytes(bytes, "/nowhere/p.tendon");
        QVERIFY(!read.has_value());
        QVERIFY2(read.error().text().find("/view/hidden") != std::string::npos, read.error().text().c_str());
    }
};

TENDON_TEST(TestViewSetup)
#include "tst_view_setup.moc"
