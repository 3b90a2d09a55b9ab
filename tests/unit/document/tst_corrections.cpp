#include "core/io/project/ProjectFile.h"
#include "core/math/Convert.h"
#include "core/runtime/BakedPoses.h"
#include "core/runtime/CorrectionMerge.h"
#include "core/scene/Corrections.h"
#include "core/scene/Validate.h"
#include "core/solve/Baker.h"
#include "tests/support/TestDocument.h"
#include "tests/support/TestProgram.h"
#include "tests/unit/document/KeyedArm.h"

#include <QTemporaryDir>
#include <map>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

using namespace tendon;
using namespace tendon::test;

namespace {

constexpr double kRounding = 1e-12; // [m], [rad] of one sum

} // namespace

/// Corrections: keys on top of a clip's keys, with a weight.
class TestCorrections : public QObject
{
    Q_OBJECT

private slots:
    /// What the rule says, computed by hand, at several weights.
    void theSumIsTheBaseWithAShareOfTheCorrection()
    {
        TestDocument d = corrected();
        TestDocument base = keyedArm();
        for (const double weight : {1.0, 0.5, 0.25}) {
            d(("{\"op\": \"setCorrections\", \"weight\": " + std::to_string(weight) + "}").c_str());
            for (const int frame : {1, 10, 15, 20, 23, 25, 30, 44}) {
                const Time time = d.scene().fps.timeOf(frame);
                const ChannelValue goal = shown(base, "hand", Property::GoalPosition, frame);
                const ChannelValue added = sampleKeys(*corrections(d, "hand", Property::GoalPosition),
                                                      Property::GoalPosition, time);
                const ChannelValue sum = shown(d, "hand", Property::GoalPosition, frame);
                for (std::size_t c = 0; c < 3; ++c)
                    QVERIFY(std::abs(sum[c] - (goal[c] + weight * added[c])) < kRounding);
                // Angles one by one.
                for (int axis = 0; axis < 3; ++axis) {
                    const Property angle = offsetBy(Property::Rx, axis);
                    const double more = sampleKeys(*corrections(d, "elbow", angle), angle, time)[0];
                    QVERIFY(std::abs(shownJoint(d, "elbow", frame).angles[axis] -
                                     (shownJoint(base, "elbow", frame).angles[axis] + weight * more)) < kRounding);
                }
                // A whole rotation turns by a share of the angle, on the right.
                const Eigen::AngleAxisd turn(toQuaternion(
                    sampleKeys(*corrections(d, "shoulder", Property::Rotation), Property::Rotation, time)));
                const Quaternion expected = shownJoint(base, "shoulder", frame).local.rotation *
                                            Eigen::AngleAxisd(weight * turn.angle(), turn.axis());
                QVERIFY(shownJoint(d, "shoulder", frame).local.rotation.angularDistance(expected) < 1e-7);
                // The sampler of whole poses makes the same of it, to the bit.
                const auto pose = d.document.poses->at(d.scene(), d.document.clip(), {}, time);
                QVERIFY(pose);
                QVERIFY(toValue((*pose)->targets[0].goal.position) == sum);
                PoseSampler sampler(d.document.poses->rig());
                sampler.prepare(d.scene(), d.document.clip());
                LocalPose local;
                sampler.sample({}, time, local);
                for (const char* joint : {"shoulder", "elbow"})
                    QVERIFY(local.joints[at(d.document.poses->rig()->index(d.joint(joint).id))] ==
                            shownJoint(d, joint, frame).local);
            }
        }
        QVERIFY(checkScene(d.scene()));
    }

    void mergingOntoWhatStandsStillIsExact()
    {
        TestDocument d;
        d(R"({"op": "addJoint", "name": "a", "rotation": [10, 20, 30]})")(R"({"op": "addClip", "name": "C"})")(
            R"({"op": "setPose", "joint": "a", "rotation": [30, 40, 50]})")(
            R"({"op": "key", "target": "a", "channels": ["rotation"]})")(
            R"({"op": "editLayer", "layer": "corrections"})");
        for (const auto& [frame, value] : {std::pair(4, 20), std::pair(19, -60)}) {
            d(QStringLiteral(R"({"op": "setFrame", "value": %1})").arg(frame).toUtf8().constData());
            d(QStringLiteral(R"({"op": "setPose", "joint": "a", "translation": [0, %1, 1], "rotation": [%1, 10, 80]})")
                  .arg(value)
                  .toUtf8()
                  .constData());
            d(R"({"op": "key", "target": "a", "channels": ["translation", "rotation"]})");
        }
        TestDocument half = d;
        for (TestDocument* each : {&d, &half}) {
            if (each == &half) half(R"({"op": "setCorrections", "weight": 0.5})")(R"({"op": "keyPending"})");
            const std::vector<double> before = motion(*each);
            (*each)(R"({"op": "mergeCorrections"})");
            QVERIFY2(apart(motion(*each), before) < 1e-5, qPrintable(QString::number(apart(motion(*each), before))));
        }
    }

