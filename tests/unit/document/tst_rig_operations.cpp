#include "core/scene/RestPose.h"
#include "core/scene/Validate.h"
#include "tests/support/TestDocument.h"
#include "tests/support/TestProgram.h"

#include <numbers>

using namespace tendon;
using namespace tendon::test;

namespace {

constexpr double kTight = 1e-9; // [m] rounding of a few transforms

/// An arm on each side whose joints are turned differently: the right one is no copy of the left.
TestDocument twoArms()
{
    TestDocument test;
    test(R"({"op": "addJoint", "name": "chest", "translation": [0, 1, 0], "rotation": [0, 0, 0]})");
    test(
        R"({"op": "addJoint", "name": "arm_L", "parent": "chest", "translation": [0.2, 0.3, 0], "rotation": [0, 0, 0]})");
    test(
        R"({"op": "addJoint", "name": "hand_L", "parent": "arm_L", "translation": [0.4, 0, 0.1], "rotation": [0, 90, 0]})");
    test(
        R"({"op": "addJoint", "name": "arm_R", "parent": "chest", "translation": [-0.2, 0.3, 0], "rotation": [0, 0, 180]})");
    test(
        R"({"op": "addJoint", "name": "hand_R", "parent": "arm_R", "translation": [0.4, 0, 0.1], "rotation": [90, 0, 0]})");
    return test;
}

Vector3 place(const TestDocument& test, const char* joint) { return test.world(joint).translation(); }

} // namespace

class TestRigOperations : public QObject
{
    Q_OBJECT

private slots:
    void jointsAreAddedRenamedAndPosedAtRest()
    {
        TestDocument test = arm();
        QCOMPARE(test.joint("elbow").parent, test.joint("shoulder").id);
        QVERIFY((place(test, "wrist") - Vector3(1, 1, 0)).norm() < kTight);
        test(R"({"op": "rename", "target": "wrist", "to": "hand"})");
        QVERIFY(test.scene().jointNamed("hand").has_value());
        test(R"({"op": "setRestPose", "joint": "elbow", "translation": [0.7, 0, 0], "rotation": [0, 0, 90]})");
        QVERIFY((place(test, "hand") - Vector3(0.7, 1.5, 0)).norm() < kTight);
    }

    void anotherRestPoseNamesTheClipsThatItChanges()
    {
        TestDocument test = arm();
        const auto said = [&] {
            std::string all;
            for (const Issue& issue : test.document.messages)
                if (issue.severity == Severity::Warning) all += issue.line() + "\n";
            return all;
        };
        const auto hasBoth = [&](const char* a, const char* b) {
            const std::string all = said();
            return all.find(a) != std::string::npos && all.find(b) != std::string::npos;
        };
        test(R"({"op": "addClip", "name": "Walk"})")(R"({"op": "key", "target": "elbow", "channels": ["angles"]})");
        test(R"({"op": "setRestPose", "joint": "elbow", "translation": [0.7, 0, 0]})");
        QVERIFY(said().empty()); // no angle counts from it
        test(R"({"op": "setRestPose", "joint": "elbow", "rotation": [0, 0, 30]})");
        QVERIFY2(hasBoth("elbow", "Walk") && said().find("limits") == std::string::npos, said().c_str());
        test(R"({"op": "setRestPose", "joint": "wrist", "rotation": [0, 0, 30]})");
        QVERIFY(said().empty()); // no clip turns it, and it has no limits
        // A clip that moves the joint by a handle alone is named where the joint has limits.
        test(R"({"op": "addHandle", "name": "hand", "start": "shoulder", "end": "wrist"})");
        test(R"({"op": "setRotationAxis", "joint": "shoulder", "axis": "z", "limited": true, "from": -20, "to": 30})");
        test(R"({"op": "addClip", "name": "Reach"})")(R"({"op": "key", "target": "hand"})");
        test(R"({"op": "setRestPose", "joint": "shoulder", "rotation": [0, 0, 15]})");
        QVERIFY2(hasBoth("limits", "Reach") && said().find("15.0") != std::string::npos, said().c_str());
        QVERIFY(said().find("Walk") == std::string::npos);
    }

