#pragma once

#include "core/scene/Time.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace tendon {

// A step of a held value is two samples of a bake: the last moment of the old value, and the step. Between two cycles,
// the old value still holds at the step; the two samples are then the step, and the first moment of the new value.

/// The last moment before `time` that a file can tell from it: files store seconds in single precision.
[[nodiscard]] inline Time justBefore(Time time)
{
    const float before = std::nextafter(static_cast<float>(time.seconds()), -std::numeric_limits<float>::infinity());
    const Time rounded = Time::fromSeconds(static_cast<double>(before));
    return rounded < time ? rounded : Time{time.ticks - 1};
}

/// The first moment after `time` that a file can tell from it, and that isBeforeStep() does not take for a step.
[[nodiscard]] inline Time justAfter(Time time)
{
    constexpr float kLater = std::numeric_limits<float>::infinity();
    constexpr std::int64_t kLeastTicks = 4;
    const float after = std::nextafter(std::nextafter(static_cast<float>(time.seconds()), kLater), kLater);
    return std::max(Time::fromSeconds(static_cast<double>(after)), Time{time.ticks + kLeastTicks});
}

/// True if sample `s` of a bake is the last moment before the next one, a step.
[[nodiscard]] inline bool isBeforeStep(const std::vector<Time>& times, std::size_t s)
{
    return s + 1 < times.size() && times[s] >= justBefore(times[s + 1]);
}

/// True if sample `s` of a bake is the first moment after a step, at which the old value still holds.
[[nodiscard]] inline bool isAfterStep(const std::vector<Time>& times, std::size_t s)
{
    return s > 0 && times[s] <= justAfter(times[s - 1]) && !isBeforeStep(times, s - 1);
}

/// True if sample `s` of a bake only keeps a step sharp: the sample beside it has the value at that time.
[[nodiscard]] inline bool isBesideStep(const std::vector<Time>& times, std::size_t s)
{
    return isBeforeStep(times, s) || isAfterStep(times, s);
}

} // namespace tendon
