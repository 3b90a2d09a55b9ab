#include "app/editor/Editor.h"
#include "tests/support/TestProgram.h"

#include <QSignalSpy>
#include <QtTest>

using namespace tendon;
using namespace tendon::editor;

/// Recording solves beside the window, and playing them.
class TestComparison : public QObject
{
    Q_OBJECT
private:
    SolverRegistry m_solvers;

    static qint64 seconds(double s) { return static_cast<qint64>(s * 1e9); }

private slots:
    void initTestCase()
    {
        m_solvers.scan();
        QVERIFY(m_solvers.find("dls") != nullptr);
    }
    void theRecordingIsOfTheShownFrameAndChangesNothing();
    void theNewestFrameIsRecordedInTheEnd();
    void nothingIsRecordedWhileItIsInactive();
    void playingAdvancesByTheClock();
    void severalStepsPlayWithEachFrame();
    void anEasedDisplayEndsAtTheStepExactly();
    void whoStandsAtTheEndStaysThere();
};

void TestComparison::theRecordingIsOfTheShownFrameAndChangesNothing()
{
    Editor editor(m_solvers);
    QVERIFY(editor.document().openSample("mannequin"));
    const HandleId handle = editor.document().scene().handles->front().id;
    const Scene scene = editor.document().scene();
    const std::uint64_t revision = editor.document().revision();
    editor.comparison().setHandle(handle);
    editor.comparison().setOthers({"fabrik", "ccd"});
    editor.comparison().setActive(true);
    editor.comparison().finish();
    const RecordingPtr recording = editor.comparison().recording();
    QVERIFY(recording != nullptr);
    QCOMPARE(recording->solvers.size(), 3u);
    const FramePtr frame = editor.finishFrame();
    QVERIFY(recording->solvers.front().answer.local == frame->solved.local); // what is drawn, to the bit
    QVERIFY(editor.document().scene() == scene);
    QCOMPARE(editor.document().revision(), revision);
    QVERIFY(!editor.document().canUndo());
    QCOMPARE(editor.steps().last(), recording->lastIteration());
}

void TestComparison::theNewestFrameIsRecordedInTheEnd()
{
    Editor editor(m_solvers);
    QVERIFY(editor.document().openSample("mannequin"));
    editor.comparison().setHandle(editor.document().scene().handles->front().id);
    editor.comparison().setActive(true);
    for (int frame = 2; frame <= 20; ++frame) editor.goToFrame(frame);
    editor.comparison().finish();
    QCOMPARE(editor.comparison().frame(), 20);
    QVERIFY(editor.comparison().recording()->solvers.front().answer.local == editor.finishFrame()->solved.local);
}

void TestComparison::nothingIsRecordedWhileItIsInactive()
{
    Editor editor(m_solvers);
    QVERIFY(editor.document().openSample("mannequin"));
    editor.comparison().setHandle(editor.document().scene().handles->front().id);
    editor.finishFrame();
    editor.comparison().finish();
    QVERIFY(editor.comparison().recording() == nullptr);
    editor.comparison().setActive(true);
    editor.comparison().finish();
    QVERIFY(editor.comparison().recording() != nullptr);
    editor.comparison().setActive(false);
    QVERIFY(editor.comparison().recording() == nullptr);
}

void TestComparison::playingAdvancesByTheClock()
{
    StepPlayer player;
    qint64 now = 0;
    player.clock = [&] { return now; };
    player.setLast(10);
    player.goTo(0);
    player.setPace(1, 1);
    player.play();
    for (int second = 0; second <= 10; ++second) {
        now = seconds(second + 0.5);
        player.tick();
        QCOMPARE(player.step(), second);
        QCOMPARE(player.isPlaying(), second < 10);
    }
    player.play(); // from the start again
    QCOMPARE(player.step(), 0);
    player.goTo(4); // by hand
    QVERIFY(!player.isPlaying());
    QCOMPARE(player.step(), 4);
}

void TestComparison::severalStepsPlayWithEachFrame()
{
    StepPlayer player;
    qint64 now = 0;
    player.clock = [&] { return now; };
    player.setLast(100);
    player.goTo(0);
    player.setPace(24, 3);
    player.play();
    for (int frame = 0; frame <= 10; ++frame) {
        now = seconds((frame + 0.5) / 24);
        player.tick();
        QCOMPARE(player.step(), 3 * frame);
    }
}

void TestComparison::anEasedDisplayEndsAtTheStepExactly()
{
    StepPlayer player;
    qint64 now = 0;
    player.clock = [&] { return now; };
    player.setLast(10);
    player.goTo(2);
    player.setEased(true);
    QVERIFY(player.isDone());
    player.goTo(5);
    QCOMPARE(player.stepBefore(), 2);
    QVERIFY(!player.isDone());
    QCOMPARE(player.share(), 0.0);
    now = seconds(0.25);
    QVERIFY(std::abs(player.share() - (1 - std::sqrt(0.5)) / 2) < 1e-12); // (1 - cos(pi / 4)) / 2
    now = seconds(0.5);
    QVERIFY(std::abs(player.share() - 0.5) < 1e-12);
    now = seconds(StepPlayer::kEase);
    player.tick();
    QCOMPARE(player.share(), 1.0);
    QVERIFY(player.isDone());
    player.setEased(false);
    player.goTo(0);
    QVERIFY(player.isDone()); // at once
}

void TestComparison::whoStandsAtTheEndStaysThere()
{
    StepPlayer player;
    player.setLast(7);
    QCOMPARE(player.step(), 7); // the answer is what is seen first
    player.setLast(12);
    QCOMPARE(player.step(), 12);
    player.goTo(3);
    player.setLast(20);
    QCOMPARE(player.step(), 3);
    player.setLast(2);
    QCOMPARE(player.step(), 2);
}

TENDON_TEST(TestComparison)
#include "tst_comparison.moc"