    void removingAJointRemovesTheJointsAndHandlesThatDependOnIt()
    {
        TestDocument test = arm();
        test(R"({"op": "addHandle", "name": "hand", "start": "shoulder", "end": "wrist"})");
        test(R"({"op": "addHandle", "name": "other", "start": "shoulder", "end": "shoulder", "offset": [0.1, 0, 0]})");
        test(R"({"op": "setHandle", "name": "other", "poleTarget": null})");
        test(R"({"op": "key", "target": "wrist"})")(R"({"op": "key", "target": "hand"})");
        const auto wrist = test.id("wrist"), hand = test.id("hand");
        test(R"({"op": "removeJoint", "joint": "elbow"})");
        QCOMPARE(test.scene().joints->size(), std::size_t(1));
        QCOMPARE(test.scene().handles->size(), std::size_t(1));
        for (const auto& [channel, value] : *test.scene().statics)
            QVERIFY(channel.target != wrist && channel.target != hand);
        for (const auto& clip : test.scene().clips)
            for (const auto& [channel, keys] : clip->channels)
                QVERIFY(channel.target != wrist && channel.target != hand);
        QVERIFY(checkScene(test.scene()).has_value());
    }

    void linkKeepsTheWorldTransformNowAtRestAndAtEachKey()
    {
        TestDocument test = arm();
        test(R"({"op": "addJoint", "name": "prop", "translation": [0.3, 0.2, 0.5], "rotation": [20, 30, 40]})");
        test(R"({"op": "rotate", "joint": "shoulder", "axis": "z", "value": 25})");
        test(R"({"op": "rotate", "joint": "prop", "axis": "x", "value": 33})");
        test(R"({"op": "key", "target": "shoulder", "frame": 1})");
        test(R"({"op": "key", "target": "prop", "channels": ["translation", "angles"], "frame": 1})");
        test(R"({"op": "setFrame", "value": 20})")(R"({"op": "autoKey", "on": true})");
        test(R"({"op": "rotate", "joint": "shoulder", "axis": "y", "value": 70})");
        test(R"({"op": "slide", "joint": "prop", "axis": "y", "value": 0.9})")(R"({"op": "autoKey", "on": false})");
        const Affine at1 = test.worldAt("prop", 1), at20 = test.worldAt("prop", 20);
        const Affine rest = worldInRestPose(test.scene(), test.joint("prop").id);

        test(R"({"op": "link", "joint": "prop", "parent": "elbow"})");
        QCOMPARE(test.joint("prop").parent, test.joint("elbow").id);
        QVERIFY(distance(test.worldAt("prop", 1), at1) < kTight);
        QVERIFY(distance(test.worldAt("prop", 20), at20) < kTight);
        QVERIFY(distance(worldInRestPose(test.scene(), test.joint("prop").id), rest) < kTight);

        test(R"({"op": "link", "joint": "prop", "parent": null})");
        QVERIFY(distance(test.worldAt("prop", 20), at20) < kTight);
    }

    void linkShiftsSlidingRanges()
    {
        TestDocument test = arm();
        test(R"({"op": "addJoint", "name": "rod", "translation": [0, 3, 0]})");
        test(
            R"({"op": "setSlidingAxis", "joint": "rod", "axis": "y", "active": true, "limited": true, "from": 3, "to": 2})");
        test(R"({"op": "link", "joint": "rod", "parent": "shoulder"})"); // which stands at y = 1
        const AxisFreedom& axis = test.joint("rod").sliding[1];
        QVERIFY(axis.active && axis.limited);
        QVERIFY(std::abs(axis.from - 2) < kTight && std::abs(axis.to - 1) < kTight);
    }

    void insertParentKeepsWorldTransformsAndKeys()
    {
        TestDocument test = arm();
        test(R"({"op": "key", "target": "elbow", "channels": ["translation", "angles"], "frame": 1})");
        test(R"({"op": "setFrame", "value": 10})")(R"({"op": "autoKey", "on": true})");
        test(R"({"op": "setPose", "joint": "elbow", "translation": [0.6, 0.1, 0], "rotation": [10, 20, 30]})");
        const Affine at1 = test.worldAt("wrist", 1), at7 = test.worldAt("wrist", 7), at10 = test.worldAt("wrist", 10);
        test(R"({"op": "insertParent", "joint": "elbow", "name": "dummy"})");
        QCOMPARE(test.joint("elbow").parent, test.joint("dummy").id);
        QCOMPARE(test.joint("dummy").parent, test.joint("shoulder").id);
        for (const auto& [frame, before] : {std::pair{1., at1}, std::pair{7., at7}, std::pair{10., at10}})
            QVERIFY(distance(test.worldAt("wrist", frame), before) < kTight);
    }

    void segmentsHaveVolumeAndMass()
    {
        TestDocument test = arm();
        test(
            R"({"op": "setSegment", "joint": "elbow", "shape": {"kind": "cylinder", "size": [0.1, 0.5], "offset": [0, 0.1, 0]}, "mass": 2})");
        const Segment& segment = test.joint("elbow").segment;
        QVERIFY(std::abs(segment.volume() - std::numbers::pi * 0.01 * 0.5) < 1e-12);
        QCOMPARE(segment.mass, 2.0);
        test(R"({"op": "setSegment", "joint": "elbow", "shape": null})");
        QVERIFY(test.joint("elbow").segment.shape == Segment::Shape::None);
        QCOMPARE(test.joint("elbow").segment.mass, 2.0);
    }

