#pragma once

#include <algorithm>

namespace tendon {

/// From 0 to 1 as `u` goes from 0 to 1, level at both ends: the cubic Hermite 3u² - 2u³.
constexpr double smoothStep(double u) { return u * u * (3 - 2 * u); }

/// The same as `value` goes from `from` to `to`; 0 before and 1 beyond.
constexpr double smoothStep(double from, double to, double value)
{
    return smoothStep(std::clamp((value - from) / (to - from), 0.0, 1.0));
}

} // namespace tendon
