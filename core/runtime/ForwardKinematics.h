#pragma once

#include "core/runtime/CompiledRig.h"
#include "core/runtime/Pose.h"

#include <span>

namespace tendon {

/// modelFromJoint of joints [from, to) out of their local transforms. Parents before `from` must be up to date.
/// Never allocates when `pose` has been sized.
void forwardKinematics(const CompiledRig& rig, const LocalPose& local, ModelPose& pose, JointIndex from, JointIndex to);

/// The same for all joints; sizes `pose`.
void forwardKinematics(const CompiledRig& rig, const LocalPose& local, ModelPose& pose);

} // namespace tendon
