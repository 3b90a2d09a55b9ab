#include "core/clip/Landing.h"

#include <tendon/kit/Limits.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tendon {

Landing::Landing(const AnswerSpace& space) : m_space(&space), m_motion(space), m_step(space.dofs()) {}

bool Landing::land(const sdk::Problem& problem, double* q)
{
    constexpr int kMostRounds = 30;
    constexpr double kFarthest = 0.1; // [rad] of a round: a longer step near a singular configuration leads elsewhere
    constexpr double kExact = 1e-12, kNearlyExact = 1e-7; // [m | rad]
    sdk::Problem asked = problem;
    m_locked.assign(m_space->dofs(), 0);
    std::copy(problem.locked.begin(), problem.locked.end(), m_locked.begin());
    asked.locked = m_locked;
    double before = std::numeric_limits<double>::infinity();
    for (int round = 0; round < kMostRounds; ++round) {
        m_motion.evaluate(asked, q);
        const double miss = m_motion.miss();
        if (!std::isfinite(miss)) return false;
        if (miss < kExact || (miss < kNearlyExact && miss > 0.5 * before)) return true;
        before = miss;
        m_motion.correction(m_step.data());
        if (stopAtLimits(q)) continue; // the others have to do it
        double farthest = 0;
        for (const double own : m_step) farthest = std::max(farthest, std::abs(own));
        m_space->move(q, m_step.data(), farthest > kFarthest ? kFarthest / farthest : 1, m_locked, q);
    }
    return false;
}

/// Locks the DOFs that are at a limit and that the step would take beyond it. False if there are none.
bool Landing::stopAtLimits(const double* q)
{
    const sdk::Model& model = m_space->model();
    bool isAny = false;
    for (std::int32_t b = 0; b < model.bodyCount; ++b)
        for (int k = 0; k < kit::singleDofs(model, b); ++k) {
            const auto v = static_cast<std::size_t>(model.vBegin[b] + k);
            const double value = q[model.qBegin[b] + k];
            const bool isOut = (m_step[v] < 0 && value <= model.lower[v]) || (m_step[v] > 0 && value >= model.upper[v]);
            if (!isOut || m_locked[v] != 0) continue;
            m_locked[v] = 1;
            isAny = true;
        }
    return isAny;
}

} // namespace tendon
