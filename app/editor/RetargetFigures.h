#pragma once

#include "app/editor/MotionFigure.h"
#include "app/editor/RetargetPreview.h"

namespace tendon::editor {

/// How the two figures of a retarget are looked at.
struct RetargetLook
{
    bool isAtRest = false; ///< their rest poses instead of the motion
    bool isOnTop = false;  ///< of each other, else side by side
    bool isSource = false; ///< the motion alone, without the character
    bool operator==(const RetargetLook&) const = default;
};

/// The motion's figure as a preview has it: turned to the character's front, as large as its legs are long, beside the
/// character or upon it. `former`: the figure so far, whose scene and rig are kept if it is of the same motion; or
/// null.
[[nodiscard]] MotionFigure::ContentPtr figureOf(const RetargetPreview& preview, const RetargetSource& source,
                                                const Scene& motion, const QString& characterName,
                                                const RetargetLook& look, const MotionFigure::Content* former);

} // namespace tendon::editor
