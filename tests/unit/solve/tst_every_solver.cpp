#include "core/solve/Settings.h"
#include "core/solve/SolvedPoses.h"
#include "core/solve/StatusNames.h"
#include "tests/support/TestProgram.h"
#include "tests/support/TestRig.h"

#include <QTest>

#include <cmath>
#include <numbers>

using namespace tendon;
using namespace tendon::test;

namespace {

constexpr double kHalfTurn = std::numbers::pi, kArmLength = 1;

/// Two bones on a base that stays, bent a little at the elbow in the FK pose, and a handle to the hand.
struct BentArm
{
    TestRig rig;
    JointId base;
    std::vector<JointId> joints;
    HandleId handle;

    explicit BentArm(const std::string& solver)
    {
        base = rig.joint("base", {}, Vector3::Zero());
        rig.edit(base).isTerminator = true;
        joints = rig.chain("joint", 3, Vector3(0.5 * kArmLength, 0, 0), base);
        AxisFreedom* elbow = rig.edit(joints[1]).turning.data();
        elbow[0].active = elbow[1].active = false;
        rig.set(joints[1], Property::Rz, ChannelValue{0.3, 0, 0, 0});
        handle = rig.handle("hand", joints[0], joints[2], solver);
    }
};

/// What a parameter of joints may be called, and a value of it.
struct JointParameter
{
    const char* name;
    void (*set)(Joint& joint);
};

void onAxes(Joint& joint, void (*set)(AxisFreedom&))
{
    for (AxisFreedom& axis : joint.turning)
        if (axis.active) set(axis);
}

constexpr JointParameter kParameters[] = {
    {"none", [](Joint&) {}},
    {"limits", [](Joint& j) { onAxes(j, [](AxisFreedom& a) { a.limited = true, a.from = -1.2, a.to = 1.4; }); }},
    {"ease",
     [](Joint& j) { onAxes(j, [](AxisFreedom& a) { a.limited = true, a.from = -1.2, a.to = 1.4, a.ease = 0.6; }); }},
    {"damping", [](Joint& j) { onAxes(j, [](AxisFreedom& a) { a.damping = 0.4; }); }},
    {"spring back", [](Joint& j) { onAxes(j, [](AxisFreedom& a) { a.springBack = 0.3, a.springTension = 0.5; }); }},
    {"stiffness", [](Joint& j) { j.stiffness = 0.4; }},
    {"precedence", [](Joint& j) { j.precedence = j.name == "joint1" ? 2 : 1; }},
    {"preferred angle",
     [](Joint& j) {
         j.preferredAngle = {0, 0, 0.5};
     }},
};

/// Where a goal is on its way from the hand's place to its last position, which leads out of reach and back.
Vector3 onTheWay(double share)
{
    const double angle = 2.2 * share, distance = (0.97 + 0.9 * std::sin(kHalfTurn * share) - 0.4 * share) * kArmLength;
    return distance * Vector3(std::cos(angle), 0.8 * std::sin(angle), 0.6 * std::sin(angle));
}

double differenceOf(const SolvedFrame& a, const SolvedFrame& b)
{
    double largest = 0;
    for (std::size_t i = 0; i < a.model.modelFromJoint.size(); ++i)
        largest = std::max(
            largest, (a.model.modelFromJoint[i].matrix() - b.model.modelFromJoint[i].matrix()).cwiseAbs().maxCoeff());
    return largest;
}

} // namespace

/// What holds for every solver that Tendon finds, new ones included, whatever its method.
class TestEverySolver : public QObject
{
    Q_OBJECT

    SolverRegistry m_registry;

    void eachSolverWith(const char* feature, const char* except = "")
    {
        QTest::addColumn<std::string>("solver");
        for (const SolverInfo& solver : m_registry.solvers())
            if (solver.has(feature) && solver.alias != except) QTest::newRow(solver.alias.c_str()) << solver.alias;
    }

    [[nodiscard]] SolvedFrame evaluate(SolvedPoses& poses, const Scene& scene) const
    {
        const auto frame = poses.at(scene, nullptr, {}, Time{});
        if (!frame) qFatal("%s", frame.error().text().c_str());
        return **frame;
    }

