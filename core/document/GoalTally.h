#pragma once

#include "core/base/Issue.h"
#include "core/runtime/BakedClip.h"
#include "core/scene/Scene.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tendon {

/// The result of one goal at one sample of a bake.
struct GoalResult
{
    std::string clip, handle, status;
    std::string reason;       ///< of a miss; see reasonOfMiss()
    ObjectId object = 0;      ///< of the handle
    double frame = 0;         ///< at the clip's rate
    double error = 0;         ///< [m]
    double rotationError = 0; ///< [rad]
};

/// A jump of the pose: that the clip could not do without, or that is asked for (JumpReason::Asked).
struct JumpResult
{
    std::string clip, handle, joint; ///< the joint that goes farthest; the handle that moves it, empty = none does
    ObjectId object = 0;             ///< of the handle
    double frame = 0, last = 0;      ///< at the clip's rate: the first one after the jump, and where it is over
    HandleResult::Jump jump;
};

/// Frames at which a joint of a clip exceeds a rate limit, without a gap.
struct HasteResult
{
    std::string clip, handle, joint;
    ObjectId object = 0;        ///< of the joint
    double first = 0, last = 0; ///< frames at the clip's rate
    RateKind kind = RateKind::Speed;
    double stretch = 1; ///< the time has to be so many times as long
};

/// Which goals a bake met.
struct GoalTally
{
    bool hasGoals = false;
    GoalResult worst;                ///< the largest position error, missed or not
    std::vector<GoalResult> missed;  ///< by clip, sample and handle
    std::vector<JumpResult> jumps;   ///< by clip and frame: those that checkClip() names
    std::vector<HasteResult> hastes; ///< by clip and frame
    std::size_t samples = 0;         ///< with goals
    std::size_t samplesMet = 0;      ///< at which all goals were met

    [[nodiscard]] const GoalResult* worstMissed() const; ///< by position error; null = none was missed
};

[[nodiscard]] GoalTally tallyGoals(const Scene& scene, const std::vector<BakedClip>& clips);

/// One warning for each clip and handle that misses its goal: on how many frames, and where by how much at worst.
[[nodiscard]] Issues missedGoalIssues(const Scene& scene, const GoalTally& goals);

/// One warning for each clip and handle whose pose jumps though its goals do not: where, by how much at worst, and why,
/// with the pole or the solver where it is the cause.
[[nodiscard]] Issues jumpIssues(const Scene& scene, const GoalTally& goals);

/// One warning for each clip and joint that exceeds a rate limit: where, by how much at worst, and what helps.
[[nodiscard]] Issues hasteIssues(const GoalTally& goals);

} // namespace tendon
