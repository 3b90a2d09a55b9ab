#pragma once

#include "app/widgets/TimeAxis.h"
#include "app/widgets/graph/GraphDrag.h"

namespace tendon::editor {

/// Moves the selected keys in time. Ctrl turns snapping round. `ticks`: of the key under the mouse, `from`.
[[nodiscard]] std::unique_ptr<GraphDrag> dragSheetKeys(GraphState& state, const TimeAxis& axis, std::int64_t ticks,
                                                       QPointF from);

/// Scales the times of the selected keys, which are from frame `first` to frame `last`: of the two the one at the mouse
/// goes with it, the other stays.
[[nodiscard]] std::unique_ptr<GraphDrag> stretchSheetKeys(GraphState& state, const TimeAxis& axis, double first,
                                                          double last, bool isLast, QPointF from);

} // namespace tendon::editor
