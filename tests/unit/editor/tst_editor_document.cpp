#include "app/editor/DocumentFile.h"
#include "app/editor/Editor.h"
#include "app/editor/Recovery.h"
#include "core/document/Script.h"
#include "core/io/project/ProjectFile.h"
#include "core/scene/Check.h"
#include "resources/samples/Samples.h"
#include "tests/support/TestProgram.h"

#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

#include <atomic>
#include <chrono>
#include <limits>
#include <random>
#include <thread>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

using namespace tendon;
using namespace tendon::editor;

class TestEditorDocument : public QObject
{
    Q_OBJECT
private:
    SolverRegistry m_solvers;
    static const Handle& hand(const Editor& editor)
    {
        for (const Handle& handle : *editor.document().scene().handles)
            if (handle.name.find("Hand") != std::string::npos || handle.name.find("hand") != std::string::npos)
                return handle;
        return editor.document().scene().handles->front();
    }

private slots:
    void initTestCase() { m_solvers.scan(); }
    void aDragIsOneStepAndUndoRestoresTheStart();
    void aDragThatReturnsToItsStartIsNotAStep();
    void escCancelsADrag();
    void aHandleThatHoldsStaysWhereItWasInReachDuringADrag();
    void aGoalThatFollowsAJointIsDraggedInTheWorld();
    void autoKeyKeysTheFirstFrameToo();
    void theRecordedScriptReplaysToTheSameBytes();
    void severalOperationsAreUndoneAsOne();
    void anotherEditEndsTheDrag();
    void anErrorChangesNothingAndIsReported();
    void unsavedWorkIsRecovered();
    void aPoseThatIsNotKeyedIsRecovered();
    void noEditWaitsLongForItsRecoveryCopy();
    void recoveredWorkKeepsItsOwnPicture();
    void recoveredWorkIsComparedWithItsFile();
    void aDamagedCopyFallsBackToTheOneBefore();
    void whatAKilledProcessHasLeftIsWhole();
    void writesCopiesUntilItIsKilled(); // the process that the test above kills
    void aCopyThatCannotBeWrittenIsSaidOnce();
    void anotherWindowIsToldWhoHasTheFile();
    void theLockOfADeadProcessIsNoLock();
    void aChangeOnDiskIsReportedOnce();
};

void TestEditorDocument::aDragIsOneStepAndUndoRestoresTheStart()
{
    Editor editor(m_solvers);
    QVERIFY(editor.document().openSample("mannequin"));
    const Scene start = editor.document().scene();
    const HandleId handle = hand(editor).id;
    const FramePtr frame = editor.finishFrame();
    QVERIFY(editor.document().apply({{"op", "addClip"}, {"name", "Still"}})); // no keys: goals are static
    const std::size_t steps = editor.document().history().undoCount();
    QVERIFY(editor.drag().begin(SelectionItem::of(handle), DragSession::Kind::Move, editor.finishFrame()));
    for (int i = 1; i <= 40; ++i) QVERIFY(editor.drag().moveTo(editor.drag().origin() + Vector3(0, 0.005 * i, 0)));
    editor.drag().commit();
    QCOMPARE(editor.document().history().undoCount(), steps + 1);
    const FramePtr after = editor.finishFrame();
    QVERIFY((after->find(handle)->target.goal.position - editor.drag().origin() - Vector3(0, 0.2, 0)).norm() < 1e-12);
    QVERIFY(editor.document().undo());
    QVERIFY(editor.document().undo());
    QVERIFY(editor.document().scene() == start);
}

void TestEditorDocument::aDragThatReturnsToItsStartIsNotAStep()
{
    Editor editor(m_solvers);
    QVERIFY(editor.document().openSample("leg"));
    const HandleId handle = editor.document().scene().handles->front().id;
    QVERIFY(editor.drag().begin(SelectionItem::of(handle), DragSession::Kind::Move, editor.finishFrame()));
    QVERIFY(editor.drag().moveTo(editor.drag().origin() + Vector3(0.1, 0, 0)));
    QVERIFY(editor.drag().moveTo(editor.drag().origin()));
    editor.drag().commit();
    QCOMPARE(editor.document().history().undoCount(), std::size_t(0));
    QVERIFY(!editor.document().isModified());
}

