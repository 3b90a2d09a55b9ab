#pragma once

#include "core/runtime/CompiledRig.h"
#include "core/runtime/Pose.h"
#include "core/runtime/PoseSampler.h"
#include "core/scene/GoalPose.h"

#include <span>
#include <vector>

namespace tendon {

/// A value for a channel that a solve found. An operation writes it to the document.
struct ChannelWrite
{
    ChannelId channel;
    ChannelValue value{};

    bool operator==(const ChannelWrite&) const = default;
};

using ChannelWrites = std::vector<ChannelWrite>;

/// Which values to write for a joint that a solve posed.
enum class WriteAxes {
    Changed, ///< those that differ from the pose before
    Active,  ///< those of all active axes, changed or not
};

/// Appends the values that change a joint from its FK pose `before` to the local transform in `after`. A joint that is
/// posed by its Rotation channel gets a Rotation; others get angles, those nearest to the angles before.
void appendJointWrites(const CompiledRig& rig, JointIndex joint, const LocalPose& before, const LocalPose& after,
                       WriteAxes axes, ChannelWrites& writes);

/// Appends a handle's goal, given in the goal's space: see goalInSpace().
void appendGoal(const Handle& handle, const GoalPose& inSpace, ChannelWrites& writes);

/// Appends the control points [m, in the world] of a handle's curve.
void appendCurve(const Handle& handle, const Affine& worldFromSpace, std::span<const Vector3> points,
                 ChannelWrites& writes);

/// `pending` with the writes added, which replace its values.
[[nodiscard]] PendingValues withWrites(PendingValues pending, const ChannelWrites& writes);

} // namespace tendon
