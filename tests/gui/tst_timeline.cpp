#include "app/widgets/TimelineView.h"
#include "tests/gui/WindowUnderTest.h"
#include "tests/support/TestProgram.h"

#include <QJsonArray>

using namespace tendon;
using namespace tendon::editor;
using tendon::test::WindowUnderTest;

/// What the timeline shows of keys and of the quality of frames.
class TestTimeline : public QObject
{
    Q_OBJECT
    QTemporaryDir m_profile;

private slots:
    void initTestCase()
    {
        test::useFreshProfile(m_profile.path());
        installStyle(*qApp);
    }
    void qualityFadesWithAnEditAndComesBack();
    void keysAreNotDrawnOverTheLabels();
};

void TestTimeline::qualityFadesWithAnEditAndComesBack()
{
    WindowUnderTest w("leg");
    const auto key = [&](int frame, double height) {
        w.state->goToFrame(frame);
        QVERIFY(
            w.document().apply({{"op", "setGoal"}, {"handle", "FootGoal"}, {"position", QJsonArray{0, height, 0.1}}}));
        QVERIFY(w.document().apply({{"op", "key"}, {"target", "FootGoal"}}));
    };
    const auto finish = [&] { // no frame but the shown one is visited
        w.settle();
        QTRY_VERIFY_WITH_TIMEOUT(w.state->range().isComplete(), 20'000);
    };
    key(100, 0.2);
    key(1, 0.25);
    finish();
    auto* timeline = w.find<TimelineView>("timeline");
    // The strongest of the strip's pixels at a frame, which the playhead does not cover.
    const auto strength = [&](int frame) {
        const QImage image = timeline->grab().toImage();
        const QColor ground = Theme::instance().color("surface.well");
        int strongest = 0;
        for (int y = image.height() - Theme::instance().px(14); y < image.height(); ++y) {
            const QColor seen = image.pixelColor(qRound(timeline->axis().x(frame)), y);
            strongest = std::max({strongest, std::abs(seen.red() - ground.red()),
                                  std::abs(seen.green() - ground.green()), std::abs(seen.blue() - ground.blue())});
        }
        return strongest;
    };
    const int fresh = strength(3);
    QVERIFY2(fresh > 40, qPrintable(QString::number(fresh)));
    QVERIFY(w.document().apply({{"op", "setHandle"}, {"name", "FootGoal"}, {"weight", 2}}));
    w.state->settlement().finish(); // while it is under way, a dotted line is there as well
    const int aged = strength(3);
    QVERIFY2(aged > fresh / 5 && aged < fresh * 3 / 5, qPrintable(QString("%1 of %2").arg(aged).arg(fresh)));
    finish();
    QCOMPARE(strength(3), fresh);
    QVERIFY(w.document().apply({{"op", "addClip"}, {"name", "Another"}})); // of which nothing is known yet
    QVERIFY(w.document().apply({{"op", "key"}, {"target", "FootGoal"}}));
    w.state->settlement().finish();
    QCOMPARE(strength(3), 0);
    finish();
    QVERIFY(strength(3) > 40);
}

void TestTimeline::keysAreNotDrawnOverTheLabels()
{
    WindowUnderTest w("leg");
    w.select("FootGoal");
    w.state->goToFrame(1);
    QVERIFY(w.document().apply({{"op", "key"}, {"target", "FootGoal"}}));
    const Scene& scene = w.document().scene();
    auto* timeline = w.find<QWidget>("timeline");
    const auto redPixels = [&](int from, int to) {
        const QImage image = timeline->grab().toImage();
        const QRgb red = Theme::instance().color("time.key-selected").rgb();
        int count = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = from; x < std::min(to, image.width()); ++x) count += image.pixel(x, y) == red ? 1 : 0;
        return count;
    };
    const int labels = TimelineView::labelWidth() - 2;
    w.state->goToFrame(20); // the playhead covers no key
    w.settle();
    QVERIFY(redPixels(labels, timeline->width()) > 0);
    // One frame earlier than the range: that would be between the labels.
    QVERIFY(w.document().apply({{"op", "setRange"}, {"from", 2}, {"to", std::max(40, scene.lastFrame)}}));
    w.settle();
    QCOMPARE(redPixels(0, labels), 0);
}

TENDON_TEST(TestTimeline)
#include "tst_timeline.moc"
