#include "core/solve/ChannelWrite.h"

#include "core/math/Convert.h"

namespace tendon {
namespace {

void appendTurning(const CompiledRig& rig, std::size_t joint, const LocalPose& before, const LocalPose& after,
                   WriteAxes axes, ChannelWrites& writes)
{
    const Joint& authored = rig.authored[joint];
    const Quaternion& rotation = after.joints[joint].rotation;
    const bool isChanged = rotation.coeffs() != before.joints[joint].rotation.coeffs();
    if (axes == WriteAxes::Changed && !isChanged) return;
    if (before.isReadOff[joint] != 0) {
        writes.push_back({{rig.id[joint].value, Property::Rotation}, toValue(rotation)});
        return;
    }
    const Vector3 angles = after.isReadOff[joint] == 0
                               ? after.angles[joint]
                               : anglesFromRotation(rig.rest[joint].rotation.conjugate() * rotation, rig.order[joint],
                                                    before.angles[joint]);
    for (int axis = 0; axis < 3; ++axis) {
        const bool isActive = authored.ball || authored.turning[static_cast<std::size_t>(axis)].active;
        const bool isWanted = axes == WriteAxes::Active ? isActive || angles[axis] != before.angles[joint][axis]
                                                        : angles[axis] != before.angles[joint][axis];
        if (isWanted) writes.push_back({{rig.id[joint].value, offsetBy(Property::Rx, axis)}, {angles[axis]}});
    }
}

} // namespace

void appendJointWrites(const CompiledRig& rig, JointIndex joint, const LocalPose& before, const LocalPose& after,
                       WriteAxes axes, ChannelWrites& writes)
{
    const auto i = static_cast<std::size_t>(joint);
    for (int axis = 0; axis < 3; ++axis) {
        const double value = after.joints[i].translation[axis];
        const bool isActive = axes == WriteAxes::Active &&
                              rig.authored[i].sliding[static_cast<std::size_t>(axis)].active;
        if (isActive || value != before.joints[i].translation[axis])
            writes.push_back({{rig.id[i].value, offsetBy(Property::Tx, axis)}, {value}});
    }
    appendTurning(rig, i, before, after, axes, writes);
}

void appendGoal(const Handle& handle, const GoalPose& inSpace, ChannelWrites& writes)
{
    writes.push_back({{handle.id.value, Property::GoalPosition}, toValue(inSpace.position)});
    writes.push_back({{handle.id.value, Property::GoalRotation}, toValue(inSpace.rotation)});
}

void appendCurve(const Handle& handle, const Affine& worldFromSpace, std::span<const Vector3> points,
                 ChannelWrites& writes)
{
    const Affine spaceFromWorld = worldFromSpace.inverse();
    for (std::size_t i = 0; i < points.size(); ++i)
        writes.push_back(
            {{handle.id.value, curvePoint(static_cast<int>(i))}, toValue(Vector3(spaceFromWorld * points[i]))});
}

PendingValues withWrites(PendingValues pending, const ChannelWrites& writes)
{
    for (const ChannelWrite& write : writes) pending[write.channel] = write.value;
    return pending;
}

} // namespace tendon
