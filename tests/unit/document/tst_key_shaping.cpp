#include "core/document/KeyReduction.h"
#include "core/document/KeyShaping.h"
#include "core/math/Convert.h"
#include "core/math/Degrees.h"
#include "core/runtime/KeySampling.h"
#include "tests/support/TestDocument.h"
#include "tests/support/TestProgram.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <numbers>
#include <random>

using namespace tendon;
using namespace tendon::test;

namespace {

constexpr double kPi = std::numbers::pi;

Vector3 tripleAt(const std::array<std::vector<Key>, 3>& angles, std::size_t k)
{
    return {angles[0][k].value[0], angles[1][k].value[0], angles[2][k].value[0]};
}

std::array<std::vector<Key>, 3> keysOf(const std::vector<Vector3>& triples)
{
    std::array<std::vector<Key>, 3> angles;
    for (std::size_t k = 0; k < triples.size(); ++k)
        for (std::size_t axis = 0; axis < 3; ++axis)
            angles[axis].push_back({.time = {static_cast<std::int64_t>(k) * 29'400'000},
                                    .value = {triples[k][static_cast<Eigen::Index>(axis)]}});
    return angles;
}

/// What filters have to undo: the same rotation with other angles.
Vector3 disguised(Vector3 angles, RotationOrder order, std::mt19937& random)
{
    if (random() % 2 == 0) {
        angles += Vector3::Constant(kPi);
        const int middle = productOrder(order)[1];
        angles[middle] = 2 * kPi - angles[middle];
    }
    for (double& angle : angles) angle += 2 * kPi * (static_cast<int>(random() % 7) - 3);
    return angles;
}

/// The shoulder with keys of rx, ry and rz [degrees] at frames 1, 5, 9, ...; the elbow below it has none.
TestDocument turned(const std::vector<Vector3>& triples)
{
    TestDocument test = arm();
    test(R"({"op": "setFps", "value": 24})")(R"({"op": "addClip", "name": "c"})");
    for (std::size_t k = 0; k < triples.size(); ++k) {
        const std::string frame = std::to_string(1 + 4 * k);
        test((R"({"op": "key", "target": "shoulder", "channels": ["angles"], "frame": )" + frame + "}").c_str());
        for (const auto& [channel, value] :
             {std::pair{"rx", triples[k].x()}, std::pair{"ry", triples[k].y()}, std::pair{"rz", triples[k].z()}})
            test((R"({"op": "setKeyValue", "target": "shoulder", "channels": [")" + std::string(channel) +
                  R"("], "frame": )" + frame + R"(, "value": )" + std::to_string(value) + "}")
                     .c_str());
    }
    return test;
}

double degreesOf(const TestDocument& test, Property angle, std::size_t key)
{
    return degrees((*test.keys("shoulder", angle))[key].value[0]);
}

constexpr FrameRate kFps{24, 1};

/// A motion with a key at each frame from 1 on.
KeyList bakedKeys(Property property, Interpolation interpolation, int count, std::uint32_t seed)
{
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> any(0.3, 3);
    const double a = any(random), b = any(random), c = any(random);
    std::vector<Key> keys;
    for (int k = 0; k < count; ++k) {
        const double s = k / 24.0;
        const Vector3 v(std::sin(a * s) + 0.2 * std::sin(5 * s), std::cos(b * s), std::sin(c * s));
        Key key{.time = kFps.timeOf(1 + k), .value = {v.x()}, .interpolation = interpolation};
        if (componentCount(property) == 3) key.value = toValue(v);
        if (isQuaternion(property)) // in either sign
            key.value = toValue(
                Quaternion(((random() % 2 == 0 ? 1 : -1) * rotationFromAngles(v, RotationOrder::XYZ).coeffs()).eval()));
        keys.push_back(key);
    }
    return KeyList(std::move(keys));
}

