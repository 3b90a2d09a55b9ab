#pragma once

#include "app/editor/GhostFrames.h"
#include "app/editor/Trail.h"
#include "app/editor/Visibility.h"
#include "app/viewport/overlay/BoneOverlay.h"
#include "app/viewport/overlay/FigureOverlay.h"
#include "app/viewport/overlay/Labels.h"

#include <optional>
#include <span>

namespace tendon::viewport {

/// A key on a trail.
struct TrailKey
{
    editor::SelectionItem item;
    int frame = 1;
    Vector3 place = Vector3::Zero(); ///< [m]
    bool isMovable = false;
};

/// What is drawn of other moments than the shown one, and of another figure.
struct SeenMotion
{
    const editor::Visibility& visibility;
    std::span<const editor::Ghost> ghosts = {}; ///< to be drawn as bones
    std::span<const editor::Trail> trails = {};
    const TrailKey* trailKey = nullptr;          ///< hovered or dragged
    const editor::FrameResult* former = nullptr; ///< before the preview of a limit
    JointIndex formerJoint = -1;                 ///< that is previewed
    SeenFigure figure = {};                      ///< of a motion that is taken over
};

/// Draws ghosts as bones, oldest first, and the bones below the previewed joint as they were before the preview.
void drawGhosts(DisplayList& list, const View& view, const SeenMotion& motion, const std::vector<Bone>& bones,
                const OverlayColours& colours);

/// Draws trails: a line through the frames, a dot at each if there is room, a square at keys, filled if it can be
/// dragged. The past and the future have a colour each; what is of before the last edits is faint.
void drawTrails(DisplayList& list, std::vector<Label>& labels, const View& view, const SeenMotion& motion, int frame,
                const OverlayColours& colours);

/// The key of a trail under a pixel, but for those at the shown frame, where the object itself is.
[[nodiscard]] std::optional<TrailKey> pickTrailKey(std::span<const editor::Trail> trails, const View& view, int frame,
                                                   const Vector2& pixel, double scale);

} // namespace tendon::viewport