    /// The pose after the handle's goal was moved to its end in so many moves.
    [[nodiscard]] SolvedFrame afterMoves(BentArm arm, int moves) const
    {
        SolvedPoses poses(m_registry);
        SolvedFrame last;
        for (int i = 0; i <= moves; ++i) {
            arm.rig.set(arm.handle, Property::GoalPosition, onTheWay(static_cast<double>(i) / moves));
            last = evaluate(poses, arm.rig.scene);
        }
        return last;
    }

    /// What a drag of the hand writes after so many moves; empty where the solver cannot take the chain.
    [[nodiscard]] std::optional<ChannelWrites> afterDrag(BentArm arm, const std::string& solver, int moves) const
    {
        arm.rig.scene.handles.edit().clear();
        SolvedPoses poses(m_registry);
        const auto drag = poses.drag(arm.rig.scene, {}, {}, {}, {.joint = arm.joints[2], .solver = solver});
        if (!drag) return std::nullopt;
        ChannelWrites last;
        for (int i = 1; i <= moves; ++i) {
            const auto moved = (*drag)->to(onTheWay(static_cast<double>(i) / moves));
            if (!moved) return std::nullopt;
            last = moved->writes;
        }
        return last;
    }

private slots:
    void initTestCase()
    {
        m_registry.scan();
        QVERIFY(m_registry.solvers().size() >= 10);
    }

    /// A root that slides along Z as far as it likes brings the end no nearer to a goal beside its rail.
    void aGoalBesideAnEndlessRailIsOutOfReach_data()
    {
        QTest::addColumn<std::string>("solver");
        for (const char* solver : {"dls", "hd", "constrained"}) QTest::newRow(solver) << std::string(solver);
    }
    void aGoalBesideAnEndlessRailIsOutOfReach()
    {
        QFETCH(std::string, solver);
        TestRig rig;
        const JointId root = rig.joint("root", {}, Vector3::Zero());
        for (AxisFreedom& axis : rig.edit(root).turning) axis.active = false;
        rig.edit(root).sliding[2] = {.active = true};
        const JointId shoulder = rig.joint("shoulder", root, Vector3(0, 0.1, 0));
        const JointId elbow = rig.joint("elbow", shoulder, Vector3(0, 0.5, 0.1));
        const JointId hand = rig.joint("hand", elbow, Vector3(0, 0.5, -0.1));
        const HandleId handle = rig.handle("hand IK", root, hand, solver);
        SolvedPoses poses(m_registry);
        const double reach = 0.1 + 2 * std::sqrt(0.26);
        for (const auto& [up, isWithin] : {std::pair(0.9, true), std::pair(2.0, false)}) {
            rig.set(handle, Property::GoalPosition, Vector3(0, up, 7));
            const SolvedFrame frame = evaluate(poses, rig.scene);
            const HandleResult& result = frame.handles.front();
            QCOMPARE(std::string(statusName(result)), std::string(isWithin ? "converged" : "unreachable"));
            if (!isWithin) QVERIFY(std::abs(result.shortfall - (up - reach)) < 1e-6);
        }
    }

    void thePoseDoesNotDependOnTheWayOfADrag_data()
    {
        QTest::addColumn<std::string>("solver");
        QTest::addColumn<int>("parameter");
        for (const SolverInfo& solver : m_registry.solvers())
            for (int i = 0; i < static_cast<int>(std::size(kParameters)); ++i)
                if (solver.has("position-goal") && !solver.has("history"))
                    QTest::addRow("%s, %s", solver.alias.c_str(), kParameters[i].name) << solver.alias << i;
    }
    void thePoseDoesNotDependOnTheWayOfADrag()
    {
        QFETCH(std::string, solver);
        QFETCH(int, parameter);
        BentArm arm(solver);
        for (const JointId joint : arm.joints) kParameters[parameter].set(arm.rig.edit(joint));
        const SolvedFrame once = afterMoves(arm, 1);
        QVERIFY(sdk::isUsable(once.handles.front().status));
        const auto dragged = afterDrag(arm, solver, 1);
        for (const int moves : {7, 58}) {
            const double difference = differenceOf(once, afterMoves(arm, moves));
            QVERIFY2(difference < 1e-9, qPrintable(QStringLiteral("%1 moves: %2").arg(moves).arg(difference)));
            if (dragged) QVERIFY(*afterDrag(arm, solver, moves) == *dragged);
        }
    }

