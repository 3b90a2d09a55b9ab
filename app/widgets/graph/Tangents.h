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
    QPointF key, end;       ///< [px]
};

/// Of the selected keys, where they have a Bezier segment on that side. None where too many are selected to be read.
[[nodiscard]] std::vector<TangentHandle> tangentHandles(const GraphCanvas& canvas);
[[nodiscard]] std::optional<TangentHandle> tangentAt(const GraphCanvas& canvas, QPointF at);
void paintTangents(QPainter& painter, const GraphCanvas& canvas);

/// Turns a tangent: both sides of its key alike, or with `isBroken` that side alone.
[[nodiscard]] std::unique_ptr<GraphDrag> dragTangent(GraphState& state, const GraphCanvas& canvas,
                                                     const TangentHandle& handle, bool isBroken);

} // namespace tendon::editor