    void freedomsLimitsAndParametersAreSet()
    {
        TestDocument test = arm();
        test(
            R"({"op": "setRotationAxis", "joint": "elbow", "axis": "z", "limited": true, "from": 140, "to": 0, "ease": 0.5, "springBack": 10, "springTension": 0.2})");
        const AxisFreedom axis = test.joint("elbow").turning[2];
        QVERIFY(axis.active && axis.limited);
        QVERIFY(std::abs(axis.from - radians(140)) < 1e-12 && axis.to == 0); // reversed stays as typed
        QVERIFY(std::abs(*axis.springBack - radians(10)) < 1e-12);
        test(R"({"op": "setRotationAxis", "joint": "elbow", "axis": "z", "springBack": null})");
        QVERIFY(!test.joint("elbow").turning[2].springBack);
        test(
            R"({"op": "setBallJoint", "joint": "shoulder", "axis": "x", "swing": [80, 30, 60, 20], "twist": [-45, 45]})");
        QVERIFY(test.joint("shoulder").ball &&
                std::abs((*test.joint("shoulder").ball->swing)[1] - radians(30)) < 1e-12);
        test(R"({"op": "setBallJoint", "joint": "shoulder", "on": false})");
        QVERIFY(!test.joint("shoulder").ball);
        test(R"({"op": "setRotationOrder", "joint": "elbow", "order": "zxy"})");
        QVERIFY(test.joint("elbow").rotationOrder == RotationOrder::ZXY);
        test(R"({"op": "setPreferredAngle", "joint": "elbow", "value": [0, 0, 20]})");
        test(R"({"op": "setStiffness", "joint": "elbow", "value": 0.3})")(
            R"({"op": "setPrecedence", "joint": "elbow", "value": -7})");
        test(R"({"op": "setTerminator", "joint": "shoulder", "on": true})");
        QVERIFY(std::abs(test.joint("elbow").preferredAngle.z() - radians(20)) < 1e-12);
        QCOMPARE(test.joint("elbow").stiffness, 0.3);
        QCOMPARE(test.joint("elbow").precedence, -7);
        test(R"({"op": "setSpeedLimit", "joint": "elbow", "of": "rotation", "speed": 90, "acceleration": 360})");
        test(R"({"op": "setSpeedLimit", "joint": "elbow", "of": "sliding", "acceleration": 2.5})");
        test(R"({"op": "setSpeedLimit", "joint": "elbow", "of": "rotation", "acceleration": 0})");
        QVERIFY(std::abs(test.joint("elbow").turningRates.speed - radians(90)) < 1e-12);
        QCOMPARE(test.joint("elbow").turningRates.acceleration, 0.0);
        QVERIFY((test.joint("elbow").slidingRates == RateLimits{0, 2.5}));
        test(R"({"op": "copyJointParameters", "from": "elbow", "to": ["wrist"]})");
        QVERIFY(test.joint("wrist").turningRates == test.joint("elbow").turningRates);
        QVERIFY(test.joint("shoulder").isTerminator);
    }

    void mirroredLimitsAllowTheMirroredMotion()
    {
        // Whatever the rest orientations: turning each axis of the one by its limit and the axes of the other by theirs
        // gives poses that are mirror images.
        TestDocument test = twoArms();
        test(R"({"op": "setRotationOrder", "joint": "hand_L", "order": "yzx"})");
        test(R"({"op": "setRotationAxis", "joint": "hand_L", "axis": "x", "limited": true, "from": -10, "to": 50})");
        test(R"({"op": "setRotationAxis", "joint": "hand_L", "axis": "y", "limited": true, "from": -20, "to": 60})");
        test(R"({"op": "setRotationAxis", "joint": "hand_L", "axis": "z", "limited": true, "from": -30, "to": 70})");
        test(R"({"op": "copyJointParameters", "from": "hand_L", "to": ["hand_R"], "mirror": "x"})");
        const Joint left = test.joint("hand_L"), right = test.joint("hand_R");
        Vector3 leftAngles, rightAngles;
        for (int axis = 0; axis < 3; ++axis) leftAngles[axis] = left.turning[static_cast<std::size_t>(axis)].to;
        for (int axis = 0; axis < 3; ++axis) rightAngles[axis] = right.turning[static_cast<std::size_t>(axis)].to;
        const Quaternion leftTurn = rotationFromAngles(leftAngles, left.rotationOrder);
        const Quaternion rightTurn = rotationFromAngles(rightAngles, right.rotationOrder);
        const Eigen::Matrix3d leftRest = rotationOf(worldInRestPose(test.scene(), left.id)).toRotationMatrix();
        const Eigen::Matrix3d rightRest = rotationOf(worldInRestPose(test.scene(), right.id)).toRotationMatrix();
        const Eigen::Matrix3d mirror = Vector3(-1, 1, 1).asDiagonal();
        const Eigen::Matrix3d leftInWorld = leftRest * leftTurn.toRotationMatrix() * leftRest.transpose();
        const Eigen::Matrix3d rightInWorld = rightRest * rightTurn.toRotationMatrix() * rightRest.transpose();
        QVERIFY((mirror * leftInWorld * mirror - rightInWorld).cwiseAbs().maxCoeff() < 1e-9);
    }