void TestEditorDocument::escCancelsADrag()
{
    Editor editor(m_solvers);
    QVERIFY(editor.document().openSample("leg"));
    const Scene start = editor.document().scene();
    const HandleId handle = editor.document().scene().handles->front().id;
    QVERIFY(editor.drag().begin(SelectionItem::of(handle), DragSession::Kind::Move, editor.finishFrame()));
    QVERIFY(editor.drag().moveTo(editor.drag().origin() + Vector3(0.1, 0.2, 0)));
    QVERIFY(!(editor.document().scene() == start));
    editor.drag().cancel();
    QVERIFY(editor.document().scene() == start);
    QCOMPARE(editor.document().history().undoCount(), std::size_t(0));
    QVERIFY(editor.document().recorded().empty());
}

void TestEditorDocument::aHandleThatHoldsStaysWhereItWasInReachDuringADrag()
{
    Editor editor(m_solvers);
    QVERIFY(editor.document().openSample("leg"));
    const Handle handle = editor.document().scene().handles->front();
    QVERIFY(editor.document().apply({{"op", "addClip"}, {"name", "Still"}})); // no keys: no earlier frame to hold
    QVERIFY(editor.document().apply(
        {{"op", "setHandle"}, {"name", QString::fromStdString(handle.name)}, {"unreachable", "hold"}}));
    const auto shown = [&] { return editor.finishFrame(); };
    const auto endOf = [&](const FramePtr& frame) { return Vector3(frame->worldFromJoint(handle.end)->translation()); };
    QVERIFY(editor.drag().begin(SelectionItem::of(handle.id), DragSession::Kind::Move, shown()));
    const Vector3 reached = editor.drag().origin() + Vector3(0, 0.1, 0.1), far = reached + Vector3(0, 0, 5);
    QVERIFY(editor.drag().moveTo(reached));
    const FramePtr before = shown();
    QVERIFY((endOf(before) - reached).norm() < 1e-3);
    QVERIFY(editor.drag().moveTo(far));
    const FramePtr during = shown();
    QVERIFY(during->find(handle.id)->result.isHeld && !during->find(handle.id)->isMissed);
    QVERIFY((during->find(handle.id)->target.goal.position - far).norm() < 1e-9);
    QVERIFY((endOf(during) - endOf(before)).norm() < 1e-12);
    QCOMPARE(during->worstError, 0.0);
    QVERIFY(editor.drag().moveTo(reached));
    QVERIFY((endOf(shown()) - endOf(before)).norm() < 1e-12);
    QVERIFY(editor.drag().moveTo(far));
    editor.drag().commit();
    const FramePtr after = shown(); // what the document says: the FK pose
    for (std::size_t j = 0; j < after->rig->jointCount(); ++j)
        QVERIFY(after->solved.local.joints[j].rotation.angularDistance(after->rig->rest[j].rotation) < 1e-9);
    QVERIFY((endOf(after) - endOf(before)).norm() > 1e-2);
}

void TestEditorDocument::aGoalThatFollowsAJointIsDraggedInTheWorld()
{
    Editor editor(m_solvers);
    EditorDocument& document = editor.document();
    QVERIFY(document.apply({{"op", "addJoint"},
                            {"name", "carrier"},
                            {"translation", QJsonArray{3, 1, -2}},
                            {"rotation", QJsonArray{20, 70, -30}}}));
    QVERIFY(document.apply({{"op", "addJoint"}, {"name", "a"}}));
    QVERIFY(document.apply({{"op", "addJoint"}, {"name", "b"}, {"parent", "a"}, {"translation", QJsonArray{0, 1, 0}}}));
    QVERIFY(document.apply({{"op", "addJoint"}, {"name", "c"}, {"parent", "b"}, {"translation", QJsonArray{0, 1, 0}}}));
    QVERIFY(document.apply({{"op", "addHandle"}, {"name", "h"}, {"start", "a"}, {"end", "c"}}));
    QVERIFY(document.apply({{"op", "setHandle"}, {"name", "h"}, {"follow", "carrier"}}));
    const HandleId handle = document.scene().handles->front().id;
    QVERIFY(editor.drag().begin(SelectionItem::of(handle), DragSession::Kind::Move, editor.finishFrame()));
    const Vector3 target(0.6, 1.1, 0.4);
    QVERIFY(editor.drag().moveTo(target));
    editor.drag().commit();
    const FramePtr frame = editor.finishFrame();
    QVERIFY((frame->find(handle)->target.goal.position - target).norm() < 1e-9);
    QVERIFY((frame->find(handle)->effector - target).norm() < 1e-3);
}

