#include "app/widgets/graph/CurveTrace.h"

#include "core/runtime/KeySampling.h"

#include <cmath>

namespace tendon::editor {

std::int64_t ticksAt(FrameRate fps, double frame)
{
    constexpr double kMaxTicks = 4e18;
    return std::llround(std::clamp(frame / fps.perSecond() * Time::kTicksPerSecond, -kMaxTicks, kMaxTicks));
}

std::vector<TracePoint> traceCurve(const KeyList& keys, Property property, int component, const CurveSummary& summary,
                                   FrameRate fps, const TimeAxis& axis, int from, int to)
{
    const auto c = static_cast<std::size_t>(component);
    std::vector<TracePoint> points;
    points.reserve(2 * static_cast<std::size_t>(std::max(0, to - from + 1)));
    KeySegment segment;
    const auto sample = [&](std::int64_t ticks) {
        const Time time{ticks};
        if (!segment.contains(time)) segment = segmentAt(keys, property, time);
        return sampleSegment(segment, property, time)[c];
    };
    std::size_t next = summary.countBefore(ticksAt(fps, axis.frame(from)));
    for (int x = from; x <= to; ++x) {
        const std::int64_t begin = ticksAt(fps, axis.frame(x)), end = ticksAt(fps, axis.frame(x + 1));
        std::size_t last = next;
        while (last < summary.size() && last < next + 2 && summary.ticks(last) < end) ++last;
        if (last == next + 2) last = summary.countBefore(end);
        if (last == next) {
            points.push_back({static_cast<double>(x), sample(begin)});
        } else if (last == next + 1) {
            // The corner at a key is where the key is, and a step is upright.
            const std::int64_t ticks = summary.ticks(next);
            const double at = axis.x(fps.frameAt(Time{ticks}));
            const bool isStep = next > 0 && keys[next - 1].interpolation == Interpolation::Step;
            if (isStep)
                points.push_back({at, sample(ticks - 1)});
            else if (ticks > begin)
                points.push_back({static_cast<double>(x), sample(begin)});
            points.push_back({at, sample(ticks)});
        } else {
            const CurveSummary::Range range = summary.range(component, next, last);
            const bool isFalling = !points.empty() && points.back().value > (range.low + range.high) / 2;
            points.push_back({x + 0.25, isFalling ? range.high : range.low});
            points.push_back({x + 0.75, isFalling ? range.low : range.high});
        }
        next = last;
    }
    return points;
}

} // namespace tendon::editor
