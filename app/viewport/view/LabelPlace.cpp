#include "app/viewport/view/LabelPlace.h"

#include <algorithm>
#include <limits>

namespace tendon::viewport {

bool covers(const Vector2& middle, const Vector2& size, const PixelLine& line)
{
    // What is left of the line after each side of the plate has cut its part away.
    double from = 0, to = 1;
    const Vector2 way = line[1] - line[0];
    for (int axis = 0; axis < 2; ++axis) {
        const double low = middle[axis] - size[axis] / 2 - line[0][axis], high = low + size[axis];
        if (way[axis] == 0) {
            if (low > 0 || high < 0) return false;
            continue;
        }
        const double a = low / way[axis], b = high / way[axis];
        from = std::max(from, std::min(a, b));
        to = std::min(to, std::max(a, b));
    }
    return from <= to;
}

Vector2 placeBeside(const Vector2& at, const Vector2& size, double gap, std::span<const PixelLine> lines,
                    const Vector2& viewSize)
{
    // Right first: that is where a label is looked for.
    constexpr double kWays[][2] = {{1, 0}, {-1, 0}, {1, -1}, {1, 1}, {-1, -1}, {-1, 1}, {0, -1}, {0, 1}};
    constexpr int kRings = 7;
    Vector2 best = at;
    std::size_t fewest = std::numeric_limits<std::size_t>::max();
    for (int ring = 0; ring < kRings && fewest > 0; ++ring)
        for (const auto& way : kWays) {
            const double away = gap * (1 + ring);
            const Vector2 middle = at + Vector2(way[0] * (away + size.x() / 2), way[1] * (away + size.y() / 2));
            const bool isInside = middle.x() >= size.x() / 2 && middle.x() <= viewSize.x() - size.x() / 2 &&
                                  middle.y() >= size.y() / 2 && middle.y() <= viewSize.y() - size.y() / 2;
            if (!isInside) continue;
            const auto covered = static_cast<std::size_t>(std::count_if(
                lines.begin(), lines.end(), [&](const PixelLine& line) { return covers(middle, size, line); }));
            if (covered >= fewest) continue;
            fewest = covered;
            best = middle;
        }
    return best;
}

} // namespace tendon::viewport