    void mirroredBallLimitsSwapSides()
    {
        TestDocument test;
        test(R"({"op": "addJoint", "name": "leg_L", "translation": [0.1, 1, 0]})");
        test(R"({"op": "addJoint", "name": "leg_R", "translation": [-0.1, 1, 0]})");
        test(R"({"op": "setBallJoint", "joint": "leg_L", "axis": "y", "swing": [10, 20, 30, 40], "twist": [-5, 60]})");
        test(R"({"op": "copyJointParameters", "from": "leg_L", "to": ["leg_R"], "mirror": "x"})");
        // Twist about y and swing about z (a) change sense across x, swing about x (b) does not.
        const BallLimits& ball = *test.joint("leg_R").ball;
        const std::array<double, 4> wanted{radians(20), radians(10), radians(30), radians(40)};
        QCOMPARE(ball.twistAxis, 1);
        for (std::size_t i = 0; i < 4; ++i) QVERIFY(std::abs((*ball.swing)[i] - wanted[i]) < 1e-12);
        QVERIFY(std::abs((*ball.twist)[0] - radians(5)) < 1e-12 && std::abs((*ball.twist)[1] - radians(-60)) < 1e-12);
    }

    void aMirroredPoseIsTheMirrorImageInTheWorld()
    {
        TestDocument test = twoArms();
        test(R"({"op": "rotate", "joint": "chest", "axis": "y", "value": 15})");
        test(R"({"op": "setPose", "joint": "arm_L", "rotation": [30, -50, 70]})");
        test(R"({"op": "setPose", "joint": "hand_L", "translation": [0.5, 0.1, 0], "rotation": [10, 200, 33]})");
        test(R"({"op": "rotate", "joint": "arm_R", "axis": "x", "value": -12})");
        const Affine left = test.world("hand_L"), right = test.world("hand_R");
        test(R"({"op": "copyPose"})")(R"({"op": "pastePose", "mirror": "x", "about": "world"})");
        const Vector3 flip(-1, 1, 1);
        // The two rest poses here are mirror images in place, if not in orientation.
        QVERIFY((test.world("hand_R").translation() - flip.asDiagonal() * left.translation()).norm() < kTight);
        QVERIFY((test.world("hand_L").translation() - flip.asDiagonal() * right.translation()).norm() < kTight);
        test(R"({"op": "copyPose"})")(R"({"op": "pastePose", "mirror": "x", "about": "world"})");
        QVERIFY(distance(test.world("hand_L"), left) < kTight); // twice is where it was
        QVERIFY(distance(test.world("hand_R"), right) < kTight);
    }

    void aMirroredPoseStaysWhereTheCharacterStands()
    {
        TestDocument test = twoArms();
        test(R"({"op": "setPose", "joint": "arm_L", "rotation": [30, -50, 70]})");
        test(R"({"op": "setPose", "joint": "chest", "translation": [2, 1.2, 0.5]})");
        const Affine chest = test.world("chest");
        Vector3 image = test.world("hand_L").translation();
        image.x() = 2 * chest.translation().x() - image.x();
        test(R"({"op": "copyPose"})")(R"({"op": "pastePose", "mirror": "x", "about": "root"})");
        QVERIFY(distance(test.world("chest"), chest) < kTight);
        QVERIFY((test.world("hand_R").translation() - image).norm() < kTight);
    }

