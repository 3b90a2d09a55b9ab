#include "core/document/KeyInsertion.h"
#include "core/math/Convert.h"
#include "core/runtime/KeySampling.h"
#include "core/solve/BakeTimes.h"
#include "tests/support/TestDocument.h"
#include "tests/support/TestProgram.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

using namespace tendon;
using namespace tendon::test;

namespace {

/// The elbow turns about z: 0 at frame 1, 90 degrees at 13, 30 at 25; a goal has keys at 1 and 25.
TestDocument animated()
{
    TestDocument test = arm();
    test(R"({"op": "addHandle", "name": "hand", "start": "shoulder", "end": "wrist"})")(
        R"({"op": "setFps", "value": 24})")(R"({"op": "addClip", "name": "c"})");
    for (const char* operation :
         {R"({"op": "setFrame", "value": 1})", R"({"op": "rotate", "joint": "elbow", "axis": "z", "value": 0})",
          R"({"op": "key", "target": "elbow", "channels": ["rz"]})", R"({"op": "key", "target": "hand"})",
          R"({"op": "setFrame", "value": 13})", R"({"op": "setPose", "joint": "elbow", "rotation": [0, 0, 90]})",
          R"({"op": "key", "target": "elbow", "channels": ["rz"]})", R"({"op": "setFrame", "value": 25})",
          R"({"op": "setPose", "joint": "elbow", "rotation": [0, 0, 30]})",
          R"({"op": "key", "target": "elbow", "channels": ["rz"]})",
          R"({"op": "setGoal", "handle": "hand", "position": [0.2, 1.4, 0.3]})", R"({"op": "key", "target": "hand"})"})
        test(operation);
    return test;
}

const Key& elbowKey(const TestDocument& test, std::size_t index) { return (*test.keys("elbow", Property::Rz))[index]; }
const Key& goalKey(const TestDocument& test, std::size_t index)
{
    return (*test.keys("hand", Property::GoalPosition))[index];
}

} // namespace

class TestTangents : public QObject
{
    Q_OBJECT

private slots:
    /// Whatever the tangents are, weighted, broken or found, and whatever comes beside the key.
    void aKeyOnTheCurveChangesNoFrame()
    {
        const unsigned seed = std::random_device()();
        std::mt19937 random(seed);
        const auto number = [&](double most) { return std::uniform_real_distribution<double>(-most, most)(random); };
        const auto below = [&](int n) { return std::uniform_int_distribution<int>(0, n - 1)(random); };
        const FrameRate fps;
        for (int round = 0; round < 400; ++round) {
            const Property property = std::array{Property::Tx, Property::GoalPosition,
                                                 Property::GoalRotation}[static_cast<std::size_t>(round % 3)];
            std::vector<Key> list;
            Quaternion turn = Quaternion::Identity();
            double frame = below(5);
            for (int i = 2 + below(4); i > 0; --i) {
                Key key{.time = fps.timeOf(frame),
                        .interpolation = static_cast<Interpolation>(below(3)),
                        .tangents = static_cast<TangentMode>(below(5))};
                frame += 3 + below(9);
                for (std::size_t c = 0; c < (isQuaternion(property) ? 4 : property == Property::Tx ? 1 : 3); ++c) {
                    key.value[c] = number(2);
                    key.in[c] = number(isQuaternion(property) ? 0.3 : 4);
                    key.out[c] = key.tangents == TangentMode::Aligned ? key.in[c] : number(0.3);
                }
                if (isQuaternion(property)) { // to either sign, some 20 degrees on
                    turn = turn * Quaternion(Eigen::AngleAxisd(0.35, Vector3(number(1), number(1), 1.1).normalized()));
                    if (below(2) == 0) turn.coeffs() *= -1;
                    const bool isStoredBefore = !list.empty() && isStored(list.back().tangents);
                    if (isStoredBefore && toQuaternion(list.back().value).dot(turn) < 0) turn.coeffs() *= -1;
                    key.value = toValue(turn.normalized());
                } else if (below(3) == 0) {
                    key.outWeight = 0.05 + std::abs(number(0.9));
                    key.inWeight = 0.05 + std::abs(number(0.9));
                }
                list.push_back(key);
            }
            const KeyList keys(list);
            const Time time = fps.timeOf(std::uniform_real_distribution<double>(-3, frame)(random));
            const KeyList with = withKeyOnCurve(keys, property, time);
            QCOMPARE(with.size(), keys.size() + (keys.at(time) == nullptr ? 1 : 0));
            const double most = isQuaternion(property) ? 1e-3 : 1e-9; // [rad] cubics do not split exactly on the sphere
            for (double at = -5; at < frame + 5; at += 0.17) {
                const ChannelValue was = sampleKeys(keys, property, fps.timeOf(at)),
                                   is = sampleKeys(with, property, fps.timeOf(at));
                double off = 0;
                for (std::size_t c = 0; c < 4; ++c) off = std::max(off, std::abs(was[c] - is[c]));
                if (isQuaternion(property)) off = toQuaternion(was).angularDistance(toQuaternion(is));
                QVERIFY2(off < most, qPrintable(QString("round %1 of seed %2: a key at %3 moves frame %4 by %5")
                                                    .arg(round)
                                                    .arg(seed)
                                                    .arg(fps.frameAt(time))
                                                    .arg(at)
                                                    .arg(off)));
            }
        }
    }

