#include "app/widgets/graph/CurveTrace.h"
#include "app/widgets/graph/ValueAxis.h"
#include "core/runtime/KeySampling.h"
#include "tests/support/TestProgram.h"

#include <QtTest>

#include <random>

using namespace tendon;
using namespace tendon::editor;

/// What the graph draws of curves: by value, without a widget.
class TestGraphCurves : public QObject
{
    Q_OBJECT
    static constexpr FrameRate kFps{24, 1};

    static KeyList listOf(const std::vector<std::pair<double, double>>& frames, Interpolation interpolation)
    {
        std::vector<Key> keys;
        for (const auto& [frame, value] : frames)
            keys.push_back(
                {.time = kFps.timeOf(frame), .value = {value, -value, 2 * value}, .interpolation = interpolation});
        return KeyList(std::move(keys));
    }
    static KeyList randomKeys(int count, unsigned seed)
    {
        std::mt19937 random(seed);
        std::vector<std::pair<double, double>> frames;
        for (int i = 0; i < count; ++i) frames.emplace_back(i, static_cast<double>(random() % 2001) - 1000.0);
        return listOf(frames, Interpolation::Bezier);
    }

private slots:
    void rangesAreThoseOfTheKeys();
    void aTraceHasAtMostTwoPointsAColumn();
    void noPeakIsLost();
    void betweenKeysATraceIsTheCurve();
    void outsideOfItsKeysATraceGoesOn();
    void repeatedPeaksAreNotLost();
    void repeatsAreThoseOfTheEvaluation();
    void stepsAreUpright();
    void aTraceOfManyKeysLooksAtFew();
    void labelsStandApart();
};

void TestGraphCurves::rangesAreThoseOfTheKeys()
{
    for (const int count : {1, 15, 16, 17, 255, 256, 257, 5000}) {
        const KeyList keys = randomKeys(count, 7);
        const CurveSummary summary(keys, Property::GoalPosition);
        std::mt19937 random(3);
        for (int i = 0; i < 300; ++i) {
            std::size_t first = random() % static_cast<unsigned>(count), last = random() % static_cast<unsigned>(count);
            if (first > last) std::swap(first, last);
            ++last;
            for (const int c : {0, 1, 2}) {
                double low = HUGE_VAL, high = -HUGE_VAL;
                for (std::size_t k = first; k < last; ++k) {
                    low = std::min(low, keys[k].value[static_cast<std::size_t>(c)]);
                    high = std::max(high, keys[k].value[static_cast<std::size_t>(c)]);
                }
                const CurveSummary::Range range = summary.range(c, first, last);
                QCOMPARE(range.low, low);
                QCOMPARE(range.high, high);
            }
        }
    }
}