    void pastingRestoresPosesAndGoals()
    {
        TestDocument test = arm();
        test(R"({"op": "addHandle", "name": "hand", "start": "shoulder", "end": "wrist"})");
        test(R"({"op": "setGoal", "handle": "hand", "position": [0.3, 1.4, 0.2]})");
        const Affine before = test.world("wrist");
        test(R"({"op": "copyPose"})")(R"({"op": "resetPose"})");
        QVERIFY((place(test, "wrist") - Vector3(1, 1, 0)).norm() < 1e-4);
        test(R"({"op": "pastePose"})");
        QVERIFY(distance(test.world("wrist"), before) < 1e-4);
        QCOMPARE(test.error(R"({"op": "pastePose", "joints": ["elbow", "nobody"]})").find("pastePose: "),
                 std::size_t(0));
    }

    void aNewHandleKeepsThePoseAndItsGoalIsAtTheEffector()
    {
        TestDocument test = arm();
        test(R"({"op": "rotate", "joint": "elbow", "axis": "z", "value": 40})");
        const Affine before = test.world("wrist");
        test(R"({"op": "addHandle", "name": "hand", "start": "shoulder", "end": "wrist", "offset": [0.1, 0, 0]})");
        QCOMPARE(test.handle("hand").solver, std::string("dls"));
        QVERIFY(distance(test.world("wrist"), before) < 1e-9);
        QVERIFY((toVector(test.still("hand", Property::GoalPosition)) - before * Vector3(0.1, 0, 0)).norm() < kTight);
        test(R"({"op": "setGoal", "handle": "hand", "position": [0.2, 1.5, 0.3]})");
        QVERIFY((test.world("wrist") * Vector3(0.1, 0, 0) - Vector3(0.2, 1.5, 0.3)).norm() < 1e-4);
    }

    void aHandleWithoutAStartBeginsAtTheRoot()
    {
        TestDocument test = arm();
        test(R"({"op": "addHandle", "name": "hand", "end": "wrist"})");
        const Scene& scene = test.scene();
        const Joint* start = scene.find(test.handle("hand").start);
        QVERIFY(start != nullptr && !start->parent.isValid());
    }

    void aSolverThatCannotSlideRefusesAChainThatSlides()
    {
        TestDocument test = arm();
        test(R"({"op": "addHandle", "name": "hand", "start": "shoulder", "end": "wrist", "solver": "two-bone"})");
        const char* slide = R"({"op": "setSlidingAxis", "joint": "elbow", "axis": "y", "active": true})";
        const std::string refused = test.error(slide);
        QVERIFY2(refused.find("by two-bone: the solver cannot slide \"elbow\"") != std::string::npos, refused.c_str());
        test(R"({"op": "setHandle", "name": "hand", "solver": "dls"})")(slide);
        (void)test.world("wrist");
        QVERIFY(test.document.poses->issues().empty());
        QVERIFY(test.error(R"({"op": "setHandle", "name": "hand", "solver": "two-bone"})").find("cannot slide") !=
                std::string::npos);
    }

    void aSolverOfShortChainsRefusesALongOne()
    {
        TestDocument test = arm();
        test(R"({"op": "addJoint", "name": "palm", "parent": "wrist", "translation": [0.1, 0, 0]})");
        const std::string error = test.error(
            R"({"op": "addHandle", "name": "hand", "start": "shoulder", "end": "palm", "solver": "two-bone"})");
        QVERIFY2(error.find("move a chain of 4 joints, only one of up to 3") != std::string::npos, error.c_str());
        for (const char* axis : {"x", "y", "z"}) {
            const std::string hold = std::string(
                                         R"({"op": "setRotationAxis", "joint": "wrist", "active": false, "axis": ")") +
                                     axis + "\"}";
            test(hold.c_str());
        }
        test(R"({"op": "addHandle", "name": "hand", "start": "shoulder", "end": "palm", "solver": "two-bone"})");
    }

    void aHandleThatBeginsToAimKeepsThePose()
    {
        TestDocument test = arm();
        test(R"({"op": "addHandle", "name": "hand", "start": "shoulder", "end": "wrist"})");
        const Vector3 elbow = place(test, "elbow"), wrist = place(test, "wrist");
        test(R"({"op": "setHandle", "name": "hand", "aimAxis": [0, 0, 3]})");
        QCOMPARE(*test.handle("hand").aimAxis, Vector3(0, 0, 1)); // made a unit vector
        QVERIFY((place(test, "elbow") - elbow).norm() < kTight && (place(test, "wrist") - wrist).norm() < kTight);
        test(R"({"op": "setGoal", "handle": "hand", "aim": [3, 4, -2]})");
        const Affine aimed = test.world("wrist");
        QVERIFY(
            (aimed.rotation() * Vector3::UnitZ()).cross((Vector3(3, 4, -2) - aimed.translation()).normalized()).norm() <
            2e-3);
        QCOMPARE(test.world("wrist").translation(), aimed.translation());
        test(R"({"op": "setHandle", "name": "hand", "aimAxis": null})");
        QVERIFY(!test.handle("hand").aimAxis);
        QVERIFY((place(test, "wrist") - aimed.translation()).norm() < 1e-3);
        test(R"({"op": "setGoal", "handle": "hand", "aim": [0, 9, 0]})"); // as the bone runs
        QCOMPARE(*test.handle("hand").aimAxis, Vector3(1, 0, 0));
    }

