#pragma once

#include "app/editor/Comparison.h"
#include "app/editor/StepPlayer.h"
#include "app/viewport/overlay/Labels.h"

namespace tendon::viewport {

/// Draws the shown step of a comparison: the chain of each solver in its own colour and dash, ghosts of the steps
/// before it, and at a stage of a pass the candidates, their mean and the move into the limiting ellipse.
void drawComparison(DisplayList& list, std::vector<Label>& labels, const View& view,
                    const editor::Comparison& comparison, const editor::StepPlayer& steps,
                    const OverlayColours& colours);

} // namespace tendon::viewport
