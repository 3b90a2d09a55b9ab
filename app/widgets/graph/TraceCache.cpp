#include "app/widgets/graph/TraceCache.h"

#include <cmath>

namespace tendon::editor {

TraceCache::Line TraceCache::lineOf(const GraphCurve& curve, FrameRate fps, const TimeAxis& axis, int from, int to)
{
    constexpr int kMargin = 64; // columns that are computed ahead
    constexpr int kMaxColumns = 16'000;
    constexpr double kSameColumn = 0.01;
    Trace& trace = m_traces[curve.id];
    // Where a column of the trace is now: panned by whole pixels it is a column of this axis.
    const double moved = axis.x(trace.axis.first) - trace.axis.left, shift = std::round(moved);
    const bool isSameScale = trace.to >= trace.from && trace.keys.isSame(curve.keys) &&
                             std::abs(axis.pixelsPerFrame() - trace.axis.pixelsPerFrame()) <=
                                 1e-9 * axis.pixelsPerFrame() &&
                             std::abs(moved - shift) < kSameColumn && std::abs(shift) < kMaxColumns;
    const int first = from - static_cast<int>(isSameScale ? shift : 0),
              last = to - static_cast<int>(isSameScale ? shift : 0);
    const auto compute = [&](int begin, int end) {
        return traceCurve(*curve.keys, curve.property(), curve.id.component, *curve.summary, fps, trace.axis, begin,
                          end);
    };
    const bool isNear = first <= trace.to + 1 && last >= trace.from - 1 &&
                        std::max(last, trace.to) - std::min(first, trace.from) < kMaxColumns;
    if (!isSameScale || !isNear) {
        trace.keys = curve.keys;
        trace.axis = axis;
        trace.from = from - kMargin;
        trace.to = to + kMargin;
        trace.points = compute(trace.from, trace.to);
    } else {
        if (first < trace.from) {
            const int begin = first - kMargin;
            const auto more = compute(begin, trace.from - 1);
            trace.points.insert(trace.points.begin(), more.begin(), more.end());
            trace.from = begin;
        }
        if (last > trace.to) {
            const int end = last + kMargin;
            const auto more = compute(trace.to + 1, end);
            trace.points.insert(trace.points.end(), more.begin(), more.end());
            trace.to = end;
        }
    }
    const double columns = trace.to - trace.from + 1;
    return {&trace.points, axis.x(trace.axis.first) - trace.axis.left,
            static_cast<double>(trace.points.size()) > 1.5 * columns};
}

} // namespace tendon::editor
