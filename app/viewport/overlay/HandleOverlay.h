#pragma once

#include "app/editor/FrameResult.h"
#include "app/editor/Selection.h"
#include "app/editor/ViewSettings.h"
#include "app/editor/Visibility.h"
#include "app/viewport/overlay/Labels.h"

namespace tendon::viewport {

/// Draws goals as crosses, curves with their points, and effectors beside their joints with a line from the joint; for
/// a selected handle also its vector, pole, effector and names; for a missed goal the error line, a dot on the goal and
/// the distance; for soft reach a dotted line.
void drawHandles(DisplayList& list, std::vector<Label>& labels, const View& view, const editor::FrameResult& frame,
                 const editor::Selection& selection, const editor::Visibility& visibility,
                 const editor::ViewState& state, const OverlayColours& colours);

} // namespace tendon::viewport
