#pragma once

#include "app/editor/StageEllipse.h"
#include "app/viewport/overlay/Labels.h"
#include "app/viewport/view/LabelPlace.h"

namespace tendon::viewport {

/// A label beside `at` that covers none of `lines`. Where it had to go farther away, a thin line leads to it.
[[nodiscard]] Label labelBeside(DisplayList& list, const View& view, const Vector2& at, const QString& text,
                                Rgba colour, std::span<const PixelLine> lines);

/// Draws the limiting ellipse of a stage in space: its rim, the four semi-axes with their axes and angles, the edge
/// without swing, where the node is before limits, and its move to the nearest point. `limited` is the joint whose
/// limits they are. Labels cover none of `lines`, to which
/// the drawn lines are added.
void drawEllipse(DisplayList& list, std::vector<Label>& labels, const View& view, const editor::EllipseInSpace& ellipse,
                 const editor::StageEllipse& stage, const Joint& limited, std::vector<PixelLine>& lines,
                 const OverlayColours& colours);

} // namespace tendon::viewport