    void aGoalProvedOutOfReachIsUnreachableHoweverFewIterations_data() { eachSolverWith("position-goal"); }
    void aGoalProvedOutOfReachIsUnreachableHoweverFewIterations()
    {
        QFETCH(std::string, solver);
        BentArm arm(solver);
        arm.rig.set(arm.handle, Property::GoalPosition, Vector3(1.1, 1.3, 0.4) * kArmLength);
        for (const int iterations : {1, 2, 3, 10, 0}) {
            arm.rig.edit(arm.handle).maxIterations = iterations;
            SolvedPoses poses(m_registry);
            const SolvedFrame frame = evaluate(poses, arm.rig.scene);
            QCOMPARE(statusName(frame.handles.front()), "unreachable");
            QVERIFY(std::abs(frame.handles.front().shortfall - (Vector3(1.1, 1.3, 0.4).norm() - 1) * kArmLength) <
                    1e-9);
        }
    }

    /// A goal within reach that is cut off says so, also where another goal of the same solve is out of reach.
    void eachGoalOfASolveHasItsOwnStatus_data() { eachSolverWith("multi-goal", "spline"); }
    void eachGoalOfASolveHasItsOwnStatus()
    {
        QFETCH(std::string, solver);
        TestRig rig;
        const JointId trunk = rig.joint("trunk", {}, Vector3::Zero()), chest = rig.joint("chest", trunk, {0, 0.5, 0});
        std::vector<HandleId> handles;
        for (const double side : {-1.0, 1.0}) {
            const auto arm = rig.chain(side < 0 ? "left" : "right", 4, Vector3(side * 0.3, 0.1, 0.05), chest);
            handles.push_back(rig.handle(side < 0 ? "leftGoal" : "rightGoal", trunk, arm.back(), solver));
            rig.edit(handles.back()).maxIterations = 1;
            rig.edit(handles.back()).positionTolerance = 1e-9;
        }
        rig.set(handles[0], Property::GoalPosition, Vector3(-0.5, 0.2, 0.4));
        rig.set(handles[1], Property::GoalPosition, Vector3(9, 2, 1));
        SolvedPoses poses(m_registry);
        const SolvedFrame frame = evaluate(poses, rig.scene);
        QCOMPARE(statusName(frame.handles[0]), "iteration-limit");
        QCOMPARE(statusName(frame.handles[1]), "unreachable");
    }

    /// From a straight pose the elbow goes to its preferred side, whether the goal is on the arm's line or a little
    /// beside it, and whether the arm is straight to the last bit; the pose follows the goal without a jump.
    void aStraightArmBendsToItsPreferredSide_data() { eachSolverWith("preferred-angle"); }
    void aStraightArmBendsToItsPreferredSide()
    {
        QFETCH(std::string, solver);
        for (const double preferred : {-0.7, 0.7})
            for (const double bent : {0.0, -1e-6, 1e-3, -1e-2}) {
                // Solvers of one chain in a plane keep the side of the FK pose, however little that is bent.
                if (bent != 0 && !m_registry.find(solver)->has("multi-goal")) continue;
                BentArm arm(solver);
                arm.rig.edit(arm.joints[1]).preferredAngle = {0, 0, preferred};
                arm.rig.edit(arm.handle).maxIterations = 5000;
                arm.rig.set(arm.joints[1], Property::Rz, ChannelValue{bent, 0, 0, 0});
                SolvedPoses poses(m_registry);
                std::optional<SolvedFrame> before;
                for (int i = -20; i <= 20; ++i) {
                    arm.rig.set(arm.handle, Property::GoalPosition, Vector3(0.5, 5e-4 * i, 0));
                    const SolvedFrame frame = evaluate(poses, arm.rig.scene);
                    const auto at = [&](std::size_t joint) { return frame.model.modelFromJoint[joint].translation(); };
                    const Vector3 upper = at(2) - at(1), lower = at(3) - at(2);
                    const double bend = std::atan2(upper.cross(lower).z(), upper.dot(lower));
                    QVERIFY2(bend * preferred > 0.5,
                             qPrintable(QStringLiteral("%1 at %2 mm from %3").arg(bend).arg(0.5 * i).arg(bent)));
                    if (before) QVERIFY(differenceOf(*before, frame) < 0.01);
                    before = frame;
                }
            }
    }

