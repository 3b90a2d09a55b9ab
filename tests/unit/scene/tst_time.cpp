#include "core/scene/Time.h"
#include "tests/support/TestProgram.h"

using namespace tendon;

class TestTime : public QObject
{
    Q_OBJECT

private slots:
    void framesOfTheUsualRatesAreWholeTicks()
    {
        const FrameRate rates[] = {{24, 1}, {25, 1},  {30, 1},       {48, 1},       {50, 1},
                                   {60, 1}, {120, 1}, {24000, 1001}, {30000, 1001}, {60000, 1001}};
        for (const FrameRate rate : rates) {
            QCOMPARE(Time::kTicksPerSecond * rate.denominator % rate.numerator, 0);
            for (int frame = -1000; frame < 100'000; frame += 37)
                QCOMPARE(rate.frameAt(rate.timeOf(frame)), double(frame));
        }
    }

    void decimalsOfNtscRatesAreRecognised()
    {
        QCOMPARE(FrameRate::fromValue(23.976), (FrameRate{24000, 1001}));
        QCOMPARE(FrameRate::fromValue(29.97), (FrameRate{30000, 1001}));
        QCOMPARE(FrameRate::fromValue(59.94), (FrameRate{60000, 1001}));
        QCOMPARE(FrameRate::fromValue(24), (FrameRate{24, 1}));
        QCOMPARE(FrameRate::fromValue(12.5), (FrameRate{25, 2}));
    }

    void secondsOfAFloatKeyTimeLandOnItsFrame()
    {
        const FrameRate rate{24, 1};
        for (int frame = 0; frame < 2000; ++frame) {
            const float stored = static_cast<float>(frame) / 24.0f; // as glTF stores it
            QVERIFY(std::abs(rate.frameAt(Time::fromSeconds(stored)) - frame) < 1e-3);
        }
    }
};

TENDON_TEST(TestTime)
#include "tst_time.moc"