void TestGraphCurves::aTraceHasAtMostTwoPointsAColumn()
{
    for (const int count : {2, 300, 40'000}) {
        const KeyList keys = randomKeys(count, 1);
        const CurveSummary summary(keys, Property::GoalPosition);
        const TimeAxis axis{.first = 0, .last = 300, .left = 10, .width = 600};
        for (const double last : {5.0, 300.0, 40'000.0}) {
            TimeAxis zoomed = axis;
            zoomed.last = last;
            std::map<int, int> inColumn;
            double x = -1;
            for (const TracePoint& point : traceCurve(keys, Property::GoalPosition, 0, summary, kFps, zoomed, 0, 620)) {
                QVERIFY(point.x >= x);
                x = point.x;
                ++inColumn[static_cast<int>(std::floor(point.x + 1e-6))];
            }
            for (const auto& [column, points] : inColumn) QVERIFY2(points <= 2, qPrintable(QString::number(points)));
            QVERIFY(inColumn.size() > 600);
        }
    }
}

void TestGraphCurves::noPeakIsLost()
{
    std::vector<std::pair<double, double>> frames;
    for (int i = 0; i < 20'000; ++i) frames.emplace_back(i, i == 12'345 ? 7.0 : i == 3210 ? -4.0 : 0.0);
    const KeyList keys = listOf(frames, Interpolation::Bezier);
    const CurveSummary summary(keys, Property::GoalPosition);
    const TimeAxis axis{.first = 0, .last = 20'000, .left = 0, .width = 500};
    double low = 0, high = 0, xOfHigh = 0;
    for (const TracePoint& point : traceCurve(keys, Property::GoalPosition, 0, summary, kFps, axis, 0, 500)) {
        low = std::min(low, point.value);
        if (point.value > high) xOfHigh = point.x;
        high = std::max(high, point.value);
    }
    QCOMPARE(high, 7.0);
    QCOMPARE(low, -4.0);
    QVERIFY(std::abs(xOfHigh - axis.x(12'345)) <= 1);
}

void TestGraphCurves::betweenKeysATraceIsTheCurve()
{
    const KeyList keys = listOf({{1, 0}, {20, 3}, {33, 1}, {60, 2}}, Interpolation::Bezier);
    const CurveSummary summary(keys, Property::GoalPosition);
    const TimeAxis axis{.first = 1, .last = 60, .left = 40, .width = 900};
    for (const int c : {0, 1, 2})
        for (const TracePoint& point : traceCurve(keys, Property::GoalPosition, c, summary, kFps, axis, 0, 1000)) {
            const Time time{ticksAt(kFps, axis.frame(point.x))};
            const double there = sampleKeys(keys, Property::GoalPosition, time)[static_cast<std::size_t>(c)];
            QVERIFY2(std::abs(point.value - there) < 1e-6, qPrintable(QString::number(point.x)));
        }
}

void TestGraphCurves::outsideOfItsKeysATraceGoesOn()
{
    const TimeAxis axis{.first = -150, .last = 250, .left = 40, .width = 1000};
    for (const Infinity infinity :
         {Infinity::Constant, Infinity::Linear, Infinity::Cycle, Infinity::CycleOffset, Infinity::Oscillate}) {
        KeyList keys = listOf({{1, 0}, {20, 3}, {33, 1}, {60, 2}}, Interpolation::Linear);
        keys.setInfinity(infinity, infinity);
        const CurveSummary summary(keys, Property::GoalPosition);
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (const TracePoint& point : traceCurve(keys, Property::GoalPosition, 0, summary, kFps, axis, 0, 1040)) {
            const Time time{ticksAt(kFps, axis.frame(point.x))};
            const double there = sampleKeys(keys, Property::GoalPosition, time)[0];
            const bool isSeam = point.x - std::floor(point.x) == 0.25 || point.x - std::floor(point.x) == 0.75;
            if (!isSeam) // there it is the range from the last key to the first
                QVERIFY2(std::abs(point.value - there) < 1e-6, qPrintable(QString::number(point.x)));
            low = std::min(low, point.value);
            high = std::max(high, point.value);
        }
        if (infinity == Infinity::CycleOffset || infinity == Infinity::Linear)
            QVERIFY(low < -3 && high > 5); // it leaves the range of its keys
        else
            QVERIFY(low >= 0 && high <= 3);
    }
}

void TestGraphCurves::repeatedPeaksAreNotLost()
{
    std::vector<std::pair<double, double>> frames;
    for (int i = 0; i < 40; ++i) frames.emplace_back(i, i == 13 ? 7.0 : i == 31 ? -4.0 : 0.0);
    for (const Infinity infinity : {Infinity::Cycle, Infinity::Oscillate, Infinity::CycleOffset}) {
        KeyList keys = listOf(frames, Interpolation::Linear);
        keys.setInfinity(infinity, infinity);
        const CurveSummary summary(keys, Property::GoalPosition);
        // Six keys a column, and ten whole cycles a column.
        for (const double span : {3000.0, 200'000.0}) {
            const TimeAxis axis{.first = -span, .last = span, .left = 0, .width = 1000};
            std::vector<int> highs, lows; // columns
            for (const TracePoint& point : traceCurve(keys, Property::GoalPosition, 0, summary, kFps, axis, 0, 1000)) {
                QVERIFY(point.value <= 7 && point.value >= -4);
                if (point.value == 7) highs.push_back(static_cast<int>(point.x));
                if (point.value == -4) lows.push_back(static_cast<int>(point.x));
            }
            const double cycle = std::max(1.0, 39 * axis.pixelsPerFrame()); // [px]
            const auto expected = static_cast<std::size_t>(0.95 * 1000 / cycle);
            QVERIFY2(highs.size() >= expected && lows.size() >= expected,
                     qPrintable(QString("%1 and %2 of %3").arg(highs.size()).arg(lows.size()).arg(expected)));
        }
    }
}

/// Whatever the zoom: what is drawn in a pixel column is within what the curve is there.
void TestGraphCurves::repeatsAreThoseOfTheEvaluation()
{
    std::vector<Key> keys, turns;
    for (int i = 0; i < 40; ++i) {
        const double value = 0.03 * i + (i % 3 == 0 ? 0.4 : 0);
        keys.push_back({.time = kFps.timeOf(i), .value = {value}, .interpolation = Interpolation::Linear});
        turns.push_back(keys.back());
        turns.back().value = {std::sin(value / 2), 0, 0, std::cos(value / 2)};
    }
    for (const Infinity infinity : {Infinity::Linear, Infinity::Cycle, Infinity::CycleOffset, Infinity::Oscillate})
        for (const bool isWhole : {false, true}) {
            if (isWhole && infinity == Infinity::Linear) continue;
            const Property property = isWhole ? Property::Rotation : Property::Rx;
            KeyList list(isWhole ? turns : keys);
            list.setInfinity(infinity, infinity);
            const CurveSummary summary(list, property);
            for (const double span : {120.0, 1500.0, 90'000.0}) {
                const TimeAxis axis{.first = -span, .last = span, .left = 0, .width = 1000};
                for (const TracePoint& point : traceCurve(list, property, 0, summary, kFps, axis, 0, 1000)) {
                    const double column = std::floor(point.x);
                    const Time from{ticksAt(kFps, axis.frame(column))}, to{ticksAt(kFps, axis.frame(column + 1)) - 1};
                    double low = HUGE_VAL, high = -HUGE_VAL;
                    const auto add = [&](double value) {
                        low = std::min(low, value);
                        high = std::max(high, value);
                    };
                    for (const Time time : {from, to}) add(sampleKeys(list, property, time)[0]);
                    for (const RepeatedKey& key : keysWithin(list, property, from, to, Time{1})) {
                        add(sampleKeys(list, property, key.time)[0]);
                        if (infinity == Infinity::Cycle) add(key.key->value[0]); // a jump has two values
                    }
                    QVERIFY2(point.value >= low - 1e-9 && point.value <= high + 1e-9,
                             qPrintable(QString("%1 at %2, %3 ... %4; %5, %6, %7")
                                            .arg(point.value)
                                            .arg(point.x)
                                            .arg(low)
                                            .arg(high)
                                            .arg(static_cast<int>(infinity))
                                            .arg(isWhole)
                                            .arg(span)));
                }
            }
        }
}

void TestGraphCurves::stepsAreUpright()
{
    const KeyList keys = listOf({{0, 1}, {10, 5}}, Interpolation::Step);
    const CurveSummary summary(keys, Property::Weight);
    const TimeAxis axis{.first = 0, .last = 20, .left = 0, .width = 333};
    const auto trace = traceCurve(keys, Property::Weight, 0, summary, kFps, axis, 0, 333);
    for (std::size_t i = 1; i < trace.size(); ++i)
        if (trace[i].value != trace[i - 1].value) QCOMPARE(trace[i].x, trace[i - 1].x);
}

/// In work, not in time: a hundred times the keys take about as long.
void TestGraphCurves::aTraceOfManyKeysLooksAtFew()
{
    const auto secondsOf = [](int count) {
        const KeyList keys = randomKeys(count, 5);
        const CurveSummary summary(keys, Property::GoalPosition);
        const TimeAxis axis{.first = 0, .last = static_cast<double>(count), .left = 0, .width = 1000};
        double best = HUGE_VAL;
        for (int round = 0; round < 5; ++round) {
            const std::clock_t before = std::clock();
            for (int i = 0; i < 10; ++i)
                (void)traceCurve(keys, Property::GoalPosition, 0, summary, kFps, axis, 0, 1000);
            best = std::min(best, static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC);
        }
        return best;
    };
    const double few = secondsOf(3000), many = secondsOf(300'000);
    QVERIFY2(many < 6 * few + 0.002, qPrintable(QString("%1 s and %2 s").arg(few).arg(many)));
}

void TestGraphCurves::labelsStandApart()
{
    for (const double span : {1e-3, 0.7, 3.0, 42.0, 1e5}) {
        const ValueAxis axis{.low = -span, .high = span, .top = 20, .height = 300};
        const double step = axis.labelStep(34);
        QVERIFY(step * axis.pixelsPerUnit() >= 34 - 1e-9);
        QVERIFY(step * axis.pixelsPerUnit() <= 34 * 2.5 + 1e-9);
        QCOMPARE(QString::number(step, 'f', ValueAxis::decimalsOf(step)).toDouble(), step);
        QVERIFY(std::abs(axis.value(axis.y(0.3 * span)) - 0.3 * span) < 1e-9 * span);
    }
}

TENDON_TEST(TestGraphCurves)
#include "tst_graph_curves.moc"
