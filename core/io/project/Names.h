#pragma once

#include <array>
#include <string_view>

namespace tendon::project {

// The words that project files use for enumerations, in the order of their values.
inline constexpr std::array<std::string_view, 6> kRotationOrders = {"xyz", "yzx", "zxy", "xzy", "yxz", "zyx"};
inline constexpr std::array<std::string_view, 6> kShapes = {"none", "box", "cylinder", "sphere", "torus", "cone"};
inline constexpr std::array<std::string_view, 3> kInterpolations = {"step", "linear", "bezier"};
inline constexpr std::array<std::string_view, 5> kTangentModes = {"auto", "free", "flat", "linear", "aligned"};
inline constexpr std::array<std::string_view, 5> kInfinities = {"constant", "linear", "cycle", "cycleOffset",
                                                                "oscillate"};
inline constexpr std::array<std::string_view, 3> kAxes = {"x", "y", "z"};

} // namespace tendon::project
