#pragma once

#include "core/document/Draft.h"

#include <span>

namespace tendon {

/// The clip has keys that move the end of a chain from `start` to `end`: of one of its joints, or if there are others,
/// of one above its end. A goal without keys would stand still there.
[[nodiscard]] bool movesChain(const Scene& scene, const Clip& clip, JointId start, JointId end);

/// Keys what handles ask for (goal, pole or twist, curve) so that they show the motion of the current clip as it is
/// without them: at each time at which the chain, a joint above it or what it follows has a key, and at frames between
/// those where the goal would leave the motion by a thousandth of the chain's length. Precondition: there is a clip.
/// Returns the largest number of times at which a handle is keyed.
[[nodiscard]] Result<std::size_t> keyGoalsAlongMotion(Draft& draft, std::span<const HandleId> handles);

/// Whether a handle leaves its joints alone throughout a clip.
[[nodiscard]] bool isBlendedOut(const Scene& scene, const Clip& clip, const Handle& handle);

/// Leaves the joints of a handle to their keys in a clip: its blend is 0 from the clip's first key on.
[[nodiscard]] Result<void> keyBlendOff(Draft& draft, const Clip& clip, HandleId handle);

} // namespace tendon