    void modesAreSet()
    {
        TestDocument test = animated();
        test(R"({"op": "setTangent", "target": "elbow", "frame": 13, "mode": "flat"})");
        QCOMPARE(elbowKey(test, 1).tangents, TangentMode::Flat);
        test(R"({"op": "setTangent", "target": "elbow", "range": [1, 25], "mode": "linear"})");
        QCOMPARE(elbowKey(test, 2).tangents, TangentMode::Linear);
        QVERIFY(std::abs(test.keyed("elbow", Property::Rz, 7) - radians(45)) < 1e-9);
        test(R"({"op": "setTangent", "target": "elbow", "frame": 13, "mode": "free"})"); // as they were: a corner
        QVERIFY(std::abs(test.keyed("elbow", Property::Rz, 7) - radians(45)) < 1e-9);
        QVERIFY(std::abs(elbowKey(test, 1).in[0] - radians(180)) < 1e-9);
        QVERIFY(std::abs(elbowKey(test, 1).out[0] - radians(-120)) < 1e-9);
        test(R"({"op": "setTangent", "target": "elbow", "frame": 13, "mode": "aligned"})"); // their mean
        QVERIFY(std::abs(elbowKey(test, 1).in[0] - radians(30)) < 1e-9);
        QCOMPARE(elbowKey(test, 1).in, elbowKey(test, 1).out);
        test(R"({"op": "setTangent", "target": "elbow", "frame": 13, "mode": "auto"})");
        QCOMPARE(elbowKey(test, 1).in[0], 0.0);
        QVERIFY(test.error(R"({"op": "setTangent", "target": "elbow", "frame": 13, "mode": "flat", "in": 2})")
                    .find("no in and out of their own") != std::string::npos);
    }

    void oneSideOfAnAlignedKeySetsBoth()
    {
        TestDocument test = animated();
        test(R"({"op": "setTangent", "target": "elbow", "frame": 13, "mode": "aligned", "out": 20})");
        QVERIFY(std::abs(elbowKey(test, 1).in[0] - radians(20)) < 1e-12);
        test(R"({"op": "setTangent", "target": "elbow", "frame": 13, "in": -50})");
        QVERIFY(std::abs(elbowKey(test, 1).out[0] - radians(-50)) < 1e-12);
        QCOMPARE(elbowKey(test, 1).tangents, TangentMode::Aligned);
        test(R"({"op": "setTangent", "target": "elbow", "frame": 13, "in": 1, "out": 2})"); // broken
        QCOMPARE(elbowKey(test, 1).tangents, TangentMode::Free);
        QVERIFY(
            test.error(R"({"op": "setTangent", "target": "elbow", "frame": 13, "mode": "aligned", "in": 1, "out": 2})")
                .find("one slope") != std::string::npos);
    }

