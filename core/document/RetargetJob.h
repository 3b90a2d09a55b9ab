#pragma once

#include "core/document/Arguments.h"
#include "core/document/Draft.h"
#include "core/retarget/RetargetClip.h"
#include "core/retarget/RootMotion.h"

#include <optional>
#include <string>
#include <vector>

namespace tendon {

/// What is asked of root motion, by names.
struct TravelRequest
{
    RootTravel travel = RootTravel::Travels;
    std::string rootBone; ///< a joint above the hips, or the name of a new one; empty = rootBoneFor()
    bool turns = false;
    bool staysHigh = true;
};

/// The values of a field that says where the travel goes.
inline constexpr std::string_view kTravelChoices = "travels|inPlace|bone";

/// What an operation's fields ask of the travel: `how` with one of these choices, `bone` with a joint's name, "turns"
/// and "height". None if it gives neither of the first two.
[[nodiscard]] std::optional<TravelRequest> travelIn(const Arguments& arguments, const char* how, const char* bone);

/// What puts a motion onto the document's character. The operation, the window's preview and the command line fill the
/// same request.
struct RetargetRequest
{
    std::string name;       ///< of the new clip; free
    RoleMap motionRoles;    ///< of the motion's scene
    RoleMap characterRoles; ///< of the document's
    RetargetOptions options;
    TravelRequest travel;
    bool onFrames = false;   ///< a key at each frame of the document; else at each of the motion, between these, too
    bool keepLimits = false; ///< joints stop at their limits; else the motion may pass them, which is counted
};

/// A joint that is beyond its limits in a clip.
struct LimitHit
{
    JointId joint;
    int frames = 0;        ///< at which it is
    double worst = 0;      ///< [rad or m] how far at most
    double worstFrame = 0; ///< where
    bool isSlide = false;  ///< of a slide, in metres
};

/// What came of it.
struct RetargetOutcome
{
    ClipId clip;
    std::string name;
    FrameRate fps;          ///< of its keys
    std::size_t frames = 0; ///< keys in time
    RootTravel travel = RootTravel::Travels;
    RetargetFacts facts;
    std::vector<std::string> notes;  ///< on the roles that were taken, in words
    std::string rolesToCheck;        ///< which of them are guessed and not sure, in words; empty = none that matter
    std::vector<RetargetJump> jumps; ///< at frames of the project, as those of the limits
    std::size_t jointJumps = 0;      ///< what checkClip finds of them in the new clip
    std::size_t motionJumps = 0;     ///< and in the motion itself
    std::vector<LimitHit> limits;
};

/// Frames per second of the character's project once it has the motion: its own if it has keys, else the motion's.
[[nodiscard]] FrameRate retargetedRate(const Scene& character, const Scene& motion);

/// Adds the motion as a new clip to the draft, where it becomes current. Handles of joints that it moves are keyed to
/// FK there, and their goals along the motion, so that a switch to IK moves nothing. Frame rate and range are the
/// motion's unless the draft has keys. Errors: those of Retargeter::create().
[[nodiscard]] Result<RetargetOutcome> retargetInto(Draft& draft, const Scene& motion, const Clip& clip,
                                                   const RetargetRequest& request);

/// The joint that takes the travel where none is named: that with the role "root", else the topmost above the hips;
/// "root", which is then made, where the hips are topmost.
[[nodiscard]] std::string rootBoneFor(const Scene& scene, const RoleMap& roles);

/// The same by joints. A bone of a new name is made in the scene, at the floor above the hips, with an issue. Errors:
/// no hips are known, the name of a new bone is taken.
[[nodiscard]] Result<RootMotion> rootMotionOf(Scene& scene, const RoleMap& roles, const TravelRequest& request,
                                              Issues& issues);

/// The joints of a clip that are beyond their limits, before handles, at some times; the worst told as a frame of
/// `fps`.
[[nodiscard]] std::vector<LimitHit> limitHits(const Scene& scene, const Clip& clip, const std::vector<Time>& times,
                                              FrameRate fps);

/// True if it is far enough beyond to be seen, and not a limb that is drawn a little otherwise: 10 degrees, or 1 cm.
[[nodiscard]] bool isWorthALook(const LimitHit& hit);

/// "12 joint jumps, 10 in the motion": by the measure of checkClip. Empty if there are none.
[[nodiscard]] std::string jumpsInWords(std::size_t jumps, std::size_t inMotion);

/// "left knee beyond its limit on 14 frames, most by 12° at frame 7": a warning each for those that are worth a look, a
/// note for others. The last one is the worst.
[[nodiscard]] Issues limitIssues(const Scene& scene, std::vector<LimitHit> hits);

} // namespace tendon
