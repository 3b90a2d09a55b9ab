#pragma once

#include <tendon/kit/Random.h>
#include <tendon/kit/SolverRun.h>

#include <algorithm>
#include <cmath>
#include <span>

/// Steps for solvers that make their configurations themselves: within limits, off a straight chain, and no more of
/// them than help.
namespace tendon::kit {

/// Ends a solve that swings about a pose or crawls along its limits: the steps of such a solve never become small.
class Patience
{
public:
    /// Lasts for `steps` steps in a row that do not bring the error below this share of what it was before them.
    explicit Patience(int steps, double progress = 0.99) : m_steps(steps), m_progress(progress) {}

    /// Takes the error before each step. True if the solve should end as stalled.
    [[nodiscard]] bool isOver(double error)
    {
        ++m_waited;
        if (error < m_progress * m_last) {
            m_last = error;
            m_waited = 0;
        }
        return m_waited > m_steps;
    }

private:
    int m_steps, m_waited = 0;
    double m_progress;
    double m_last = kInfinity;
};

/// Writes to `result` (nq) the configuration of `run` moved by `dv` (nv), each moved body brought back into its limits.
/// Returns the largest change of a DOF that limits left [rad | m]. DOFs that may not move do not. The run is unchanged.
inline double stepWithinLimits(const SolverRun& run, std::span<const double> dv, std::span<double> result)
{
    const Model& model = run.model();
    double largest = 0;
    std::copy(run.q().begin(), run.q().end(), result.begin());
    for (const std::int32_t body : run.bodies()) {
        const int begin = model.vBegin[body], dofs = model.vBegin[body + 1] - begin;
        double step[6];
        bool moves = false;
        for (int k = 0; k < dofs; ++k) {
            step[k] = run.isMovable(begin + k) ? dv[begin + k] : 0;
            moves |= step[k] != 0;
        }
        if (!moves) continue;
        const double* from = run.q().data() + model.qBegin[body];
        double* to = result.data() + model.qBegin[body];
        integrateBody(model, body, from, step, to);
        clampBody(model, body, run.problem().locked, to);
        differenceBody(model, body, from, to, step);
        for (int k = 0; k < dofs; ++k) largest = std::max(largest, std::abs(step[k]));
    }
    return largest;
}

/// Writes to `dv` (nv) a small bend that takes a straight chain off the line on which its goal lies, where no small
/// move helps: joints with a preferred angle turn toward it; without any, all but the first one turn the same way, by a
/// fixed 0.08 to 0.15 rad away from their limits. The bend depends on the model and on `attempt` alone. Returns false
/// where no bend is due: a goal is beyond reach, a limit blocks, or nothing moves any goal. Call after next(), at a
/// configuration where the solver's own step is zero.
inline bool bendStraightChain(SolverRun& run, int attempt, std::span<double> dv)
{
    constexpr double kLargest = 0.15; // [rad] leaves the straight pose for good, before rounding could decide
    constexpr double kPressed = 1e-6; // relative pull against a limit that counts as blocked
    for (const std::int32_t g : run.activeGoals())
        if (run.shortfall(g) > 0) return false;
    const Model& model = run.model();
    const auto jacobian = run.jacobian();
    const auto residual = run.residual();
    double lever = 0;
    for (const std::int32_t body : run.bodies()) {
        const int begin = model.vBegin[body], singles = singleDofs(model, body);
        for (int v = begin; v < model.vBegin[body + 1]; ++v) {
            const double norm = jacobian.col(v).norm();
            lever = std::max(lever, norm);
            if (v - begin >= singles || !run.isMovable(v)) continue;
            const double q = run.q()[model.qBegin[body] + v - begin], pull = -jacobian.col(v).dot(residual);
            const bool isPressed = (q >= model.upper[v] && pull > 0) || (q <= model.lower[v] && pull < 0);
            if (isPressed && std::abs(pull) > kPressed * norm * residual.norm()) return false;
        }
    }
    if (!(lever > 0)) return false;

    const auto wayToPreferred = [&](int body, int v) { // 0 = none, or there
        const int k = v - model.vBegin[body];
        if (k >= singleDofs(model, body) || model.dofKind[v] == sdk::DofKind::Sliding || !run.isMovable(v)) return 0.0;
        return model.preferred[v] != 0 ? model.preferred[v] - run.q()[model.qBegin[body] + k] : 0.0;
    };
    bool hasPreferred = false;
    for (const std::int32_t body : run.bodies())
        for (int v = model.vBegin[body]; v < model.vBegin[body + 1]; ++v) hasPreferred |= wayToPreferred(body, v) != 0;

    Random random(0x7e4d0 + static_cast<std::uint64_t>(attempt));
    bool moves = false, isFirst = true;
    std::fill(dv.begin(), dv.end(), 0.0);
    for (const std::int32_t body : run.bodies()) {
        const int begin = model.vBegin[body], singles = singleDofs(model, body);
        bool turns = false;
        for (int v = begin; v < model.vBegin[body + 1]; ++v) {
            const double size = kLargest * random.uniform(0.5, 1);
            if (!run.isMovable(v) || model.dofKind[v] == sdk::DofKind::Sliding) continue;
            turns = true;
            if (hasPreferred) {
                dv[v] = std::clamp(wayToPreferred(body, v), -size, size);
            } else if (!isFirst) {
                dv[v] = size;
                const double q = v - begin < singles ? run.q()[model.qBegin[body] + v - begin] : 0;
                if (q + size > model.upper[v]) dv[v] = -size;
            }
            moves |= dv[v] != 0 && model.upper[v] > model.lower[v];
        }
        isFirst &= !turns;
    }
    return moves;
}

} // namespace tendon::kit
