#pragma once

#include "core/runtime/CompiledRig.h"
#include "core/runtime/Pose.h"

namespace tendon {

/// Which way a chain bends in a pose.
struct ChainBend
{
    Vector3 start = Vector3::Zero();     ///< [m] model space: pivot of the first joint
    Vector3 end = Vector3::Zero();       ///< the effector
    Vector3 direction = Vector3::Zero(); ///< unit, square to start -> end, to where the chain bends; 0 when straight
    double reach = 0;                    ///< [m] length along the chain's joints
};

/// The bend is where the mean of the inner joints lies, seen from the line start -> effector (as solvers' kit counts
/// it). `start` is at or above `end`; the effector is the point `offset` of `end`.
[[nodiscard]] ChainBend chainBend(const CompiledRig& rig, const ModelPose& model, JointIndex start, JointIndex end,
                                  const Vector3& offset);

} // namespace tendon
