#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

namespace tendon {

/// A time nearer than this to a frame is on it: source files store seconds as 32-bit floats, and so have frame 5.99997.
inline constexpr double kNearWholeFrame = 1e-3; // [frames]

/// The same far from frame 0. A step of time that is written with six digits (0.033333) is short by a
/// hundred-thousandth.
[[nodiscard]] inline double nearWholeFrame(double frame)
{
    constexpr double kShare = 2e-5, kMost = 0.1;
    return std::clamp(kShare * std::abs(frame), kNearWholeFrame, kMost);
}

/// The whole frame that a number means, however Tendon or another program has written it. None: it is between frames,
/// or beyond all times.
[[nodiscard]] inline std::optional<int> wholeFrame(double frame)
{
    constexpr double kMost = 1e8;
    const double nearest = std::round(frame);
    const bool isWhole = std::abs(frame) <= kMost && std::abs(frame - nearest) <= nearWholeFrame(frame); // not NaN
    return isWhole ? std::optional(static_cast<int>(nearest)) : std::nullopt;
}

/// A frame as it is told to people: whole where it is on one.
[[nodiscard]] inline double toldFrame(double frame)
{
    const std::optional<int> whole = wholeFrame(frame);
    return whole ? *whole : frame;
}

} // namespace tendon