    /// What the objectives choose from: the rest pose and the preferred angles are two poses.
    void restPoseAndNaturalPoseDiffer_data() { eachSolverWith("objectives"); }
    void restPoseAndNaturalPoseDiffer()
    {
        QFETCH(std::string, solver);
        SolvedFrame frames[2];
        for (const bool isNatural : {false, true}) {
            TestRig rig;
            const std::vector<JointId> joints = rig.chain("joint", 5, Vector3(0.25, 0, 0));
            for (std::size_t i = 0; i < 4; ++i) {
                for (const std::size_t axis : {0u, 1u}) rig.edit(joints[i]).turning[axis].active = false;
                rig.edit(joints[i]).preferredAngle = {0, 0, i % 2 == 0 ? 0.6 : -0.2};
                rig.set(joints[i], Property::Rz, ChannelValue{0.2, 0, 0, 0});
            }
            const HandleId handle = rig.handle("hand", joints.front(), joints.back(), solver);
            rig.set(handle, Property::GoalPosition, Vector3(0.5, 0.4, 0));
            Objectives& objectives = rig.edit(handle).objectives;
            (isNatural ? objectives.naturalPose : objectives.restPose) = 1;
            SolvedPoses poses(m_registry);
            frames[isNatural ? 1 : 0] = evaluate(poses, rig.scene);
        }
        QVERIFY(differenceOf(frames[0], frames[1]) > 0.02);
    }

    void anAimPointsAtItsGoal_data() { eachSolverWith("aim-goal"); }
    void anAimPointsAtItsGoal()
    {
        QFETCH(std::string, solver);
        for (const Vector3& offset : {Vector3(0, 0, 0), Vector3(0.1, 0.05, 0)}) { // the eye
            BentArm arm(solver);
            const Vector3 axis = Vector3(1, 0.4, 0).normalized(), goal(0.9, 0.7, 0.5);
            arm.rig.edit(arm.handle).aimAxis = axis;
            arm.rig.edit(arm.handle).offset = offset;
            arm.rig.set(arm.handle, Property::GoalPosition, goal);
            SolvedPoses poses(m_registry);
            const SolvedFrame frame = evaluate(poses, arm.rig.scene);
            QCOMPARE(statusName(frame.handles.front()), "converged");
            QCOMPARE(frame.handles.front().positionError, 0.0);
            const Affine& end = frame.model.modelFromJoint[3];
            const Vector3 looking = rotationOf(end) * axis, wanted = goal - end * offset;
            QVERIFY(std::acos(std::min(1.0, looking.dot(wanted.normalized()))) < 2e-3);
        }
    }

    void aSingleJointAims()
    {
        TestRig rig;
        const JointId eye = rig.joint("eye", rig.joint("head", {}, Vector3::Zero()), Vector3(0, 0.1, 0));
        const HandleId handle = rig.handle("look", eye, eye, "dls");
        rig.edit(handle).aimAxis = Vector3::UnitX();
        rig.set(handle, Property::GoalPosition, Vector3(0.5, 0.6, 0.4));
        SolvedPoses poses(m_registry);
        const SolvedFrame frame = evaluate(poses, rig.scene);
        QCOMPARE(statusName(frame.handles.front()), "converged");
        const Vector3 looking = rotationOf(frame.model.modelFromJoint[1]) * Vector3::UnitX();
        QVERIFY((looking - Vector3(0.5, 0.5, 0.4).normalized()).norm() < 2e-3);
    }

