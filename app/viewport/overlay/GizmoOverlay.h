#pragma once

#include "app/viewport/overlay/Labels.h"
#include "app/viewport/view/Gizmo.h"

namespace tendon::viewport {

/// Draws a gizmo; `hot` is what is hovered or dragged: brighter, and while dragged alone.
void drawGizmo(DisplayList& list, std::vector<Label>& labels, const View& view, GizmoKind kind, const GizmoPlace& place,
               GizmoPart hot, bool isDragged, const OverlayColours& colours);

} // namespace tendon::viewport