    void keysOfAGoalGoAlongWhenItsHandleBeginsToAim()
    {
        TestDocument test = arm();
        test(R"({"op": "addHandle", "name": "hand", "start": "shoulder", "end": "wrist"})")(
            R"({"op": "addClip", "name": "wave"})");
        const char* frames[] = {R"({"op": "setFrame", "value": 1})", R"({"op": "setFrame", "value": 20})"};
        const char* goals[] = {R"({"op": "setGoal", "handle": "hand", "position": [0.3, 0.2, 0.1]})",
                               R"({"op": "setGoal", "handle": "hand", "position": [0.1, 0.4, -0.2]})"};
        std::vector<Affine> before;
        for (int i = 0; i < 2; ++i) test(frames[i])(goals[i])(R"({"op": "key", "target": "hand"})");
        for (int i = 0; i < 2; ++i) before.push_back(test(frames[i]).world("wrist")); // as the clip is solved
        QVERIFY((before[0].translation() - before[1].translation()).norm() > 0.05);
        test(R"({"op": "setHandle", "name": "hand", "aimAxis": [0, 0, 1]})"); // at the last frame
        const auto keyed = [&](std::size_t i) {
            return toVector(test.keys("hand", Property::GoalPosition)->toVector()[i].value);
        };
        for (std::size_t i = 0; i < 2; ++i) {
            const Vector3 to = keyed(i) - before[i].translation();
            QVERIFY(to.norm() > 0.1 && (to.normalized() - before[i].linear().col(2)).norm() < 1e-9);
        }
        test(R"({"op": "setHandle", "name": "hand", "aimAxis": null})");
        for (std::size_t i = 0; i < 2; ++i) {
            test(frames[i]);
            QVERIFY((keyed(i) - place(test, "wrist")).norm() < 1e-3);
        }
        QCOMPARE(test.keys("hand", Property::GoalPosition)->size(), 2u);
    }

