#pragma once

#include "app/editor/MotionFigure.h"
#include "app/viewport/overlay/BoneOverlay.h"
#include "app/viewport/overlay/Labels.h"

namespace tendon::viewport {

/// The second figure of the view, at the moment of the drawn frame.
struct SeenFigure
{
    const editor::MotionFigure* figure = nullptr; ///< null = there is none; else it is shown
    const editor::FrameResult* pose = nullptr;    ///< of it; never null with a figure
};

/// Draws the motion's figure with `bones` of its rig, the names of both figures over their heads, which of its joints
/// are to be checked, and a dashed line between joints that belong together. `character`: the drawn frame.
void drawFigure(DisplayList& list, std::vector<Label>& labels, const View& view, const SeenFigure& seen,
                const std::vector<Bone>& bones, const editor::FrameResult& character, const OverlayColours& colours);

/// The joint of the motion's figure at whose ring or bone a pixel is; none = beside it.
[[nodiscard]] JointId pickFigure(const View& view, const SeenFigure& seen, const Vector2& pixel, double scale);

} // namespace tendon::viewport