    void draggingAnEndThatAimsMovesItsGoalByAsMuch()
    {
        BentArm arm("dls");
        const Vector3 goal(0.9, 0.7, 0.5), way(0.1, -0.2, 0.05);
        arm.rig.edit(arm.handle).aimAxis = Vector3::UnitX();
        arm.rig.set(arm.handle, Property::GoalPosition, goal);
        SolvedPoses poses(m_registry);
        const auto drag = poses.drag(arm.rig.scene, {}, {}, {}, {.joint = arm.joints[2]});
        QVERIFY(drag);
        const auto moved = (*drag)->to((*drag)->origin() + way);
        QVERIFY(moved && moved->movedGoal == arm.handle);
        const ChannelValue& value = moved->writes.front().value;
        QVERIFY((Vector3(value[0], value[1], value[2]) - goal - way).norm() < 1e-9);
    }

    void limitsThatBlockAreNamed_data() { eachSolverWith("hard-limits", "spline"); }
    void limitsThatBlockAreNamed()
    {
        QFETCH(std::string, solver);
        BentArm arm(solver);
        AxisFreedom& elbow = arm.rig.edit(arm.joints[1]).turning[2];
        elbow = {.active = true, .limited = true, .from = -0.4, .to = 0.4}; // the arm is at least 0.98 long
        for (const Vector3& goal : {Vector3(0.4, 0.1, 0), Vector3(0.2, -0.5, 0.3), Vector3(-0.6, 0.1, 0.2)}) {
            arm.rig.set(arm.handle, Property::GoalPosition, goal);
            SolvedPoses poses(m_registry);
            const HandleResult result = evaluate(poses, arm.rig.scene).handles.front();
            QCOMPARE(statusName(result), "limits");
            QVERIFY(result.blockedBy == arm.joints[1]);
        }
    }

    /// Goals that poses within limits meet: a method that does not get there is stuck, and limits are not to blame.
    void limitsAreNotBlamedForGoalsWithinThem_data() { eachSolverWith("hard-limits", "spline"); }
    void limitsAreNotBlamedForGoalsWithinThem()
    {
        QFETCH(std::string, solver);
        constexpr int kGoals = 40;
        std::mt19937 random(150);
        const auto between = [&](double from, double to) {
            return std::uniform_real_distribution<double>(from, to)(random);
        };
        int blamed = 0, met = 0, tried = 0;
        for (int i = 0; i < kGoals; ++i) {
            TestRig rig;
            const std::vector<JointId> joints = rig.chain("joint", 3, Vector3(0.5, 0, 0));
            TestRig posed = rig;
            for (std::size_t j = 0; j < 2; ++j)
                for (std::size_t axis = 0; axis < 3; ++axis) {
                    AxisFreedom& turn = rig.edit(joints[j]).turning[axis];
                    if (j == 1 && axis < 2) {
                        turn.active = false;
                        continue;
                    }
                    turn = {.active = true, .limited = true, .from = -between(0.2, 1.2), .to = between(0.2, 1.2)};
                    posed.set(joints[j], static_cast<Property>(static_cast<int>(Property::Rx) + static_cast<int>(axis)),
                              ChannelValue{between(turn.from, turn.to), 0, 0, 0});
                }
            SolvedPoses poses(m_registry);
            const Vector3 goal = evaluate(poses, posed.scene).model.modelFromJoint[2].translation();
            const HandleId handle = rig.handle("hand", joints[0], joints[2], solver);
            rig.set(handle, Property::GoalPosition, goal);
            const std::string status(statusName(evaluate(poses, rig.scene).handles.front()));
            ++tried;
            met += status == "converged" ? 1 : 0;
            blamed += status == "limits" ? 1 : 0;
        }
        qInfo("%d of %d met, limits blamed for %d", met, tried, blamed);
        QVERIFY(blamed == 0);
    }

