#pragma once

#include <tendon/kit/SolverRun.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace tendon::kit {

/// Where a local solve of a straight chain begins. From a straight pose either side leads to the goal, and which one it
/// is would be decided by the millimetre by which the goal is beside the chain's line. So each joint below the chain's
/// first begins up to 0.15 rad nearer to its preferred angle, times
///
///     straight * asked = clamp(1 - (reach - d) / (s reach)) clamp((d - d') / (s reach))        s = 1 - cos(0.15 / 2)
///
/// with the distances d of the effector and d' of the goal from the chain's first joint, in the seed. By s a chain of
/// two equal bones is shorter that is bent by 0.15 rad. So the start changes continuously with the seed and the goals,
/// is the seed where that is well bent or the goal asks for no shorter chain, and does not depend on the way there. A
/// joint that several chains share takes the largest share.
class PreferredBend
{
public:
    void prepare(const Model& model)
    {
        m_share.assign(static_cast<std::size_t>(model.bodyCount), 0);
        m_hasPreferred = std::any_of(model.preferred.begin(), model.preferred.end(), [](double x) { return x != 0; });
    }

    /// False where no joint has preferred angles: apply() would do nothing.
    [[nodiscard]] bool mayMove() const { return m_hasPreferred; }

    /// Moves `q` (nq), the seed of `run` within limits, to that start. False where the start is the seed. Precondition:
    /// the run is evaluated at `q`.
    bool apply(const SolverRun& run, std::span<double> q)
    {
        const Model& model = run.model();
        bool isAny = false;
        std::fill(m_share.begin(), m_share.end(), 0.0);
        for (const std::int32_t g : run.activeGoals()) {
            const double share = shareOf(run, g);
            if (!(share > 0)) continue;
            isAny = true;
            const int first = firstTurning(run, run.problem().goals[g].body);
            for (std::int32_t b = run.problem().goals[g].body; b > first; b = model.parent[b])
                m_share[b] = std::max(m_share[b], share);
        }
        if (!isAny) return false;
        bool moves = false;
        for (const std::int32_t b : run.bodies())
            if (m_share[b] > 0) moves |= bend(run, b, kBend * m_share[b], q.data() + model.qBegin[b]);
        return moves;
    }

private:
    static constexpr double kBend = 0.15;       ///< [rad] leaves the straight pose for good
    static constexpr double kShorter = 2.81e-3; ///< 1 - cos(kBend / 2)

    /// Of the whole bend, for one goal. Slides change the length of a chain by themselves: none where there are any.
    [[nodiscard]] static double shareOf(const SolverRun& run, int goal)
    {
        const sdk::Goal& asked = run.problem().goals[goal];
        if (!asksPosition(asked.kind)) return 0;
        const Reach reach = run.reach(goal);
        if (!std::isfinite(reach.outer) || !(reach.outer > 0)) return 0;
        const Vector3 effector = run.frames()[asked.body].point(vectorAt(asked.offset));
        const double now = (effector - reach.anchor).norm();
        const double wanted = (vectorAt(asked.targetPosition) - reach.anchor).norm();
        const double shorter = kShorter * reach.outer;
        return std::clamp(1 - (reach.outer - now) / shorter, 0.0, 1.0) * std::clamp((now - wanted) / shorter, 0.0, 1.0);
    }

    /// The topmost body at or above `body` that may turn: its turn bends nothing.
    [[nodiscard]] static int firstTurning(const SolverRun& run, int body)
    {
        const Model& model = run.model();
        int first = body;
        for (int b = body; b >= 0; b = model.parent[b])
            for (int v = model.vBegin[b]; v < model.vBegin[b + 1]; ++v)
                if (model.dofKind[v] == sdk::DofKind::Turning && run.isMovable(v)) first = b;
        return first;
    }

    /// Turns a body by at most `most` [rad] about each of its axes, or as a ball, toward its preferred angles.
    static bool bend(const SolverRun& run, int body, double most, double* own)
    {
        const Model& model = run.model();
        const int begin = model.vBegin[body], end = model.vBegin[body + 1], singles = singleDofs(model, body);
        bool moves = false;
        for (int v = begin; v < begin + singles; ++v) {
            if (model.dofKind[v] == sdk::DofKind::Sliding || model.preferred[v] == 0 || !run.isMovable(v)) continue;
            const double way = std::clamp(model.preferred[v] - own[v - begin], -most, most);
            own[v - begin] += way;
            moves |= way != 0;
        }
        if (begin + singles < end && run.isMovable(end - 3) && run.isMovable(end - 2) && run.isMovable(end - 1)) {
            const Vector3 preferred = vectorAt(&model.preferred[begin + singles]);
            const Quaternion now = quaternionAt(own + singles);
            const Vector3 way = logMap(Quaternion(now.conjugate() * expMap(preferred)));
            if (!preferred.isZero(0) && way.norm() > 0) {
                const Vector3 step = way * std::min(1.0, most / way.norm());
                store(Quaternion(now * expMap(step)).normalized(), own + singles);
                moves = true;
            }
        }
        if (moves) clampBody(model, body, run.problem().locked, own);
        return moves;
    }

    std::vector<double> m_share; ///< (n)
    bool m_hasPreferred = false;
};

} // namespace tendon::kit
