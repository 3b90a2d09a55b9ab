#include "tests/support/LongTube.h"
#include "tests/support/TestProgram.h"
#include "tests/viewport/ViewportUnderTest.h"

#include <QElapsedTimer>
#include <QJsonObject>

using namespace tendon;

/// Prints CPU times; `-v2` or ctest's -V shows them.
class TestViewSpeed : public ViewportUnderTest
{
    Q_OBJECT

private slots:
    void aHundredThousandVerticesOnThreeHundredJointsAreDrawnInTime()
    {
        m_viewport->resize(1000, 700);
        m_editor->document().adopt(test::longTube(), {}, QStringLiteral("tube"));
        settle();
        bend(0);
        constexpr int kFrames = 16;
        QElapsedTimer clock;
        clock.start();
        const double processor = processorSeconds();
        const std::uint64_t before = m_viewport->framesDrawn();
        double overlay = 0;
        for (int i = 1; i <= kFrames; ++i) {
            bend(i);
            overlay = std::max(overlay, m_viewport->overlaySeconds());
        }
        QCOMPARE(m_viewport->framesDrawn() - before, static_cast<std::uint64_t>(kFrames));
        const double perFrame = (processorSeconds() - processor) / kFrames;
        qInfo("100 000 vertices, 300 joints at 1000 x 700: %.1f frames a second, %.0f ms of processors a frame, at "
              "most %.2f ms palette and overlay",
              1000.0 * kFrames / static_cast<double>(clock.elapsed()), 1000 * perFrame, 1000 * overlay);
        // [s] of CPU time, whatever else runs: ten frames per second on two cores.
        QVERIFY(perFrame < 0.2);
    }

private:
    /// A new pose, drawn.
    void bend(int i)
    {
        QVERIFY(m_editor->document()
                    .apply({{"op", "rotate"}, {"joint", "joint150"}, {"axis", "z"}, {"value", 2.0 * i}})
                    .has_value());
        const editor::FramePtr frame = m_editor->finishFrame();
        QElapsedTimer patience;
        patience.start();
        while (m_viewport->frameShown() != frame->request && patience.elapsed() < 20000)
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
        QCOMPARE(m_viewport->frameShown(), frame->request);
    }
};

TENDON_TEST(TestViewSpeed)
#include "tst_view_speed.moc"
