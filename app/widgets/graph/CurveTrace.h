#pragma once

#include "app/widgets/TimeAxis.h"
#include "app/widgets/graph/CurveSummary.h"
#include "core/scene/Time.h"

#include <vector>

namespace tendon::editor {

struct TracePoint
{
    double x;     ///< [px]
    double value; ///< as in the channel
};

/// One component of a channel as a line from pixel column `from` to `to` of the axis: at most two points a column,
/// however many keys lie in it. Where a column has several keys, the two are their least and greatest value, so no peak
/// is lost. Before and after the keys it goes on as their infinities say. Precondition: keys is not empty, and
/// `summary` is of them.
[[nodiscard]] std::vector<TracePoint> traceCurve(const KeyList& keys, Property property, int component,
                                                 const CurveSummary& summary, FrameRate fps, const TimeAxis& axis,
                                                 int from, int to);

/// Ticks of a place between frames, for drawing: not rounded to ticks of a whole frame, and of any size.
[[nodiscard]] std::int64_t ticksAt(FrameRate fps, double frame);

} // namespace tendon::editor