void TestEditorDocument::autoKeyKeysTheFirstFrameToo()
{
    Editor editor(m_solvers);
    EditorDocument& document = editor.document();
    QVERIFY(document.openSample("leg"));
    const HandleId handle = document.scene().handles->front().id;
    QVERIFY(document.apply({{"op", "autoKey"}, {"on", true}}));
    editor.goToFrame(50);
    QVERIFY(editor.drag().begin(SelectionItem::of(handle), DragSession::Kind::Move, editor.finishFrame()));
    const Vector3 origin = editor.drag().origin();
    for (int i = 1; i <= 10; ++i) QVERIFY(editor.drag().moveTo(origin + Vector3(0, 0, -0.01 * i)));
    editor.drag().commit();
    // Keys at the first frame and at 50, on the goal and nothing else; one step.
    QCOMPARE(document.history().undoCount(), std::size_t(1));
    QVERIFY(document.clip() != nullptr);
    QCOMPARE(document.clip()->channels.size(), std::size_t(1));
    const auto& [channel, keys] = *document.clip()->channels.begin();
    QCOMPARE(channel.target, handle.value);
    QVERIFY(channel.property == Property::GoalPosition);
    QCOMPARE(keys->size(), std::size_t(2));
    QCOMPARE(document.scene().fps.frameAt((*keys)[0].time), double(document.scene().firstFrame));
    QCOMPARE(document.scene().fps.frameAt((*keys)[1].time), 50.0);
    // A drag that is taken back leaves no key.
    editor.goToFrame(80);
    QVERIFY(editor.drag().begin(SelectionItem::of(handle), DragSession::Kind::Move, editor.finishFrame()));
    QVERIFY(editor.drag().moveTo(origin));
    editor.drag().cancel();
    QCOMPARE(document.clip()->keyCount(), std::size_t(2));
}

void TestEditorDocument::theRecordedScriptReplaysToTheSameBytes()
{
    Editor editor(m_solvers);
    EditorDocument& document = editor.document();
    QVERIFY(document.openSample("lamp"));
    const JointId joint = *document.scene().jointNamed("Lever02");
    QVERIFY(editor.drag().begin(SelectionItem::of(joint), DragSession::Kind::Move, editor.finishFrame()));
    for (int i = 1; i <= 7; ++i)
        QVERIFY(editor.drag().moveTo(editor.drag().origin() + Vector3(0.03 * i, -0.01 * i, 0.02)));
    editor.drag().commit();
    QVERIFY(document.apply({{"op", "setTerminator"}, {"joint", "Hinge01"}, {"on", true}}));
    for (int frame = 2; frame < 30; ++frame) editor.goToFrame(frame); // scrubbing
    editor.goToFrame(24);
    QVERIFY(document.apply({{"op", "key"}, {"target", "Lever02"}}));
    QVERIFY(document.undo());
    QVERIFY(document.redo());

    // From its text, as the command line would read it.
    const auto script = parseScript(scriptToText(document.recorded()));
    QVERIFY(script);
    QVERIFY2(script->entries.size() < 12, "scrubbing is not to fill the script");
    auto project = makeSample("lamp", m_solvers);
    QVERIFY(project);
    Document replayed = openDocument(std::move(*project), {}, m_solvers);
    QVERIFY(runScript(replayed, *script));
    const auto ours = projectBytes(
        {document.scene(), {document.edit().currentClip, document.edit().frame, document.edit().camera}},
        "/nowhere/a.tendon");
    const auto theirs = projectBytes(projectOf(replayed), "/nowhere/a.tendon");
    QVERIFY(ours && theirs);
    QVERIFY(*ours == *theirs);
}

void TestEditorDocument::severalOperationsAreUndoneAsOne()
{
    Editor editor(m_solvers);
    EditorDocument& document = editor.document();
    QVERIFY(document.openSample("arm"));
    const Scene start = document.scene();
    std::vector<QJsonObject> operations;
    for (const Joint& joint : *start.joints)
        operations.push_back({{"op", "key"}, {"target", QString::fromStdString(joint.name)}});
    QVERIFY(operations.size() > 1);
    QVERIFY(document.applyAsOne(operations));
    const Scene keyed = document.scene();
    QVERIFY(document.undo());
    QVERIFY(document.scene() == start);
    QVERIFY(document.redo());
    QVERIFY(document.scene() == keyed);
    // When one fails, none has happened.
    operations.push_back({{"op", "key"}, {"target", "nobody"}});
    QVERIFY(document.undo());
    QVERIFY(!document.applyAsOne(operations));
    QVERIFY(document.scene() == start);
}

