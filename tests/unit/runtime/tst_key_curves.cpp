#include "core/math/Convert.h"
#include "core/math/Interpolate.h"
#include "core/runtime/KeySampling.h"
#include "tests/support/TestProgram.h"
#include "tests/support/TestRig.h"

#include <algorithm>
#include <cmath>
#include <map>

using namespace tendon;
using namespace tendon::test;

namespace {

constexpr unsigned kSeed = 20;

/// Random keys of one channel, of all modes, weights and interpolations.
class RandomKeys
{
public:
    explicit RandomKeys(unsigned seed) : m_random(seed) { qInfo("seed %u", seed); }

    double number(double from = -1, double to = 1)
    {
        return std::uniform_real_distribution<double>(from, to)(m_random);
    }
    int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(m_random); }

    ChannelValue value(Property property)
    {
        ChannelValue value{};
        for (int c = 0; c < componentCount(property); ++c) value[static_cast<std::size_t>(c)] = number();
        return value;
    }

    Key key(Property property, Time time)
    {
        Key key{.time = time, .value = value(property)};
        key.interpolation = static_cast<Interpolation>(below(3));
        key.tangents = static_cast<TangentMode>(below(5));
        key.in = key.out = value(property);
        if (key.tangents == TangentMode::Free) key.out = value(property);
        if (below(2) == 0) key.inWeight = number(0, 1);
        if (below(2) == 0) key.outWeight = number(0, 1);
        return key;
    }

    KeyList list(Property property, int count)
    {
        std::vector<Key> keys;
        std::int64_t ticks = below(1000) - 500;
        for (int i = 0; i < count; ++i) keys.push_back(key(property, {ticks += 1 + below(40'000'000)}));
        return KeyList(std::move(keys));
    }

    Time within(Time from, Time to)
    {
        return {std::uniform_int_distribution<std::int64_t>(from.ticks, to.ticks)(m_random)};
    }

private:
    std::mt19937 m_random;
};

Key key(double seconds, double value, TangentMode mode)
{
    return {.time = Time::fromSeconds(seconds), .value = {value}, .tangents = mode};
}

double valueAt(const KeyList& keys, double seconds)
{
    return sampleKeys(keys, Property::Tx, Time::fromSeconds(seconds))[0];
}

constexpr Infinity kRepeats[] = {Infinity::Cycle, Infinity::CycleOffset, Infinity::Oscillate};

} // namespace

class TestKeyCurves : public QObject
{
    Q_OBJECT

private slots:
    void theParameterOfAWeightedCurveNeverGoesBackAndMeetsItsTime()
    {
        RandomKeys random(kSeed);
        for (int round = 0; round < 200; ++round) {
            const double outWeight = round < 4 ? round % 2 : random.number(0, 1);
            const double inWeight = round < 4 ? round / 2 : random.number(0, 1);
            std::vector<double> times{0, 1};
            for (int i = 0; i < 20; ++i) {
                double x = random.number(0, 1);
                for (int step = 0; step < 5; ++step) times.push_back(x = std::min(1.0, std::nextafter(x, 2)));
            }
            std::sort(times.begin(), times.end());
            double before = 0;
            for (const double x : times) {
                const double u = bezierParameter(x, outWeight, inWeight), v = 1 - u;
                QVERIFY2(u >= before, qPrintable(QString::number(x, 'g', 17)));
                QVERIFY(std::abs(3 * u * v * v * outWeight + 3 * u * u * v * (1 - inWeight) + u * u * u - x) < 1e-14);
                before = u;
            }
            QCOMPARE(bezierParameter(0, outWeight, inWeight), 0.0);
            QCOMPARE(bezierParameter(1, outWeight, inWeight), 1.0);
        }
    }

    void aWeightedCurveIsThePlaneCubicThroughItsHandles()
    {
        // Steep and far-reaching: at u = 1/2 a Bezier is the mean of its control points, weighted 1, 3, 3, 1.
        Key a = key(0, 1, TangentMode::Free), b = key(2, 5, TangentMode::Free);
        a.out = {3}, a.outWeight = 0.8;
        b.in = {-2}, b.inWeight = 0.3;
        const double t1 = 2 * 0.8, t2 = 2 - 2 * 0.3;
        const double v1 = 1 + 3 * t1, v2 = 5 + 2 * 2 * 0.3;
        const double time = (0 + 3 * t1 + 3 * t2 + 2) / 8, value = (1 + 3 * v1 + 3 * v2 + 5) / 8;
        QVERIFY(std::abs(valueAt(KeyList({a, b}), time) - value) < 1e-8); // times are ticks
        a.outWeight = b.inWeight = 0; // no reach: a straight line, whatever the slopes
        for (const double t : {0.1, 0.77, 1.5}) QVERIFY(std::abs(valueAt(KeyList({a, b}), t) - (1 + 2 * t)) < 1e-9);
    }

