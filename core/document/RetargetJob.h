#pragma once

#include "core/document/Draft.h"
#include "core/retarget/RetargetClip.h"
#include "core/retarget/RootMotion.h"

#include <string>
#include <vector>

namespace tendon {

/// What puts a motion onto the document's character. The operation, the window's preview and the command line fill the
/// same request.
struct RetargetRequest
{
    std::string name;       ///< of the new clip; free
    RoleMap motionRoles;    ///< of the motion's scene
    RoleMap characterRoles; ///< of the document's
    RetargetOptions options;
    RootTravel travel = RootTravel::Travels;
    std::string
        rootBone; ///< of RootTravel::Bone: a joint above the hips, or the name of a new one; empty = see rootBoneFor()
    bool turns = false; ///< turning goes with the travel
};

/// A joint that is beyond its limits in a clip.
struct LimitHit
{
    JointId joint;
    int frames = 0;        ///< at which it is
    double worst = 0;      ///< [rad or m] how far at most
    double worstFrame = 0; ///< at the motion's rate
    bool isSlide = false;  ///< of a slide, in metres
};

/// What came of it.
struct RetargetOutcome
{
    ClipId clip;
    std::string name;
    FrameRate fps;          ///< of the motion
    std::size_t frames = 0; ///< keys in time
    RootTravel travel = RootTravel::Travels;
    RetargetFacts facts;
    std::vector<RetargetJump> jumps;
    std::vector<LimitHit> limits;
};

/// Adds the motion as a new clip to the draft, where it becomes current. Handles of joints that it moves are keyed to
/// FK there. Frame rate and range are the motion's unless the draft has keys. Errors: those of Retargeter::create().
[[nodiscard]] Result<RetargetOutcome> retargetInto(Draft& draft, const Scene& motion, const Clip& clip,
                                                   const RetargetRequest& request);

/// The joint that takes the travel where none is named: that with the role "root", else the topmost above the hips;
/// empty where the hips are topmost, so that a joint "root" is made.
[[nodiscard]] std::string rootBoneFor(const Scene& scene, const RoleMap& roles);

/// Moves the travel of a clip of the draft (Animate > Root Motion). A bone of a new name is made, above the hips.
[[nodiscard]] Result<void> moveTravel(Draft& draft, ClipId clip, const RoleMap& roles, RootTravel travel,
                                      std::string rootBone, bool turns, bool staysHigh);

/// The joints of a clip that are beyond their limits, before handles, at the frames of `fps`.
[[nodiscard]] std::vector<LimitHit> limitHits(const Scene& scene, const Clip& clip, FrameRate fps);

/// "left knee beyond its limit on 14 frames": one warning each.
[[nodiscard]] Issues limitIssues(const Scene& scene, const std::vector<LimitHit>& hits);

} // namespace tendon