void TestEditorDocument::anotherEditEndsTheDrag()
{
    Editor editor(m_solvers);
    EditorDocument& document = editor.document();
    QVERIFY(document.openSample("leg"));
    const Handle handle = document.scene().handles->front();
    QVERIFY(editor.drag().begin(SelectionItem::of(handle.id), DragSession::Kind::Move, editor.finishFrame()));
    QVERIFY(editor.drag().moveTo(editor.drag().origin() + Vector3(0.1, 0, 0)));
    QSignalSpy ended(&editor.drag(), &DragSession::ended);
    QVERIFY(document.apply({{"op", "setHandle"}, {"name", QString::fromStdString(handle.name)}, {"weight", 0.5}}));
    QCOMPARE(ended.count(), 1);
    QVERIFY(!editor.drag().isActive());
    QCOMPARE(document.history().undoCount(), std::size_t(2)); // the drag, and the weight
}

void TestEditorDocument::anErrorChangesNothingAndIsReported()
{
    Editor editor(m_solvers);
    EditorDocument& document = editor.document();
    QVERIFY(document.openSample("arm"));
    const std::uint64_t revision = document.revision();
    QSignalSpy reported(&document, &EditorDocument::reported);
    QVERIFY(!document.apply({{"op", "rotate"}, {"joint", "nobody"}, {"axis", "x"}, {"value", 3}}));
    QCOMPARE(reported.count(), 1);
    QCOMPARE(document.revision(), revision);
    QVERIFY(document.recorded().empty());
    // In words: who presses a button has asked for no operation.
    const QJsonObject tooHeavy{
        {"op", "setHandle"}, {"name", document.scene().handles->front().name.c_str()}, {"orientationWeight", -1}};
    QVERIFY(!document.applyAsOne({{{"op", "addJoint"}, {"name", "extra"}}, tooHeavy}) && !document.apply(tooHeavy));
    for (const QList<QVariant>& each : reported)
        for (const Issue& issue : each.front().value<Issues>())
            for (const char* name : {"rotate", "setHandle", "group", "operations[", "orientationWeight"})
                QVERIFY2(issue.line().find(name) == std::string::npos, issue.line().c_str());
    const std::string last = reported.back().front().value<Issues>().front().line();
    QVERIFY2(last.find("orientation weight must be 0 or more") != std::string::npos, last.c_str());
}

void TestEditorDocument::unsavedWorkIsRecovered()
{
    QTemporaryDir folder;
    SolverRegistry& solvers = m_solvers;
    Scene worked;
    {
        Editor editor(solvers);
        QVERIFY(editor.document().openSample("arm"));
        Recovery recovery(editor.document(), folder.path());
        QVERIFY(editor.document().apply({{"op", "addJoint"}, {"name", "extra"}}));
        worked = editor.document().scene();
        // By itself, and soon.
        QTRY_VERIFY_WITH_TIMEOUT(!QDir(folder.path()).entryList({"*.recovery.tendon"}).isEmpty(),
                                 Recovery::kDelay + 500);
        QVERIFY(recovery.find().empty()); // ours, and we live
        QVERIFY(recovery.writeNow());
        for (const QFileInfo& copy : QDir(folder.path()).entryInfoList({"*.recovery.tendon", "*.recovery.json"}))
            QVERIFY2(!copy.permission(QFile::ReadGroup) && !copy.permission(QFile::ReadOther), // whatever umask says
                     qPrintable(copy.fileName()));
    }
    // Now nobody holds it, whatever process numbers there are: this one's is the dead one's.
    Editor editor(solvers);
    Recovery recovery(editor.document(), folder.path());
    QVERIFY(editor.document().openSample("lamp")); // what a new window does first removes only its own
    {
        const auto found = recovery.find();
        QCOMPARE(found.size(), std::size_t(1));
        QVERIFY(!found[0].isOlderThanFile());
        QVERIFY(Recovery(editor.document(), folder.path()).find().empty()); // offered by one window at a time
        QVERIFY(recovery.recover(found[0]));
    }
    QVERIFY(editor.document().isModified());
    QCOMPARE(editor.document().scene().joints->size(), worked.joints->size());
    QVERIFY(editor.document().scene().jointNamed("extra"));
    recovery.remove();
    QVERIFY(QDir(folder.path()).isEmpty());
}

