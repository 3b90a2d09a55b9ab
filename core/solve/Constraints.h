#pragma once

#include "core/runtime/CompiledRig.h"
#include "core/runtime/HandleResult.h"
#include "core/runtime/Pose.h"
#include "core/solve/HandleTarget.h"

#include <tendon/sdk/Report.h>

#include <array>

namespace tendon {

/// What a constraint makes of its joint at one moment.
struct ConstrainedJoint
{
    JointPose pose; ///< wholly constrained, within the joint's limits
    sdk::Status status = sdk::Status::Converged;
};

/// The axes that a limit holds.
using AxisHits = std::array<bool, 6>; ///< tx, ty, tz, rx, ry, rz

/// Poses the joint of a constraint. `local` and `model` are final above the joint, and hold its FK pose, or what
/// constraints before have made of it. Limits of active axes hold. A constraint turns active axes alone, and slides
/// those that are active; a joint without active sliding axes it places as a hand does. Fills `hits`.
[[nodiscard]] ConstrainedJoint constrained(const CompiledRig& rig, const Handle& handle, const HandleTarget& target,
                                           const LocalPose& local, const ModelPose& model, AxisHits& hits);

/// The joint `share` (0 ... 1) of the way from one pose to another: the shortest way round, within its limits.
[[nodiscard]] JointPose blended(const Joint& joint, const JointPose& from, const JointPose& to, double share);

/// What is left of a constraint's goal in a pose, in the axes that it asks for.
struct ConstraintMiss
{
    double position = 0; ///< [m]
    double rotation = 0; ///< [rad]
};
[[nodiscard]] ConstraintMiss missOfConstraint(const CompiledRig& rig, const Handle& handle, const HandleTarget& target,
                                              const LocalPose& local, const ModelPose& model);

} // namespace tendon