    void theWeightOfMergedCorrectionsIsForgotten()
    {
        TestDocument d = corrected();
        d(R"({"op": "setCorrections", "weight": 0.5})")(R"({"op": "mergeCorrections"})");
        QCOMPARE(correctionsWeight(d.scene(), d.document.clip(), {}, d.scene().fps.timeOf(9)), 1.0);
        TestDocument posed = corrected();
        posed(R"({"op": "key", "target": "wave", "channels": ["weight"], "frame": 3})");
        posed(R"({"op": "setCorrections", "weight": 0.5})"); // pending
        QVERIFY(!posed.document.edit.pending.empty());
        posed(R"({"op": "mergeCorrections"})");
        QVERIFY(posed.document.edit.pending.empty());
        // Of another clip than the current one there is no frame at which a keyed weight could be posed.
        TestDocument other = corrected();
        other(R"({"op": "key", "target": "wave", "channels": ["weight"], "frame": 3})")(
            R"({"op": "addClip", "name": "second"})");
        QVERIFY(
            other.error(R"({"op": "setCorrections", "clip": "wave", "weight": 0.5})").find("has keys in the clip") !=
            std::string::npos);
        TestDocument still = corrected();
        still(R"({"op": "addClip", "name": "second"})");
        QVERIFY(still.error(R"({"op": "setCorrections", "clip": "wave", "weight": 7})") != "NO ERROR");
        still(R"({"op": "setCorrections", "clip": "wave", "weight": 0.25})");
        QCOMPARE(correctionsWeight(still.scene(), &*still.scene().clips.front(), {}, Time{}), 0.25);
    }

    void weightZeroAndOffAreTheClipWithoutThem()
    {
        const std::vector<double> plain = motion(keyedArm());
        TestDocument d = corrected();
        const std::vector<double> with = motion(d);
        QVERIFY(apart(plain, with) > 0.05);
        d(R"({"op": "setCorrections", "weight": 0})");
        QVERIFY(motion(d) == plain);
        d(R"({"op": "setCorrections", "weight": 1})");
        QVERIFY(motion(d) == with);
        d(R"({"op": "setCorrections", "on": false})");
        QVERIFY(motion(d) == plain);
        d(R"({"op": "undo"})");
        QVERIFY(motion(d) == with);
    }

    /// What is posed and keyed in a layer is what is seen at that frame, whatever the weight; the other layer stays.
    void whatIsKeyedIsWhatIsSeen()
    {
        TestDocument d = corrected();
        for (const char* weight : {"1", "0.4"})
            for (const char* layer : {"corrections", "keys"}) {
                d(("{\"op\": \"setCorrections\", \"weight\": " + std::string(weight) + "}").c_str());
                d(("{\"op\": \"editLayer\", \"layer\": \"" + std::string(layer) + "\"}").c_str());
                d(R"({"op": "setFrame", "value": 14})");
                const Clip before = *d.document.clip();
                d(R"({"op": "setGoal", "handle": "hand", "position": [0.55, 1.1, 0.25]})");
                d(R"({"op": "setPose", "joint": "elbow", "rotation": [5, -10, 35]})");
                d(R"({"op": "setPose", "joint": "shoulder", "rotation": [20, 10, 15]})");
                d(R"({"op": "rotate", "joint": "wrist", "axis": "z", "value": 12})");
                const Affine posed = d.world("wrist");
                QVERIFY(!d.document.edit.pending.empty());
                d(R"({"op": "keyPending"})")(R"({"op": "key", "target": "wrist", "channels": ["rz"]})");
                QVERIFY(d.document.edit.pending.empty());
                QVERIFY(distance(d.world("wrist"), posed) < 1e-9);
                const ChannelValue goal = shown(d, "hand", Property::GoalPosition, 14);
                QVERIFY((toVector(goal) - Vector3(0.55, 1.1, 0.25)).norm() < kRounding);
                const Vector3 angles = shownJoint(d, "elbow", 14).angles * kDegrees;
                QVERIFY((angles - Vector3(5, -10, 35)).norm() < 1e-9);
                const Layer other = std::string(layer) == "keys" ? Layer::Corrections : Layer::Keys;
                for (const auto& [channel, keys] : d.document.clip()->channels)
                    if (channel.layer == other)
                        QVERIFY(before.find(channel) != nullptr && *before.find(channel) == *keys);
                d(R"({"op": "undo", "count": 2})");
                QVERIFY(*d.document.clip() == before);
                d(R"({"op": "redo", "count": 2})")(R"({"op": "undo", "count": 2})");
            }
    }

    /// The first key of a correction under Auto Key also keys that there was none at the range's first frame.
    void autoKeyBeginsACorrectionWithNone()
    {
        TestDocument d = keyedArm();
        d(R"({"op": "autoKey", "on": true})")(R"({"op": "editLayer", "layer": "corrections"})");
        d(R"({"op": "setFrame", "value": 30})");
        d(R"({"op": "setGoal", "handle": "hand", "position": [0.6, 1.1, 0.1]})");
        const KeyList* keys = corrections(d, "hand", Property::GoalPosition);
        QVERIFY(keys != nullptr && keys->size() == 2);
        QCOMPARE(d.scene().fps.frameAt(keys->front().time), 1.0);
        QVERIFY(keys->front().value == ChannelValue{});
        QVERIFY((toVector(shown(d, "hand", Property::GoalPosition, 30)) - Vector3(0.6, 1.1, 0.1)).norm() < kRounding);
        QCOMPARE(d.frames("hand", Property::GoalPosition), (std::vector<double>{1, 21, 40}));
        // A joint that nothing keys is not posed for good: the correction is its only key.
        d(R"({"op": "rotate", "joint": "wrist", "axis": "x", "value": 20})");
        QVERIFY(d.keys("wrist", Property::Rx) == nullptr);
        QVERIFY(d.still("wrist", Property::Rx)[0] == 0);
        QVERIFY(std::abs(shownJoint(d, "wrist", 30).angles.x() - radians(20)) < kRounding);
        QVERIFY(std::abs(shownJoint(d, "wrist", 1).angles.x()) < kRounding);
    }

