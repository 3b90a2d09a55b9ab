#pragma once

#include "core/document/Draft.h"

#include <span>

namespace tendon {

/// Poses joints as `pose` holds them, so that this is seen: each handle that moves one of them now is asked for what
/// shows the pose. Its goal is the pose's own where that shows it, too; of a chain of which only the end is posed it is
/// the pose's own in any case, and without one the whole chain is posed. In a clip,
/// joints that a handle moves keep their own keys and values where the pose is shown without: decision 0106. Warns of
/// handles that cannot show the pose.
[[nodiscard]] Result<void> poseShown(Draft& draft, const CopiedPose& pose, std::span<const JointId> joints);

} // namespace tendon