double apart(Property property, const ChannelValue& a, const ChannelValue& b)
{
    if (isQuaternion(property)) return toQuaternion(a).angularDistance(toQuaternion(b));
    double squared = 0;
    for (std::size_t c = 0; c < a.size(); ++c) squared += (a[c] - b[c]) * (a[c] - b[c]);
    return std::sqrt(squared);
}

double farthestApart(Property property, const KeyList& a, const KeyList& b)
{
    double most = 0;
    const int last = static_cast<int>(std::round(kFps.frameAt(a.back().time)));
    for (int frame = -20; frame <= last + 20; ++frame)
        most = std::max(most, apart(property, sampleKeys(a, property, kFps.timeOf(frame)),
                                    sampleKeys(b, property, kFps.timeOf(frame))));
    return most;
}

KeyList reduced(const KeyList& keys, Property property, double error)
{
    return {reducedKeys(keys, property, std::vector<bool>(keys.size(), true), error, kFps), keys};
}

} // namespace

class TestKeyShaping : public QObject
{
    Q_OBJECT

private slots:
    /// A smooth motion comes back from whatever angles its rotations are written in.
    void anglesThatJumpAreUnrolledInEveryOrder()
    {
        for (const RotationOrder order : {RotationOrder::XYZ, RotationOrder::YZX, RotationOrder::ZXY,
                                          RotationOrder::XZY, RotationOrder::YXZ, RotationOrder::ZYX}) {
            std::mt19937 random(11);
            std::vector<Vector3> smooth, given;
            for (int k = 0; k < 200; ++k) { // the middle angle goes far beyond a quarter turn
                smooth.emplace_back(0.04 * k, 2.2 * std::sin(0.06 * k), -3 * std::cos(0.05 * k));
                given.push_back(k == 0 ? smooth[0] : disguised(smooth.back(), order, random));
            }
            const auto filtered = nearestTriples(keysOf(given), order);
            for (std::size_t k = 0; k < smooth.size(); ++k) {
                const Vector3 triple = tripleAt(filtered, k);
                QVERIFY2((triple - smooth[k]).cwiseAbs().maxCoeff() < 1e-9, qPrintable(QString::number(k)));
                QVERIFY(rotationFromAngles(triple, order).angularDistance(rotationFromAngles(given[k], order)) < 1e-7);
                const Eigen::Matrix3d turned = rotationFromAngles(triple, order).toRotationMatrix() -
                                               rotationFromAngles(given[k], order).toRotationMatrix();
                QVERIFY(turned.cwiseAbs().maxCoeff() < 1e-9);
            }
        }
    }

    /// Random rotations: no other way to write a key is nearer to the one before.
    void noOtherAnglesAreNearer()
    {
        std::mt19937 random(12);
        std::uniform_real_distribution<double> angle(-9, 9);
        std::vector<Vector3> given;
        for (int k = 0; k < 500; ++k) given.emplace_back(angle(random), angle(random), angle(random));
        const auto filtered = nearestTriples(keysOf(given), RotationOrder::ZXY);
        for (std::size_t k = 1; k < given.size(); ++k) {
            const Vector3 before = tripleAt(filtered, k - 1), triple = tripleAt(filtered, k);
            const double far = (triple - before).norm();
            for (int i = 0; i < 20; ++i)
                QVERIFY(far <= (disguised(triple, RotationOrder::ZXY, random) - before).norm() + 1e-9);
        }
    }

