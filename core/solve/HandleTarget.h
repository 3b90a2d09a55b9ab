#pragma once

#include "core/runtime/CompiledRig.h"
#include "core/runtime/Pose.h"
#include "core/runtime/PoseSampler.h"
#include "core/scene/GoalPose.h"

#include <tendon/sdk/Goal.h>

#include <optional>
#include <vector>

namespace tendon {

/// What a handle asks for at one frame, in the world.
struct HandleTarget
{
    GoalPose goal;                                  ///< in the world
    Affine worldFromSpace = Affine::Identity();     ///< that values of the goal and the curve are given in now
    Affine worldFromPoleSpace = Affine::Identity(); ///< the same of the pole
    std::optional<Vector3> pole;                    ///< [m] none = the handle has no pole
    double twist = 0;                               ///< [rad]
    double roll = 0;                                ///< [rad] of a chain along a curve
    std::vector<Vector3> curve;            ///< [m] its control points in the world; none = the handle has no curve
    std::optional<Vector3> startUp, endUp; ///< [m] what the chain's start and its last bone face; none = nothing
    double blend = 0;                      ///< 0 FK ... 1 IK
    double weight = 0;                     ///< >= 0

    /// False: the handle leaves its joints at the FK pose.
    [[nodiscard]] bool isActive() const { return blend > 0 && weight > 0; }
};

/// What a handle asks of its end.
[[nodiscard]] inline sdk::GoalKind goalKindOf(const Handle& handle)
{
    if (handle.aimAxis) return sdk::GoalKind::Aim;
    return handle.orientationWeight > 0 ? sdk::GoalKind::Pose : sdk::GoalKind::Position;
}

/// The joint above the handle's start, if it carries the handle's goal and pole (Handle::isCarried()); else -1.
[[nodiscard]] JointIndex carrierOf(const CompiledRig& rig, const Handle& handle);

/// Samples handle `index` of rig.handles into `target`, whose memory is used again. The joints that it follows
/// (CompiledRig::followed), and the one that carries it, must be final in `model`.
void sampleTarget(const CompiledRig& rig, std::size_t index, PoseSampler& sampler, const PendingValues& pending,
                  Time time, const ModelPose& model, HandleTarget& target);

} // namespace tendon