    /// Two hinges, where the way downhill from the FK pose ends at both limits, though another pose meets the goal: a
    /// method that stays there is stuck.
    void aDeadEndAtLimitsIsNoProof_data() { eachSolverWith("hard-limits", "spline"); }
    void aDeadEndAtLimitsIsNoProof()
    {
        QFETCH(std::string, solver);
        TestRig rig;
        const JointId root = rig.joint("root", {}, Vector3::Zero()),
                      middle = rig.joint("middle", root, Vector3(0, 0.8044441741691353, 0)),
                      end = rig.joint("end", middle, Vector3(0, 0.9791629539474848, 0));
        for (const auto& [joint, from, to] : {std::tuple(root, -85.395277716595, 68.831982750974),
                                              std::tuple(middle, -38.457630370416, 22.170014908107)}) {
            Joint& edited = rig.edit(joint);
            edited.turning[1].active = edited.turning[2].active = false;
            edited.turning[0] = {
                .active = true, .limited = true, .from = from * kHalfTurn / 180, .to = to * kHalfTurn / 180};
        }
        const HandleId handle = rig.handle("goal", root, end, solver);
        rig.set(handle, Property::GoalPosition, Vector3(0, 1.0722825827273876, 1.343508026669166));
        SolvedPoses poses(m_registry);
        const SolvedFrame frame = evaluate(poses, rig.scene);
        const HandleResult& result = frame.handles.front();
        QVERIFY2(sdk::isSuccess(result.status) || result.status == sdk::Status::Stalled,
                 std::string(statusName(result)).c_str());
        QVERIFY(!result.blockedBy.isValid());
    }

    /// A telescope that is pushed or pulled past its stops: lengths would allow it, limits do not. Beside its axis no
    /// length helps.
    void aStopOfASlideIsALimit_data()
    {
        QTest::addColumn<std::string>("solver");
        for (const SolverInfo& solver : m_registry.solvers())
            if (solver.has("position-goal") && solver.has("hard-limits") && solver.slides())
                QTest::newRow(solver.alias.c_str()) << solver.alias;
    }
    void aStopOfASlideIsALimit()
    {
        QFETCH(std::string, solver);
        TestRig rig;
        std::vector<JointId> tubes;
        for (const char* name : {"bottom", "middle", "top"}) {
            tubes.push_back(rig.joint(name, tubes.empty() ? JointId{} : tubes.back(), Vector3(0, 0.3, 0)));
            Joint& tube = rig.edit(tubes.back());
            for (AxisFreedom& axis : tube.turning) axis.active = false;
            if (tubes.size() > 1) tube.sliding[1] = {.active = true, .limited = true, .from = 0.05, .to = 0.3};
        }
        const HandleId handle = rig.handle("goal", tubes.front(), tubes.back(), solver);
        SolvedPoses poses(m_registry);
        for (const auto& [goal, status] :
             {std::pair(Vector3(0, 0.6, 0), "converged"), std::pair(Vector3(0, -0.1, 0), "limits"),
              std::pair(Vector3(0, 1.2, 0), "limits"), std::pair(Vector3(0.2, 0.6, 0), "unreachable")}) {
            rig.set(handle, Property::GoalPosition, goal);
            const SolvedFrame frame = evaluate(poses, rig.scene);
            const HandleResult& result = frame.handles.front();
            QCOMPARE(std::string(statusName(result)), std::string(status));
            QCOMPARE(result.blockedBy.isValid(), result.status == sdk::Status::LimitsBlock);
            QVERIFY(result.status != sdk::Status::Unreachable || std::abs(result.shortfall - 0.2) < 1e-9);
        }
    }

    /// A slide whose joint stands a hair beside it: what one radian counts beside a metre must not follow that hair.
    void aTinyOffsetAcrossASlideChangesNothing_data()
    {
        QTest::addColumn<std::string>("solver");
        for (const SolverInfo& solver : m_registry.solvers())
            if (solver.has("position-goal") && solver.slides()) QTest::newRow(solver.alias.c_str()) << solver.alias;
    }
    void aTinyOffsetAcrossASlideChangesNothing()
    {
        QFETCH(std::string, solver);
        for (const bool isLimited : {false, true}) {
            const auto tubes = [&](double offset) {
                TestRig rig;
                const JointId bottom = rig.joint("bottom", {}, Vector3::Zero());
                const JointId middle = rig.joint("middle", bottom, Vector3(0, 0.3, 0));
                const JointId top = rig.joint("top", middle, Vector3(offset, 0.3, 0));
                for (const JointId joint : {bottom, middle, top})
                    for (AxisFreedom& axis : rig.edit(joint).turning) axis.active = false;
                for (const JointId joint : {middle, top}) {
                    AxisFreedom& along = rig.edit(joint).sliding[1];
                    along = {.active = true, .limited = isLimited, .from = -1, .to = 0.35};
                }
                const HandleId handle = rig.handle("goal", bottom, top, solver);
                rig.set(handle, Property::GoalPosition, Vector3(offset, 0.2, 0));
                SolvedPoses poses(m_registry);
                return evaluate(poses, rig.scene);
            };
            const SolvedFrame straight = tubes(0);
            for (const double offset : {1e-12, 1e-9, 1e-6}) {
                const SolvedFrame frame = tubes(offset);
                const std::string status = std::string(statusName(frame.handles.front()));
                QVERIFY2(sdk::isSuccess(frame.handles.front().status), status.c_str());
                QVERIFY(differenceOf(straight, frame) < 1e-4);
            }
        }
    }