    void weightsOfAThirdGiveTheHermiteCurveToTheBit()
    {
        RandomKeys random(kSeed);
        for (int round = 0; round < 100; ++round) {
            Key a = random.key(Property::Tx, {0}), b = random.key(Property::Tx, Time::fromSeconds(1.7));
            a.tangents = b.tangents = TangentMode::Free;
            a.interpolation = Interpolation::Bezier;
            a.inWeight = b.outWeight = 0.9; // of the other sides
            a.outWeight = b.inWeight = 1.0 / 3;
            const Time time = random.within(a.time, {b.time.ticks - 1});
            const double u = static_cast<double>(time.ticks) / static_cast<double>(b.time.ticks);
            QCOMPARE(sampleKeys(KeyList({a, b}), Property::Tx, time)[0],
                     hermite(a.value[0], a.out[0], b.value[0], b.in[0], b.time.seconds(), u));
            QVERIFY(std::abs(hermite(a.value[0], a.out[0], b.value[0], b.in[0], b.time.seconds(), u) -
                             weightedBezier(a.value[0], a.out[0], kEvenWeight, b.value[0], b.in[0], kEvenWeight,
                                            b.time.seconds(), bezierParameter(u, kEvenWeight, kEvenWeight))) < 1e-13);
        }
    }

    void modesSayWhereSlopesComeFrom()
    {
        const auto tangents = [](TangentMode mode) {
            const KeyList keys({key(0, 0, mode), key(1, 2, mode), key(3, 10, mode)});
            const auto [in, out] = tangentsAt(keys, Property::Tx, 1);
            return std::pair{in[0], out[0]};
        };
        QCOMPARE(tangents(TangentMode::Flat), std::pair(0.0, 0.0));
        QCOMPARE(tangents(TangentMode::Linear), std::pair(2.0, 4.0));
        QVERIFY(tangents(TangentMode::Auto).first > 2 && tangents(TangentMode::Auto).first < 4);
        const KeyList straight({key(0, 0, TangentMode::Linear), key(1, 2, TangentMode::Linear)});
        QCOMPARE(tangentsAt(straight, Property::Tx, 0).in[0], 2.0); // goes on where there is no neighbour
        QCOMPARE(tangentsAt(straight, Property::Tx, 1).out[0], 2.0);
        QVERIFY(std::abs(valueAt(straight, 0.3) - 0.6) < 1e-8);
    }

    void curvesMeetTheirKeysFromBothSides()
    {
        RandomKeys random(kSeed);
        for (int round = 0; round < 60; ++round) {
            const Property property = round % 2 == 0 ? Property::GoalPosition : Property::Rx;
            const KeyList keys = random.list(property, 6);
            for (std::size_t k = 1; k + 1 < keys.size(); ++k) {
                QVERIFY(sampleKeys(keys, property, keys[k].time) == keys[k].value);
                const ChannelValue just = sampleKeys(keys, property, {keys[k].time.ticks - 1});
                const bool isHeld = keys[k - 1].interpolation == Interpolation::Step;
                // One tick before a key: near it, as far as the steepest curve can go in a tick.
                for (std::size_t c = 0; c < 4; ++c) {
                    const double wanted = isHeld ? keys[k - 1].value[c] : keys[k].value[c];
                    const double ticks = static_cast<double>(keys[k].time.ticks - keys[k - 1].time.ticks);
                    QVERIFY(std::abs(just[c] - wanted) <= 30 * std::cbrt(1 / ticks));
                }
            }
        }
    }

    void valuesRepeatExactlyWithThePeriod()
    {
        RandomKeys random(kSeed);
        for (int round = 0; round < 90; ++round) {
            const Property property = round % 3 == 0   ? Property::Rotation
                                      : round % 3 == 1 ? Property::GoalPosition
                                                       : Property::Tx;
            KeyList keys = random.list(property, 2 + random.below(5));
            const std::int64_t period = keys.back().time.ticks - keys.front().time.ticks;
            for (const Infinity infinity : kRepeats) {
                keys.setInfinity(infinity, infinity);
                const std::int64_t step = infinity == Infinity::Oscillate ? 2 * period : period;
                for (int i = 0; i < 20; ++i) {
                    const std::int64_t far = step * random.below(5);
                    const Time after = i == 0 ? keys.back().time
                                              : random.within(keys.back().time, {keys.back().time.ticks + step});
                    const Time before = i == 0 ? keys.front().time
                                               : random.within({keys.front().time.ticks - step}, keys.front().time);
                    for (const auto& [time, other] : {std::pair{after, Time{after.ticks + far + step}},
                                                      std::pair{before, Time{before.ticks - far - step}}}) {
                        const ChannelValue here = sampleKeys(keys, property, time);
                        const ChannelValue there = sampleKeys(keys, property, other);
                        if (infinity != Infinity::CycleOffset) {
                            QVERIFY(here == there);
                            continue;
                        }
                        const auto cycles = static_cast<double>((other.ticks - time.ticks) / period);
                        for (std::size_t c = 0; c < 4 && !isQuaternion(property); ++c)
                            QVERIFY(std::abs(there[c] - here[c] -
                                             cycles * (keys.back().value[c] - keys.front().value[c])) < 1e-12);
                    }
                }
            }
        }
    }

