#include "app/widgets/graph/CurveTrace.h"

#include "core/runtime/KeySampling.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace tendon::editor {

std::int64_t ticksAt(FrameRate fps, double frame)
{
    constexpr double kMaxTicks = 4e18;
    return std::llround(std::clamp(frame / fps.perSecond() * Time::kTicksPerSecond, -kMaxTicks, kMaxTicks));
}

namespace {

/// Least and greatest value between two times where the keys are repeated; none if too few of them lie there to be
/// more than what is sampled, and for whole rotations that turn on: the keys do not say what those are.
std::optional<CurveSummary::Range> repeatedRange(const KeyList& keys, Property property, int component,
                                                 const CurveSummary& summary, Time begin, Time end)
{
    const Repeat early = repeatAt(keys, begin), late = repeatAt(keys, end);
    const auto c = static_cast<std::size_t>(component);
    const bool isShifted = (begin > keys.back().time ? keys.after() : keys.before()) == Infinity::CycleOffset;
    if (isShifted && isQuaternion(property)) return std::nullopt;
    const double shift = isShifted ? keys.back().value[c] - keys.front().value[c] : 0;
    std::optional<CurveSummary::Range> range;
    std::size_t count = 0;
    const auto add = [&](std::int64_t from, std::int64_t to, std::int64_t cycle) {
        const std::size_t first = summary.countBefore(from), last = summary.countBefore(to + 1);
        if (first >= last) return;
        count += last - first;
        CurveSummary::Range part = summary.range(component, first, last);
        part.low += static_cast<double>(cycle) * shift;
        part.high += static_cast<double>(cycle) * shift;
        range = range ? CurveSummary::Range{std::min(range->low, part.low), std::max(range->high, part.high)} : part;
    };
    const std::int64_t front = keys.front().time.ticks, back = keys.back().time.ticks;
    const auto from = [&](const Repeat& repeat) { // to the end of its cycle
        repeat.isBackward ? add(front, repeat.inside.ticks, repeat.cycles)
                          : add(repeat.inside.ticks, back, repeat.cycles);
    };
    const auto upTo = [&](const Repeat& repeat) {
        repeat.isBackward ? add(repeat.inside.ticks, back, repeat.cycles)
                          : add(front, repeat.inside.ticks, repeat.cycles);
    };
    if (early.cycles == late.cycles) {
        const auto [low, high] = std::minmax(early.inside.ticks, late.inside.ticks);
        add(low, high, early.cycles);
    } else {
        from(early);
        if (late.cycles > early.cycles + 1) { // of whole cycles the first or the last is the least or the greatest
            add(front, back, early.cycles + 1);
            add(front, back, late.cycles - 1);
        }
        upTo(late);
    }
    return count >= 2 ? range : std::nullopt;
}

} // namespace

std::vector<TracePoint> traceCurve(const KeyList& keys, Property property, int component, const CurveSummary& summary,
                                   FrameRate fps, const TimeAxis& axis, int from, int to)
{
    const auto c = static_cast<std::size_t>(component);
    std::vector<TracePoint> points;
    points.reserve(2 * static_cast<std::size_t>(std::max(0, to - from + 1)));
    KeySegment segment;
    const auto sample = [&](std::int64_t ticks) {
        const Time time{ticks};
        if (isInfinite(keys, time)) return sampleKeys(keys, property, time)[c];
        if (!segment.contains(time)) segment = segmentAt(keys, property, time);
        return sampleSegment(segment, property, time)[c];
    };
    std::size_t next = summary.countBefore(ticksAt(fps, axis.frame(from)));
    for (int x = from; x <= to; ++x) {
        const std::int64_t begin = ticksAt(fps, axis.frame(x)), end = ticksAt(fps, axis.frame(x + 1));
        std::size_t last = next;
        while (last < summary.size() && last < next + 2 && summary.ticks(last) < end) ++last;
        if (last == next + 2) last = summary.countBefore(end);
        const auto addRange = [&](const CurveSummary::Range& range) {
            const bool isFalling = !points.empty() && points.back().value > (range.low + range.high) / 2;
            points.push_back({x + 0.25, isFalling ? range.high : range.low});
            points.push_back({x + 0.75, isFalling ? range.low : range.high});
        };
        if (last == next) {
            const bool isRepeated = keys.size() > 1 && ((isRepeat(keys.after()) && begin > keys.back().time.ticks) ||
                                                        (isRepeat(keys.before()) && end <= keys.front().time.ticks));
            const auto range = isRepeated
                                   ? repeatedRange(keys, property, component, summary, Time{begin}, Time{end - 1})
                                   : std::nullopt;
            if (range)
                addRange(*range);
            else
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
            addRange(summary.range(component, next, last));
        }
        next = last;
    }
    return points;
}

} // namespace tendon::editor
