#pragma once

#include <tendon/kit/SolverRun.h>

#include <algorithm>
#include <cmath>

/// What makes the rows of different goals comparable within one step: metres against radians, and priorities.
namespace tendon::kit {

/// [m] The length that counts as much as one radian: 0.3 of the longest way from a root to a goal. That is about how
/// far the end of a limb moves when its last segment turns by one radian. It makes the step of a solver the same for
/// rigs of every size. 1 where no bone has a length. Call after next().
inline double lengthOfRadian(const SolverRun& run)
{
    constexpr double kShare = 0.3;
    const Model& model = run.model();
    double longest = 0;
    for (const std::int32_t g : run.activeGoals()) {
        const Goal& goal = run.problem().goals[g];
        double length = vectorAt(goal.offset).norm() * run.frames()[goal.body].scale;
        for (std::int32_t b = goal.body; model.parent[b] >= 0; b = model.parent[b])
            length += vectorAt(&run.problem().base[kBaseStride * b]).norm() * run.frames()[model.parent[b]].scale;
        longest = std::max(longest, length);
    }
    return longest > 0 ? kShare * longest : 1;
}

/// How much a goal counts beside goals of higher priority: a hundredth for each higher priority that occurs, at least
/// a millionth.
inline double priorityFactor(const SolverRun& run, const Goal& goal)
{
    constexpr double kFactor = 1e-2;
    constexpr int kMaxRanks = 3;
    int ranks = 0;
    std::int32_t last = goal.priority;
    while (ranks < kMaxRanks) { // the next higher priority, from goal to goal
        const Goal* next = nullptr;
        for (const std::int32_t g : run.activeGoals()) {
            const Goal& other = run.problem().goals[g];
            if (other.priority > last && (next == nullptr || other.priority < next->priority)) next = &other;
        }
        if (next == nullptr) break;
        last = next->priority;
        ++ranks;
    }
    return std::pow(kFactor, ranks);
}

} // namespace tendon::kit