    void whatNoCorrectionCanShowIsSaid()
    {
        TestDocument d = corrected();
        d(R"({"op": "setFrame", "value": 12})")(R"({"op": "setCorrections", "weight": 0})");
        const char* key = R"({"op": "key", "target": "hand"})";
        QVERIFY(d.error(key).find("weight 0 at frame 12, so a key in them would not be seen") != std::string::npos);
        d(R"({"op": "setCorrections", "weight": 1, "on": false})");
        QVERIFY(d.error(key).find("are off") != std::string::npos);
        d(R"({"op": "setCorrections", "weight": 0.25, "on": true})");
        d(R"({"op": "setPose", "joint": "shoulder", "rotation": [0, 170, 0]})");
        QVERIFY(d.error(R"({"op": "keyPending"})").find("turn by at most 45 degrees") != std::string::npos);
        QVERIFY(d.error(R"({"op": "setCorrections", "weight": 1.5})").find("from 0 to 1") != std::string::npos);
        QVERIFY(d.error(R"({"op": "setCorrections"})").find("give on, weight or both") != std::string::npos);
        // A blend below a correction that takes it away would be out of its range.
        d(R"({"op": "setFrame", "value": 30})")(R"({"op": "setCorrections", "weight": 1})")(
            R"({"op": "editLayer", "layer": "keys"})");
        QVERIFY(d.error(R"({"op": "group", "operations": [{"op": "setHandle", "name": "hand", "blend": 1},
            {"op": "key", "target": "hand", "channels": ["blend"]}]})")
                    .find("edit the corrections instead") != std::string::npos);
    }

    /// A key of no correction confines one to the frames between, whatever is shown.
    void zeroKeysConfineACorrection()
    {
        TestDocument d = keyedArm(), base = keyedArm();
        QVERIFY(d.error(R"({"op": "key", "target": "hand", "zero": true, "layer": "keys"})").find("leave layer out") !=
                std::string::npos);
        QVERIFY(d.error(R"({"op": "key", "target": "wave", "zero": true})").find("no correction") != std::string::npos);
        const auto poses = [&](const char* setFrame) {
            d(setFrame);
            d(R"({"op": "setGoal", "handle": "hand", "position": [0.5, 1.3, 0.1]})");
            d(R"({"op": "setPose", "joint": "elbow", "rotation": [0, 30, 80]})");
            d(R"({"op": "setPose", "joint": "shoulder", "rotation": [10, 30, 60]})");
        };
        // Before there is a correction, and with the clip's own keys edited, it is of what a key would be of.
        for (const char* op : {R"({"op": "key", "target": "hand", "zero": true, "frame": 10})",
                               R"({"op": "key", "target": "elbow", "zero": true, "frame": 10})",
                               R"({"op": "key", "target": "shoulder", "zero": true, "frame": 10})"})
            d(op);
        QVERIFY(corrections(d, "hand", Property::GoalPosition) != nullptr);
        QVERIFY(corrections(d, "elbow", Property::Ry) != nullptr);
        QVERIFY(corrections(d, "shoulder", Property::Rotation) != nullptr);
        QVERIFY(apart(motion(d), motion(base)) < 1e-9); // nothing is corrected
        d(R"({"op": "editLayer", "layer": "corrections"})");
        poses(R"({"op": "setFrame", "value": 15})");
        d(R"({"op": "keyPending"})");
        // What is posed there is given up, and it is done with corrections off, too.
        poses(R"({"op": "setFrame", "value": 20})");
        d(R"({"op": "setCorrections", "on": false})");
        for (const char* op :
             {R"({"op": "key", "target": "hand", "zero": true})", R"({"op": "key", "target": "elbow", "zero": true})",
              R"({"op": "key", "target": "shoulder", "zero": true})"})
            d(op);
        QVERIFY(d.document.edit.pending.empty());
        d(R"({"op": "setCorrections", "on": true})");
        QVERIFY(apart(motion(d, -5, 10), motion(base, -5, 10)) < 1e-9);
        QVERIFY(apart(motion(d, 20, 50), motion(base, 20, 50)) < 1e-9);
        QVERIFY(apart(motion(d, 11, 19), motion(base, 11, 19)) > 0.05);
        QCOMPARE(d.frames("hand", Property::GoalPosition), base.frames("hand", Property::GoalPosition));
        QCOMPARE(d.scene().fps.frameAt(corrections(d, "hand", Property::GoalPosition)->back().time), 20.0);
        QCOMPARE(corrections(d, "hand", Property::GoalPosition)->size(), std::size_t(3));
        d(R"({"op": "undo"})");
    }

    /// The weight is a channel like any other: it is keyed, moved, posed and undone.
    void theWeightIsAChannel()
    {
        TestDocument d = corrected();
        TestDocument base = keyedArm();
        d(R"({"op": "setFrame", "value": 10})")(R"({"op": "key", "target": "wave"})");
        d(R"({"op": "setFrame", "value": 30})")(R"({"op": "setCorrections", "weight": 0})");
        QCOMPARE(d.document.edit.pending.size(), std::size_t(1)); // keyed, so it is posed
        QVERIFY((toVector(shown(d, "hand", Property::GoalPosition, 30)) -
                 toVector(shown(base, "hand", Property::GoalPosition, 30)))
                    .norm() > 0.05);
        QVERIFY(distance(d.world("wrist"), base.worldAt("wrist", 30)) < 1e-9); // as it is drawn
        d(R"({"op": "keyPending"})");
        d(R"({"op": "setTangent", "target": "wave", "frame": 10, "interpolation": "linear"})");
        for (const int frame : {10, 15, 20, 25, 30}) {
            const double weight = (30 - frame) / 20.0;
            QVERIFY(std::abs(correctionsWeight(d.scene(), d.document.clip(), {}, d.scene().fps.timeOf(frame)) -
                             weight) < kRounding);
        }
        d(R"({"op": "moveKeys", "target": "wave", "channels": ["weight"], "frame": 30, "by": 5})");
        QCOMPARE(d.scene().fps.frameAt(d.document.clip()->find(d.document.clip()->correctionsWeight())->back().time),
                 35.0);
        QVERIFY(d.error(R"({"op": "key", "target": "wave", "channels": ["tx"]})").find("it has weight") !=
                std::string::npos);
        d(R"({"op": "duplicateClip", "name": "wave"})"); // with its weight
        QVERIFY(checkScene(d.scene()));
        QVERIFY(d.document.clip()->find(d.document.clip()->correctionsWeight()) != nullptr);
        const std::vector<double> copied = motion(d);
        d(R"({"op": "selectClip", "name": "wave"})");
        QVERIFY(motion(d) == copied);
        d(R"({"op": "removeClip", "name": "wave"})");
        QVERIFY(checkScene(d.scene()));
    }

    /// The same motion at every whole frame, as one step; random layers with all interpolations, too.
    void mergingKeepsTheMotion()
    {
        TestDocument d = corrected();
        const std::vector<double> before = motion(d);
        const std::size_t steps = d.document.history.undoCount();
        const Scene unmerged = d.scene();
        d(R"({"op": "mergeCorrections"})");
        QCOMPARE(d.document.history.undoCount(), steps + 1);
        QVERIFY(!d.document.clip()->hasCorrections());
        QVERIFY2(apart(motion(d), before) < 1e-5, qPrintable(QString::number(apart(motion(d), before))));
        QVERIFY(d.document.clip()->keyCount() < 60); // and not at each frame
        d(R"({"op": "undo"})");
        QVERIFY(d.scene() == unmerged);
        QVERIFY(keyedArm().error(R"({"op": "mergeCorrections"})").find("no corrections to merge") != std::string::npos);
        d(R"({"op": "setCorrections", "on": false})");
        QVERIFY(d.error(R"({"op": "mergeCorrections"})").find("are off") != std::string::npos);

        const unsigned seed = std::random_device{}();
        std::mt19937 random(seed);
        const auto between = [&](double from, double to) {
            return std::uniform_real_distribution<double>(from, to)(random);
        };
        for (int trial = 0; trial < 20; ++trial) {
            Scene scene = corrected().scene();
            const Clip made = *scene.clips.front();
            Clip clip = made;
            const auto randomKeys = [&](ChannelId channel) {
                std::vector<Key> keys;
                for (int i = static_cast<int>(between(1, 7)); i > 0; --i) {
                    Key key{.time = scene.fps.timeOf(std::floor(between(1, 41)))};
                    for (int c = 0; c < componentCount(channel.property); ++c)
                        key.value[static_cast<std::size_t>(c)] = between(0.1, 0.9);
                    if (isQuaternion(channel.property)) key.value = toValue(toQuaternion(key.value).normalized());
                    key.interpolation = static_cast<Interpolation>(static_cast<int>(between(0, 3)));
                    key.tangents = static_cast<TangentMode>(static_cast<int>(between(0, 5)));
                    for (ChannelValue* slope : {&key.in, &key.out})
                        for (int c = 0; c < componentCount(channel.property); ++c)
                            (*slope)[static_cast<std::size_t>(c)] = between(-1, 1);
                    keys.push_back(key);
                }
                KeyList list(keys);
                if (between(0, 4) < 1) list.setInfinity(Infinity::Cycle, Infinity::Oscillate);
                return list;
            };
            for (const auto& [channel, keys] : made.channels)
                clip.channels.insert_or_assign(channel, randomKeys(channel));
            if (trial % 2 == 0)
                clip.channels.insert_or_assign(clip.correctionsWeight(), randomKeys(clip.correctionsWeight()));
            else
                clip.channels.erase(clip.correctionsWeight());
            const auto merged = mergedCorrections(scene, clip);
            QVERIFY(merged && !merged->hasCorrections());
            for (int frame = scene.firstFrame; frame <= scene.lastFrame; ++frame)
                for (const auto& [channel, keys] : clip.channels) {
                    if (channel.layer == Layer::Corrections || channel == clip.correctionsWeight()) continue;
                    const Time time = scene.fps.timeOf(frame);
                    ChannelValue was = sampleChannel(scene, &clip, {}, channel, time),
                                 is = sampleChannel(scene, &*merged, {}, channel, time);
                    if (channel.property == Property::Blend) // what a solver takes of it
                        for (ChannelValue* value : {&was, &is}) (*value)[0] = std::clamp((*value)[0], 0.0, 1.0);
                    double dot = 0, off = 0;
                    for (std::size_t c = 0; c < is.size(); ++c) dot += is[c] * was[c];
                    for (std::size_t c = 0; c < is.size(); ++c)
                        off = std::max(off,
                                       std::abs((isQuaternion(channel.property) && dot < 0 ? -1 : 1) * is[c] - was[c]));
                    QVERIFY2(off <= kMergeTolerance,
                             qPrintable(QStringLiteral("%1 at %2 is %3 off, seed %4")
                                            .arg(QString::fromUtf8(propertyName(channel.property).data()))
                                            .arg(frame)
                                            .arg(off)
                                            .arg(seed)));
                }
        }
    }

    /// Goal keys that end before the space changes, or begin after it, with corrections that go on: the goal stays in
    /// the space of its last key.
    void mergingKeepsTheSpaceOfTheLastKey()
    {
        for (const bool isEnd : {true, false}) {
            TestDocument d;
            d(R"({"op": "addJoint", "name": "B"})")(R"({"op": "addJoint", "name": "X"})");
            d(R"({"op": "addHandle", "name": "h", "end": "X", "solver": "parent"})")(
                R"({"op": "addClip", "name": "C"})");
            d(R"({"op": "key", "target": "B", "channels": ["translation"], "frame": 1})")(
                R"({"op": "setFrame", "value": 40})")(R"({"op": "setPose", "joint": "B", "translation": [2, 1, 0]})")(
                R"({"op": "key", "target": "B", "channels": ["translation"]})");
            d(isEnd ? R"({"op": "key", "target": "h", "frame": 5})" : R"({"op": "key", "target": "h", "frame": 30})");
            d(R"({"op": "keySpace", "handle": "h", "space": "B", "frame": 10})");
            d(isEnd ? R"({"op": "deleteKey", "target": "h", "channels": ["goal"], "range": [6, 60]})"
                    : R"({"op": "deleteKey", "target": "h", "channels": ["goal"], "range": [0, 11]})");
            d(R"({"op": "editLayer", "layer": "corrections"})");
            for (const int frame : {3, 20, 35}) {
                d(QStringLiteral(R"({"op": "setFrame", "value": %1})").arg(frame).toUtf8().constData());
                d(QStringLiteral(R"({"op": "setGoal", "handle": "h", "position": [0, %1, 1]})")
                      .arg(frame % 7)
                      .toUtf8()
                      .constData());
                d(R"({"op": "key", "target": "h", "channels": ["goal"]})");
            }
            const std::vector<double> before = goals(d, -3, 60);
            d(R"({"op": "mergeCorrections"})");
            QVERIFY2(apart(goals(d, -3, 60), before) < 1e-5,
                     qPrintable(QString::number(apart(goals(d, -3, 60), before))));
            QVERIFY(d.says("had no effect and are gone"));
        }
    }

    /// A correction that repeats on keys that stand still goes on repeating; else it is said that it does not.
    void mergingKeepsWhatRepeatsOrSaysSo()
    {
        TestDocument d;
        d(R"({"op": "addJoint", "name": "a"})")(R"({"op": "addClip", "name": "C"})")(
            R"({"op": "setRange", "from": 1, "to": 24})")(R"({"op": "setFrame", "value": 5})");
        d(R"({"op": "key", "target": "a", "channels": ["tx"]})")(R"({"op": "editLayer", "layer": "corrections"})");
        d(R"({"op": "key", "target": "a", "channels": ["tx"]})")(R"({"op": "setFrame", "value": 10})");
        d(R"({"op": "slide", "joint": "a", "axis": "x", "value": 6})")(
            R"({"op": "key", "target": "a", "channels": ["tx"]})")(
            R"({"op": "setInfinity", "target": "a", "after": "cycle"})");
        TestDocument moving = d;
        const std::vector<double> before = motion(d, -5, 200);
        d(R"({"op": "mergeCorrections"})");
        QVERIFY2(apart(motion(d, -5, 200), before) < 1e-9, "it repeats still");
        QVERIFY(!d.says("constant beyond"));

        moving(R"({"op": "editLayer", "layer": "keys"})")(R"({"op": "setFrame", "value": 20})");
        moving(R"({"op": "slide", "joint": "a", "axis": "x", "value": 1})")(
            R"({"op": "key", "target": "a", "channels": ["tx"]})");
        const std::vector<double> sum = motion(moving, 1, 24);
        moving(R"({"op": "mergeCorrections"})");
        QVERIFY(apart(motion(moving, 1, 24), sum) < 1e-5);
        QVERIFY(moving.says("keyed in the range from 1 to 24 now, and constant beyond"));
    }

    /// Key operations mean the layer that is edited, or the one that they name.
    void keyOperationsMeanOneLayer()
    {
        TestDocument d = corrected();
        d(R"({"op": "moveKeys", "target": "hand", "channels": ["goal.position"], "by": 2})");
        QCOMPARE(d.frames("hand", Property::GoalPosition), (std::vector<double>{1, 21, 40}));
        QCOMPARE(d.scene().fps.frameAt(corrections(d, "hand", Property::GoalPosition)->front().time), 12.0);
        d(R"({"op": "moveKeys", "target": "hand", "channels": ["goal.position"], "by": 1, "layer": "keys"})");
        QCOMPARE(d.frames("hand", Property::GoalPosition), (std::vector<double>{2, 22, 41}));
        d(R"({"op": "keysToClipboard", "target": "hand", "channels": ["goal.position"], "range": [0, 50]})");
        d(R"({"op": "deleteKey", "target": "hand", "channels": ["goal.position"], "range": [0, 50]})");
        QVERIFY(corrections(d, "hand", Property::GoalPosition) == nullptr);
        QVERIFY(d.error(R"({"op": "deleteKey", "target": "hand", "channels": ["goal.position"], "range": [0, 50]})")
                    .find("corrections of the clip") != std::string::npos);
        d(R"({"op": "editLayer", "layer": "keys"})")(R"({"op": "pasteKeys", "frame": 5})");
        QCOMPARE(corrections(d, "hand", Property::GoalPosition)->size(), std::size_t(3)); // where they came from
        QCOMPARE(d.frames("hand", Property::GoalPosition), (std::vector<double>{2, 22, 41}));
    }

    /// Journey 7, onto one layer: IK to FK and back without a pop, the clip's own keys untouched.
    void ikAndFkAreSwitchedOntoTheLayer()
    {
        TestDocument d = keyedArm();
        const Clip own = *d.document.clip();
        const std::vector<double> before = motion(d);
        d(R"({"op": "editLayer", "layer": "corrections"})");
        const auto pose = [&](int frame) { return motion(d, frame, frame); };
        const std::vector<double> at20 = pose(20), at19 = pose(19);
        const Affine wrist20 = d.worldAt("wrist", 20);
        d(R"({"op": "setFrame", "value": 20})")(R"({"op": "switch", "handle": "hand", "to": "fk"})");
        QVERIFY(distance(d.worldAt("wrist", 20), wrist20) < 1e-4);
        QCOMPARE(shown(d, "hand", Property::Blend, 20)[0], 0.0);
        QCOMPARE(shown(d, "hand", Property::Blend, 19)[0], 1.0);
        QVERIFY(apart(pose(19), at19) < 1e-4);
        d(R"({"op": "setFrame", "value": 28})")(R"({"op": "rotate", "joint": "elbow", "axis": "y", "value": 40})");
        d(R"({"op": "key", "target": "elbow", "channels": ["angles"]})");
        const Affine wrist30 = d.worldAt("wrist", 30);
        d(R"({"op": "setFrame", "value": 30})")(R"({"op": "switch", "handle": "hand", "to": "ik"})");
        QCOMPARE(shown(d, "hand", Property::Blend, 30)[0], 1.0);
        QVERIFY(distance(d.worldAt("wrist", 30), wrist30) < 1e-4);
        for (const auto& [channel, keys] : d.document.clip()->channels)
            if (channel.layer == Layer::Keys) QVERIFY(own.find(channel) != nullptr && *own.find(channel) == *keys);
        d(R"({"op": "setCorrections", "on": false})");
        QVERIFY(motion(d) == before);
    }

    /// Corrections go with what they correct: to a prop and back.
    /// Whatever is keyed of the chain, its corrections and their weight, also where the weight is 0: up to the switch
    /// each moment is as it was, and at the switch nothing jumps. (Of a switch to FK up to the frame before: then the
    /// FK pose that the solve begins at is held, and a chain that is not told by its goal and pole goes by it.)
    void aSwitchChangesNoMomentBeforeIt()
    {
        const unsigned seed = std::random_device{}();
        std::mt19937 random(seed);
        const auto between = [&](double from, double to) {
            return std::uniform_real_distribution<double>(from, to)(random);
        };
        int switched = 0, fkKeys = 0;
        for (int trial = 0; trial < 80; ++trial) {
            TestDocument d = corrected();
            Scene scene = d.scene();
            Clip& clip = scene.clips.front().edit();
            const int at = 5 + static_cast<int>(random() % 30);
            const bool toIk = random() % 2 == 0;
            const bool isStill = !toIk && trial % 4 == 3; // in FK, so that the last frame can be compared, too
            const auto made = clip.channels;
            for (const auto& [channel, list] : made) {
                const bool isBlend = channel.property == Property::Blend;
                std::vector<Key> keys;
                for (int i = static_cast<int>(between(1, 6)); i > 0; --i) {
                    Key key{.time = scene.fps.timeOf(std::floor(between(1, 41)))};
                    for (int c = 0; c < componentCount(channel.property); ++c)
                        key.value[static_cast<std::size_t>(c)] = between(-0.8, 0.8);
                    if (isQuaternion(channel.property)) key.value = toValue(toQuaternion(key.value).normalized());
                    if (isBlend) key.value = {channel.layer == Layer::Keys && !toIk ? 1.0 : 0.0};
                    key.interpolation = isQuaternion(channel.property)
                                            ? Interpolation::Linear
                                            : static_cast<Interpolation>(static_cast<int>(between(0, 3)));
                    if (toIk) {
                        if (isQuaternion(channel.property)) key.interpolation = Interpolation::Bezier;
                        key.inWeight = key.outWeight = between(0.2, 0.5);
                    }
                    keys.push_back(key);
                }
                if (trial % 2 == 1) keys.front().time = scene.fps.timeOf(at - 1);
                const bool isOfJoint = scene.find(JointId{channel.target}) != nullptr;
                if (isStill && isOfJoint) keys.resize(1);
                if (isStill && channel.layer == Layer::Corrections) continue;
                clip.channels.insert_or_assign(channel, KeyList(keys));
            }
            if (isStill)
                erase_if(clip.channels, [](const auto& entry) { return entry.first.layer == Layer::Corrections; });
            KeyList weights;
            for (const int frame : {1, at, 40})
                weights.insertOrReplace({.time = scene.fps.timeOf(frame),
                                         .value = {frame == at && trial % 3 != 0 ? 0 : between(0.2, 1)},
                                         .interpolation = static_cast<Interpolation>(static_cast<int>(between(0, 3)))});
            clip.channels.insert_or_assign(clip.correctionsWeight(), weights);
            d.document.history.push(versionOf(scene, d.document.edit), "Keys");
            d(trial % 2 == 0 ? R"({"op": "editLayer", "layer": "corrections"})"
                             : R"({"op": "editLayer", "layer": "keys"})");
            std::map<std::pair<int, std::string>, Quaternion> before;
            for (int step = 20; step <= 20 * at; ++step)
                for (const char* joint : {"shoulder", "elbow"})
                    before[{step, joint}] = rotationOf(d.worldAt(joint, step / 20.0));
            const QString operation = QStringLiteral(R"({"op": "switch", "handle": "hand", "to": "%1", "frame": %2})")
                                          .arg(toIk ? "ik" : "fk")
                                          .arg(at);
            if (const auto done = carryOut(d.document, json(operation.toUtf8().constData())); !done) continue;
            ++switched;
            if (toIk) // whatever is keyed later, FK gets here
                for (const Property angle : kAngles)
                    if (const KeyList* fk = d.keys("elbow", angle); fk != nullptr && trial % 2 == 1)
                        fkKeys += fk->at(scene.fps.timeOf(at)) != nullptr ? 1 : 0;
            for (int step = 20; step <= 20 * at; ++step) {
                if (!toIk && !isStill && step > 20 * (at - 1) && step < 20 * at) continue;
                const double frame = step / 20.0;
                for (const char* joint : {"shoulder", "elbow"}) {
                    const double turned = before[{step, joint}].angularDistance(rotationOf(d.worldAt(joint, frame)));
                    QVERIFY2(
                        turned < (step == 20 * at ? 1e-3 : 1e-6),
                        qPrintable(QStringLiteral("%1 by %2 degrees at %3, switched to %4 at %5, trial %6 of seed %7")
                                       .arg(joint)
                                       .arg(turned * 180 / std::numbers::pi)
                                       .arg(frame)
                                       .arg(toIk ? "ik" : "fk")
                                       .arg(at)
                                       .arg(trial)
                                       .arg(seed)));
                }
            }
        }
        QVERIFY(switched > 10 && fkKeys > 5);
    }

    void correctionsGoAlongWhenTheSpaceChanges()
    {
        TestDocument d = corrected();
        d(R"({"op": "editLayer", "layer": "keys"})");
        d(R"({"op": "addJoint", "name": "prop", "translation": [0.4, 0.9, 0.3]})");
        d(R"({"op": "setPose", "joint": "prop", "rotation": [0, 60, 20]})");
        const std::vector<double> before = goals(d, 1, 14), at = goals(d, 15, 15), keyed = goals(d, 40, 40);
        d(R"({"op": "keySpace", "handle": "hand", "space": "prop", "frame": 15})");
        QVERIFY2(apart(goals(d, 1, 14), before) < 2e-3, "before the switch"); // but for automatic tangents
        QVERIFY2(apart(goals(d, 15, 15), at) < 1e-9, "at the switch");
        QVERIFY2(apart(goals(d, 40, 40), keyed) < 1e-9, "at a later key");
        QVERIFY(checkScene(d.scene()));
    }

    void aKindOfRotationIsConvertedInBothLayers()
    {
        TestDocument d = corrected();
        std::vector<Quaternion> were; // at the keys of the corrections
        const auto shownThere = [&] {
            std::vector<Quaternion> rotations;
            for (const char* joint : {"elbow", "shoulder"})
                rotations.push_back(shownJoint(d, joint, 10).local.rotation);
            return rotations;
        };
        d(R"({"op": "editLayer", "layer": "keys"})"); // with a key below each
        d(R"({"op": "key", "target": "elbow", "channels": ["angles"], "frame": 10})");
        d(R"({"op": "key", "target": "shoulder", "channels": ["rotation"], "frame": 10})");
        were = shownThere();
        d(R"({"op": "keysAsRotation", "joint": "elbow"})")(R"({"op": "keysAsAngles", "joint": "shoulder"})");
        QVERIFY(corrections(d, "elbow", Property::Rx) == nullptr);
        QVERIFY(corrections(d, "elbow", Property::Rotation) != nullptr);
        QVERIFY(corrections(d, "shoulder", Property::Rotation) == nullptr);
        QVERIFY(checkScene(d.scene()));
        const std::vector<Quaternion> are = shownThere();
        for (std::size_t i = 0; i < are.size(); ++i) QVERIFY(are[i].angularDistance(were[i]) < 1e-7);
    }

    /// Angles add up and whole rotations follow each other, so a correction counts from other keys differently.
    void aConvertedRotationIsTheSameAtTheKeysOfBothLayers()
    {
        TestDocument test;
        test(R"({"op": "addJoint", "name": "a"})")(R"({"op": "addClip", "name": "C"})");
        for (const auto& [frame, pose] :
             {std::pair(1, "[0, 0, 0]"), std::pair(24, "[0, 90, 0]"), std::pair(5, "[60, 0, 50]")}) {
            test(QString(R"({"op": "setFrame", "value": %1})").arg(frame).toUtf8().constData());
            if (frame == 5) test(R"({"op": "editLayer", "layer": "corrections"})");
            test(QString(R"({"op": "setPose", "joint": "a", "rotation": %1})").arg(pose).toUtf8().constData());
            test(R"({"op": "key", "target": "a", "channels": ["rotation"]})");
        }
        std::map<int, Quaternion> were;
        for (const int frame : {1, 5, 24}) were[frame] = rotationOf(test.worldAt("a", frame));
        for (const char* convert : {"keysAsAngles", "keysAsRotation"}) {
            test(QString(R"({"op": "%1", "joint": "a"})").arg(convert).toUtf8().constData());
            for (const auto& [frame, was] : were) {
                const double off = rotationOf(test.worldAt("a", frame)).angularDistance(was);
                QVERIFY2(off < 1e-7, qPrintable(QString("%1, frame %2: %3").arg(convert).arg(frame).arg(off)));
            }
        }
    }

    void filesAndBakesHoldThem()
    {
        QTemporaryDir folder;
        const std::string path = folder.filePath("corrected.tendon").toStdString();
        TestDocument d = corrected();
        d(R"({"op": "setFrame", "value": 10})")(R"({"op": "key", "target": "wave"})")(
            R"({"op": "setFrame", "value": 30})")(R"({"op": "setCorrections", "weight": 0.5})")(
            R"({"op": "keyPending"})");
        d(R"({"op": "duplicateClip", "name": "wave", "to": "off"})")(R"({"op": "setCorrections", "on": false})")(
            R"({"op": "addClip", "name": "plain"})")(R"({"op": "setCorrections", "weight": 0.25})")(
            R"({"op": "selectClip", "name": "wave"})");
        QVERIFY(writeProject(projectOf(d.document), path));
        Issues issues;
        const auto read = readProject(path, &issues);
        QVERIFY2(read, read ? "" : read.error().text().c_str());
        QVERIFY(issues.empty());
        QVERIFY(read->scene == d.scene());

        const Clip& clip = *d.document.clip();
        BakeOptions options;
        options.clip = clip.id;
        options.fps = d.scene().fps;
        options.from = clip.begin();
        options.to = clip.end();
        const auto baked = bake(d.scene(), TestDocument::solvers(), options);
        QVERIFY(baked);
        const auto wrist = static_cast<std::size_t>(
            std::find(baked->joints.begin(), baked->joints.end(), d.joint("wrist").id) - baked->joints.begin());
        QVERIFY(wrist < baked->joints.size());
        TestDocument plain = keyedArm();
        double seen = 0;
        for (std::size_t s = 0; s < baked->times.size(); ++s) {
            const double frame = d.scene().fps.frameAt(baked->times[s]);
            Affine world = Affine::Identity();
            for (const char* joint : {"shoulder", "elbow", "wrist"}) {
                const auto j = static_cast<std::size_t>(
                    std::find(baked->joints.begin(), baked->joints.end(), d.joint(joint).id) - baked->joints.begin());
                world = world * baked->locals[s * baked->joints.size() + j].parentFromJoint();
            }
            QVERIFY(distance(world, d.worldAt("wrist", frame)) < 1e-6);
            seen = std::max(seen, distance(world, plain.worldAt("wrist", frame)));
        }
        QVERIFY(seen > 0.05);
    }

    /// An edit of a key of the corrections changes the frames between its neighbours, and says so.
    void anEditChangesTheFramesAroundIt()
    {
        TestDocument d = keyedArm();
        d(R"({"op": "editLayer", "layer": "corrections"})");
        for (const char* frame : {"1", "5", "10", "15", "20", "25", "30", "35"}) {
            d(("{\"op\": \"setFrame\", \"value\": " + std::string(frame) + "}").c_str());
            d(R"({"op": "key", "target": "hand"})");
        }
        const Clip before = *d.document.clip();
        d(R"({"op": "setKeyValue", "target": "hand", "channels": ["goal.position"], "frame": 20, "value": 0.1})");
        const auto span = differenceOf(before, *d.document.clip());
        QVERIFY(span);
        QCOMPARE(d.scene().fps.frameAt(span->from), 10.0);
        QCOMPARE(d.scene().fps.frameAt(span->to), 30.0);
        Clip off = before;
        off.hasCorrectionsOn = false;
        QVERIFY(differenceOf(before, off));
    }
};

TENDON_TEST(TestCorrections)
#include "tst_corrections.moc"
