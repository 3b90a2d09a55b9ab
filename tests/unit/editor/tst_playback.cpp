#include "app/editor/Playback.h"
#include "tests/support/TestProgram.h"

#include <QSignalSpy>
#include <QtTest>

using namespace tendon::editor;

class TestPlayback : public QObject
{
    Q_OBJECT
private:
    static qint64 seconds(double s) { return static_cast<qint64>(s * 1e9); }

private slots:
    void playbackDropsFramesButKeepsTime();
    void playbackLoopsAtTheEnd();
    void withoutLoopingPlaybackStopsAtTheLastFrame();
    void aStoppedClockShowsNoNewFrame();
};

void TestPlayback::playbackDropsFramesButKeepsTime()
{
    Playback playback;
    qint64 now = 0;
    playback.clock = [&] { return now; };
    playback.setRange(1, 100);
    playback.setRate(24);
    playback.play(1);
    QSignalSpy frames(&playback, &Playback::frameChanged);
    // Drawing that takes half a second a frame: what is shown is where time is, 12 frames on each time.
    for (const double t : {0.5, 1.0, 1.5}) {
        now = seconds(t + 1e-6);
        playback.tick();
        QCOMPARE(playback.frame(), 1 + static_cast<int>(t * 24));
    }
    QCOMPARE(frames.count(), 3);
}

void TestPlayback::playbackLoopsAtTheEnd()
{
    Playback playback;
    qint64 now = 0;
    playback.clock = [&] { return now; };
    playback.setRange(10, 19);
    playback.setRate(10);
    playback.play(15);
    now = seconds(0.45);
    playback.tick();
    QCOMPARE(playback.frame(), 19);
    now = seconds(0.55);
    playback.tick();
    QCOMPARE(playback.frame(), 10);
    now = seconds(25.55); // any number of rounds later
    playback.tick();
    QCOMPARE(playback.frame(), 10);
    QVERIFY(playback.isPlaying());
}

void TestPlayback::withoutLoopingPlaybackStopsAtTheLastFrame()
{
    Playback playback;
    qint64 now = 0;
    playback.clock = [&] { return now; };
    playback.setRange(1, 24);
    playback.setRate(24);
    playback.setLooping(false);
    playback.play(24); // from the end: begins at the first
    QCOMPARE(playback.frame(), 1);
    now = seconds(7);
    playback.tick();
    QCOMPARE(playback.frame(), 24);
    QVERIFY(!playback.isPlaying());
}

void TestPlayback::aStoppedClockShowsNoNewFrame()
{
    Playback playback;
    playback.clock = [] { return qint64(5); };
    playback.play(3);
    QSignalSpy frames(&playback, &Playback::frameChanged);
    for (int i = 0; i < 10; ++i) playback.tick();
    QCOMPARE(frames.count(), 0);
}

TENDON_TEST(TestPlayback)
#include "tst_playback.moc"