    /// The elbow follows the pole's direction seen along the line from the shoulder to the goal. Where the pole is on
    /// that line it has none: that is the one place near which the elbow may turn quickly, and the handle says so.
    void theElbowFollowsThePoleWithoutJumps_data() { eachSolverWith("pole"); }
    void theElbowFollowsThePoleWithoutJumps()
    {
        QFETCH(std::string, solver);
        BentArm arm(solver);
        Joint& elbow = arm.rig.edit(arm.joints[1]);
        for (AxisFreedom& axis : elbow.turning) axis.active = true;
        arm.rig.edit(arm.handle).hasPole = true;
        SolvedPoses poses(m_registry);
        bool isCautious = false, isMet = false;
        int tried = 0, missed = 0;
        const auto elbowAt = [&](const Vector3& goal, const Vector3& pole) {
            arm.rig.set(arm.handle, Property::GoalPosition, goal);
            arm.rig.set(arm.handle, Property::Pole, pole);
            const SolvedFrame frame = evaluate(poses, arm.rig.scene);
            ++tried;
            isMet = sdk::isSuccess(frame.handles.front().status);
            missed += isMet ? 0 : 1;
            isCautious = !cautionOf(arm.rig.scene, frame.handles.front()).empty();
            return Vector3(frame.model.modelFromJoint[2].translation());
        };
        // How far the elbow turned about the line to the goal.
        const auto turnOf = [](const Vector3& from, const Vector3& to, const Vector3& goal) {
            const Vector3 line = goal.normalized();
            const Vector3 a = from - line * line.dot(from), b = to - line * line.dot(to);
            return std::abs(std::atan2(line.dot(a.cross(b)), a.dot(b))) * 180 / kHalfTurn;
        };

        // The pole goes round the line by 1 degree a step; it passes no singular place.
        const Vector3 goal(0.6, 0.3, 0.1);
        const Vector3 line = goal.normalized(), aside = Vector3(line.y(), -line.x(), 0).normalized();
        Vector3 before = elbowAt(goal, 0.4 * line + aside);
        double whole = 0;
        int last = 0;
        for (int degree = 1; degree <= 360; ++degree) {
            const Quaternion turn(Eigen::AngleAxisd(degree * kHalfTurn / 180, line));
            const Vector3 now = elbowAt(goal, 0.4 * line + turn * aside);
            const double step = turnOf(before, now, goal);
            if (!isMet) continue; // pseudo-inverse sticks where the arm is straight
            QVERIFY2(step < 1.1 * (degree - last),
                     qPrintable(QStringLiteral("%1 at %2 degrees").arg(step).arg(degree)));
            QVERIFY(!isCautious);
            whole += step;
            before = now;
            last = degree;
        }
        QVERIFY(std::abs(whole - last) < 1 && last > 350);

        // Goal or pole pass the line at some distance, 1 % of the reach a step.
        const auto pass = [&](double distance, const auto& goalAt, const auto& poleAt) {
            bool wasCautious = false, wasMet = false;
            int cautions = 0;
            for (int step = 0; step <= 60; ++step) {
                const Vector3 way(kArmLength * Vector3(-0.3 + 0.01 * step, distance, 0.4)), to = goalAt(way);
                const Vector3 now = elbowAt(to, poleAt(way));
                const double turned = step == 0 ? 0 : turnOf(before, now, to);
                QVERIFY2(
                    turned < 10 || isCautious || wasCautious || !isMet || !wasMet,
                    qPrintable(
                        QStringLiteral("%1 degrees at step %2, %3 from the line").arg(turned).arg(step).arg(distance)));
                cautions += isCautious && isMet ? 1 : 0;
                wasCautious = isCautious;
                wasMet = isMet;
                before = now;
            }
            QCOMPARE(cautions > 0, std::abs(distance) < 0.0573 * kArmLength);
            QVERIFY2(cautions < 20, qPrintable(QString::number(cautions)));
        };
        for (const double distance : {-0.3, -0.07, -0.01, 0.06, 0.15}) {
            pass(
                distance, [](const Vector3& way) { return way; }, [](const Vector3&) { return Vector3(0, 0, 2); });
            pass(
                distance, [](const Vector3&) { return Vector3(0, 0, 0.6); }, [](const Vector3& way) { return way; });
        }
        // A goal that is missed is no jump of the pole's. Solvers miss as rarely as they promise.
        const double promised = m_registry.find(solver)->promises.solved;
        QVERIFY2(missed <= (1 - promised) * tried,
                 qPrintable(QStringLiteral("%1 of %2 missed").arg(missed).arg(tried)));
    }

