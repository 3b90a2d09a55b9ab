#include "core/runtime/CurveSlope.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace tendon {

ChannelValue withSignOf(const ChannelValue& reference, ChannelValue value, Property property)
{
    double dot = 0;
    for (std::size_t c = 0; c < value.size(); ++c) dot += reference[c] * value[c];
    if (isQuaternion(property) && dot < 0)
        for (double& number : value) number = -number;
    return value;
}

bool areNear(const ChannelValue& a, const ChannelValue& b, double tolerance)
{
    for (std::size_t c = 0; c < a.size(); ++c)
        if (!(std::abs(a[c] - b[c]) <= tolerance * (1 + std::abs(a[c])))) return false;
    return true;
}

ChannelValue slopeWithin(const std::function<ChannelValue(Time)>& valueAt, Property property, const Key& at, Time other)
{
    const std::int64_t step = (other.ticks - at.time.ticks) / 32;
    if (step == 0) return {};
    std::array<ChannelValue, 4> values{at.value};
    for (std::size_t i = 1; i < values.size(); ++i)
        values[i] = withSignOf(at.value, valueAt({at.time.ticks + static_cast<std::int64_t>(i) * step}), property);
    ChannelValue slope{};
    for (std::size_t c = 0; c < slope.size(); ++c)
        slope[c] = (-11 * values[0][c] + 18 * values[1][c] - 9 * values[2][c] + 2 * values[3][c]) /
                   (6 * Time{step}.seconds());
    return slope;
}

} // namespace tendon
