#pragma once

#include "core/scene/Clip.h"
#include "core/scene/Time.h"

#include <vector>

namespace tendon {

/// The times to sample so that linear interpolation between the samples follows the clip: every frame of `fps` within
/// [from, to], both ends exactly, keys of the clip between frames, and the last tick before each key that ends a step,
/// when the old value still holds. If a key is almost on a frame (imported times are rounded), only the key's time is
/// sampled. Strictly increasing, also as seconds in single precision, in which files store them.
/// Precondition: from <= to.
[[nodiscard]] std::vector<Time> bakeTimes(const Clip& clip, FrameRate fps, Time from, Time to);

} // namespace tendon