    void weightsReachFromNothingToTheNeighbour()
    {
        TestDocument test = animated();
        test(R"({"op": "setTangent", "target": "elbow", "frame": 1, "mode": "free", "out": 720, "outWeight": 0.9})");
        QCOMPARE(elbowKey(test, 0).outWeight, 0.9);
        QCOMPARE(elbowKey(test, 0).inWeight, kEvenWeight);
        const double far = test.keyed("elbow", Property::Rz, 4);
        test(R"({"op": "setTangent", "target": "elbow", "frame": 1, "outWeight": null})");
        QCOMPARE(elbowKey(test, 0).outWeight, kEvenWeight);
        QVERIFY(test.keyed("elbow", Property::Rz, 4) != far);
        QVERIFY(test.error(R"({"op": "setTangent", "target": "elbow", "frame": 1, "outWeight": 1.1})")
                    .find("from 0 to 1") != std::string::npos);
        test(R"({"op": "setTangent", "target": "elbow", "frame": 13, "inWeight": 0.25})");
        test(R"({"op": "scaleKeys", "target": "elbow", "by": 2})");
        QCOMPARE(elbowKey(test, 0).out[0], radians(720) / 2); // twice as slow
        QCOMPARE(elbowKey(test, 1).inWeight, 0.25);           // a share stays
    }

    void componentsKeepTheOthersAsTheyWere()
    {
        TestDocument test = animated();
        test(R"({"op": "setTangent", "target": "hand", "frame": 1, "components": ["x", "z"], "out": [3, 4]})");
        QCOMPARE(goalKey(test, 0).out, (ChannelValue{3, 0, 4, 0}));
        test(R"({"op": "setTangent", "target": "hand", "frame": 1, "components": ["y"], "out": -1})");
        QCOMPARE(goalKey(test, 0).out, (ChannelValue{3, -1, 4, 0}));
        QVERIFY(test.error(R"({"op": "setTangent", "target": "elbow", "frame": 1, "components": ["x"], "out": 1})")
                    .find("one number only") != std::string::npos);
        QVERIFY(test.error(R"({"op": "setTangent", "target": "hand", "frame": 1, "components": ["w"], "out": 1})")
                    .find("no component \"w\"") != std::string::npos);
        QVERIFY(
            test.error(R"({"op": "setTangent", "target": "hand", "frame": 1, "components": ["x"], "inWeight": 0.5})")
                .find("give one of them") != std::string::npos);
    }