    void everyFieldOfAHandleIsSet()
    {
        TestDocument test = arm();
        test(R"({"op": "addHandle", "name": "hand", "start": "shoulder", "end": "wrist"})");
        test(
            R"({"op": "setHandle", "name": "hand", "parameters": {"mode": "plain", "relax": 0.5}, "weight": 2, "orientationWeight": 0.5, "priority": 2,
                 "pole": [0, 0, 5], "twist": 30, "blend": 0.5, "soft": 0.05, "stretch": 1.5, "squash": 0.5, "pinned": true, "stick": false, "tolerance": 0.001, "maxIterations": 50})");
        const Handle handle = test.handle("hand");
        QCOMPARE(handle.parameters, (std::map<std::string, double>{{"mode", 1}, {"relax", 0.5}}));
        QCOMPARE(handle.orientationWeight, 0.5);
        QVERIFY(handle.hasPole && handle.isPinned && !handle.isSticky);
        QCOMPARE(handle.squash, 0.5);
        QCOMPARE(test.still("hand", Property::Pole), (ChannelValue{0, 0, 5, 0}));
        QVERIFY(std::abs(test.still("hand", Property::Twist)[0] - radians(30)) < 1e-12);
        QCOMPARE(test.still("hand", Property::Blend)[0], 0.5);
        test(R"({"op": "setHandle", "name": "hand", "parameters": {"mode": "adaptive", "relax": null}, "pole": null})");
        QVERIFY(test.handle("hand").parameters.empty() && !test.handle("hand").hasPole);
        test(R"({"op": "removeHandle", "name": "hand"})");
        QVERIFY(test.scene().handles->empty() && test.scene().statics->empty());
    }

    void aGoalThatStartsToFollowAJointStaysInPlace()
    {
        TestDocument test = arm();
        test(R"({"op": "addJoint", "name": "table", "translation": [2, 0, 0], "rotation": [0, 45, 0]})");
        test(R"({"op": "rotate", "joint": "table", "axis": "z", "value": 20})");
        test(R"({"op": "addHandle", "name": "hand", "start": "shoulder", "end": "wrist"})");
        test(R"({"op": "setGoal", "handle": "hand", "position": [0.4, 1.3, 0.2]})");
        const Vector3 before = place(test, "wrist");
        test(R"({"op": "setHandle", "name": "hand", "follow": "table"})");
        QVERIFY((place(test, "wrist") - before).norm() < 1e-6);
        test(R"({"op": "slide", "joint": "table", "axis": "y", "value": 0.1})");
        QVERIFY((place(test, "wrist") - before - Vector3(0, 0.1, 0)).norm() < 2e-4);
        QVERIFY(test.error(R"({"op": "setHandle", "name": "hand", "follow": "elbow"})")
                    .find("moves with the handle itself") != std::string::npos);
    }

    void errorsNameTheReasonAndChangeNothing_data()
    {
        QTest::addColumn<QString>("operation");
        QTest::addColumn<QString>("said");
        const auto row = [](const char* operation, const char* said) { QTest::newRow(operation) << operation << said; };
        row(R"({"op": "fly"})", "no operation \"fly\"");
        row(R"({"name": "x"})", "\"op\"");
        row(R"({"op": "addJoint"})", "addJoint: name: is required");
        row(R"({"op": "addJoint", "name": "a", "colour": 3})", "no field \"colour\"");
        row(R"({"op": "setGoal", "handle": "a", "tolerance": 0.01})", "setHandle has \"tolerance\"");
        row(R"({"op": "addJoint", "name": 7})", "addJoint: name: must be a string");
        row(R"({"op": "addJoint", "name": "elbow"})", "already a joint called \"elbow\"");
        row(R"({"op": "addJoint", "name": "hand"})", "already a handle called \"hand\"");
        row(R"({"op": "addJoint", "name": ""})", "must not be empty");
        row(R"({"op": "addJoint", "name": "a/b"})", "'/'");
        row(R"({"op": "addJoint", "name": "a", "parent": "nobody"})", "no joint called \"nobody\"");
        row(R"({"op": "addJoint", "name": "a", "translation": [1, 2]})", "translation: must be [x, y, z]");
        row(R"({"op": "addJoint", "name": "a", "translation": [1, 2, "3"]})", "translation");
        row(R"({"op": "addJoint", "name": "a", "rotation": [0, 0, 0, 0]})", "all 0, which is no rotation");
        row(R"({"op": "setFrame", "value": 3000000000})", "from -2147483647 to 2147483647");
        row(R"({"op": "removeJoint", "joint": "nobody"})", "nobody");
        row(R"({"op": "rename", "target": "elbow", "to": "wrist"})", "already");
        row(R"({"op": "link", "joint": "shoulder", "parent": "wrist"})", "below it");
        row(R"({"op": "link", "joint": "elbow", "parent": "elbow"})", "itself");
        row(R"({"op": "link", "joint": "elbow", "parent": null})", "torn apart");
        row(R"({"op": "setRestPose", "joint": "elbow"})", "give translation");
        row(R"({"op": "setSegment", "joint": "elbow", "shape": {"kind": "blob", "size": [1]}})", "kind");
        row(R"({"op": "setSegment", "joint": "elbow", "shape": {"kind": "box", "size": [1, 2]}})", "[x, y, z]");
        row(R"({"op": "setSegment", "joint": "elbow", "shape": {"kind": "sphere", "size": [-1]}})", "above 0");
        row(R"({"op": "setSegment", "joint": "elbow", "mass": -1})", "mass");
        row(R"({"op": "setRotationAxis", "joint": "elbow", "axis": "w", "active": true})",
            "axis: must be one of x, y, z");
        row(R"({"op": "setRotationAxis", "joint": "elbow", "axis": "x"})", "at least one field");
        row(R"({"op": "setRotationAxis", "joint": "elbow", "axis": "x", "ease": 2})", "ease");
        row(R"({"op": "setBallJoint", "joint": "elbow", "swing": [1, 2, 3]})", "swing");
        row(R"({"op": "setBallJoint", "joint": "elbow", "swing": [1, -2, 3, 4]})", "swing");
        row(R"({"op": "setPreferredAngle", "joint": "elbow", "value": 20})", "three angles");
        row(R"({"op": "setStiffness", "joint": "elbow", "value": 1.5})", "stiffness");
        row(R"({"op": "setSpeedLimit", "joint": "elbow", "of": "rotation"})", "give a speed");
        row(R"({"op": "setSpeedLimit", "joint": "elbow", "of": "rotation", "speed": -1})",
            "speed: must be 0 (no limit) or greater");
        row(R"({"op": "setSpeedLimit", "joint": "elbow", "of": "sliding", "acceleration": -0.5})", "acceleration");
        row(R"({"op": "setSpeedLimit", "joint": "elbow", "of": "rotation", "speed": "fast"})", "speed");
        row(R"({"op": "setSpeedLimit", "joint": "elbow", "of": "dancing", "speed": 1})", "rotation, sliding");
        row(R"({"op": "setPrecedence", "joint": "elbow", "value": 1.5})", "whole number");
        row(R"({"op": "setTerminator", "joint": "elbow", "on": 1})", "true or false");
        row(R"({"op": "copyJointParameters", "from": "elbow", "to": []})", "at least one");
        row(R"({"op": "addHandle", "name": "h", "start": "wrist", "end": "shoulder"})", "not below");
        row(R"({"op": "addHandle", "name": "h", "start": "shoulder", "end": "wrist", "solver": "magic"})",
            "no solver called \"magic\"; there are dls");
        row(R"({"op": "addHandle", "name": "hand", "start": "shoulder", "end": "wrist"})", "already");
        row(R"({"op": "setHandle", "name": "hand"})", "at least one field");
        row(R"({"op": "setHandle", "name": "nobody", "soft": 0.1})", "no handle called \"nobody\"");
        row(R"({"op": "setHandle", "name": "hand", "parameters": {"nope": 1}})", "no parameter \"nope\"");
        row(R"({"op": "setHandle", "name": "hand", "parameters": {"relax": 7}})", "from 0.001 to 1");
        row(R"({"op": "setHandle", "name": "hand", "parameters": {"mode": "fast"}})", "one of adaptive, plain");
        row(R"({"op": "setHandle", "name": "hand", "curve": [[0,0,0],[1,0,0],[2,0,0],[3,0,0]]})",
            "cannot follow a curve; remove the curve");
        row(R"({"op": "setHandle", "name": "hand", "stretch": 0.9})", "stretch must be 1 or more");
        row(R"({"op": "setHandle", "name": "hand", "blend": 1.5})", "from 0 (FK) to 1 (IK)");
        row(R"({"op": "setHandle", "name": "hand", "soft": 0.9})", "soft");
        row(R"({"op": "setHandle", "name": "hand", "tolerance": 0})", "tolerance");
        row(R"({"op": "setHandle", "name": "hand", "priority": 0})", "priority");
        row(R"({"op": "setGoal", "handle": "hand"})", "give position");
        row(R"({"op": "drag", "joint": "wrist"})", "one of by, to and rotation");
        row(R"({"op": "drag", "joint": "wrist", "by": [0,0,0], "to": [0,0,0]})", "one of by, to and rotation");
        row(R"({"op": "drag", "joint": "wrist", "by": [0,0,0], "mode": "maybe"})", "ik, fk");
        row(R"({"op": "pastePose"})", "copy a pose first");
        row(R"({"op": "fitHandles", "clip": "c", "handles": ["hand"], "into": "d"})", "fitHandles: not available yet");
        row(R"({"op": "undo", "count": 100})", "must be at most");
        row(R"({"op": "redo"})", "nothing to redo");
    }

    void errorsNameTheReasonAndChangeNothing()
    {
        QFETCH(QString, operation);
        QFETCH(QString, said);
        TestDocument test = arm();
        test(R"({"op": "addHandle", "name": "hand", "start": "shoulder", "end": "wrist"})");
        const std::string error = test.error(operation.toUtf8().constData());
        QVERIFY2(error.find(said.toStdString()) != std::string::npos, error.c_str());
        QVERIFY(error.find('\n') == std::string::npos);
    }

    void numbersThatAreNotFiniteAreRefused()
    {
        TestDocument test = arm();
        for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
            QJsonObject operation = json(R"({"op": "rotate", "joint": "elbow", "axis": "x"})");
            operation.insert(QStringLiteral("value"), bad);
            const Scene before = test.scene();
            const auto done = carryOut(test.document, operation);
            QVERIFY(!done);
            QVERIFY(test.scene() == before);
        }
    }

    void validateFindsStatesThatNoEditProduces()
    {
        TestDocument test = arm();
        QVERIFY(checkScene(test.scene()).has_value());
        Scene scene = test.scene();
        scene.joints.edit()[0].parent = scene.joints->back().id; // a circle
        QVERIFY(!checkScene(scene));
        scene = test.scene();
        scene.joints.edit()[1].rest.translation.x() = std::numeric_limits<double>::quiet_NaN();
        QVERIFY(!checkScene(scene));
        scene = test.scene();
        scene.statics.edit()[{999, Property::Tx}] = {1};
        QVERIFY(!checkScene(scene));
        scene = test.scene();
        scene.joints.edit()[1].id = scene.joints->front().id;
        QVERIFY(!checkScene(scene));
        scene = test.scene();
        scene.joints.edit()[1].parent = JointId{77};
        QVERIFY(!checkScene(scene));
    }
};

TENDON_TEST(TestRigOperations)
#include "tst_rig_operations.moc"
