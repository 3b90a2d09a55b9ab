#pragma once

#include <tendon/kit/Limits.h>
#include <tendon/kit/Random.h>
#include <tendon/kit/SolverRun.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>

namespace tendon::kit {

/// Where a local solve that limits have stopped begins again: the same starts for every problem, ever farther from the
/// seed. A start serves only if it leads to all goals, so that a pose that misses does not jump.
inline constexpr int kOtherStarts = 12;
inline constexpr std::uint64_t kSeedOfOtherStarts = 0x7E4D07;

/// The share of the way to a random pose at which start 1, 2, ... begins.
inline double shareOfStart(int start) { return std::min(1.0, 0.1 * start); }

/// Moves what may move in `q` (nq) a share of the way to a random pose within limits. A slide without limits stays.
inline void moveTowardRandom(const SolverRun& run, double share, Random& random, std::span<double> q)
{
    constexpr double kPi = std::numbers::pi;
    const Model& model = run.model();
    for (const std::int32_t b : run.bodies()) {
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
