#pragma once

#include "app/widgets/TimeAxis.h"
#include "app/widgets/graph/GraphDrag.h"

#include <QRectF>

#include <optional>

namespace tendon::editor {

// The frames that are marked on the timeline with Shift: their keys are moved by the middle of the mark and retimed by
// its ends, and Play plays them. The mark itself is Playback::part().

enum class RangeGrip { None, First, Middle, Last };

/// Of the mark, from `top` down to `bottom`; none = nothing is marked.
[[nodiscard]] std::optional<QRectF> markedBand(Editor& editor, const TimeAxis& axis, double top, double bottom);
[[nodiscard]] RangeGrip gripAt(const QRectF& band, QPointF at);
void paintMarkedBand(QPainter& painter, const QRectF& band);

/// The keys from one frame to another, both included, of the selected objects; of all if none is selected.
[[nodiscard]] GraphKeys keysBetween(const GraphState& state, double first, double last);
/// Whether there are any: at once, however many there are.
[[nodiscard]] bool hasKeysBetween(const GraphState& state, double first, double last);

/// Marks frames from one to that under the mouse. Its release selects their keys.
[[nodiscard]] std::unique_ptr<GraphDrag> dragNewMark(GraphState& state, const TimeAxis& axis, QPointF from);
/// Moves the marked keys, or with an end scales their times about the other end. The mark goes with them.
[[nodiscard]] std::unique_ptr<GraphDrag> dragMarkedKeys(GraphState& state, const TimeAxis& axis, RangeGrip grip,
                                                        QPointF from);

} // namespace tendon::editor
