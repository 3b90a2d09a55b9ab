#include "core/runtime/BakedPoses.h"
#include "core/scene/RestPose.h"
#include "core/scene/Validate.h"
#include "tests/support/TestDocument.h"
#include "tests/support/TestProgram.h"

using namespace tendon;
using namespace tendon::test;

namespace {

using Frames = std::vector<double>;

TestDocument armWithHandle()
{
    TestDocument test = arm();
    test(R"({"op": "setRotationAxis", "joint": "elbow", "axis": "x", "active": false})");
    test(R"({"op": "setPreferredAngle", "joint": "elbow", "value": [0, 0, 30]})");
    test(R"({"op": "addHandle", "name": "hand", "start": "shoulder", "end": "wrist"})");
    return test;
}

double movedMost(const TestDocument& test, const std::map<std::string, Affine>& before)
{
    double most = 0;
    for (const auto& [name, world] : before) most = std::max(most, distance(test.world(name.c_str()), world));
    return most;
}

std::map<std::string, Affine> pose(const TestDocument& test)
{
    std::map<std::string, Affine> worlds;
    for (const Joint& joint : *test.scene().joints) worlds[joint.name] = test.world(joint.name.c_str());
    return worlds;
}

} // namespace

class TestAnimationOperations : public QObject
{
    Q_OBJECT

private slots:
    /// As a table of poses or a report has it of a clip whose file has seconds in single precision.
    void aFrameThatTendonWroteGoesInAgain()
    {
        BakedClip clip;
        clip.fps = FrameRate::fromValue(29.97);
        clip.times = {clip.fps.timeOf(5.99997619), clip.fps.timeOf(6.5)};
        QCOMPARE(sampleFrame(clip, 0), 6.0);
        QCOMPARE(sampleFrame(clip, 1), clip.fps.frameAt(clip.times[1]));
        TestDocument test = arm();
        test(R"({"op": "setFrame", "value": 5.99997619})");
        QCOMPARE(test.document.edit.frame, 6);
        test(R"({"op": "setFrame", "value": 99.9989994})"); // the hundredth of 0.033333 s each, at 30 a second
        QCOMPARE(test.document.edit.frame, 100);
        test(R"({"op": "setRange", "from": -0.0001, "to": 99.9995})");
        QCOMPARE(test.scene().firstFrame, 0);
        QCOMPARE(test.scene().lastFrame, 100);
        const std::string between = test.error(R"({"op": "setFrame", "value": 5.99})");
        QVERIFY2(between.ends_with("value: must be a whole number, but is 5.99"), between.c_str());
        QVERIFY(test.error(R"({"op": "setFrame", "value": 20000000})").find("10 000 000") != std::string::npos);
    }

    void posingWithoutKeysWritesStaticValues()
    {
        TestDocument test = arm();
        test(R"({"op": "rotate", "joint": "elbow", "axis": "z", "value": 90})")(
            R"({"op": "rotate", "joint": "elbow", "axis": "z", "value": 30})");
        QVERIFY(std::abs(test.still("elbow", Property::Rz)[0] - radians(30)) < 1e-12); // absolute, not added up
        test(R"({"op": "slide", "joint": "elbow", "axis": "x", "value": 0.8})");
        QCOMPARE(test.still("elbow", Property::Tx)[0], 0.8);
        test(R"({"op": "setPose", "joint": "wrist", "rotation": [0, 0, 0.70710678118654752, 0.70710678118654752]})");
        QVERIFY(std::abs(test.still("wrist", Property::Rz)[0] - radians(90)) < 1e-9);
        QVERIFY(test.scene().clips.empty());
        test(R"({"op": "resetPose", "joints": ["elbow"]})");
        QCOMPARE(test.still("elbow", Property::Tx)[0], 0.5);
        QVERIFY(test.still("wrist", Property::Rz)[0] != 0);
        test(R"({"op": "resetPose"})");
        QVERIFY(test.scene().statics->empty());
    }

    void autoKeyAlsoKeysTheFormerValueAtTheFirstFrame()
    {
        // The walk of the leg: goal back at 50, returned at 100.
        TestDocument test = armWithHandle();
        const ChannelValue start = test.still("hand", Property::GoalPosition);
        test(R"({"op": "autoKey", "on": true})")(R"({"op": "setFrame", "value": 50})");
        test(R"({"op": "setGoal", "handle": "hand", "position": [0.5, 1.2, 0.3]})");
        QCOMPARE(test.frames("hand", Property::GoalPosition), (Frames{1, 50}));
        QCOMPARE(test.document.clip()->name, std::string("Clip"));
        QCOMPARE(test.keys("hand", Property::GoalPosition)->front().value, start);
        QVERIFY(test.keys("hand", Property::GoalRotation) == nullptr && test.keys("elbow", Property::Rz) == nullptr);
        test(R"({"op": "setFrame", "value": 100})")(R"({"op": "copyKeys", "target": "hand", "frame": 1, "to": 100})")(
            R"({"op": "autoKey", "on": false})");
        QCOMPARE(test.frames("hand", Property::GoalPosition), (Frames{1, 50, 100}));
        QCOMPARE(test.keys("hand", Property::GoalPosition)->back().value, start);
        QVERIFY(distance(test.worldAt("wrist", 100), test.worldAt("wrist", 1)) < 1e-4);
    }

