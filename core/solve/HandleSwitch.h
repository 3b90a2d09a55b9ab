#pragma once

#include "core/base/Result.h"
#include "core/solve/ChannelWrite.h"
#include "core/solve/SolvedPoses.h"

namespace tendon {

/// The values that switch a handle's chain from FK to IK or back at one time, without a jump of the pose.
struct HandleSwitch
{
    ChannelWrites writes;    ///< of the handle and its joints, including the blend
    double positionJump = 0; ///< [m] largest remaining jump of a joint of the chain or of the effector
    double rotationJump = 0; ///< [rad] of the end joint
};

enum class SwitchTo {
    Ik, ///< IK that shows the FK pose (the pose at blend 0): goal, and pole or twist, then blend 1
    Fk, ///< FK that shows the solved pose: every joint that the handle moves, then blend 0
};

/// The values that switch a handle at one moment. Errors: no such handle, a solver that is missing or cannot take its
/// chain, a scene that does not compile.
[[nodiscard]] Result<HandleSwitch> switchHandle(SolvedPoses& poses, const Scene& scene, const Clip* clip,
                                                const PendingValues& pending, Time time, HandleId handle, SwitchTo to);

/// What remains of the jump to the FK pose where the handle is wholly blended in with these values instead. Errors: as
/// above.
[[nodiscard]] Result<HandleSwitch> switchHandleWith(SolvedPoses& poses, const Scene& scene, const Clip* clip,
                                                    const PendingValues& pending, Time time, HandleId handle,
                                                    ChannelWrites writes);

} // namespace tendon
