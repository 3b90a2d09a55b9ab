#pragma once

#include "app/editor/FrameResult.h"
#include "app/editor/Selection.h"
#include "app/editor/ViewSettings.h"
#include "app/viewport/overlay/Labels.h"

namespace tendon::viewport {

/// Goals as crosses; with a selected handle also its vector, pole, effector and names; where a goal is missed, the
/// error line and by how much; where soft reach holds back, a dotted one.
void drawHandles(DisplayList& list, std::vector<Label>& labels, const View& view, const editor::FrameResult& frame,
                 const editor::Selection& selection, const editor::ViewState& state, const OverlayColours& colours);

} // namespace tendon::viewport
