#pragma once

#include "app/editor/FrameResult.h"
#include "app/editor/Selection.h"
#include "app/viewport/overlay/Labels.h"
#include "app/viewport/view/LimitShapes.h"

namespace tendon::viewport {

/// The joint whose limits are shown for the active item: the joint itself, or the start of a handle. -1: none.
[[nodiscard]] JointIndex jointOfLimits(const editor::FrameResult& frame, const editor::SelectionItem& active);

/// The joint's limits in the world, at a size that suits the view, both for drawing and for picking.
[[nodiscard]] std::vector<LimitShape> limitsShown(const View& view, const editor::FrameResult& frame, JointIndex joint,
                                                  double scale);

/// The same with the limits that `limited` has, a rig of the same joints as the frame's.
[[nodiscard]] std::vector<LimitShape> limitsShown(const View& view, const editor::FrameResult& frame,
                                                  const CompiledRig& limited, JointIndex joint, double scale);

/// Draws limits, hatched if the joint has reached them, and their grips.
void drawLimits(DisplayList& list, std::vector<Label>& labels, const View& view, const std::vector<LimitShape>& shapes,
                const std::optional<LimitGripName>& hot, const OverlayColours& colours);

} // namespace tendon::viewport
