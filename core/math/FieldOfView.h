#pragma once

#include <cmath>

namespace tendon {

/// The angle that a picture spans across a side `ratio` times as long as the one that spans `angle`: of the width,
/// given that of the height, with ratio = width / height; and back with its inverse. [rad] Precondition: 0 < angle <
/// pi.
[[nodiscard]] inline double fieldOfViewAcross(double angle, double ratio)
{
    return 2 * std::atan(std::tan(angle / 2) * ratio);
}

} // namespace tendon
