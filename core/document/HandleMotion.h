#pragma once

#include "core/document/Draft.h"

namespace tendon {

/// The clip has keys that move the end of a chain from `start` to `end`: of one of its joints, or if there are others,
/// of one above its end. A goal without keys would stand still there.
[[nodiscard]] bool movesChain(const Scene& scene, const Clip& clip, JointId start, JointId end);

/// Keys what a handle asks for (goal, pole or twist, curve) so that it shows the motion of the current clip as it is
/// without the handle: at each time at which the chain or a joint above it has a key. Precondition: there is a clip.
/// Returns the number of those times.
[[nodiscard]] Result<std::size_t> keyGoalAlongMotion(Draft& draft, HandleId handle);

} // namespace tendon