    void theEulerFilterKeepsRotationsAndTurnsSlopes()
    {
        TestDocument test = turned({{10, 80, 20}, {190, 85, 200}, {375, 80, -340}, {10, 75, 20}});
        test(R"({"op": "setTangent", "target": "shoulder", "frame": 5, "mode": "free", "in": 24, "out": -12})");
        std::vector<Affine> before;
        for (const double frame : {1, 5, 9, 13}) before.push_back(test.worldAt("wrist", frame));
        test(R"({"op": "eulerFilter", "target": "shoulder"})");
        const double expected[][3] = {{10, 80, 20}, {10, 95, 20}, {15, 80, 20}, {10, 75, 20}};
        for (std::size_t k = 0; k < 4; ++k) {
            QVERIFY(distance(before[k], test.worldAt("wrist", 1.0 + 4 * static_cast<double>(k))) < 1e-9);
            for (std::size_t axis = 0; axis < 3; ++axis)
                QVERIFY(std::abs(degreesOf(test, kAngles[axis], k) - expected[k][axis]) < 1e-9);
        }
        const Key& ry = (*test.keys("shoulder", Property::Ry))[1];
        QVERIFY(std::abs(degrees(ry.in[0]) + 24) < 1e-9 && std::abs(degrees(ry.out[0]) - 12) < 1e-9);
        const Key& rz = (*test.keys("shoulder", Property::Rz))[1];
        QVERIFY(std::abs(degrees(rz.in[0]) - 24) < 1e-9 && std::abs(degrees(rz.out[0]) + 12) < 1e-9);
        QVERIFY(test.document.messages.empty());
        test(R"({"op": "undo"})");
        QVERIFY(std::abs(degreesOf(test, Property::Rx, 1) - 190) < 1e-9);
    }

    void keysAtDifferentTimesLoseWholeTurnsOnly()
    {
        TestDocument test = turned({{10, 80, 20}, {190, 85, 200}, {375, 80, -340}});
        test(R"({"op": "deleteKey", "target": "shoulder", "channels": ["ry"], "frame": 9})")(
            R"({"op": "eulerFilter", "target": "shoulder"})");
        QVERIFY(test.says("keys at different times"));
        const double rx[] = {10, 190, 15}, rz[] = {20, 200, 20}; // 190 is as near to 10 as -170
        for (std::size_t k = 0; k < 3; ++k) QVERIFY(std::abs(degreesOf(test, Property::Rx, k) - rx[k]) < 1e-9);
        for (std::size_t k = 0; k < 3; ++k) QVERIFY(std::abs(degreesOf(test, Property::Rz, k) - rz[k]) < 1e-9);
        QVERIFY(std::abs(degreesOf(test, Property::Ry, 1) - 85) < 1e-9);
    }

    void someChannelsAreFilteredAlone()
    {
        TestDocument test = turned({{10, 80, 20}, {370, 80, 380}});
        test(R"({"op": "setFrame", "value": 5})")(R"({"op": "rotate", "joint": "shoulder", "axis": "y", "value": 5})");
        test(R"({"op": "eulerFilter", "target": "shoulder", "channels": ["rz"]})");
        QVERIFY(test.says("only whole turns") && test.says("not keyed was dropped"));
        QVERIFY(test.document.edit.pending.empty());
        QVERIFY(std::abs(degreesOf(test, Property::Rx, 1) - 370) < 1e-9);
        QVERIFY(std::abs(degreesOf(test, Property::Rz, 1) - 20) < 1e-9);
        QVERIFY(test.error(R"({"op": "eulerFilter", "target": "elbow"})").find("has no keys") != std::string::npos);
        test(R"({"op": "key", "target": "shoulder", "channels": ["tx"]})");
        QVERIFY(test.error(R"({"op": "eulerFilter", "target": "shoulder", "channels": ["rx", "tx"]})")
                    .find("rx, ry and rz only") != std::string::npos);
        test(R"({"op": "keysAsRotation", "joint": "shoulder"})");
        QVERIFY(test.error(R"({"op": "eulerFilter", "target": "shoulder"})").find("whole rotations, which need") !=
                std::string::npos);
    }

