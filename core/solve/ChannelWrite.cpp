#include "core/solve/ChannelWrite.h"

#include "core/math/Interpolate.h"

namespace tendon {
namespace {

ChannelValue channelValue(const Quaternion& q) { return {q.x(), q.y(), q.z(), q.w()}; }

const Affine* followed(const CompiledRig& rig, const Handle& handle, const ModelPose& model)
{
    const JointIndex joint = handle.follow.isValid() ? rig.index(handle.follow) : -1;
    return joint < 0 ? nullptr : &model.modelFromJoint[static_cast<std::size_t>(joint)];
}

void appendTurning(const CompiledRig& rig, std::size_t joint, const LocalPose& before, const LocalPose& after,
                   WriteAxes axes, ChannelWrites& writes)
{
    const Joint& authored = rig.authored[joint];
    const Quaternion& rotation = after.local[joint].rotation;
    const bool isChanged = rotation.coeffs() != before.local[joint].rotation.coeffs();
    if (axes == WriteAxes::Changed && !isChanged) return;
    if (before.isReadOff[joint] != 0) {
        writes.push_back({{rig.id[joint].value, Property::Rotation}, channelValue(rotation)});
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
        const double value = after.local[i].translation[axis];
        const bool isActive = axes == WriteAxes::Active &&
                              rig.authored[i].sliding[static_cast<std::size_t>(axis)].active;
        if (isActive || value != before.local[i].translation[axis])
            writes.push_back({{rig.id[i].value, offsetBy(Property::Tx, axis)}, {value}});
    }
    appendTurning(rig, i, before, after, axes, writes);
}

void appendGoalPosition(const CompiledRig& rig, const Handle& handle, const ModelPose& model, const Vector3& world,
                        ChannelWrites& writes)
{
    const Affine* space = followed(rig, handle, model);
    const Vector3 local = space == nullptr ? world : Vector3(space->inverse() * world);
    writes.push_back({{handle.id.value, Property::GoalPosition}, {local.x(), local.y(), local.z(), 0}});
}

void appendGoalRotation(const CompiledRig& rig, const Handle& handle, const ModelPose& model, const Quaternion& world,
                        ChannelWrites& writes)
{
    const Affine* space = followed(rig, handle, model);
    const Quaternion local = space == nullptr ? world : unitQuaternion(rotationOf(*space).conjugate() * world);
    writes.push_back({{handle.id.value, Property::GoalRotation}, channelValue(local)});
}

PendingValues withWrites(PendingValues pending, const ChannelWrites& writes)
{
    for (const ChannelWrite& write : writes) pending[write.channel] = write.value;
    return pending;
}

} // namespace tendon