    void posingAKeyedChannelIsPendingUntilItIsKeyed()
    {
        TestDocument test = arm();
        test(R"({"op": "key", "target": "elbow"})")(R"({"op": "setFrame", "value": 10})");
        test(R"({"op": "rotate", "joint": "elbow", "axis": "z", "value": 45})");
        QCOMPARE(test.frames("elbow", Property::Rz), (Frames{1}));
        QCOMPARE(test.document.edit.pending.size(), std::size_t(1));
        QVERIFY(std::abs(test.world("wrist").translation().y() - (1 + 0.5 * std::sqrt(0.5))) < 1e-12);
        test(R"({"op": "key", "target": "elbow"})");
        QVERIFY(test.document.edit.pending.empty());
        QVERIFY(std::abs(test.keyed("elbow", Property::Rz, 10) - radians(45)) < 1e-12);

        test(R"({"op": "rotate", "joint": "elbow", "axis": "z", "value": 90})")(R"({"op": "setFrame", "value": 11})");
        QVERIFY(test.document.edit.pending.empty());
        QCOMPARE(test.document.messages.size(), std::size_t(1));
        QVERIFY(test.document.messages.front().text.find("elbow rz") != std::string::npos);
        QVERIFY(std::abs(test.keyed("elbow", Property::Rz, 10) - radians(45)) < 1e-12);
    }

    void everyPendingValueIsKeyedOrDiscardedAtOnce()
    {
        TestDocument test = arm();
        test(R"({"op": "key", "target": "elbow"})")(R"({"op": "key", "target": "shoulder"})")(
            R"({"op": "setFrame", "value": 10})");
        test(R"({"op": "rotate", "joint": "elbow", "axis": "z", "value": 45})")(
            R"({"op": "rotate", "joint": "shoulder", "axis": "y", "value": 5})");
        const PendingValues pending = test.document.edit.pending;
        QCOMPARE(pending.size(), std::size_t(2));
        test(R"({"op": "keyPending"})");
        QVERIFY(test.document.edit.pending.empty());
        QVERIFY(std::abs(test.keyed("elbow", Property::Rz, 10) - radians(45)) < 1e-12);
        QVERIFY(std::abs(test.keyed("shoulder", Property::Ry, 10) - radians(5)) < 1e-12);
        QCOMPARE(test.frames("elbow", Property::Rx), (Frames{1})); // what was not posed is not keyed
        test(R"({"op": "undo"})");
        QVERIFY(test.document.edit.pending == pending);
        test(R"({"op": "discardPending"})");
        QVERIFY(test.document.edit.pending.empty());
        QVERIFY(test.document.messages.front().text.find("elbow rz") != std::string::npos);
        QCOMPARE(test.frames("elbow", Property::Rz), (Frames{1}));
        test(R"({"op": "undo"})");
        QVERIFY(test.document.edit.pending == pending);
    }

    void aJointCannotBeScaledToNothing()
    {
        TestDocument test = armWithHandle();
        for (const char* scale : {"[0, 0, 0]", "[1, 0, 1]"}) {
            const std::string said = test.error(
                (R"({"op": "setPose", "joint": "elbow", "scale": )" + std::string(scale) + "}").c_str());
            QVERIFY2(said.find("scale: ") != std::string::npos && said.find('\n') == std::string::npos, said.c_str());
        }
        test(R"({"op": "setPose", "joint": "elbow", "scale": [1, -0.5, 2]})"); // mirrored and uneven ones are taken
    }

