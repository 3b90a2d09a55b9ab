#pragma once

#include <numbers>

namespace tendon {

// Angles are radians inside, and degrees where users and scripts read and write them.

inline constexpr double kDegrees = 180 / std::numbers::pi; ///< degrees in one radian

[[nodiscard]] constexpr double radians(double degrees) { return degrees * (std::numbers::pi / 180); }
[[nodiscard]] constexpr double degrees(double radians) { return radians * kDegrees; }

} // namespace tendon
