#pragma once

#include "core/io/export/AnimationExport.h"

#include <QJsonObject>

#include <string>
#include <vector>

namespace tendon::cli {

/// A goal that a handle missed at one sample.
struct MissedGoal
{
    std::string clip, handle, status;
    double frame = 0;
    double error = 0;         ///< [m]
    double rotationError = 0; ///< [rad]
};

/// The results of all goals of a bake.
struct GoalSummary
{
    bool hasGoals = false;
    MissedGoal worst;               ///< the goal with the largest position error, missed or not
    std::vector<MissedGoal> missed; ///< sorted by clip, frame and handle
};

[[nodiscard]] GoalSummary summariseGoals(const Scene& scene, const std::vector<BakedClip>& clips);

/// The number of samples at whole frames.
[[nodiscard]] std::int64_t frameCount(const BakedClip& clip);

/// The report of `tendon bake`, as the manual describes it.
[[nodiscard]] QJsonObject bakeReport(const std::string& file, const std::vector<BakedClip>& clips,
                                     const GoalSummary& goals, const ExportReport& report);

/// One issue per handle that misses its goal: at how many frames, and where the error is largest.
[[nodiscard]] Issues missedGoalIssues(const GoalSummary& goals);

/// One issue per kind of difference beyond tolerance that the read-back found; empty if there is none.
[[nodiscard]] Issues readBackIssues(const std::string& file, const ReadBack& readBack);

} // namespace tendon::cli