    void aReducedCurveStaysWithinTheError()
    {
        for (const Property property : {Property::Tx, Property::GoalPosition, Property::Rotation})
            for (const Interpolation kind : {Interpolation::Linear, Interpolation::Bezier, Interpolation::Step})
                for (const double error : {1e-3, 2e-2})
                    for (std::uint32_t seed = 1; seed <= 4; ++seed) {
                        const KeyList keys = bakedKeys(property, kind, 400, seed);
                        const KeyList few = reduced(keys, property, error);
                        QVERIFY(few.front().time == keys.front().time && few.back().time == keys.back().time);
                        QVERIFY(farthestApart(property, keys, few) <= error * (1 + 1e-9) + 1e-7);
                        if (kind != Interpolation::Step)
                            QVERIFY2(few.size() < 220, qPrintable(QString::number(few.size())));
                        if (kind != Interpolation::Step && error > 1e-2) QVERIFY(few.size() < 60);
                        for (std::size_t k = 1; k + 1 < few.size() && kind == Interpolation::Bezier; ++k) {
                            const double frames = kFps.frameAt(few[k + 1].time) - kFps.frameAt(few[k - 1].time);
                            const bool isTouched = frames > 2.5; // a key beside it is gone
                            QCOMPARE(few[k].tangents, isTouched ? TangentMode::Aligned : TangentMode::Auto);
                        }
                    }
    }

    /// Slopes come from the curve; what keys say beyond their ends stays.
    void keysThatStayHaveTheSlopesOfTheCurve()
    {
        KeyList keys = bakedKeys(Property::Tx, Interpolation::Bezier, 300, 5);
        keys.setInfinity(Infinity::Linear, Infinity::CycleOffset);
        const KeyList few = reduced(keys, Property::Tx, 0.01);
        QVERIFY(few.size() < 60);
        QCOMPARE(few.after(), Infinity::CycleOffset);
        QVERIFY(farthestApart(Property::Tx, keys, few) < 0.0101);
        for (const Key& key : few.toVector())
            QCOMPARE(key.in, tangentsAt(keys, Property::Tx, keys.countUpTo(key.time) - 1).in);
    }

    void linesHoldsAndCornersKeepTheirKeys()
    {
        std::vector<Key> zigzag, still, steps;
        for (int k = 0; k <= 96; ++k) {
            const Time time = kFps.timeOf(k);
            const double up = std::abs(k % 48 - 24) / 24.0;
            zigzag.push_back({.time = time, .value = {up}, .interpolation = Interpolation::Linear});
            still.push_back({.time = time, .value = {0.3}});
            steps.push_back({.time = time, .value = {k < 40 ? 1.0 : 2.0}, .interpolation = Interpolation::Step});
        }
        const KeyList corners = reduced(KeyList(zigzag), Property::Tx, 1e-6);
        QVERIFY2(corners.size() <= 9, qPrintable(QString::number(corners.size())));
        QVERIFY(farthestApart(Property::Tx, KeyList(zigzag), corners) < 1e-6);
        QCOMPARE(reduced(KeyList(still), Property::Tx, 0).size(), std::size_t{2});
        const KeyList held = reduced(KeyList(steps), Property::Tx, 0);
        QCOMPARE(farthestApart(Property::Tx, KeyList(steps), held), 0.0);
        QVERIFY(held.size() <= 4);
    }