    void oscillatingRunsBackwardFromTheEnds()
    {
        RandomKeys random(kSeed);
        for (int round = 0; round < 40; ++round) {
            KeyList keys = random.list(Property::Ty, 4);
            keys.setInfinity(Infinity::Oscillate, Infinity::Oscillate);
            const std::int64_t period = keys.back().time.ticks - keys.front().time.ticks;
            const Time inside = random.within({0}, {period});
            const auto value = [&](std::int64_t ticks) { return sampleKeys(keys, Property::Ty, {ticks}); };
            QVERIFY(value(keys.back().time.ticks + inside.ticks) == value(keys.back().time.ticks - inside.ticks));
            QVERIFY(value(keys.front().time.ticks - inside.ticks) == value(keys.front().time.ticks + inside.ticks));
        }
    }

    void aRotationCycledWithOffsetTurnsOnWithoutAJump()
    {
        // A quarter turn about y in a second, then half a second on: 3/8 of a turn, and so on.
        const auto turned = [](double turns) {
            const double half = turns * 3.141592653589793;
            return ChannelValue{0, std::sin(half), 0, std::cos(half)};
        };
        KeyList keys({{.time = {0}, .value = turned(0.1), .interpolation = Interpolation::Linear},
                      {.time = Time::fromSeconds(1), .value = turned(0.35), .interpolation = Interpolation::Linear}});
        keys.setInfinity(Infinity::CycleOffset, Infinity::CycleOffset);
        for (const double seconds : {-7.25, -1.0, -0.001, 0.5, 1.0, 1.001, 2.0, 3.7, 1000.5}) {
            const auto is = toQuaternion(sampleKeys(keys, Property::Rotation, Time::fromSeconds(seconds)));
            const auto wanted = toQuaternion(turned(0.1 + 0.25 * seconds));
            QVERIFY2(is.angularDistance(wanted) < 1e-7, qPrintable(QString::number(seconds)));
        }
    }

    void linearGoesOnWithTheSlopeAtTheKey()
    {
        Key a = key(1, 3, TangentMode::Free), b = key(2, 5, TangentMode::Free);
        a.in = {4}, a.out = {-7}, b.in = {8}, b.out = {-2};
        KeyList keys({a, b});
        keys.setInfinity(Infinity::Linear, Infinity::Linear);
        QCOMPARE(valueAt(keys, 3.5), 5 - 2 * 1.5);
        QCOMPARE(valueAt(keys, 0), 3 - 4.0);
        a.interpolation = Interpolation::Linear;
        keys = KeyList({a, b}, keys);
        QCOMPARE(valueAt(keys, 3.5), 5 + 2 * 1.5); // a straight segment goes straight on
        QCOMPARE(valueAt(keys, 0), 3 - 2.0);
        a.interpolation = Interpolation::Step;
        keys = KeyList({a, b}, keys);
        QCOMPARE(valueAt(keys, 3.5), 5.0);
    }

    void repeatedKeysStandWhereTheCurveHasThem()
    {
        RandomKeys random(kSeed);
        for (int round = 0; round < 60; ++round) {
            KeyList keys = random.list(Property::Tx, 2 + random.below(4));
            keys.setInfinity(static_cast<Infinity>(random.below(5)), static_cast<Infinity>(random.below(5)));
            const std::int64_t period = keys.back().time.ticks - keys.front().time.ticks;
            const Time from{keys.front().time.ticks - 3 * period - 5}, to{keys.back().time.ticks + 3 * period + 5};
            const std::vector<RepeatedKey> all = keysWithin(keys, Property::Tx, from, to, {1});
            const std::size_t sides = std::size_t(isRepeat(keys.before())) + std::size_t(isRepeat(keys.after()));
            QCOMPARE(all.size(), keys.size() * (1 + 3 * sides) + sides); // and where the next cycle begins
            for (std::size_t i = 0; i < all.size(); ++i) {
                QVERIFY(i == 0 || all[i - 1].time <= all[i].time);
                QVERIFY(repeatAt(keys, all[i].time).inside == all[i].key->time || all[i].key == &keys[0] ||
                        all[i].key == &keys[keys.size() - 1]); // at a seam, of either cycle
            }
            const Time middle = random.within(from, to);
            std::size_t expected = 0;
            for (const RepeatedKey& key : all) expected += key.time >= middle ? 1 : 0;
            QCOMPARE(keysWithin(keys, Property::Tx, middle, to, {1}).size(), expected);
        }
    }

