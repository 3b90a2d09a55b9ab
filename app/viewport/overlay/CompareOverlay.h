#pragma once

#include "app/editor/StepDisplay.h"
#include "app/viewport/overlay/Labels.h"

namespace tendon::viewport {

/// A recorded solve, which step of it is shown, and the poses that are drawn of that.
struct WatchedSolve
{
    const editor::Comparison& comparison;
    const editor::StepPlayer& steps;
    const editor::StepDisplay& display;
    bool posesModel = false; ///< the model is drawn at that step, not as the document has it
};

/// Draws the shown step of a comparison: the chain of each solver in its own colour and dash, ghosts of the steps
/// before it and of the moves within it, and at a stage of a pass the candidates, their mean, the limiting ellipse and
/// the move into it. Labels cover no bone of `frame`, which has a rig. Several solvers have a legend. Where the model
/// is drawn at that step, a line says so: what it misses is not what the document misses.
void drawComparison(DisplayList& list, std::vector<Label>& labels, const View& view, const WatchedSolve& solve,
                    const editor::FrameResult& frame, const OverlayColours& colours);

} // namespace tendon::viewport