    /// Each mode on one axis leaves both sides of the others as they are, and the curve of these with them.
    void modesAreSetByComponent()
    {
        TestDocument test = animated();
        test(R"({"op": "setFrame", "value": 13})")(
            R"({"op": "setGoal", "handle": "hand", "position": [0.05, 1.3, 0.2]})")(
            R"({"op": "key", "target": "hand", "channels": ["goal.position"]})")(
            R"({"op": "setKeyValue", "target": "hand", "channels": ["goal.position"], "frame": 1, "value": [0, 1, 0]})");
        const auto set = [&](const char* component, const char* mode) {
            const QString operation = QString(
                                          R"({"op": "setTangent", "target": "hand", "channels": ["goal.position"], )"
                                          R"("frame": 13, "components": ["%1"], "mode": "%2"})")
                                          .arg(component, mode);
            test(qPrintable(operation));
            return tangentsAt(*test.keys("hand", Property::GoalPosition), Property::GoalPosition, 1);
        };
        const auto slopes = [&](TangentMode mode) {
            return tangentsAt(*test.keys("hand", Property::GoalPosition), Property::GoalPosition, 1, mode);
        };
        const Tangents before = slopes(TangentMode::Auto), linear = slopes(TangentMode::Linear);
        QVERIFY(before.in[0] != 0 && before.in[1] != 0 && before.in[2] != 0 && linear.in[1] != linear.out[1]);
        const auto at = [&](std::size_t c, double frame) {
            return sampleKeys(*test.keys("hand", Property::GoalPosition), Property::GoalPosition,
                              test.scene().fps.timeOf(frame))[c];
        };
        const double y = at(1, 10), x = at(0, 10);
        Tangents now = set("x", "flat");
        QCOMPARE(now.in, (ChannelValue{0, before.in[1], before.in[2], 0}));
        QCOMPARE(now.out, now.in);
        QCOMPARE(goalKey(test, 1).tangents, TangentMode::Aligned);
        QCOMPARE(at(1, 10), y);
        QVERIFY(std::abs(at(0, 10) - x) > 1e-4);
        now = set("y", "linear"); // a corner, in y alone
        QCOMPARE(now.in, (ChannelValue{0, linear.in[1], before.in[2], 0}));
        QCOMPARE(now.out, (ChannelValue{0, linear.out[1], before.out[2], 0}));
        QCOMPARE(goalKey(test, 1).tangents, TangentMode::Free);
        now = set("y", "aligned"); // their mean
        QVERIFY(std::abs(now.in[1] - (linear.in[1] + linear.out[1]) / 2) < 1e-12);
        QCOMPARE(goalKey(test, 1).tangents, TangentMode::Aligned);
        set("y", "auto");
        now = set("x", "auto"); // as all of it was: it is found anew again when its neighbours move
        QCOMPARE(now.in, before.in);
        QCOMPARE(goalKey(test, 1).tangents, TangentMode::Auto);
        now = set("z", "free");
        QCOMPARE(now.in, before.in);
        now = set("x", "flat"); // z stays broken
        QCOMPARE(goalKey(test, 1).tangents, TangentMode::Free);
        // A slope of one axis leaves the other axes' two sides apart.
        set("y", "linear");
        test(R"({"op": "setTangent", "target": "hand", "channels": ["goal.position"], "frame": 13, )"
             R"("components": ["x"], "mode": "aligned", "out": 2})");
        QCOMPARE(goalKey(test, 1).in, (ChannelValue{2, linear.in[1], before.in[2], 0}));
        QCOMPARE(goalKey(test, 1).out, (ChannelValue{2, linear.out[1], before.out[2], 0}));
        for (const char* component : {"x", "y", "z"}) now = set(component, "flat");
        QCOMPARE(goalKey(test, 1).tangents, TangentMode::Flat);
    }

    void whatComesBeforeAndAfterIsSetAndUndone()
    {
        TestDocument test = animated();
        test(R"({"op": "setInfinity", "target": "elbow", "after": "cycle"})");
        QCOMPARE(test.keyed("elbow", Property::Rz, 37), test.keyed("elbow", Property::Rz, 13));
        QCOMPARE(test.keyed("elbow", Property::Rz, -10), 0.0);
        test(R"({"op": "setInfinity", "target": "elbow", "channels": ["rz"], "before": "cycleOffset"})");
        QCOMPARE(test.keys("elbow", Property::Rz)->after(), Infinity::Cycle); // left as it was
        QVERIFY(std::abs(test.keyed("elbow", Property::Rz, -11) - radians(60)) < 1e-12);
        test(R"({"op": "moveKeys", "target": "elbow", "by": 1})"); // all keys go and come: the infinities stay
        QCOMPARE(test.keys("elbow", Property::Rz)->before(), Infinity::CycleOffset);
        test(R"({"op": "undo"})")(R"({"op": "undo"})")(R"({"op": "undo"})");
        QCOMPARE(test.keys("elbow", Property::Rz)->before(), Infinity::Constant);
        QCOMPARE(test.keys("elbow", Property::Rz)->after(), Infinity::Constant);
        QVERIFY(test.error(R"({"op": "setInfinity", "target": "elbow"})").find("before, after") != std::string::npos);
        QVERIFY(test.error(R"({"op": "setInfinity", "target": "wrist", "after": "cycle"})").find("no keys") !=
                std::string::npos);
    }

    void aWholeRotationCyclesButDoesNotGoOnLinearly()
    {
        TestDocument test = animated();
        test(R"({"op": "key", "target": "shoulder", "channels": ["rotation"]})");
        QVERIFY(
            test.error(R"({"op": "setInfinity", "target": "shoulder", "after": "linear"})").find("cycle with offset") !=
            std::string::npos);
        test(R"({"op": "setInfinity", "target": "shoulder", "after": "oscillate"})");
    }

