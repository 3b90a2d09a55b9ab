#pragma once

#include "core/math/Degrees.h"
#include "core/solve/Evaluator.h"

#include <Eigen/Geometry>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tendon {

/// What is noted of one solved frame to judge a clip by. Immutable. [any thread]
struct ClipSample
{
    struct Chain
    {
        HandleId handle;
        double error = 0;       ///< [m] from the goal, without what soft reach eases; 0 of a handle that holds
        double bend = 0;        ///< [rad] sum of the angles between neighbouring bones
        bool isBending = false; ///< has two bones or more
        bool hasAnswer = true;  ///< false: its solver has failed, and its chain is in FK
        std::optional<HandleResult::Jump> jump; ///< that the clip's solution has here
    };
    std::vector<Chain> chains;             ///< of the handles that are solved
    std::vector<JointId> limited;          ///< joints that are held by a limit, each once
    std::vector<Eigen::Quaternionf> turns; ///< (joints of the rig) in their parents' spaces
};
using ClipSamples = std::map<std::int32_t, std::shared_ptr<const ClipSample>>; ///< by frame

[[nodiscard]] ClipSample sampleOf(const CompiledRig& rig, const SolvedFrame& frame);

/// The same of the joints alone, as they are keyed, at the frames of a clip: where nothing is solved.
[[nodiscard]] ClipSamples turnsOf(const std::shared_ptr<const CompiledRig>& rig, const Scene& scene, const Clip& clip);

/// From where on something is worth a look.
struct ClipThresholds
{
    double goal = 1e-3; ///< [m] that a goal may be missed by
    double limits = 0;  ///< joints that may be at a limit at the same time
    /// How many times as far as in the frames around a joint may turn in one frame. A higher one than this counts for
    /// jumps of the clip's solution, too, which are listed however far.
    double jump = 3;
    double kneeRate = radians(25.0); ///< [rad] by which a chain may bend or straighten in one frame
    bool operator==(const ClipThresholds&) const = default;
};

/// One thing to look at: neighbouring frames with one cause are one.
struct ClipFinding
{
    enum class Kind { NoAnswer, Goal, Jump, KneeRate, Limit }; ///< the worst first
    Kind kind = Kind::Goal;
    std::int32_t first = 1, last = 1;      ///< frames
    std::int32_t worst = 1;                ///< the frame that is looked at
    ObjectId object = 0;                   ///< the handle, or the joint that jumps or is at its limit
    HandleId handle;                       ///< that moves the joint; invalid: none
    double size = 0;                       ///< [m] Goal; [rad] Jump; in one frame: KneeRate
    double ratio = 0;                      ///< Jump: how many times what the frames around have, in its worst frame
    JumpReason reason = JumpReason::Asked; ///< Jump
    JumpCause cause = JumpCause::Motion;   ///< Jump
    bool operator==(const ClipFinding&) const = default;
};

/// A clip, frame by frame and in findings.
struct ClipReport
{
    /// What is worst at a frame. The later one of two where it is a step between them.
    struct Frame
    {
        double goal = 0;     ///< [m]
        double limits = 0;   ///< joints
        double jump = 0;     ///< ratio
        double kneeRate = 0; ///< [rad]
    };
    std::map<std::int32_t, Frame> frames;
    std::vector<ClipFinding> findings; ///< the worst first
    std::size_t goals = 0;             ///< handles that are solved at some frame
};

/// `samples` may have gaps: steps are only between consecutive frames. `scene` has the joints and handles of `rig`.
[[nodiscard]] ClipReport checkClip(const CompiledRig& rig, const ClipSamples& samples,
                                   const ClipThresholds& thresholds);

[[nodiscard]] std::string titleOf(const CompiledRig& rig,
                                  const ClipFinding& finding);  ///< "HandIK_R can't reach its goal"
[[nodiscard]] std::string detailOf(const ClipFinding& finding); ///< "38.2 mm short at 43"
[[nodiscard]] std::string framesOf(const ClipFinding& finding); ///< "41 to 45", or "71"
/// "nothing to look at: 120 frames, 6 goals met within 0.1 mm"
[[nodiscard]] std::string praiseOf(const ClipReport& report);

} // namespace tendon