    /// Once round the line from the start to the goal, which the pole never meets: no joint jumps.
    void aChainOfAnyLengthFollowsThePoleRound_data()
    {
        QTest::addColumn<std::string>("solver");
        QTest::addColumn<int>("bones");
        for (const SolverInfo& solver : m_registry.solvers())
            for (const int bones : {2, 3, 4, 10})
                if (solver.has("pole") && (solver.maxChainJoints == 0 || bones < solver.maxChainJoints))
                    QTest::addRow("%s, %d bones", solver.alias.c_str(), bones) << solver.alias << bones;
    }
    void aChainOfAnyLengthFollowsThePoleRound()
    {
        QFETCH(std::string, solver);
        QFETCH(int, bones);
        constexpr int kSteps = 90;
        TestRig rig;
        const std::vector<JointId> joints = rig.chain("joint", bones + 1, Vector3(kArmLength / bones, 0, 0));
        for (std::size_t i = 1; i + 1 < joints.size(); ++i)
            rig.set(joints[i], Property::Rz, ChannelValue{0.6 / bones, 0, 0, 0});
        const HandleId handle = rig.handle("hand", joints.front(), joints.back(), solver);
        rig.edit(handle).hasPole = true;
        const Vector3 goal(0.6, 0.3, 0.1), line = goal.normalized();
        const Vector3 aside = Vector3(line.y(), -line.x(), 0).normalized();
        rig.set(handle, Property::GoalPosition, goal);
        SolvedPoses poses(m_registry);
        std::vector<Vector3> before;
        double farthest = 0;
        int missed = 0, at = 0;
        for (int step = 0; step <= kSteps; ++step) {
            const Quaternion turn(Eigen::AngleAxisd(2 * kHalfTurn * step / kSteps, line));
            rig.set(handle, Property::Pole, Vector3(0.4 * line + turn * aside));
            const SolvedFrame frame = evaluate(poses, rig.scene);
            missed += sdk::isSuccess(frame.handles.front().status) ? 0 : 1;
            std::vector<Vector3> now;
            for (const auto& joint : frame.model.modelFromJoint) now.push_back(joint.translation());
            for (std::size_t j = 0; j < before.size(); ++j)
                if (const double way = (now[j] - before[j]).norm(); way > farthest) {
                    farthest = way;
                    at = step;
                }
            before = now;
        }
        const double perTurn = farthest * kSteps / (2 * kHalfTurn * kArmLength); // 1: as far as the reach turns
        qInfo("a joint moves %.3g m at most, %.3g of what the reach turned by, at step %d; %d of %d missed", farthest,
              perTurn, at, missed, kSteps + 1);
        QVERIFY(missed == 0);
        QVERIFY(perTurn < 0.5);
    }
};

TENDON_TEST(TestEverySolver)
#include "tst_every_solver.moc"
