#pragma once

#include <cmath>

namespace tendon {

/// Converts a field of view [rad] from one side of an image to the other, which is `ratio` times as long: from height
/// to width with ratio = width / height, and from width to height with the inverse.
/// Precondition: 0 < angle < pi.
[[nodiscard]] inline double fieldOfViewAcross(double angle, double ratio)
{
    return 2 * std::atan(std::tan(angle / 2) * ratio);
}

} // namespace tendon
