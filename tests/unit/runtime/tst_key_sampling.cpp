#include "core/math/Interpolate.h"
#include "core/runtime/KeySampling.h"
#include "tests/support/TestProgram.h"
#include "tests/support/TestRig.h"

#include <cmath>
#include <numbers>

using namespace tendon;
using namespace tendon::test;

namespace {

Key key(double seconds, double value, Interpolation interpolation)
{
    return {.time = Time::fromSeconds(seconds), .value = {value}, .interpolation = interpolation};
}

double at(const KeyList& keys, double seconds) { return sampleKeys(keys, Property::Tx, Time::fromSeconds(seconds))[0]; }

} // namespace

class TestKeySampling : public QObject
{
    Q_OBJECT

private slots:
    void theValueHoldsBeforeTheFirstAndAfterTheLastKey()
    {
        const KeyList keys({key(1, 3, Interpolation::Bezier), key(2, 5, Interpolation::Bezier)});
        QCOMPARE(at(keys, -10), 3.0);
        QCOMPARE(at(keys, 0.999), 3.0);
        QCOMPARE(at(keys, 2), 5.0);
        QCOMPARE(at(keys, 99), 5.0);
    }

    void eachKeyIsMetExactlyAndSetsTheInterpolationToTheNext()
    {
        const KeyList keys({key(0, 1, Interpolation::Step), key(1, 2, Interpolation::Linear),
                            key(2, 4, Interpolation::Bezier), key(4, 0.1, Interpolation::Linear)});
        for (std::size_t i = 0; i < keys.size(); ++i)
            QCOMPARE(sampleKeys(keys, Property::Tx, keys[i].time)[0], keys[i].value[0]);
        QCOMPARE(at(keys, 0.999999), 1.0);
        QCOMPARE(at(keys, 1.25), 2.5);
        QCOMPARE(at(keys, 3), 2.05); // flat at both ends: half way at half time
    }

    void betweenEqualKeysNotABitMoves()
    {
        std::mt19937 random(8);
        std::uniform_real_distribution<double> number(-1, 1), moment(0, 1);
        for (int round = 0; round < 200; ++round) {
            const ChannelValue value{number(random), number(random), number(random), number(random)};
            for (const Interpolation interpolation :
                 {Interpolation::Linear, Interpolation::Bezier, Interpolation::Step})
                for (const Property property : {Property::Tx, Property::GoalPosition, Property::GoalRotation})
                    for (const double sign : {1.0, -1.0}) {
                        if (sign < 0 && !isQuaternion(property)) continue;
                        Key first = key(0, 0, interpolation), second = key(1.3, 0, interpolation), far = first;
                        first.value = second.value = value;
                        for (double& part : second.value) part *= sign; // of a rotation the same
                        far.time = Time::fromSeconds(2);
                        far.value = {number(random), number(random), number(random), number(random)};
                        const KeyList keys({first, second, far});
                        const ChannelValue still = sampleKeys(keys, property, first.time);
                        for (int i = 0; i < 20; ++i) {
                            const Time time = Time::fromSeconds(1.3 * moment(random));
                            QVERIFY(sampleKeys(keys, property, time) == still);
                        }
                    }
        }
    }

    void freeTangentsGiveTheCubicSplineOfGltf()
    {
        // p(t) = 1 + 2 t - 3 t^2 + 0.5 t^3, which one Hermite segment reproduces exactly.
        const auto p = [](double t) { return 1 + 2 * t - 3 * t * t + 0.5 * t * t * t; };
        const auto slope = [](double t) { return 2 - 6 * t + 1.5 * t * t; };
        Key a = key(0.5, p(0.5), Interpolation::Bezier), b = key(2.0, p(2.0), Interpolation::Bezier);
        a.tangents = b.tangents = TangentMode::Free;
        a.out = {slope(0.5)};
        b.in = {slope(2.0)};
        const KeyList keys({a, b});
        for (double t = 0.5; t < 2; t += 0.0625) QVERIFY(std::abs(at(keys, t) - p(t)) < 1e-14);
    }

    void automaticTangentsNeverOvershootOrOscillate()
    {
        std::mt19937 random(12);
        std::uniform_real_distribution<double> value(-10, 10), gap(0.01, 3);
        for (int round = 0; round < 500; ++round) {
            std::vector<Key> list;
            double seconds = 0;
            for (int i = 0; i < 8; ++i) {
                // Now and then a plateau, or a tiny step beside a huge one.
                const double next = round % 3 == 0 && i > 0 ? list.back().value[0] + 1e-6 * value(random)
                                                            : value(random);
                list.push_back(key(seconds += gap(random), round % 5 == 0 && i % 2 ? list.back().value[0] : next,
                                   Interpolation::Bezier));
            }
            const KeyList keys(list);
            for (std::size_t i = 0; i + 1 < list.size(); ++i) {
                const double from = list[i].value[0], to = list[i + 1].value[0];
                const double begin = list[i].time.seconds(), length = list[i + 1].time.seconds() - begin;
                double last = from;
                for (int s = 1; s <= 50; ++s) {
                    const double now = at(keys, begin + length * s / 50.0);
                    const double slack = 1e-12 * (std::abs(from) + std::abs(to));
                    QVERIFY(now >= std::min(from, to) - slack && now <= std::max(from, to) + slack);
                    QVERIFY((now - last) * (to - from) >= -slack * std::abs(to - from));
                    last = now;
                }
            }
        }
    }

