#pragma once

#include "core/scene/Clip.h"

#include <array>
#include <string_view>

namespace tendon {

// The words that project files and operations use for what keys are, in the order of the values.
inline constexpr std::array<std::string_view, 3> kInterpolationWords = {"step", "linear", "bezier"};
inline constexpr std::array<std::string_view, 5> kTangentModeWords = {"auto", "free", "flat", "linear", "aligned"};
inline constexpr std::array<std::string_view, 5> kInfinityWords = {"constant", "linear", "cycle", "cycleOffset",
                                                                   "oscillate"};
inline constexpr std::array<std::string_view, 6> kMarkerColorWords = {"blue",   "green", "yellow",
                                                                      "orange", "red",   "violet"};

[[nodiscard]] constexpr std::string_view wordOf(Interpolation interpolation)
{
    return kInterpolationWords[static_cast<std::size_t>(interpolation)];
}
[[nodiscard]] constexpr std::string_view wordOf(TangentMode mode)
{
    return kTangentModeWords[static_cast<std::size_t>(mode)];
}
[[nodiscard]] constexpr std::string_view wordOf(Infinity infinity)
{
    return kInfinityWords[static_cast<std::size_t>(infinity)];
}
[[nodiscard]] constexpr std::string_view wordOf(MarkerColor color)
{
    return kMarkerColorWords[static_cast<std::size_t>(color)];
}

} // namespace tendon
