#include "app/editor/Editor.h"
#include "tests/support/TestProgram.h"

#include <QSignalSpy>
#include <QtTest>

using namespace tendon;
using namespace tendon::editor;

class TestSolveScheduler : public QObject
{
    Q_OBJECT
private:
    SolverRegistry m_solvers;

private slots:
    void initTestCase()
    {
        m_solvers.scan();
        QVERIFY(m_solvers.find("dls") != nullptr);
    }
    void theNewestRequestIsAlwaysAnswered();
    void newerRequestsReplaceWaitingOnes();
    void aFramesPartsBelongToOneRequest();
    void playedFramesMatchScrubbedFrames();
    void aHandleThatCannotBeSolvedDoesNotAffectOthers();
};

void TestSolveScheduler::theNewestRequestIsAlwaysAnswered()
{
    Editor editor(m_solvers);
    QVERIFY(editor.document().openSample("mannequin"));
    for (int frame = 2; frame <= 30; ++frame) editor.goToFrame(frame);
    QTRY_VERIFY(!editor.scheduler().isBusy());
    QCOMPARE(editor.frame()->frame, 30);
    QCOMPARE(editor.frame()->revision, editor.document().revision());
}

void TestSolveScheduler::newerRequestsReplaceWaitingOnes()
{
    Editor editor(m_solvers);
    QVERIFY(editor.document().openSample("mannequin"));
    editor.finishFrame();
    const std::uint64_t before = editor.scheduler().startedCount();
    constexpr int kRequests = 2000; // far quicker than they can be solved
    const auto scene = std::make_shared<const Scene>(editor.document().scene());
    std::uint64_t last = 0;
    for (int i = 0; i < kRequests; ++i)
        last = editor.scheduler().request({.scene = scene,
                                           .clip = editor.document().edit().currentClip,
                                           .pending = {},
                                           .frame = 1 + i % 40,
                                           .revision = 1});
    editor.scheduler().finish();
    QCOMPARE(editor.frame()->request, last);
    QVERIFY2(editor.scheduler().startedCount() - before < kRequests / 2,
             qPrintable(QString::number(editor.scheduler().startedCount() - before)));
}

void TestSolveScheduler::aFramesPartsBelongToOneRequest()
{
    Editor editor(m_solvers);
    QVERIFY(editor.document().openSample("mannequin"));
    const FramePtr frame = editor.finishFrame();
    QVERIFY(frame != nullptr && frame->rig != nullptr);
    QCOMPARE(frame->solved.model.modelFromJoint.size(), frame->rig->jointCount());
    QCOMPARE(frame->handles.size(), frame->scene->handles->size());
    for (const HandleView& view : frame->handles) {
        const Handle* handle = frame->scene->find(view.handle);
        QVERIFY(handle != nullptr);
        QVERIFY(!view.isMissed);
        QVERIFY2((view.target.goal.position - view.effector).norm() <= 3 * handle->positionTolerance,
                 handle->name.c_str());
        QVERIFY(frame->find(view.handle) == &view);
    }
}

void TestSolveScheduler::playedFramesMatchScrubbedFrames()
{
    Editor editor(m_solvers);
    QVERIFY(editor.document().openSample("mannequin"));
    editor.goToFrame(17);
    const LocalPose scrubbed = editor.finishFrame()->solved.local;
    editor.goToFrame(1);
    qint64 now = 0;
    editor.playback().clock = [&] { return now; };
    editor.togglePlayback();
    now = static_cast<qint64>(16.5 / editor.document().scene().fps.perSecond() * 1e9);
    editor.playback().tick();
    editor.scheduler().finish();
    QVERIFY(editor.frame()->isPlaying);
    QCOMPARE(editor.frame()->frame, 17);
    QVERIFY(editor.frame()->solved.local == scrubbed); // to the bit
    editor.togglePlayback();
    QCOMPARE(editor.document().edit().frame, 17); // it stays where it stopped
}

void TestSolveScheduler::aHandleThatCannotBeSolvedDoesNotAffectOthers()
{
    Editor editor(m_solvers);
    QVERIFY(editor.document().openSample("leg"));
    Scene scene = editor.document().scene();
    QVERIFY(!scene.handles->empty());
    scene.handles.edit().front().solver = "no-such-solver";
    editor.scheduler().request(
        {.scene = std::make_shared<const Scene>(scene), .clip = {}, .pending = {}, .frame = 1, .revision = 77});
    editor.scheduler().finish();
    const FramePtr frame = editor.frame();
    QCOMPARE(frame->revision, std::uint64_t(77));
    QVERIFY(frame->rig != nullptr);  // what can be shown is shown
    QVERIFY(!frame->issues.empty()); // and what is wrong is said
}

TENDON_TEST(TestSolveScheduler)
#include "tst_solve_scheduler.moc"