/// It is in no project file, but it is work. Going to another frame is not.
void TestEditorDocument::aPoseThatIsNotKeyedIsRecovered()
{
    QTemporaryDir folder;
    const auto copies = [&] { return QDir(folder.path()).entryList({"*.recovery.tendon"}); };
    PendingValues posed;
    {
        Editor editor(m_solvers);
        EditorDocument& document = editor.document();
        QVERIFY(document.openSample("mannequin"));
        QVERIFY(document.apply({{"op", "key"}, {"target", "HandIK_R"}}));
        QVERIFY(QDir(folder.path()).mkdir("saved"));
        QVERIFY(document.saveAs(folder.filePath("saved/p.tendon")));
        Recovery recovery(document, folder.path());
        QVERIFY(document.apply({{"op", "setFrame"}, {"value", 12}}));
        QVERIFY(!document.isModified());
        QVERIFY(document.apply({{"op", "setGoal"},
                                {"handle", "HandIK_R"},
                                {"position", QJsonArray{-0.4, 1.3, 0.31}},
                                {"rotation", QJsonArray{0.1, 0.2, 0.3, 0.927}}}));
        posed = document.edit().pending;
        QVERIFY(!posed.empty());
        QTRY_VERIFY_WITH_TIMEOUT(!copies().isEmpty(), Recovery::kMostBehind + 3000); // by itself
        QVERIFY(recovery.writeNow());
    }
    Editor editor(m_solvers);
    EditorDocument& document = editor.document();
    Recovery recovery(document, folder.path());
    auto found = recovery.find();
    QCOMPARE(found.size(), std::size_t(1));
    QVERIFY(recovery.recover(found[0]));
    QCOMPARE(document.edit().frame, 12);
    QVERIFY(document.edit().pending == posed);
    QVERIFY(document.isModified());
    found.clear();
    // What was recovered is in a copy of its own at once, and is posed, as it was: to be keyed or discarded.
    QVERIFY(!copies().isEmpty());
    const Clip before = *document.clip();
    QVERIFY(document.apply({{"op", "keyPending"}}));
    QVERIFY(document.edit().pending.empty() && document.clip()->keyCount() > before.keyCount());
    QVERIFY(document.undo());
    QVERIFY(document.edit().pending == posed);
}

