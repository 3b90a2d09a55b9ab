#pragma once

#include <tendon/kit/Limits.h>
#include <tendon/kit/Random.h>
#include <tendon/kit/SolverRun.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>

namespace tendon::kit {

/// Where a local solve among limits begins again when it misses its goals: the same starts for every problem, ever
/// farther from the seed. A start serves only if it leads to all goals, so that a pose that misses does not jump; of
/// goals with priorities, also if a lower one ends much nearer (Priorities.h).
inline constexpr int kOtherStarts = 12;
inline constexpr std::uint64_t kSeedOfOtherStarts = 0x7E4D07;

/// The share of the way to a random pose at which start 1, 2, ... begins.
inline double shareOfStart(int start) { return std::min(1.0, 0.1 * start); }

/// True if a limit narrows what may move.
inline bool hasLimits(const SolverRun& run)
{
    const Model& model = run.model();
    for (const std::int32_t b : run.bodies()) {
        if (isLimitedBall(model, b) && run.isMovable(model.vBegin[b + 1] - 1)) return true;
        for (std::int32_t v = model.vBegin[b]; v < model.vBegin[b + 1]; ++v)
            if (run.isMovable(v) && (std::isfinite(model.lower[v]) || std::isfinite(model.upper[v]))) return true;
    }
    return false;
}

/// Moves what may move of `bodies` in `q` (nq) a share of the way to a random pose within limits. A slide without
/// limits stays.
inline void moveTowardRandom(const SolverRun& run, std::span<const std::int32_t> bodies, double share, Random& random,
                             std::span<double> q)
{
    constexpr double kPi = std::numbers::pi;
    const Model& model = run.model();
    for (const std::int32_t b : bodies) {
        const int begin = model.vBegin[b], dofs = model.vBegin[b + 1] - begin, singles = singleDofs(model, b);
        double* own = q.data() + model.qBegin[b];
        for (int k = 0; k < singles; ++k) {
            const int v = begin + k;
            if (!run.isMovable(v)) continue;
            double lower = model.lower[v], upper = model.upper[v];
            if (model.dofKind[v] == sdk::DofKind::Turning) { // one turn at most
                lower = std::max(lower, std::min(upper, kPi) - 2 * kPi);
                upper = std::min(upper, lower + 2 * kPi);
            }
            if (std::isfinite(lower) && std::isfinite(upper)) own[k] += share * (random.uniform(lower, upper) - own[k]);
        }
        const auto mayMove = [&](int k) { return run.isMovable(begin + k); };
        if (singles < dofs && mayMove(singles) && mayMove(singles + 1) && mayMove(singles + 2))
            store(quaternionAt(own + singles).slerp(share, random.rotation()).normalized(), own + singles);
        clampBody(model, b, run.problem().locked, own);
    }
}

} // namespace tendon::kit
