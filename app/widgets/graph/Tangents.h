#pragma once

#include "app/widgets/graph/GraphDrag.h"
#include "app/widgets/graph/GraphPaint.h"

#include <memory>
#include <optional>
#include <vector>

namespace tendon::editor {

/// The end of a tangent of a selected key, which is dragged to change the slope there.
struct TangentHandle
{
    CurveId curve;
    std::int64_t ticks = 0; ///< of the key
    bool isOut = false;     ///< else into the key
    double slope = 0;       ///< of the channel, per second
    double weight = 0;      ///< share of the interval that it reaches into
    double seconds = 0;     ///< length of that interval
    QPointF key, end;       ///< [px] it ends at weight x interval in time, and at weight x interval x slope in value
};

/// Of the selected keys, where they have a Bezier segment on that side. None where too many are selected to be read.
[[nodiscard]] std::vector<TangentHandle> tangentHandles(const GraphCanvas& canvas);
[[nodiscard]] std::optional<TangentHandle> tangentAt(const GraphCanvas& canvas, QPointF at);
void paintTangents(QPainter& painter, const GraphCanvas& canvas);

/// Turns a tangent: both sides of its key alike if they are in one line, or with Ctrl that side alone. With Shift the
/// tangents of all selected keys on that side turn by as much. Where tangents are weighted, it changes their length,
/// too.
[[nodiscard]] std::unique_ptr<GraphDrag> dragTangent(GraphState& state, const GraphCanvas& canvas,
                                                     const TangentHandle& handle, QPointF from,
                                                     Qt::KeyboardModifiers modifiers);

} // namespace tendon::editor
