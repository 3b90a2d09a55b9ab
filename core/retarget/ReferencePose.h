#pragma once

#include "core/base/Result.h"
#include "core/retarget/Soles.h"

#include <string>

namespace tendon {

/// Which pose of a motion's skeleton stands for the character's rest pose, and how the two are brought in line.
enum class RestAlign {
    Directions, ///< the rest pose; bones of the character take the directions of the motion's
    Frame,      ///< a frame of the motion is its T-pose; directions as above
    Rest,       ///< the rest poses as they are correspond to each other
};

/// The pose that a retarget starts from on one side.
struct ReferencePose
{
    WorldPose pose;
    /// It is a stance, so that what the trunk does in it is nothing: only turns since then count there.
    bool isStance = true;
    bool isFrame = false;    ///< a frame of the motion: where the motion faces in it is no habit of its skeleton
    std::vector<Sole> soles; ///< of the mesh in this pose; empty without one
    std::string note;        ///< what was found out about the rest pose, in words; empty = it serves
};

/// The rest pose of a character; where its skins were bound in another pose, that one. Error: none.
[[nodiscard]] ReferencePose characterReference(const Scene& scene, const RoledFigure& figure);

/// The pose of a motion's skeleton to start from: the same for all clips of its file. The rest pose, or the bind pose
/// where that is another; the first frame of a clip, one that stands if there is one, where neither is a pose ("all
/// bones lie along one line"). `frame`, of RestAlign::Frame, is one of the clip and counts at the scene's rate. Error:
/// a frame that the motion does not have.
[[nodiscard]] Result<ReferencePose> motionReference(const Scene& scene, const RoledFigure& figure, const Clip& clip,
                                                    RestAlign align, double frame);

/// The world pose of a scene at a time of a clip, before handles.
[[nodiscard]] WorldPose worldAt(const Scene& scene, const RoledFigure& figure, const Clip& clip, Time time);

} // namespace tendon
