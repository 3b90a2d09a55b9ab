#pragma once

#include <compare>
#include <cstdint>

namespace tendon {

/// A time as a whole number of ticks, so that equal frames compare equal. One tick is 1/705 600 000 s, a "flick": a
/// frame at 24, 25, 30, 48, 50, 60, 90, 100, 120 and at NTSC's n x 1000/1001 fps is a whole number of ticks.
struct Time
{
    static constexpr std::int64_t kTicksPerSecond = 705'600'000;

    std::int64_t ticks = 0;

    [[nodiscard]] constexpr double seconds() const { return static_cast<double>(ticks) / kTicksPerSecond; }
    /// The tick nearest to `seconds`, at most 0.7 ns away. Precondition: `seconds` is within +-10^9.
    [[nodiscard]] static Time fromSeconds(double seconds);

    constexpr auto operator<=>(const Time&) const = default;
};

/// Frames per second as a fraction: 24/1, 30000/1001, ...
struct FrameRate
{
    std::int32_t numerator = 24;
    std::int32_t denominator = 1;

    [[nodiscard]] constexpr double perSecond() const { return static_cast<double>(numerator) / denominator; }
    /// The time of a frame: frame F is at F / fps seconds.
    [[nodiscard]] Time timeOf(double frame) const;
    [[nodiscard]] double frameAt(Time time) const;
    /// The exact rate that a decimal such as 29.97, 23.976 or 12.5 stands for: an NTSC fraction if it is near one,
    /// otherwise thousandths. Precondition: 0 < value <= 10000.
    [[nodiscard]] static FrameRate fromValue(double value);

    bool operator==(const FrameRate&) const = default;
};

} // namespace tendon
