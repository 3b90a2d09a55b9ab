#pragma once

#include <array>
#include <string_view>

namespace tendon::project {

// The words that project files use for enumerations, in the order of their values. Those of keys:
// core/scene/KeyWords.h.
inline constexpr std::array<std::string_view, 6> kRotationOrders = {"xyz", "yzx", "zxy", "xzy", "yxz", "zyx"};
inline constexpr std::array<std::string_view, 6> kShapes = {"none", "box", "cylinder", "sphere", "torus", "cone"};
inline constexpr std::array<std::string_view, 3> kAxes = {"x", "y", "z"};

} // namespace tendon::project
