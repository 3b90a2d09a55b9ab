#include "core/solve/DrivenDrag.h"

#include "core/math/Convert.h"
#include "core/runtime/ForwardKinematics.h"
#include "core/scene/Constraint.h"
#include "core/solve/ChainBend.h"
#include "core/solve/SolveGroups.h"

#include <algorithm>
#include <cmath>

namespace tendon {
namespace {

constexpr double kStraight = 1e-9; // [m] nearer to the line than this, a joint has no side

const Handle& handleOf(const DrivenJoint& driven) { return driven.rig.handles[driven.handle]; }

/// The value of the pole's channel that puts it to a place in the world.
ChannelValue poleValue(const HandleTarget& asked, const Vector3& inWorld)
{
    return toValue(Vector3(asked.worldFromPoleSpace.inverse() * inWorld));
}

bool hasOwnPole(const DrivenJoint& driven)
{
    return driven.pose.targets[driven.handle].pole && !handleOf(driven).poleTarget.isValid();
}

/// The line that the chain swings about.
struct Line
{
    Vector3 start = Vector3::Zero();     ///< [m]
    Vector3 direction = Vector3::Zero(); ///< unit; 0 = the chain's ends are at one place
    [[nodiscard]] double along(const Vector3& point) const { return direction.dot(point - start); }
    [[nodiscard]] Vector3 across(const Vector3& point) const { return point - start - along(point) * direction; }
};
Line lineThrough(const Vector3& start, const Vector3& end)
{
    const Vector3 span = end - start;
    return {start, span.norm() > kStraight ? Vector3(span.normalized()) : Vector3(Vector3::Zero())};
}

JointIndex startOf(const DrivenJoint& driven)
{
    const std::vector<JointIndex> moved = movableJoints(driven.rig, handleOf(driven));
    return moved.empty() ? driven.rig.index(handleOf(driven).start) : moved.front();
}

Vector3 effectorIn(const DrivenJoint& driven, const SolvedFrame& pose)
{
    return pose.model.modelFromJoint[at(driven.rig.index(handleOf(driven).end))] * handleOf(driven).offset;
}

/// [rad] about the line, from one side of it to the other; 0 where either has none.
double angleAbout(const Line& line, const Vector3& from, const Vector3& to)
{
    if (from.norm() < kStraight || to.norm() < kStraight) return 0;
    return std::atan2(line.direction.dot(from.cross(to)), from.dot(to));
}

/// The pose in which the joint alone is turned.
SolvedFrame turned(const DrivenJoint& driven, const Quaternion& by)
{
    SolvedFrame pose = driven.pose;
    const Quaternion world = rotationOf(pose.model.modelFromJoint[at(driven.joint)]);
    Quaternion& local = pose.local.joints[at(driven.joint)].rotation;
    local = (local * world.conjugate() * by * world).normalized();
    forwardKinematics(driven.rig, pose.local, pose.model);
    return pose;
}

bool isAnyActive(const std::array<AxisFreedom, 3>& axes)
{
    return std::any_of(axes.begin(), axes.end(), [](const AxisFreedom& axis) { return axis.active; });
}

/// The handle that is wholly in force, meets a goal and moves the joint, of those for which `drives` is true.
template <typename Drives>
const Handle* findDriving(const CompiledRig& rig, const SolvedFrame& pose, JointIndex joint, Drives drives)
{
    for (std::size_t h = 0; h < rig.handles.size(); ++h) {
        const Handle& handle = rig.handles[h];
        const HandleTarget& target = pose.targets[h];
        if (target.blend < 1 || !target.isActive() || handle.hasCurve() || handle.aimAxis || copiesLocally(handle))
            continue;
        const std::vector<JointIndex> moved = movableJoints(rig, handle);
        if (std::binary_search(moved.begin(), moved.end(), joint) && drives(handle)) return &handle;
    }
    return nullptr;
}

} // namespace

const Handle* turningHandle(const CompiledRig& rig, const SolvedFrame& pose, JointIndex joint)
{
    const Joint& authored = rig.authored[at(joint)];
    return findDriving(rig, pose, joint, [&](const Handle& handle) {
        const bool isLeftAlone = authored.id == handle.end && handle.orientationWeight == 0 && handle.offset.isZero();
        return !isLeftAlone && (authored.ball || isAnyActive(authored.turning));
    });
}

const Handle* slidingHandle(const CompiledRig& rig, const SolvedFrame& pose, JointIndex joint)
{
    const Joint& authored = rig.authored[at(joint)];
    return findDriving(rig, pose, joint, [&](const Handle& handle) {
        const bool isPlaced = isConstraint(handle) && constrainedAxes(handle).anySlides();
        return authored.id == handle.end && (isPlaced || (!isConstraint(handle) && isAnyActive(authored.sliding)));
    });
}

bool canSwing(const DrivenJoint& driven)
{
    const JointIndex start = startOf(driven), end = driven.rig.index(handleOf(driven).end);
    if (driven.joint == start || driven.joint == end) return false;
    const Joint& pivot = driven.rig.authored[at(start)];
    const auto axes = std::count_if(pivot.turning.begin(), pivot.turning.end(),
                                    [](const AxisFreedom& axis) { return axis.active; });
    return (pivot.ball || axes > 1) && (hasOwnPole(driven) || driven.usesTwist);
}

void appendSwing(const DrivenJoint& driven, const Vector3& target, ChannelWrites& writes)
{
    const auto place = [&](JointIndex joint) {
        return Vector3(driven.pose.model.modelFromJoint[at(joint)].translation());
    };
    const Line line = lineThrough(place(startOf(driven)), effectorIn(driven, driven.pose));
    const HandleTarget& asked = driven.pose.targets[driven.handle];
    const ObjectId id = handleOf(driven).id.value;
    Vector3 side = line.across(place(driven.joint));
    if (side.norm() < kStraight && asked.pole) side = line.across(*asked.pole); // straight: where it would bend to
    const double angle = angleAbout(line, side, line.across(target));
    if (!hasOwnPole(driven)) {
        writes.push_back({{id, Property::Twist}, {asked.twist + angle}});
        return;
    }
    const Quaternion swing(Eigen::AngleAxisd(angle, line.direction));
    writes.push_back({{id, Property::Pole}, poleValue(asked, line.start + swing * (*asked.pole - line.start))});
}

void appendTurn(const DrivenJoint& driven, const Quaternion& by, ChannelWrites& writes)
{
    const Handle& handle = handleOf(driven);
    const HandleTarget& asked = driven.pose.targets[driven.handle];
    const Vector3 pivot = driven.pose.model.modelFromJoint[at(driven.joint)].translation();
    const auto aboutPivot = [&](const Vector3& point) { return Vector3(pivot + by * (point - pivot)); };

    // A goal that is missed is taken from where the end is, so that the end goes on from there.
    const Vector3 effector = effectorIn(driven, driven.pose);
    const bool isMet = (effector - asked.goal.position).norm() <= 10 * handle.positionTolerance;
    const GoalPose goal{aboutPivot(isMet ? asked.goal.position : effector), (by * asked.goal.rotation).normalized()};
    const GoalPose inSpace = goalInSpace(asked.worldFromSpace, goal);
    writes.push_back({{handle.id.value, Property::GoalPosition}, toValue(inSpace.position)});
    if (handle.orientationWeight > 0)
        writes.push_back({{handle.id.value, Property::GoalRotation}, toValue(inSpace.rotation)});
    if (!hasOwnPole(driven) || driven.joint == driven.rig.index(handle.end)) return;

    Vector3 pole = aboutPivot(*asked.pole);
    if (driven.joint != startOf(driven)) { // the joints above stay, so the pole keeps its distance from the new line
        const SolvedFrame after = turned(driven, by);
        const Vector3 start = after.model.modelFromJoint[at(startOf(driven))].translation();
        const Line before = lineThrough(start, effector), now = lineThrough(start, effectorIn(driven, after));
        const Vector3 side = now.across(defaultPole(driven.rig, after.local, after.model, handle, asked.twist));
        if (side.norm() < kStraight) return;
        pole = start + before.along(*asked.pole) * now.direction +
               before.across(*asked.pole).norm() * side.normalized();
    }
    writes.push_back({{handle.id.value, Property::Pole}, poleValue(asked, pole)});
}

double twistToward(const DrivenJoint& driven, const Quaternion& by, const SolvedFrame& solved)
{
    const Handle& handle = handleOf(driven);
    const JointIndex start = startOf(driven), end = driven.rig.index(handle.end);
    const SolvedFrame wanted = turned(driven, by);
    const ChainBend to = chainBend(driven.rig, wanted.local, wanted.model, start, end, handle.offset),
                    from = chainBend(driven.rig, solved.local, solved.model, start, end, handle.offset);
    return angleAbout(lineThrough(to.start, to.end), from.direction, to.direction);
}

} // namespace tendon