/// However fast edits follow each other, however long the first copy takes, and while all cores are busy.
void TestEditorDocument::noEditWaitsLongForItsRecoveryCopy()
{
    constexpr int kEdits = 40;
    constexpr auto kSlow = std::chrono::milliseconds(350);
    QTemporaryDir folder;
    Editor editor(m_solvers);
    QVERIFY(editor.document().openSample("arm"));
    const std::size_t joints = editor.document().scene().joints->size();
    Recovery recovery(editor.document(), folder.path());
    recovery.takePicture = [&] {
        std::this_thread::sleep_for(kSlow);
        return QImage();
    };
    std::atomic<bool> isOver = false;
    std::vector<std::jthread> busy;
    for (unsigned i = 0; i < std::max(1u, std::thread::hardware_concurrency()); ++i)
        busy.emplace_back([&] {
            while (!isOver) {}
        });
    // How many edits the newest copy has.
    const auto kept = [&]() -> std::size_t {
        int newest = 0;
        for (const QString& name : QDir(folder.path()).entryList({"*.recovery.tendon"}))
            newest = std::max(newest, name.section('.', 1, 1).toInt());
        for (const QString& name : QDir(folder.path()).entryList({"*." + QString::number(newest) + ".recovery.tendon"}))
            if (const auto project = readProject(folder.filePath(name).toStdString()))
                return project->scene.joints->size() - joints;
        return 0;
    };
    std::vector<QElapsedTimer> edits;
    qint64 oldest = 0;
    for (std::size_t saved = 0; saved < kEdits;) {
        if (edits.size() < kEdits) {
            QVERIFY(editor.document().apply({{"op", "addJoint"}, {"name", "extra" + QString::number(edits.size())}}));
            edits.emplace_back().start();
        }
        QTest::qWait(100);
        saved = kept();
        if (saved < edits.size()) oldest = std::max(oldest, edits[saved].elapsed());
        QVERIFY(oldest < 20'000);
    }
    isOver = true;
    // Other tests run beside this one, and sanitized code is slow: a wait for a pause between edits is far beyond both.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    constexpr int kSlack = 5;
#else
    constexpr int kSlack = 2;
#endif
    QVERIFY2(oldest < kSlack * Recovery::kMostBehind, qPrintable(QString::number(oldest)));
    recovery.remove();
}

/// While work is recovered the view still shows what was open before.
void TestEditorDocument::recoveredWorkKeepsItsOwnPicture()
{
    QTemporaryDir folder;
    const auto filled = [](QColor colour) {
        QImage image(4, 4, QImage::Format_RGB32);
        image.fill(colour);
        return image;
    };
    const auto leave = [&](Editor& editor, Recovery& recovery, QColor colour) {
        recovery.takePicture = [&filled, colour] { return filled(colour); };
        return editor.document().apply({{"op", "addJoint"}, {"name", "extra"}}) && recovery.writeNow();
    };
    {
        Editor editor(m_solvers);
        QVERIFY(editor.document().openSample("arm"));
        Recovery recovery(editor.document(), folder.path());
        QVERIFY(leave(editor, recovery, Qt::green));
    }
    { // a window that recovers it and crashes, too
        Editor editor(m_solvers);
        QVERIFY(editor.document().openSample("lamp"));
        Recovery recovery(editor.document(), folder.path());
        recovery.takePicture = [&] { return filled(Qt::red); };
        QVERIFY(recovery.recover(recovery.find().front()));
    }
    Editor editor(m_solvers);
    Recovery recovery(editor.document(), folder.path());
    const auto found = recovery.find();
    QCOMPARE(found.size(), std::size_t(1));
    QCOMPARE(found[0].picture.pixelColor(1, 1), QColor(Qt::green));
}

void TestEditorDocument::recoveredWorkIsComparedWithItsFile()
{
    QTemporaryDir folder;
    for (const char* name : {"first", "second"}) {
        Editor editor(m_solvers);
        QVERIFY(editor.document().openSample("arm"));
        const QString file = folder.filePath(QString(name) + ".tendon");
        QVERIFY(editor.document().apply({{"op", "save"}, {"file", file}}));
        QVERIFY(editor.document().apply({{"op", "addJoint"}, {"name", "extra"}}));
        Recovery recovery(editor.document(), folder.path());
        QVERIFY(recovery.writeNow());
    }
    QFile saved(folder.filePath("first.tendon")); // again, after the copy
    QVERIFY(saved.open(QIODevice::ReadWrite));
    QVERIFY(saved.setFileTime(QDateTime::currentDateTime().addSecs(60), QFileDevice::FileModificationTime));
    Editor editor(m_solvers);
    Recovery recovery(editor.document(), folder.path());
    const auto found = recovery.find(folder.filePath("first.tendon"));
    QCOMPARE(found.size(), std::size_t(2));
    QCOMPARE(found[0].path, folder.filePath("first.tendon")); // that of the file asked for comes first
    QVERIFY(found[0].isOlderThanFile());
    QVERIFY(!found[1].isOlderThanFile());
}

void TestEditorDocument::aDamagedCopyFallsBackToTheOneBefore()
{
    QTemporaryDir folder;
    {
        Editor editor(m_solvers);
        QVERIFY(editor.document().openSample("arm"));
        Recovery recovery(editor.document(), folder.path());
        for (int i = 1; i <= Recovery::kCopies + 2; ++i) {
            QVERIFY(editor.document().apply({{"op", "addJoint"}, {"name", "extra" + QString::number(i)}}));
            QVERIFY(recovery.writeNow());
        }
    }
    Editor editor(m_solvers);
    Recovery recovery(editor.document(), folder.path());
    QStringList copies = recovery.find().front().copies;
    QCOMPARE(copies.size(), Recovery::kCopies);
    // The newest is another valid project now, the next is cut short.
    QFile newest(copies[0]), next(copies[1]);
    QVERIFY(newest.open(QIODevice::ReadWrite) && next.open(QIODevice::ReadWrite));
    const QByteArray changed = newest.readAll().replace("extra7", "extra8");
    QVERIFY(newest.seek(0) && newest.write(changed) == changed.size() && newest.flush());
    QVERIFY(next.resize(next.size() / 2));

    QSignalSpy reported(&editor.document(), &EditorDocument::reported);
    {
        const auto found = recovery.find();
        QCOMPARE(found.front().damaged, 2);
        QVERIFY(found.front().when == QFileInfo(copies[2]).lastModified());
        QVERIFY(recovery.recover(found.front()));
    }
    QVERIFY(editor.document().scene().jointNamed("extra5"));
    QVERIFY(!editor.document().scene().jointNamed("extra6"));
    QCOMPARE(reported.count(), 1);
    QVERIFY(reported[0][0].value<Issues>().front().text.find("damaged") != std::string::npos);
}

void TestEditorDocument::whatAKilledProcessHasLeftIsWhole()
{
#ifdef __SANITIZE_THREAD__
    QSKIP("ThreadSanitizer allows no new thread once QProcess has started a process");
#endif
    std::mt19937 random(15);
    for (int kill = 0; kill < 8; ++kill) {
        QTemporaryDir folder;
        QProcess victim;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("TENDON_RECOVERY_OF_THE_KILLED", folder.path());
        environment.insert("XDG_STATE_HOME", folder.filePath("state"));
        victim.setProcessEnvironment(environment);
        victim.start(QCoreApplication::applicationFilePath(), {"tst_editor_document", "writesCopiesUntilItIsKilled"});
        std::size_t kept = 0; // joints in the last copy that was written for sure
        const auto readKept = [&] {
            while (victim.canReadLine())
                if (const QByteArray line = victim.readLine(); line.startsWith("kept ") && line.endsWith('\n'))
                    kept = line.mid(5).trimmed().toUInt();
            return kept;
        };
        QTRY_VERIFY_WITH_TIMEOUT(readKept() > 0, 20000);
        QTest::qWait(static_cast<int>(random() % 40));
        victim.kill();
        QVERIFY(victim.waitForFinished());
        readKept();

        Editor editor(m_solvers);
        Recovery recovery(editor.document(), folder.path());
        const auto found = recovery.find();
        QCOMPARE(found.size(), std::size_t(1));
        QCOMPARE(found[0].damaged, 0);
        QVERIFY(!found[0].copies.isEmpty() && found[0].copies.size() <= Recovery::kCopies + 1);
        std::size_t after = std::numeric_limits<std::size_t>::max();
        for (const QString& copy : found[0].copies) {
            const auto project = readProject(copy.toStdString());
            QVERIFY2(project, qPrintable(copy));
            QVERIFY(project->scene.joints->size() < after);
            after = project->scene.joints->size();
        }
        QVERIFY(recovery.recover(found[0]));
        QVERIFY(editor.document().scene().joints->size() >= kept);
    }
}

void TestEditorDocument::writesCopiesUntilItIsKilled()
{
    const QString folder = qEnvironmentVariable("TENDON_RECOVERY_OF_THE_KILLED");
    if (folder.isEmpty()) return;
    Editor editor(m_solvers);
    QVERIFY(editor.document().openSample("arm"));
    Recovery recovery(editor.document(), folder);
    for (int i = 1;; ++i) {
        QVERIFY(editor.document().apply({{"op", "addJoint"}, {"name", "extra" + QString::number(i)}}));
        QVERIFY(recovery.writeNow());
        std::printf("kept %zu\n", editor.document().scene().joints->size());
        std::fflush(stdout);
    }
}

void TestEditorDocument::aCopyThatCannotBeWrittenIsSaidOnce()
{
    QTemporaryDir folder;
    Editor editor(m_solvers);
    QVERIFY(editor.document().openSample("arm"));
    QFile inTheWay(folder.filePath("recovery")); // a file where the folder should be
    QVERIFY(inTheWay.open(QIODevice::WriteOnly));
    Recovery recovery(editor.document(), folder.filePath("recovery"));
    QSignalSpy reported(&editor.document(), &EditorDocument::reported);
    for (const char* name : {"extra", "more"}) {
        QVERIFY(editor.document().apply({{"op", "addJoint"}, {"name", name}}));
        QVERIFY(!recovery.writeNow());
    }
    const auto isAboutRecovery = [](const QList<QVariant>& call) {
        const auto issues = call[0].value<Issues>();
        return issues.size() == 1 && issues[0].text.find("not kept for recovery") != std::string::npos;
    };
    QCOMPARE(std::count_if(reported.begin(), reported.end(), isAboutRecovery), 1);
}

void TestEditorDocument::anotherWindowIsToldWhoHasTheFile()
{
    QTemporaryDir folder;
    const QString file = folder.filePath("shared.tendon"), alias = folder.filePath("alias.tendon");
    const QString lock = folder.filePath(".~lock.shared.tendon#");
    const auto ownerOf = [](const QString& path) { return DocumentLock::ownerOf(path.toStdString()); };
    Editor late(m_solvers);
    DocumentFile lateFile(late.document());
    QSignalSpy openedElsewhere(&lateFile, &DocumentFile::openedElsewhere);
    {
        Editor first(m_solvers);
        const DocumentFile firstFile(first.document());
        QVERIFY(first.document().openSample("arm"));
        QVERIFY(!QFile::exists(lock));
        QVERIFY(first.document().saveAs(file));
        QVERIFY(QFile::exists(lock) && !firstFile.otherOwner());
        QVERIFY(QFile::link(file, alias));

        QVERIFY(late.document().openFile(alias)); // the same file by another name
        QCOMPARE(openedElsewhere.count(), 1);
        QVERIFY(lateFile.otherOwner() && !lateFile.otherOwner()->since.empty() && !lateFile.otherOwner()->host.empty());
        late.document().becomeCopy("Copy of shared.tendon");
        QVERIFY(!lateFile.otherOwner() && late.document().isModified() && late.document().path().empty());
        QCOMPARE(late.document().title(), QString("Copy of shared.tendon"));
        QVERIFY(ownerOf(file));
    }
    QVERIFY(!QFile::exists(lock) && !ownerOf(file));
    QVERIFY(late.document().openFile(file));
    QVERIFY(!lateFile.otherOwner() && openedElsewhere.count() == 1 && ownerOf(alias));
    late.document().clear();
    QVERIFY(!QFile::exists(lock));
    QVERIFY(!DocumentLock("/proc/self/there-can-be-no-lock.tendon").other());
}

void TestEditorDocument::theLockOfADeadProcessIsNoLock()
{
    QTemporaryDir folder;
    const std::string file = folder.filePath("p.tendon").toStdString();
    const pid_t child = ::fork();
    if (child == 0) {
        const DocumentLock lock(file);
        ::_exit(lock.other() ? 1 : 0); // as if killed: nothing is cleared
    }
    int status = 1;
    QVERIFY(::waitpid(child, &status, 0) == child && status == 0);
    QVERIFY(QFile::exists(folder.filePath(".~lock.p.tendon#")));
    QVERIFY(!DocumentLock::ownerOf(file));
    {
        const DocumentLock lock(file);
        QVERIFY(!lock.other() && DocumentLock::ownerOf(file) && DocumentLock(file).other());
    }
    QVERIFY(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden).isEmpty());
}

