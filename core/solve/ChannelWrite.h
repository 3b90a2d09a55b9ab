#pragma once

#include "core/runtime/CompiledRig.h"
#include "core/runtime/Pose.h"
#include "core/runtime/PoseSampler.h"

#include <vector>

namespace tendon {

/// A value for a channel, found by a solve and not in the document yet: an operation writes it.
struct ChannelWrite
{
    ChannelId channel;
    ChannelValue value{};

    bool operator==(const ChannelWrite&) const = default;
};

using ChannelWrites = std::vector<ChannelWrite>;

/// What a joint that was posed otherwise needs written.
enum class WriteAxes {
    Changed, ///< what differs from the pose before
    Active,  ///< all that the joint may move by, whether it differs or not
};

/// Appends the values that take a joint from its FK pose `before` to the local transform in `after`. A joint that is
/// posed by its Rotation channel gets a Rotation, others get angles, those nearest to the ones before.
void appendJointWrites(const CompiledRig& rig, JointIndex joint, const LocalPose& before, const LocalPose& after,
                       WriteAxes axes, ChannelWrites& writes);

/// Appends a handle's goal, given in the world: in the space of the joint it follows, as it stands in `model`.
void appendGoalPosition(const CompiledRig& rig, const Handle& handle, const ModelPose& model, const Vector3& world,
                        ChannelWrites& writes);
void appendGoalRotation(const CompiledRig& rig, const Handle& handle, const ModelPose& model, const Quaternion& world,
                        ChannelWrites& writes);

/// `pending` with the writes on top.
[[nodiscard]] PendingValues withWrites(PendingValues pending, const ChannelWrites& writes);

} // namespace tendon