    void automaticTangentsAreSmoothAcrossAKey()
    {
        const KeyList keys({key(0, 0, Interpolation::Bezier), key(1, 1, Interpolation::Bezier),
                            key(3, 2, Interpolation::Bezier), key(3.5, 6, Interpolation::Bezier)});
        constexpr double h = 1e-5;
        for (const double t : {1.0, 3.0}) {
            const double before = (at(keys, t) - at(keys, t - h)) / h, after = (at(keys, t + h) - at(keys, t)) / h;
            QVERIFY(std::abs(before - after) < 1e-3);
            QVERIFY(before > 0.1);
        }
        QCOMPARE(tangentsAt(keys, Property::Tx, 0).out[0], 0.0);
        QCOMPARE(tangentsAt(keys, Property::Tx, 3).in[0], 0.0);
    }

    void linearQuaternionsRotateAtConstantSpeedTheShorterWay()
    {
        std::mt19937 random(13);
        for (int round = 0; round < 300; ++round) {
            const Quaternion a = randomRotation(random);
            const Vector3 axis = randomVector(random).normalized();
            const double angle = std::uniform_real_distribution<double>(0, 3.1)(random);
            Quaternion b = a * Quaternion(Eigen::AngleAxisd(angle, axis));
            if (round % 2 == 0) b.coeffs() *= -1; // the same rotation
            KeyList keys;
            keys.insertOrReplace({.time = {0}, .value = channelValue(a), .interpolation = Interpolation::Linear});
            keys.insertOrReplace({.time = {1000}, .value = channelValue(b), .interpolation = Interpolation::Linear});
            for (const int tick : {0, 1, 250, 500, 999}) {
                const ChannelValue v = sampleKeys(keys, Property::Rotation, {tick});
                const Quaternion expected = a * Quaternion(Eigen::AngleAxisd(angle * tick / 1000, axis));
                const Quaternion is(v[3], v[0], v[1], v[2]);
                QVERIFY(std::abs(is.norm() - 1) < 1e-15);
                QVERIFY(is.angularDistance(expected) < 1e-14 + 1e-15 / (3.2 - angle));
            }
        }
    }

    void curvedQuaternionsAreUnitAndTakeTheShorterWay()
    {
        const auto rotation = [](double degrees) {
            return Quaternion(Eigen::AngleAxisd(degrees * std::numbers::pi / 180, Vector3::UnitZ()));
        };
        Quaternion other = rotation(20);
        other.coeffs() *= -1;
        KeyList keys;
        keys.insertOrReplace({.time = {0}, .value = channelValue(rotation(0))});
        keys.insertOrReplace({.time = {1000}, .value = channelValue(other)});
        keys.insertOrReplace({.time = {2000}, .value = channelValue(rotation(40))});
        double last = 0;
        for (int tick = 0; tick <= 2000; tick += 10) {
            const ChannelValue v = sampleKeys(keys, Property::Rotation, {tick});
            const Quaternion is(v[3], v[0], v[1], v[2]);
            QVERIFY(std::abs(is.norm() - 1) < 1e-15);
            const double angle = is.angularDistance(rotation(0)) * 180 / std::numbers::pi;
            QVERIFY(angle >= last - 1e-5 && angle <= 40 + 1e-5);
            last = angle;
        }
    }

    /// The same rotations, and numbers that do not leap from key to key, as they are drawn.
    void signsThatFollowShowTheSame()
    {
        const unsigned seed = std::random_device()();
        std::mt19937 random(seed);
        std::normal_distribution<double> normal;
        for (int round = 0; round < 40; ++round) {
            std::vector<Key> list;
            for (int k = 0; k < 8; ++k) {
                const Quaternion q = Quaternion(normal(random), normal(random), normal(random), normal(random));
                list.push_back({.time = {k * Time::kTicksPerSecond},
                                .value = toValue(q.normalized()),
                                .interpolation = random() % 2 == 0 ? Interpolation::Linear : Interpolation::Bezier,
                                .tangents = random() % 3 == 0 ? TangentMode::Free : TangentMode::Auto,
                                .in = {normal(random), normal(random), normal(random), normal(random)},
                                .out = {normal(random), normal(random), normal(random), normal(random)}});
            }
            const KeyList keys(list), follow = withFollowingSigns(keys, Property::Rotation);
            ChannelValue former = follow.front().value;
            for (std::int64_t t = 0; t <= 7 * Time::kTicksPerSecond; t += Time::kTicksPerSecond / 200) {
                const ChannelValue was = sampleKeys(keys, Property::Rotation, {t}),
                                   is = sampleKeys(follow, Property::Rotation, {t});
                double turned = 0, leap = 0;
                for (std::size_t c = 0; c < 4; ++c) {
                    turned += was[c] * is[c];
                    leap = std::max(leap, std::abs(is[c] - former[c]));
                }
                QVERIFY2(std::abs(std::abs(turned) - 1) < 1e-12, qPrintable(QString("seed %1").arg(seed)));
                QVERIFY2(leap < 0.5, qPrintable(QString("a leap of %1, seed %2").arg(leap).arg(seed)));
                former = is;
            }
        }
    }

    void slerpIsAccurateForTinyAngles()
    {
        for (const double angle : {1e-3, 1e-6, 1e-9, 1e-12}) {
            const Quaternion b(Eigen::AngleAxisd(angle, Vector3::UnitX()));
            const Quaternion half = slerp(Quaternion::Identity(), b, 0.5);
            QVERIFY(std::abs(half.x() - std::sin(angle / 4)) < 1e-12 * angle);
        }
    }
};

TENDON_TEST(TestKeySampling)
#include "tst_key_sampling.moc"
