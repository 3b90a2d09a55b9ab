#pragma once

#include "core/runtime/CompiledRig.h"
#include "core/runtime/Pose.h"

#include <span>

namespace tendon {

/// Computes modelFromJoint of the joints [from, to) from their local transforms. Parents before `from` must be up to
/// date. Never allocates if `pose` has the right size.
void forwardKinematics(const CompiledRig& rig, const LocalPose& local, ModelPose& pose, JointIndex from, JointIndex to);

/// The same for all joints; resizes `pose`.
void forwardKinematics(const CompiledRig& rig, const LocalPose& local, ModelPose& pose);

} // namespace tendon
