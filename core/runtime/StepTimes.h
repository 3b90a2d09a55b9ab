#pragma once

#include "core/scene/Time.h"

#include <cmath>
#include <limits>
#include <vector>

namespace tendon {

// A step of a held value is two samples of a bake: the last moment of the old value, and the step.

/// The last moment before `time` that a file can tell from it: files store seconds in single precision.
[[nodiscard]] inline Time justBefore(Time time)
{
    const float before = std::nextafter(static_cast<float>(time.seconds()), -std::numeric_limits<float>::infinity());
    const Time rounded = Time::fromSeconds(static_cast<double>(before));
    return rounded < time ? rounded : Time{time.ticks - 1};
}

/// True if sample `s` of a bake is the last moment before the next one, a step.
[[nodiscard]] inline bool isBeforeStep(const std::vector<Time>& times, std::size_t s)
{
    return s + 1 < times.size() && times[s] >= justBefore(times[s + 1]);
}

} // namespace tendon
