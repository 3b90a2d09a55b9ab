#pragma once

#include "app/viewport/overlay/Labels.h"
#include "app/viewport/view/Gizmo.h"

namespace tendon::viewport {

/// Draws a gizmo. The part `hot` is hovered (brighter) or dragged (drawn alone).
void drawGizmo(DisplayList& list, std::vector<Label>& labels, const View& view, GizmoKind kind, const GizmoPlace& place,
               GizmoPart hot, bool isDragged, const OverlayColours& colours);

} // namespace tendon::viewport
