#pragma once

#include <algorithm>
#include <cmath>

namespace tendon::editor {

/// Maps shown values to pixels and back: beside TimeAxis, the other axis of the graph. Values grow upwards.
struct ValueAxis
{
    double low = -1, high = 1;    ///< values at the lower and the upper end
    double top = 0, height = 100; ///< pixels

    [[nodiscard]] double y(double value) const { return top + (high - value) * pixelsPerUnit(); }
    [[nodiscard]] double value(double y) const { return high - (y - top) / pixelsPerUnit(); }
    [[nodiscard]] double pixelsPerUnit() const { return std::max(1.0, height) / std::max(kMinSpan, high - low); }

    /// Values between labelled lines, so that they stand at least `minimum` pixels apart: 1, 2 or 5 times a power
    /// of 10.
    [[nodiscard]] double labelStep(double minimum) const
    {
        const double wanted = std::max(kMinSpan, minimum / pixelsPerUnit());
        const double power = std::pow(10.0, std::floor(std::log10(wanted)));
        for (const double factor : {1.0, 2.0, 5.0})
            if (power * factor >= wanted) return power * factor;
        return power * 10;
    }
    /// Digits behind the point that tell the labels of a step apart.
    [[nodiscard]] static int decimalsOf(double step)
    {
        return std::clamp(static_cast<int>(-std::floor(std::log10(step) + 1e-9)), 0, 9);
    }

    static constexpr double kMinSpan = 1e-9;
};

} // namespace tendon::editor
