#pragma once

#include "app/editor/FrameResult.h"
#include "app/editor/Selection.h"
#include "app/viewport/overlay/Labels.h"
#include "app/viewport/view/LimitShapes.h"

namespace tendon::viewport {

/// The joint whose limits are shown for what is active: itself, or the one a handle begins at. -1: none.
[[nodiscard]] JointIndex jointOfLimits(const editor::FrameResult& frame, const editor::SelectionItem& active);

/// Its limits where they are, in a size that suits the view. What is drawn is what is picked.
[[nodiscard]] std::vector<LimitShape> limitsShown(const View& view, const editor::FrameResult& frame, JointIndex joint,
                                                  double scale);

/// Draws limits, hatched while they are reached, and their grips.
void drawLimits(DisplayList& list, std::vector<Label>& labels, const View& view, const std::vector<LimitShape>& shapes,
                const std::optional<LimitGripName>& hot, const OverlayColours& colours);

} // namespace tendon::viewport