    void posesAndBakesFollowARepeatedChannel()
    {
        TestDocument test = animated();
        test(R"({"op": "setTangent", "target": "elbow", "range": [1, 25], "interpolation": "step"})")(
            R"({"op": "setInfinity", "target": "elbow", "after": "cycle"})")(
            R"({"op": "setHandle", "name": "hand", "blend": 0})");
        QVERIFY(distance(test.worldAt("wrist", 39), test.worldAt("wrist", 15)) < 1e-12);
        QVERIFY(distance(test.worldAt("wrist", 39), test.worldAt("wrist", 26)) > 0.1);
        const FrameRate fps = test.scene().fps;
        const std::vector<Time> times = bakeTimes(*test.document.clip(), fps, fps.timeOf(1), fps.timeOf(60));
        // The step at frame 37 is two samples: the last moment of the held value, and the frame.
        const auto frame = std::find(times.begin(), times.end(), fps.timeOf(37));
        QVERIFY(frame != times.end() && std::prev(frame)->ticks > fps.timeOf(36.9).ticks);
    }

    void valuesAreSetMovedAndScaled()
    {
        TestDocument test = animated();
        test(R"({"op": "setKeyValue", "target": "elbow", "frame": 13, "value": 45})");
        QVERIFY(std::abs(elbowKey(test, 1).value[0] - radians(45)) < 1e-12);
        test(R"({"op": "setKeyValue", "target": "elbow", "frames": [13, 25], "by": -5})");
        QVERIFY(std::abs(elbowKey(test, 2).value[0] - radians(25)) < 1e-12);
        const ChannelValue goal = goalKey(test, 0).value;
        test(R"({"op": "setKeyValue", "target": "hand", "frame": 1, "components": ["y"], "value": 0.75})");
        QCOMPARE(goalKey(test, 0).value, (ChannelValue{goal[0], 0.75, goal[2], 0}));
        test(R"({"op": "moveKeys", "target": "elbow", "by": 1, "value": 10})");
        QVERIFY(std::abs(elbowKey(test, 1).value[0] - radians(50)) < 1e-12);
        QCOMPARE(test.frames("elbow", Property::Rz), (std::vector<double>{2, 14, 26}));
        test(R"({"op": "setTangent", "target": "elbow", "frame": 14, "mode": "free", "in": 8})");
        test(R"({"op": "scaleKeys", "target": "elbow", "by": 2, "valueBy": 3, "valueAbout": 40})");
        QVERIFY(std::abs(elbowKey(test, 1).value[0] - radians(70)) < 1e-12);
        QVERIFY(std::abs(elbowKey(test, 1).in[0] - radians(12)) < 1e-12); // three times as steep, twice as slow
        test(R"({"op": "moveKeys", "target": "elbow", "value": -1})");
        QCOMPARE(test.frames("elbow", Property::Rz), (std::vector<double>{2, 26, 50}));
        QVERIFY(test.error(R"({"op": "scaleKeys", "target": "elbow"})").find("by, valueBy") != std::string::npos);
        QVERIFY(test.error(R"({"op": "setKeyValue", "target": "elbow", "frame": 26})").find("value or by") !=
                std::string::npos);
    }

    void aBreakdownLiesBetweenTheNeighbouringKeys()
    {
        TestDocument test = animated();
        test(R"({"op": "breakdown", "target": "elbow", "frame": 5, "factor": 0.25})");
        QVERIFY(std::abs(elbowKey(test, 1).value[0] - radians(22.5)) < 1e-12);
        test(R"({"op": "breakdown", "target": "elbow", "frame": 5, "factor": 1.5})"); // the key there is replaced
        QCOMPARE(test.frames("elbow", Property::Rz), (std::vector<double>{1, 5, 13, 25}));
        QVERIFY(std::abs(elbowKey(test, 1).value[0] - radians(135)) < 1e-12);
        test(R"({"op": "keysAsRotation", "joint": "elbow"})");
        test(R"({"op": "breakdown", "target": "elbow", "frame": 19, "factor": 0.5})"); // 90 and 30 degrees
        const Quaternion turn = toQuaternion((*test.keys("elbow", Property::Rotation))[3].value);
        QVERIFY(turn.angularDistance(Quaternion(Eigen::AngleAxisd(radians(60), Vector3::UnitZ()))) < 1e-9);
        QVERIFY(
            test.error(R"({"op": "breakdown", "target": "elbow", "frame": 25, "factor": 0.5})").find("both sides") !=
            std::string::npos);
        QVERIFY(test.error(R"({"op": "breakdown", "target": "elbow", "frame": 5, "factor": 2})").find("-0.5 to 1.5") !=
                std::string::npos);
    }