    void repeatedKeysSayWhereTheCurveJumps()
    {
        RandomKeys random(kSeed);
        int before = 0, after = 0;
        for (int round = 0; round < 200; ++round) {
            std::vector<Key> made;
            for (int i = 0, n = 2 + random.below(4); i < n; ++i) {
                Key key{.time = {1'000'000 * (i + random.below(2)) + 1'000 * i}, .value = {1.0 + random.below(3)}};
                key.interpolation = static_cast<Interpolation>(random.below(3));
                made.push_back(key);
            }
            KeyList keys(std::move(made));
            keys.setInfinity(static_cast<Infinity>(random.below(5)), static_cast<Infinity>(random.below(5)));
            const std::int64_t period = keys.back().time.ticks - keys.front().time.ticks;
            const Time from{keys.front().time.ticks - 3 * period - 5}, to{keys.back().time.ticks + 3 * period + 5};
            std::map<Time, std::pair<bool, bool>> jumps;
            for (const RepeatedKey& key : keysWithin(keys, Property::Tx, from, to, {1})) {
                jumps[key.time].first |= key.jumpsBefore;
                jumps[key.time].second |= key.jumpsAfter;
                QCOMPARE(key.held.ticks > 0, key.jumpsBefore || key.jumpsAfter);
            }
            for (const auto& [time, sides] : jumps) {
                const auto differsAt = [&, time = time](std::int64_t ticks) {
                    const auto at = [&](std::int64_t t) { return sampleKeys(keys, Property::Tx, {t})[0]; };
                    return std::abs(at(time.ticks + ticks) - at(time.ticks)) >
                           0.3; // in one tick: keys are in whole ones
                };
                const QByteArray where = QByteArray::number(round) + " at " + QByteArray::number(qint64(time.ticks));
                QVERIFY2(sides.first == differsAt(-1), where.data());
                QVERIFY2(sides.second == differsAt(1), where.data());
                before += sides.first;
                after += sides.second;
            }
        }
        QVERIFY(before > 100 && after > 100);
        // The same rotation, as either quaternion.
        KeyList turns({{.time = {0}, .value = {0, 0, 0, 1}}, {.time = {1000}, .value = {0, 0, 0, -1}}});
        turns.setInfinity(Infinity::Cycle, Infinity::Cycle);
        for (const RepeatedKey& key : keysWithin(turns, Property::Rotation, {-5000}, {5000}, {1}))
            QVERIFY(!key.jumpsBefore && !key.jumpsAfter);
    }

    void outsideOfTheDifferenceOfTwoClipsNothingDiffers()
    {
        RandomKeys random(kSeed);
        for (int round = 0; round < 400; ++round) {
            const ChannelId channel{1, Property::Tx};
            Clip before, after;
            KeyList keys = random.list(channel.property, 2 + random.below(9));
            const auto infinity = [&] { return static_cast<Infinity>(random.below(5)); };
            keys.setInfinity(infinity(), infinity());
            before.channels[channel] = keys;
            const auto chosen = keys[static_cast<std::size_t>(random.below(static_cast<int>(keys.size())))];
            const int what = random.below(4);
            if (what == 0) keys.insertOrReplace(random.key(channel.property, chosen.time));
            if (what == 1) keys.erase(chosen.time);
            if (what == 2) keys.setInfinity(infinity(), keys.after());
            if (what == 3) keys.setInfinity(keys.before(), infinity());
            after.channels[channel] = keys;
            const auto span = differenceOf(before, after);
            const std::int64_t reach = 400'000'000;
            for (int i = 0; i < 60; ++i) {
                const Time time = random.within({-reach}, {2 * reach});
                if (span && span->from <= time && time <= span->to) continue;
                QVERIFY(sampleKeys(*before.channels[channel], channel.property, time) ==
                        sampleKeys(*after.channels[channel], channel.property, time));
            }
        }
    }
};

TENDON_TEST(TestKeyCurves)
#include "tst_key_curves.moc"
