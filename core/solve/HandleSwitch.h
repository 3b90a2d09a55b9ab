#pragma once

#include "core/base/Result.h"
#include "core/solve/ChannelWrite.h"
#include "core/solve/SolverRegistry.h"

namespace tendon {

/// Values that hand a handle's chain over from FK to IK or back at one moment, without the pose jumping.
struct HandleSwitch
{
    ChannelWrites writes;    ///< of the handle and its joints, the blend included
    double positionJump = 0; ///< [m] largest distance that a joint of the chain or the effector still jumps
    double rotationJump = 0; ///< [rad] the end joint's
};

/// IK that shows the FK pose (the pose at blend 0): goal, and pole or twist, then blend 1. Errors: no such handle, a
/// scene that does not evaluate.
[[nodiscard]] Result<HandleSwitch> switchToIk(const Scene& scene, const Clip* clip, const PendingValues& pending,
                                              Time time, const SolverRegistry& registry, HandleId handle);

/// FK that shows the solved pose: every joint that the handle moves, then blend 0.
[[nodiscard]] Result<HandleSwitch> switchToFk(const Scene& scene, const Clip* clip, const PendingValues& pending,
                                              Time time, const SolverRegistry& registry, HandleId handle);

} // namespace tendon
