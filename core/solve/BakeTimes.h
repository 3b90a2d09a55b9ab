#pragma once

#include "core/scene/Clip.h"
#include "core/scene/Time.h"

#include <vector>

namespace tendon {

/// The moments to sample so that replaying the samples linearly follows the clip: every frame of `fps` within
/// [from, to], both ends exactly, the clip's keys that fall off the frames, and just before each key that ends a step
/// the moment at which the old value still holds. A frame that a key all but meets (imported times are rounded) gives
/// way to the key. Strictly increasing, also as seconds in single precision, in which files store them. Precondition:
/// from <= to.
[[nodiscard]] std::vector<Time> bakeTimes(const Clip& clip, FrameRate fps, Time from, Time to);

} // namespace tendon