    /// The time of work, not of the clock: a machine that is busy is none the slower for it.
    void tenThousandBakedKeysAreReducedAtOnce()
    {
        const KeyList keys = bakedKeys(Property::Rotation, Interpolation::Linear, 10'000, 6);
        const std::clock_t begin = std::clock();
        const KeyList few = reduced(keys, Property::Rotation, 0.01);
        const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
        QVERIFY2(seconds < 1, qPrintable(QString::number(seconds)));
        QVERIFY(few.size() < 2000);
    }

    void aSelectionIsReducedAndSmoothedByItself()
    {
        TestDocument test = turned({{0, 0, 0}, {10, 0, 0}, {20, 0, 0}, {30, 0, 0}, {40, 0, 0}, {90, 0, 0}});
        test(R"({"op": "reduceKeys", "target": "shoulder", "channels": ["rx"], "range": [5, 17], "error": 4})");
        QCOMPARE(test.frames("shoulder", Property::Rx), (std::vector<double>{1, 5, 17, 21}));
        QVERIFY(test.says("2 of 4 keys were left out"));
        QCOMPARE(test.frames("shoulder", Property::Ry).size(), std::size_t{6});
        test(R"({"op": "smoothKeys", "target": "shoulder", "channels": ["rx"], "frame": 17, "amount": 1})");
        // The line from 10 at frame 5 to 90 at frame 21 is at 70 there, and the mean with 40 is 55.
        QVERIFY(std::abs(degreesOf(test, Property::Rx, 2) - 55) < 1e-9);
        QVERIFY(std::abs(degreesOf(test, Property::Rx, 1) - 10) < 1e-9);
        for (const auto& [operation, part] :
             {std::pair{R"({"op": "smoothKeys", "target": "shoulder", "amount": 1.5})", "from 0 to 1"},
              std::pair{R"({"op": "smoothKeys", "target": "shoulder", "amount": 1, "passes": 0})", "from 1 to 100"},
              std::pair{R"({"op": "smoothKeys", "target": "shoulder", "frame": 1, "amount": 1})", "first and the last"},
              std::pair{R"({"op": "reduceKeys", "target": "shoulder", "error": -1})", "below 0"}})
            QVERIFY2(test.error(operation).find(part) != std::string::npos, operation);
    }

    void smoothingKeepsEvenMotionAndCalmsAZigzag()
    {
        std::vector<Key> even, zigzag, turning;
        for (int k = 0; k < 30; ++k) {
            const Time time = kFps.timeOf(k * k); // at uneven times
            const double s = time.seconds();
            even.push_back(
                {.time = time, .value = {3 - 2 * s}, .tangents = TangentMode::Aligned, .in = {-2}, .out = {-2}});
            zigzag.push_back({.time = kFps.timeOf(k), .value = {k % 2 == 0 ? 1.0 : -1.0}});
            const Quaternion turn(Eigen::AngleAxisd(0.02 * s, Vector3(1, 2, 3).normalized()));
            turning.push_back({.time = time, .value = toValue(turn), .interpolation = Interpolation::Linear});
            if (k % 3 == 0)
                for (double& number : turning.back().value) number = -number; // the same rotation
        }
        const std::vector<bool> all(30, true);
        const auto sameLine = smoothedKeys(KeyList(even), Property::Tx, all, 1, 5);
        const auto calm = smoothedKeys(KeyList(zigzag), Property::Tx, all, 1, 1);
        const auto half = smoothedKeys(KeyList(zigzag), Property::Tx, all, 0.5, 1);
        const auto sameTurn = smoothedKeys(KeyList(turning), Property::Rotation, all, 1, 5);
        for (std::size_t k = 0; k < 30; ++k) {
            QVERIFY(std::abs(sameLine[k].value[0] - even[k].value[0]) < 1e-12);
            QVERIFY(std::abs(sameLine[k].in[0] + 2) < 1e-12 && sameLine[k].in == sameLine[k].out);
            QVERIFY(apart(Property::Rotation, sameTurn[k].value, turning[k].value) < 1e-7);
            if (k == 0 || k == 29) continue;
            QCOMPARE(calm[k].value[0], 0.0);
            QCOMPARE(half[k].value[0], zigzag[k].value[0] / 2);
        }
        QCOMPARE(calm[0].value[0], 1.0);
        QCOMPARE(calm[29].value[0], -1.0);
        std::vector<Key> kink = {turning[0], turning[1], turning[2]};
        for (std::size_t k = 0; k < 3; ++k) {
            kink[k].time = kFps.timeOf(static_cast<double>(k));
            kink[k].value = toValue(Quaternion(Eigen::AngleAxisd(k == 1 ? 0.8 : 0, Vector3::UnitX())));
        }
        const auto straighter = smoothedKeys(KeyList(kink), Property::Rotation, std::vector<bool>(3, true), 1, 1);
        QVERIFY(apart(Property::Rotation, straighter[1].value,
                      toValue(Quaternion(Eigen::AngleAxisd(0.4, Vector3::UnitX())))) < 1e-7);
    }
};

TENDON_TEST(TestKeyShaping)
#include "tst_key_shaping.moc"
