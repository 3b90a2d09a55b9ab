#pragma once

#include "core/document/Draft.h"
#include "core/scene/HandleEdit.h"

namespace tendon {

/// Links a joint to another parent (none = root) so that it stays where it is in the world: in the rest pose, now, and
/// in every clip at each of its keys, as the parents are posed and solved there.
[[nodiscard]] Result<void> linkKeepingMotion(Draft& draft, JointId joint, JointId parent);

/// worldFromJoint (the world for "none") at a moment, solved.
[[nodiscard]] Result<Affine> worldOf(const Draft& draft, const Scene& scene, const Clip* clip,
                                     const PendingValues& pending, Time time, JointId joint);

} // namespace tendon