void TestEditorDocument::aChangeOnDiskIsReportedOnce()
{
    QTemporaryDir folder;
    const QString file = folder.filePath("p.tendon");
    Editor editor(m_solvers), other(m_solvers);
    DocumentFile documentFile(editor.document());
    QSignalSpy changed(&documentFile, &DocumentFile::changedOnDisk);
    QVERIFY(editor.document().openSample("arm"));
    QVERIFY(editor.document().saveAs(file));
    QVERIFY(editor.document().apply({{"op", "addJoint"}, {"name", "extra"}}));
    QVERIFY(editor.document().save()); // our own writes are none
    QVERIFY(!changed.wait(2 * DocumentFile::kDelay) && !documentFile.isChangedOnDisk());

    QVERIFY(other.document().openSample("leg"));
    QVERIFY(other.document().saveAs(file)); // a new file in its place
    QVERIFY(changed.wait(2000) && documentFile.isChangedOnDisk());
    QVERIFY(!changed.wait(2 * DocumentFile::kDelay) && changed.count() == 1);
    documentFile.acceptDisk();
    QVERIFY(!documentFile.isChangedOnDisk());
    QVERIFY(other.document().openSample("lamp") && other.document().saveAs(file)); // and again
    QVERIFY(changed.wait(2000) && changed.count() == 2);
    QVERIFY(QFile::remove(file)); // gone: a save replaces nothing
    QVERIFY(!documentFile.isChangedOnDisk());
}

TENDON_TEST(TestEditorDocument)
#include "tst_editor_document.moc"
