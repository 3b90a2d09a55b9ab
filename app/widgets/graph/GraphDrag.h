#pragma once

#include "app/widgets/graph/GraphPaint.h"

#include <QPointF>
#include <QPolygonF>
#include <QString>

#include <memory>
#include <utility>

namespace tendon::editor {

/// What the left mouse button does from its press to its release. Each starts from where it began at every move, so
/// the way there does not count.
class GraphDrag
{
public:
    virtual ~GraphDrag() = default;
    virtual void move(QPointF at, Qt::KeyboardModifiers modifiers) = 0;
    virtual void release() = 0;
    virtual void cancel() = 0; ///< nothing has changed then
    virtual void paint(QPainter& /*painter*/) const {}
    [[nodiscard]] virtual QString label() const { return {}; } ///< rides at the mouse
    /// The curves that it changes, as they were: drawn dashed.
    [[nodiscard]] virtual std::vector<GraphCurve> before() const { return {}; }
};

/// Ends a drag, if there is one: keeps what it did, or leaves all as it was. Its end changes the state, which draws: by
/// then `drag` is null.
inline void endDrag(std::unique_ptr<GraphDrag>& drag, bool isKept)
{
    const std::unique_ptr<GraphDrag> ended = std::move(drag);
    if (ended == nullptr) return;
    if (isKept)
        ended->release();
    else
        ended->cancel();
}

/// Moves the selected keys in time and value. Shift keeps to one axis, Ctrl turns snapping round.
[[nodiscard]] std::unique_ptr<GraphDrag> dragKeys(GraphState& state, const GraphCanvas& canvas, const CurveId& curve,
                                                  std::int64_t ticks, QPointF from);

/// Selects the keys in a box, or in a lasso drawn by hand.
[[nodiscard]] std::unique_ptr<GraphDrag> dragSelection(GraphState& state, const GraphCanvas& canvas, QPointF from,
                                                       bool isAdded);

} // namespace tendon::editor