    void aBreakdownOnAKeyKeepsItsInterpolation()
    {
        TestDocument test = animated();
        test(R"({"op": "setTangent", "target": "elbow", "frame": 13, "interpolation": "linear"})");
        test(R"({"op": "breakdown", "target": "elbow", "frame": 13, "factor": 0.5})");
        QCOMPARE(elbowKey(test, 1).interpolation, Interpolation::Linear);
        QVERIFY(std::abs(elbowKey(test, 1).value[0] - radians(15)) < 1e-12);
        test(R"({"op": "breakdown", "target": "elbow", "frame": 19, "factor": 0.5})"); // a new one: as the key before
        QCOMPARE(elbowKey(test, 2).interpolation, Interpolation::Linear);
    }

    void componentsNeedNumbersToBeFor()
    {
        TestDocument test = animated();
        for (const char* operation : {R"({"op": "moveKeys", "target": "hand", "by": 1, "components": ["x"]})",
                                      R"({"op": "scaleKeys", "target": "hand", "by": 2, "components": ["x"]})"})
            QVERIFY2(test.error(operation).find("leave components out") != std::string::npos, operation);
        test(R"({"op": "moveKeys", "target": "hand", "by": 1, "value": 1, "components": ["x"]})");
    }

    void aLinearEndThatBecomesConstantIsSaid()
    {
        TestDocument test = animated();
        const auto isSaid = [&] { return test.says("cannot go on linearly"); };
        test(R"({"op": "keysAsRotation", "joint": "elbow"})");
        QVERIFY(!isSaid());
        test(R"({"op": "undo"})")(R"({"op": "setInfinity", "target": "elbow", "before": "linear"})")(
            R"({"op": "keysAsRotation", "joint": "elbow"})");
        QVERIFY(isSaid());
        QCOMPARE(test.keys("elbow", Property::Rotation)->before(), Infinity::Constant);
    }

    void wholeRotationsHaveToBecomeAnglesFirst()
    {
        TestDocument test = animated();
        test(R"({"op": "keysAsRotation", "joint": "elbow"})");
        QVERIFY(test.error(R"({"op": "moveKeys", "target": "elbow", "value": 3})").find("convert them to Euler") !=
                std::string::npos);
        test(R"({"op": "keysAsAngles", "joint": "elbow"})");
        QVERIFY(std::abs(elbowKey(test, 1).value[0] - radians(90)) < 1e-9);
        QVERIFY(test.error(R"({"op": "keysAsAngles", "joint": "elbow"})").find("no keys of its whole rotation") !=
                std::string::npos);
    }

    void aFileHasThemOnlyWhereTheyAreUsed()
    {
        TestDocument test = animated();
        const auto bytes = [&] { return *projectBytes({test.scene(), {}}, "/nowhere/p.tendon"); };
        for (const char* member : {"inWeights", "outWeights", "\"before\"", "\"after\""})
            QVERIFY2(bytes().find(member) == std::string::npos, member);
        test(R"({"op": "setTangent", "target": "elbow", "frame": 13, "mode": "aligned", "in": 1, "inWeight": 0.1})")(
            R"({"op": "setInfinity", "target": "elbow", "after": "cycleOffset"})");
        QVERIFY(bytes().find("inWeights") != std::string::npos);
        QVERIFY(bytes().find("\"outWeights\"") == std::string::npos);
        QVERIFY(bytes().find("\"after\"") != std::string::npos);
        QVERIFY(bytes().find("\"before\"") == std::string::npos);
    }
};

TENDON_TEST(TestTangents)
#include "tst_tangents.moc"
