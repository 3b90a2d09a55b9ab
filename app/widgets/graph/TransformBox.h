#pragma once

#include "app/widgets/graph/GraphDrag.h"
#include "app/widgets/graph/GraphPaint.h"

#include <Qt>

#include <memory>
#include <optional>

namespace tendon::editor {

/// The box around the selected keys: its sides scale them in time or in value about the opposite side, its corners
/// both.
struct TransformBox
{
    QRectF rect;                             ///< [px]
    double firstFrame, lastFrame, low, high; ///< of the keys

    [[nodiscard]] Qt::Edges edgesAt(QPointF at) const; ///< that a press there takes; none = it is inside or outside
};

/// None: switched off, or fewer than two keys are selected.
[[nodiscard]] std::optional<TransformBox> transformBox(const GraphCanvas& canvas);
void paintTransformBox(QPainter& painter, const TransformBox& box);

[[nodiscard]] std::unique_ptr<GraphDrag> dragTransformBox(GraphState& state, const GraphCanvas& canvas,
                                                          const TransformBox& box, Qt::Edges edges);

} // namespace tendon::editor
