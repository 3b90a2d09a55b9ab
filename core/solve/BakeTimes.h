#pragma once

#include "core/scene/Clip.h"
#include "core/scene/Time.h"

#include <cstdint>
#include <vector>

namespace tendon {

/// Which times a bake samples beside frames.
enum class BakedKeys {
    All,      ///< every key of the clip, on a frame or not
    OnFrames, ///< none: a key counts where it is on a frame, and a step between frames is on the next frame
};

/// The times to sample so that linear interpolation between the samples follows the clip: every frame of `fps` within
/// [from, to], both ends exactly, keys of the clip between frames, and the last tick before each key that ends a step,
/// when the old value still holds. If a key is almost on a frame (imported times are rounded), only the key's time is
/// sampled. With BakedKeys::OnFrames, one sample a frame, both ends, and the last tick before each frame on which a
/// step ends. Strictly increasing, also as seconds in single precision, in which files store them. Precondition: from
/// <= to.
[[nodiscard]] std::vector<Time> bakeTimes(const Clip& clip, FrameRate fps, Time from, Time to,
                                          BakedKeys which = BakedKeys::All);

/// How many frames such times have: a key that stands in for a frame is one, and a step's two samples are one frame.
[[nodiscard]] std::int64_t countFrames(const std::vector<Time>& times, FrameRate fps);

} // namespace tendon
