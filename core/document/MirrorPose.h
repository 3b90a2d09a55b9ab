#pragma once

#include "core/document/Document.h"

namespace tendon {

/// A copied pose as in a mirror through `at` [m], across `axis` (0 x, 1 y, 2 z) of the world: what a joint did, its
/// counterpart on the other side does, and so for goals. Right for any rest orientations: turns are carried over as
/// turns from the rest pose in world axes. Joints and handles without a counterpart are left out.
[[nodiscard]] CopiedPose mirroredPose(const Scene& scene, const CopiedPose& pose, int axis,
                                      const Vector3& at = Vector3::Zero());

} // namespace tendon
