#pragma once

#include "app/editor/RetargetChoices.h"
#include "app/editor/RetargetRows.h"
#include "core/document/Document.h"
#include "core/document/RetargetJob.h"
#include "core/roles/RoleCandidates.h"

#include <atomic>
#include <functional>

namespace tendon::editor {

/// What is known of the two sides of a retarget whatever is chosen.
struct RetargetSides
{
    SkeletonRoles motion, character; ///< guessed
    std::vector<std::string> maps;   ///< paths of saved maps that are of a skeleton with the motion's joints
};

/// What choices make of a document: plain data, made in another thread, immutable then.
struct RetargetPreview
{
    RetargetChoices choices; ///< that it is of; a saved map that fits may have been put in
    std::shared_ptr<const RetargetSides> sides;
    RoledFigure motion, character;
    std::vector<RetargetRow> rows;
    RoleCount count;
    bool isEnough = false;            ///< hips and a limb are paired
    std::string mapNote;              ///< "Map: mixamo.tendonmap, fits all 23 roles"; "" = guessed
    std::vector<std::string> missing; ///< roles of the map whose joints the motion lacks
    std::size_t mapRoles = 0;         ///< that the map names
    std::string error;                ///< why there is no clip; "" = there is one

    // Only without an error
    std::shared_ptr<const Scene> scene; ///< the document's after the operation
    ClipId clip;                        ///< the new one in it
    std::string clipName;
    RetargetFacts facts;
    std::vector<LimitHit> limits; ///< joints that the motion takes beyond their limits
    Issues messages;              ///< of the operation
    Quaternion worldFromMotion = Quaternion::Identity();
    std::shared_ptr<const WorldPose> motionRest; ///< the pose that the motion's skeleton starts from

    [[nodiscard]] int toCheck() const;
};
using RetargetPreviewPtr = std::shared_ptr<const RetargetPreview>;

/// What a preview is asked for.
struct RetargetAsked
{
    RetargetSource source;
    RetargetChoices choices;
    std::shared_ptr<const RetargetSides> sides; ///< null: they are looked at first, and a saved map that fits is taken
    std::vector<std::string> mapFolders;        ///< where maps are looked for
};

/// Carries the operation out on a copy of the document. Null: cancelled.
[[nodiscard]] RetargetPreviewPtr makePreview(const RetargetAsked& asked, Document copy,
                                             const std::atomic<bool>& cancelled,
                                             const std::function<void(double)>& progress);

} // namespace tendon::editor
