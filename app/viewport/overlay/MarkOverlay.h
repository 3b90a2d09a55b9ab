#pragma once

#include "app/editor/FrameResult.h"
#include "app/editor/Marks.h"
#include "app/editor/ViewSettings.h"
#include "app/viewport/overlay/BoneOverlay.h"
#include "app/viewport/overlay/Labels.h"

namespace tendon::viewport {

/// The colours of bones by their roles, per joint of the frame's rig; empty: there are none.
[[nodiscard]] std::vector<BoneTint> tintsOf(const editor::ViewMarks& marks, const editor::FrameResult& frame,
                                            const OverlayColours& colours);

/// Draws what a task marks: the limits to come, handles to come as crosses, the reach of the one that is pointed at as
/// a dashed line, and words beside joints.
void drawMarks(DisplayList& list, std::vector<Label>& labels, const View& view, const editor::ViewMarks& marks,
               const editor::FrameResult& frame, const editor::ViewState& state, const OverlayColours& colours);

} // namespace tendon::viewport