    void posingOrKeyingAJointThatIkDrivesWarns()
    {
        TestDocument test = armWithHandle();
        const auto warning = [&](const char* operation) {
            test(operation);
            return test.document.messages.empty() ? std::string() : test.document.messages.front().line();
        };
        const char* rotate = R"({"op": "rotate", "joint": "elbow", "axis": "z", "value": 40})";
        const std::string said = warning(rotate);
        QVERIFY2(said.starts_with("elbow: the pose does not show while the handle hand drives this joint"),
                 said.c_str());
        QVERIFY2(said.find("switch the handle to FK") != std::string::npos, said.c_str());
        QVERIFY(!warning(R"({"op": "setPose", "joint": "elbow", "rotation": [0, 0, 10]})").empty());
        QVERIFY(warning(R"({"op": "key", "target": "elbow"})").find("the key does not show") != std::string::npos);

        // What the solve leaves alone shows: the end's turn, a locked axis, a translation that does not slide, scale.
        QCOMPARE(warning(R"({"op": "rotate", "joint": "wrist", "axis": "z", "value": 40})"), std::string());
        QCOMPARE(warning(R"({"op": "slide", "joint": "elbow", "axis": "x", "value": 0.6})"), std::string());
        QCOMPARE(warning(R"({"op": "setPose", "joint": "elbow", "scale": [1, 1, 1]})"), std::string());
        test(R"({"op": "setRotationAxis", "joint": "elbow", "axis": "z", "active": false})");
        QCOMPARE(warning(rotate), std::string());
        test(R"({"op": "setRotationAxis", "joint": "elbow", "axis": "z", "active": true})");
        QVERIFY(!warning(rotate).empty());

        // So does everything above a terminator, and with the handle at FK or half way.
        test(R"({"op": "setTerminator", "joint": "elbow", "on": true})");
        QCOMPARE(warning(rotate), std::string());
        test(R"({"op": "setTerminator", "joint": "elbow", "on": false})")(
            R"({"op": "setHandle", "name": "hand", "blend": 0.5})");
        QCOMPARE(warning(rotate), std::string());
        test(R"({"op": "setHandle", "name": "hand", "blend": 1})")(
            R"({"op": "setHandle", "name": "hand", "orientationWeight": 1})");
        QVERIFY(!warning(R"({"op": "rotate", "joint": "wrist", "axis": "z", "value": 40})").empty());
    }

    void keyingKeysThePosedChannels()
    {
        TestDocument test = armWithHandle();
        test(R"({"op": "key", "target": "hand", "frame": 5})");
        QCOMPARE(test.frames("hand", Property::GoalPosition), (Frames{5}));
        QVERIFY(test.keys("hand", Property::GoalRotation) == nullptr);
        test(R"({"op": "setHandle", "name": "hand", "orientationWeight": 1})")(
            R"({"op": "key", "target": "hand", "frame": 6})");
        QCOMPARE(test.frames("hand", Property::GoalRotation), (Frames{6}));
        test(R"({"op": "key", "target": "hand", "channels": ["blend", "twist"], "frame": 7, "interpolation": "step"})");
        QVERIFY(test.keys("hand", Property::Blend)->front().interpolation == Interpolation::Step);
        test(R"({"op": "setSlidingAxis", "joint": "wrist", "axis": "x", "active": true})")(
            R"({"op": "key", "target": "wrist"})");
        QVERIFY(test.keys("wrist", Property::Tx) != nullptr && test.keys("wrist", Property::Rx) != nullptr &&
                test.keys("wrist", Property::Sx) == nullptr);
        QVERIFY(test.error(R"({"op": "key", "target": "hand", "channels": ["rx"]})").find("has no channel \"rx\"") !=
                std::string::npos);
        QVERIFY(test.error(R"({"op": "key", "target": "elbow", "channels": ["rx", "rotation"]})").find("two ways") !=
                std::string::npos);
    }

    void rotationsAndAnglesReplaceEachOther()
    {
        TestDocument test = arm();
        test(R"({"op": "setPose", "joint": "elbow", "rotation": [20, 30, 40]})")(
            R"({"op": "key", "target": "elbow", "frame": 1})");
        test(R"({"op": "setFrame", "value": 10})")(R"({"op": "setPose", "joint": "elbow", "rotation": [-10, 50, 80]})")(
            R"({"op": "key", "target": "elbow"})");
        const Affine at1 = test.worldAt("wrist", 1), at10 = test.worldAt("wrist", 10);
        test(R"({"op": "key", "target": "elbow", "channels": ["rotation"]})");
        QVERIFY(test.keys("elbow", Property::Rx) == nullptr);
        QCOMPARE(test.frames("elbow", Property::Rotation), (Frames{1, 10}));
        QVERIFY(distance(test.worldAt("wrist", 1), at1) < 1e-12 && distance(test.worldAt("wrist", 10), at10) < 1e-12);
        test(R"({"op": "key", "target": "elbow", "channels": ["angles"]})");
        QVERIFY(test.keys("elbow", Property::Rotation) == nullptr);
        QVERIFY(distance(test.worldAt("wrist", 1), at1) < 1e-9 && distance(test.worldAt("wrist", 10), at10) < 1e-9);
        QVERIFY(checkScene(test.scene()).has_value());
    }

