#pragma once

#include "core/io/AnimationExport.h"

#include <QJsonObject>

#include <string>
#include <vector>

namespace tendon::cli {

/// A goal that was not met at one sample.
struct MissedGoal
{
    std::string clip, handle, status;
    double frame = 0;
    double error = 0;         ///< [m]
    double rotationError = 0; ///< [rad]
};

/// What became of the goals of a bake.
struct GoalSummary
{
    bool hasGoals = false;
    MissedGoal worst;               ///< the largest position error, missed or not
    std::vector<MissedGoal> missed; ///< by clip, frame and handle
};

[[nodiscard]] GoalSummary summariseGoals(const Scene& scene, const std::vector<BakedClip>& clips);

/// Samples that stand on whole frames.
[[nodiscard]] std::int64_t frameCount(const BakedClip& clip);

/// The report of `tendon bake`, as its manual has it.
[[nodiscard]] QJsonObject bakeReport(const std::string& file, const std::vector<BakedClip>& clips,
                                     const GoalSummary& goals, const ExportReport& report);

/// One issue a handle that misses its goal: on how many frames, and where it is worst.
[[nodiscard]] Issues missedGoalIssues(const GoalSummary& goals);

/// How what was read back differs beyond tolerance: one issue a kind. Empty when it does not.
[[nodiscard]] Issues readBackIssues(const std::string& file, const ReadBack& readBack);

} // namespace tendon::cli
