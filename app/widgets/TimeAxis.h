#pragma once

#include <algorithm>
#include <cmath>

namespace tendon::editor {

/// Maps frames to pixels and back, for the ruler, the keys and the dope sheet.
struct TimeAxis
{
    double first = 1, last = 100; ///< frames at the ends
    double left = 0, width = 100; ///< pixels

    [[nodiscard]] double x(double frame) const { return left + (frame - first) / std::max(1e-9, last - first) * width; }
    [[nodiscard]] double frame(double x) const { return first + (x - left) / std::max(1.0, width) * (last - first); }
    [[nodiscard]] double pixelsPerFrame() const { return width / std::max(1e-9, last - first); }

    /// Frames between labelled ticks, so that labels stand at least `minimum` pixels apart: 1, 2, 5, 10, 20, ...
    [[nodiscard]] int labelStep(double minimum) const
    {
        int step = 1;
        for (int i = 0; step * pixelsPerFrame() < minimum && i < 20; ++i) step = i % 3 == 1 ? step / 2 * 5 : step * 2;
        return std::max(1, step);
    }
};

} // namespace tendon::editor