    void keysAreMovedScaledCopiedAndDeleted()
    {
        TestDocument test = arm();
        for (const char* op : {R"({"op": "key", "target": "elbow", "channels": ["rz"], "frame": 1})",
                               R"({"op": "key", "target": "elbow", "channels": ["rz"], "frame": 11})",
                               R"({"op": "key", "target": "elbow", "channels": ["rz"], "frame": 21})"})
            test(op);
        test(R"({"op": "moveKeys", "target": "elbow", "frame": 11, "by": 2})");
        QCOMPARE(test.frames("elbow", Property::Rz), (Frames{1, 13, 21}));
        test(R"({"op": "moveKeys", "target": "elbow", "range": [10, 30], "to": 5})");
        QCOMPARE(test.frames("elbow", Property::Rz), (Frames{1, 5, 13}));
        test(R"({"op": "scaleKeys", "target": "elbow", "by": 2})");
        QCOMPARE(test.frames("elbow", Property::Rz), (Frames{1, 9, 25}));
        test(R"({"op": "scaleKeys", "target": "elbow", "frames": [9, 25], "by": 0.5, "about": 25})");
        QCOMPARE(test.frames("elbow", Property::Rz), (Frames{1, 17, 25}));
        test(R"({"op": "scaleKeys", "target": "elbow", "by": 0.7, "snap": true})"); // to 12.2 and 17.8
        QCOMPARE(test.frames("elbow", Property::Rz), (Frames{1, 12, 18}));
        test(R"({"op": "undo"})");
        test(R"({"op": "copyKeys", "target": "elbow", "frames": [1, 17], "by": 40, "onto": "wrist"})");
        QCOMPARE(test.frames("wrist", Property::Rz), (Frames{41, 57}));
        test(R"({"op": "moveKeys", "target": "elbow", "frame": 1, "to": 17})"); // over the one that is there
        QCOMPARE(test.frames("elbow", Property::Rz), (Frames{17, 25}));
        test(R"({"op": "deleteKey", "target": "elbow", "frame": 17})");
        QCOMPARE(test.frames("elbow", Property::Rz), (Frames{25}));
        test(R"({"op": "deleteKey", "target": "elbow", "range": [0, 100]})");
        QVERIFY(test.keys("elbow", Property::Rz) == nullptr);
        QVERIFY(test.error(R"({"op": "deleteKey", "target": "elbow", "frame": 3})").find("has no key there") !=
                std::string::npos);
        QVERIFY(test.error(R"({"op": "moveKeys", "target": "wrist"})").find("by or to") != std::string::npos);
        QVERIFY(test.error(R"({"op": "scaleKeys", "target": "wrist", "by": 0})").find("above 0") != std::string::npos);
        QVERIFY(test.error(R"({"op": "moveKeys", "target": "wrist", "frame": 41, "range": [1, 2], "by": 1})")
                    .find("only one of") != std::string::npos);
    }

    /// On a capture with a key at every frame a correction stays as few keys as it is, and what is seen stays, too.
    void aConvertedCorrectionIsNoDenserThanItMustBe()
    {
        TestDocument test;
        test(R"({"op": "addJoint", "name": "a"})")(R"({"op": "addClip", "name": "C"})");
        const auto key = [&](int frame, const Vector3& pose) {
            test(QString(R"({"op": "setFrame", "value": %1})").arg(frame).toUtf8().constData());
            test(QString(R"({"op": "setPose", "joint": "a", "rotation": [%1, %2, %3]})")
                     .arg(pose.x())
                     .arg(pose.y())
                     .arg(pose.z())
                     .toUtf8()
                     .constData());
            test(R"({"op": "key", "target": "a", "channels": ["rotation"]})");
        };
        for (int frame = 1; frame <= 41; ++frame)
            key(frame, {0, 10 * std::sin(frame * 0.2), 3 * std::sin(frame * 0.1)});
        test(R"({"op": "editLayer", "layer": "corrections"})");
        for (const int frame : {1, 41})
            test(QString(R"({"op": "key", "target": "a", "channels": ["rotation"], "zero": true, "frame": %1})")
                     .arg(frame)
                     .toUtf8()
                     .constData());
        key(20, {25, 10, 10});
        std::vector<Quaternion> were;
        for (int frame = 1; frame <= 41; ++frame) were.push_back(rotationOf(test.worldAt("a", frame)));
        const auto corrections = [&](Property p) {
            return test.document.clip()->find({test.id("a"), p, Layer::Corrections});
        };
        for (const char* convert : {"keysAsAngles", "keysAsRotation"}) {
            test(QString(R"({"op": "%1", "joint": "a"})").arg(convert).toUtf8().constData());
            const bool isWhole = corrections(Property::Rotation) != nullptr;
            for (const Property p : {Property::Rx, Property::Ry, Property::Rz})
                QCOMPARE(corrections(isWhole ? Property::Rotation : p)->size(), std::size_t{3});
            for (int frame = 1; frame <= 41; ++frame)
                QVERIFY(
                    rotationOf(test.worldAt("a", frame)).angularDistance(were[static_cast<std::size_t>(frame - 1)]) <
                    radians(4));
        }
    }

