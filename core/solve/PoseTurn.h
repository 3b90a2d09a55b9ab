#pragma once

#include "core/runtime/CompiledRig.h"
#include "core/runtime/Pose.h"

#include <span>
#include <vector>

namespace tendon {

/// The joint that turns farthest from one pose to another.
struct PoseTurn
{
    double angle = 0; ///< [rad] in its parent's space
    JointIndex joint = -1;
};

[[nodiscard]] PoseTurn largestTurn(const LocalPose& from, const LocalPose& to, std::span<const JointIndex> joints);

/// The joints of a handle's chain, its start first. Precondition: the handle is one of the rig's.
[[nodiscard]] std::vector<JointIndex> chainOf(const CompiledRig& rig, const Handle& handle);

} // namespace tendon
