#include "core/scene/Time.h"

#include <cmath>
#include <numeric>

namespace tendon {

Time Time::fromSeconds(double seconds) { return {std::llround(seconds * static_cast<double>(kTicksPerSecond))}; }

Time FrameRate::timeOf(double frame) const
{
    // Long double keeps whole frames exact far beyond any clip.
    const long double ticks = static_cast<long double>(frame) * denominator * Time::kTicksPerSecond / numerator;
    return {std::llroundl(ticks)};
}

double FrameRate::frameAt(Time time) const
{
    return static_cast<double>(static_cast<long double>(time.ticks) * numerator /
                               (static_cast<long double>(Time::kTicksPerSecond) * denominator));
}

FrameRate FrameRate::fromValue(double value)
{
    const double whole = std::round(value);
    if (std::abs(value - whole) < 1e-9) return {static_cast<std::int32_t>(whole), 1};
    // NTSC rates are a whole number times 1000/1001; people type two or three decimals of them.
    const double ntsc = std::round(value * 1.001);
    if (std::abs(value - ntsc / 1.001) < 0.006 && std::abs(value - whole) > 0.009)
        return {static_cast<std::int32_t>(ntsc) * 1000, 1001};
    const auto thousandths = static_cast<std::int32_t>(std::round(value * 1000));
    const std::int32_t common = std::gcd(thousandths, 1000);
    return {thousandths / common, 1000 / common};
}

} // namespace tendon