    /// A time is deleted; what was set in it and goes on after it stays.
    void statesGoOnAfterADeletedTime()
    {
        TestDocument test = armWithHandle();
        for (const char* op :
             {R"({"op": "setFrame", "value": 0})", R"({"op": "setHandle", "name": "hand", "blend": 0})",
              R"({"op": "key", "target": "hand", "channels": ["blend"], "frame": 0})",
              R"({"op": "key", "target": "elbow", "channels": ["rz"], "frame": 0})",
              R"({"op": "key", "target": "elbow", "channels": ["rz"], "frame": 20})"})
            test(op);
        const auto blend = [&](double frame) { return test.keyed("hand", Property::Blend, frame); };
        const auto reset = [&] { test(R"({"op": "undo"})"); };
        test(R"({"op": "group", "operations": [
            {"op": "deleteKey", "target": "elbow", "range": [0, 3]}, {"op": "deleteKey", "target": "hand", "range": [0, 3]}]})");
        QCOMPARE(test.frames("elbow", Property::Rz), (Frames{20}));
        QCOMPARE(test.frames("hand", Property::Blend), (Frames{4}));
        QCOMPARE(blend(10), 0.0);
        reset();
        QCOMPARE(test.frames("hand", Property::Blend), (Frames{0}));

        // The channel itself is meant; or nothing of the clip is left to go on
        test(R"({"op": "deleteKey", "target": "hand", "channels": ["blend"], "range": [0, 3]})");
        QVERIFY(test.keys("hand", Property::Blend) == nullptr);
        reset();
        test(R"({"op": "deleteKey", "target": "hand", "frame": 0})");
        QVERIFY(test.keys("hand", Property::Blend) == nullptr);
        reset();
        test(R"({"op": "deleteKey", "target": "hand", "range": [0, 20]})");
        QVERIFY(test.keys("hand", Property::Blend) == nullptr);
        reset();
        test(R"({"op": "deleteKey", "target": "hand", "channels": ["blend"], "frame": 0, "keepStates": true})");
        QCOMPARE(test.frames("hand", Property::Blend), (Frames{1}));
        reset();

        // Of several switches the last one in that time counts, if no key sets the state anew
        for (const auto& [frame, value] : {std::pair(2, 1), std::pair(12, 0)})
            test(QStringLiteral(R"({"op": "setFrame", "value": %1})").arg(frame).toUtf8().constData())(
                QStringLiteral(R"({"op": "setHandle", "name": "hand", "blend": %1})").arg(value).toUtf8().constData())(
                R"({"op": "key", "target": "hand", "channels": ["blend"], "interpolation": "step"})");
        test(R"({"op": "deleteKey", "target": "hand", "range": [1, 3]})");
        QCOMPARE(test.frames("hand", Property::Blend), (Frames{0, 4, 12}));
        QCOMPARE(blend(11), 1.0);
        reset();
        test(R"({"op": "deleteKey", "target": "hand", "range": [1, 11]})");
        QCOMPARE(test.frames("hand", Property::Blend), (Frames{0, 12}));
        reset();

        // A joint's stepped keys are poses, which go
        test(R"({"op": "setTangent", "target": "elbow", "frame": 0, "interpolation": "step"})")(
            R"({"op": "deleteKey", "target": "elbow", "range": [0, 3]})");
        QCOMPARE(test.frames("elbow", Property::Rz), (Frames{20}));
    }

    void tangentsAndInterpolationAreSet()
    {
        TestDocument test = arm();
        test(R"({"op": "autoKey", "on": true})")(R"({"op": "setFrame", "value": 25})")(
            R"({"op": "rotate", "joint": "elbow", "axis": "z", "value": 90})");
        const double before = test.keyed("elbow", Property::Rz, 9);
        test(R"({"op": "setTangent", "target": "elbow", "frame": 1, "mode": "free"})");
        QCOMPARE(test.keyed("elbow", Property::Rz, 9), before); // freed as they were
        test(R"({"op": "setTangent", "target": "elbow", "frame": 1, "out": 360})");
        QVERIFY(std::abs(test.keys("elbow", Property::Rz)->front().out[0] - radians(360)) < 1e-12);
        QVERIFY(test.keyed("elbow", Property::Rz, 9) > before);
        test(R"({"op": "setTangent", "target": "elbow", "frame": 1, "mode": "auto", "interpolation": "linear"})");
        QVERIFY(std::abs(test.keyed("elbow", Property::Rz, 13) - radians(45)) < 1e-12);
        QVERIFY(test.error(R"({"op": "setTangent", "target": "elbow", "frame": 1})").find("give mode") !=
                std::string::npos);
        QVERIFY(
            test.error(R"({"op": "setTangent", "target": "elbow", "frame": 1, "in": [1, 2, 3]})").find("1 number") !=
            std::string::npos);
    }

    void keysKeepTheirTimesWhenTheFrameRateChanges()
    {
        TestDocument test = arm();
        test(R"({"op": "setRange", "from": 0, "to": 48})")(
            R"({"op": "key", "target": "elbow", "channels": ["rz"], "frame": 24})");
        const Time before = test.keys("elbow", Property::Rz)->front().time;
        test(R"({"op": "setFps", "value": 30})");
        QVERIFY(test.keys("elbow", Property::Rz)->front().time == before);
        QCOMPARE(test.frames("elbow", Property::Rz), (Frames{30}));
        QCOMPARE(test.scene().lastFrame, 60);
        test(R"({"op": "setFps", "value": 29.97})");
        QCOMPARE(test.scene().fps, (FrameRate{30000, 1001}));
        QVERIFY(test.error(R"({"op": "setFps", "value": 0})").find("0.01 to 10000") != std::string::npos);
        QVERIFY(test.error(R"({"op": "setRange", "from": 9, "to": 3})").find("before it begins") != std::string::npos);
        QVERIFY(test.error(R"({"op": "setFrame", "value": 1.5})").find("whole number") != std::string::npos);
    }

    void clipsAreAddedRenamedDuplicatedAndRemoved()
    {
        TestDocument test = arm();
        test(R"({"op": "addClip", "name": "walk"})")(R"({"op": "key", "target": "elbow"})");
        test(R"({"op": "duplicateClip", "name": "walk", "to": "run"})");
        QCOMPARE(test.document.clip()->name, std::string("run"));
        test(R"({"op": "deleteKey", "target": "elbow", "frame": 1})")(R"({"op": "selectClip", "name": "walk"})");
        QVERIFY(test.document.clip()->hasKeys());
        test(R"({"op": "renameClip", "name": "run", "to": "jog"})");
        QVERIFY(test.error(R"({"op": "renameClip", "name": "jog", "to": "walk"})").find("already a clip") !=
                std::string::npos);
        QVERIFY(test.error(R"({"op": "selectClip", "name": "run"})").find("there are \"walk\", \"jog\"") !=
                std::string::npos);
        test(R"({"op": "removeClip", "name": "walk"})");
        QCOMPARE(test.document.clip()->name, std::string("jog"));
        test(R"({"op": "removeClip", "name": "jog"})");
        QVERIFY(test.document.clip() == nullptr);
        test(R"({"op": "undo", "count": 2})");
        QCOMPARE(test.scene().clips.size(), std::size_t(2));
    }

    void switchingToFkAndBackKeepsThePose()
    {
        TestDocument test = armWithHandle();
        test(R"({"op": "autoKey", "on": true})")(R"({"op": "setFrame", "value": 40})");
        test(R"({"op": "setGoal", "handle": "hand", "position": [0.6, 1.4, 0.2]})")(
            R"({"op": "autoKey", "on": false})");
        std::map<double, Affine> before;
        for (const double frame : {1., 15., 30.}) before[frame] = test.worldAt("elbow", frame);
        test(R"({"op": "setFrame", "value": 41})");
        const auto ik = pose(test);
        const std::size_t steps = test.document.history.undoCount();
        test(R"({"op": "switch", "handle": "hand", "to": "fk"})");
        QCOMPARE(test.document.history.undoCount(), steps + 1);
        QVERIFY(movedMost(test, ik) < 1e-4);
        QCOMPARE(test.frames("hand", Property::Blend), (Frames{40, 41}));
        QCOMPARE(test.keyed("hand", Property::Blend, 40), 1.0);
        QCOMPARE(test.keyed("hand", Property::Blend, 41), 0.0);
        QVERIFY(!test.frames("shoulder", Property::Rz).empty());
        for (const auto& [frame, world] : before) QVERIFY(distance(test.worldAt("elbow", frame), world) < 1e-4);

        test(R"({"op": "setFrame", "value": 60})")(R"({"op": "autoKey", "on": true})")(
            R"({"op": "rotate", "joint": "elbow", "axis": "z", "value": 70})")(R"({"op": "autoKey", "on": false})");
        test(R"({"op": "setFrame", "value": 61})");
        const auto fk = pose(test);
        test(R"({"op": "switch", "handle": "hand", "to": "ik"})");
        QVERIFY(movedMost(test, fk) < 1e-4);
        QCOMPARE(test.keyed("hand", Property::Blend, 61), 1.0);
        QCOMPARE(test.keyed("hand", Property::Blend, 60), 0.0);
        QVERIFY(checkScene(test.scene()).has_value());
    }

    void aSwitchToIkOfAHandleInIkChangesNothing()
    {
        TestDocument test = armWithHandle();
        test(R"({"op": "setGoal", "handle": "hand", "position": [0.3, 0.6, -0.4]})");
        const Scene before = test.scene();
        const auto ik = pose(test);
        test(R"({"op": "switch", "handle": "hand", "to": "ik", "frame": 3})");
        QVERIFY(test.scene() == before);
        QVERIFY(movedMost(test, ik) == 0);
    }

    /// In the middle of a motion, to FK and back, in either layer: no step between two moments is longer than the
    /// motion's own, and no moment before the switch changes.
    void switchingDoesNotStopTheMotion()
    {
        TestDocument test = armWithHandle();
        test(R"({"op": "autoKey", "on": true})");
        for (const auto& [frame, goal] :
             {std::pair(1, "[0.6, 1.4, 0.2]"), std::pair(12, "[0.7, 1.1, 0.4]"), std::pair(30, "[0.3, 1.6, -0.2]")})
            test(QString(R"({"op": "setFrame", "value": %1})").arg(frame).toUtf8().constData())(
                QString(R"({"op": "setGoal", "handle": "hand", "position": %1})").arg(goal).toUtf8().constData());
        test(R"({"op": "autoKey", "on": false})");
        const auto samples = [&](double from, double to) {
            std::vector<Vector3> places;
            for (double frame = from; frame <= to; frame += 0.05)
                places.push_back(test.worldAt("wrist", frame).translation());
            return places;
        };
        const auto longest = [](const std::vector<Vector3>& places) {
            double step = 0;
            for (std::size_t i = 1; i < places.size(); ++i) step = std::max(step, (places[i] - places[i - 1]).norm());
            return step;
        };
        constexpr double kTolerance = 1e-4; // [m] of the solver, which begins from FK, and that moves in the last frame
        const std::size_t steps = test.document.history.undoCount();
        for (const char* layer : {"keys", "corrections"}) {
            for (const bool toIk : {false, true}) {
                if (toIk) { // FK moves
                    test(R"({"op": "setFrame", "value": 24})")(
                        R"({"op": "rotate", "joint": "elbow", "axis": "z", "value": 70})");
                    test(R"({"op": "key", "target": "elbow", "channels": ["angles"]})");
                }
                const int frame = toIk ? 21 : 17;
                const auto before = samples(1, frame - 0.001), around = samples(frame - 1, frame + 1);
                test(QString(R"({"op": "editLayer", "layer": "%1"})").arg(layer).toUtf8().constData());
                test(QString(R"({"op": "switch", "handle": "hand", "to": "%1", "frame": %2})")
                         .arg(toIk ? "ik" : "fk")
                         .arg(frame)
                         .toUtf8()
                         .constData());
                const auto now = samples(1, frame - 0.001);
                for (std::size_t i = 0; i < now.size(); ++i)
                    QVERIFY2((now[i] - before[i]).norm() < (1 + 0.05 * double(i) <= frame - 1 ? 1e-9 : kTolerance),
                             qPrintable(QString("%1 at frame %2: %3")
                                            .arg(layer)
                                            .arg(1 + 0.05 * double(i))
                                            .arg((now[i] - before[i]).norm())));
                const double step = longest(samples(frame - 1, frame)), own = longest(around);
                QVERIFY2(step <= 1.05 * own && own > 1e-4, qPrintable(QString("%1 m, %2 m").arg(step).arg(own)));
                const Vector3 at = test.worldAt("wrist", frame).translation();
                for (const double beside : {frame - 1e-4, frame + 1e-4})
                    QVERIFY((test.worldAt("wrist", beside).translation() - at).norm() < 1e-4);
            }
            test(QString(R"({"op": "undo", "count": %1})")
                     .arg(test.document.history.undoCount() - steps)
                     .toUtf8()
                     .constData());
        }
    }

    void aBakedClipMovesLikeItsSourceWithoutHandles()
    {
        TestDocument test = armWithHandle();
        test(R"({"op": "autoKey", "on": true})")(R"({"op": "setFrame", "value": 20})");
        test(R"({"op": "setGoal", "handle": "hand", "position": [0.2, 1.5, 0.4]})")(
            R"({"op": "autoKey", "on": false})");
        const Clip source = *test.document.clip();
        std::map<int, Affine> before;
        for (int frame = 1; frame <= 20; ++frame) before[frame] = test.worldAt("wrist", frame);
        test(R"({"op": "bakeClip", "clip": "Clip", "into": "baked"})");
        QCOMPARE(test.document.clip()->name, std::string("baked"));
        QVERIFY(*test.scene().clipNamed("Clip") == source);
        QVERIFY(test.keys("hand", Property::GoalPosition) == nullptr);
        for (const auto& [frame, world] : before) QVERIFY(distance(test.worldAt("wrist", frame), world) < 1e-9);
        QVERIFY(test.error(R"({"op": "bakeClip", "clip": "Clip", "into": "baked"})").find("already a clip") !=
                std::string::npos);
    }

    /// A rotation that is keyed at rest hides angles that are posed without a key: the baked clip keeps it.
    void aBakedRotationAtRestHidesPosedAngles()
    {
        TestDocument test;
        test(R"({"op": "addJoint", "name": "a"})")(
            R"({"op": "addJoint", "name": "b", "parent": "a", "translation": [0, 1, 0]})");
        test(R"({"op": "addClip", "name": "C"})")(
            R"({"op": "key", "target": "a", "channels": ["rotation"], "frame": 1})");
        test(R"({"op": "addClip", "name": "D"})")(R"({"op": "rotate", "joint": "a", "axis": "z", "value": 90})");
        QVERIFY((test.world("b").translation() - Vector3(-1, 0, 0)).norm() < 1e-9);
        test(R"({"op": "bakeClip", "clip": "C", "into": "K"})");
        QVERIFY((test.world("b").translation() - Vector3(0, 1, 0)).norm() < 1e-9);
    }

    /// A bake covers all keys, between frames, too, and what goes on beyond them in the range.
    void aBakeCoversWhatRepeats()
    {
        TestDocument test;
        test(R"({"op": "addJoint", "name": "a"})")(R"({"op": "addClip", "name": "C"})")(
            R"({"op": "setRange", "from": 1, "to": 40})");
        for (const auto& [frame, value] : {std::pair(3, 0.0), std::pair(6, 50.0), std::pair(9, -20.0)}) {
            test(QString(R"({"op": "setFrame", "value": %1})").arg(frame).toUtf8().constData());
            test(
                QString(R"({"op": "rotate", "joint": "a", "axis": "z", "value": %1})").arg(value).toUtf8().constData());
            test(R"({"op": "key", "target": "a", "channels": ["rz"], "interpolation": "linear"})");
        }
        test(R"({"op": "moveKeys", "target": "a", "frame": 6, "by": 0.5})");
        const auto isBakedAlike = [](TestDocument d, double from, double to) {
            std::vector<Affine> before;
            for (double frame = from; frame <= to; frame += 0.5) before.push_back(d.worldAt("a", frame));
            d(R"({"op": "bakeClip", "clip": "C", "into": "K"})");
            std::size_t i = 0;
            for (double frame = from; frame <= to; frame += 0.5)
                if (!(distance(d.worldAt("a", frame), before[i++]) < 1e-9)) return false;
            return true;
        };
        QVERIFY2(isBakedAlike(test, -3, 60), "constant beyond");
        test(R"({"op": "setInfinity", "target": "a", "before": "oscillate", "after": "cycleOffset"})");
        QVERIFY2(isBakedAlike(test, 1, 40), "in the range");
    }

    /// What rises and falls again within the last frames would leave its range where the difference is spread.
    void aClosedLoopKeepsBlendsAndWeightsInTheirRanges()
    {
        TestDocument test = armWithHandle();
        for (const auto& [frame, value] : {std::pair(1, 0), std::pair(17, 0), std::pair(20, 1)}) {
            test(QString(R"({"op": "setFrame", "value": %1})").arg(frame).toUtf8().constData());
            test(R"({"op": "key", "target": "hand", "channels": ["blend", "weight"]})");
            test(QString(R"({"op": "setKeyValue", "target": "hand", "channels": ["blend", "weight"], "value": %1})")
                     .arg(value)
                     .toUtf8()
                     .constData());
        }
        test(R"({"op": "closeLoop", "frames": 8})");
        for (const Property property : {Property::Blend, Property::Weight})
            for (std::size_t k = 0; k < test.keys("hand", property)->size(); ++k) {
                const double value = (*test.keys("hand", property))[k].value[0];
                QVERIFY2(value >= 0 && value <= 1, qPrintable(QString::number(value)));
            }
    }

    void draggingMovesJointsAboveByIkAndJointsBelowByFk()
    {
        TestDocument test = arm();
        test(R"({"op": "addJoint", "name": "tip", "parent": "wrist", "translation": [0.2, 0, 0]})");
        test(R"({"op": "drag", "joint": "wrist", "to": [0.6, 1.3, 0.1], "mode": "ik"})");
        QVERIFY((test.world("wrist").translation() - Vector3(0.6, 1.3, 0.1)).norm() < 1e-4);
        for (const auto& [channel, value] : *test.scene().statics) QVERIFY(channel.target != test.id("tip"));
        const Affine elbow = test.world("elbow");
        test(R"({"op": "drag", "joint": "wrist", "by": [0, 0.1, 0], "mode": "fk"})");
        QVERIFY(distance(test.world("elbow"), elbow) < 1e-12);
        QVERIFY((test.world("wrist").translation() - Vector3(0.6, 1.4, 0.1)).norm() < 2e-4);
        test(R"({"op": "addHandle", "name": "hand", "start": "shoulder", "end": "wrist"})");
        const Vector3 goal = toVector(test.still("hand", Property::GoalPosition));
        test(R"({"op": "drag", "joint": "wrist", "by": [-0.1, 0, 0]})");
        QVERIFY((toVector(test.still("hand", Property::GoalPosition)) - goal - Vector3(-0.1, 0, 0)).norm() < 1e-6);
    }
};

TENDON_TEST(TestAnimationOperations)
#include "tst_animation_operations.moc"
