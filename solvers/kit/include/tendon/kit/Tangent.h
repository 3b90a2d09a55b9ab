#pragma once

#include <tendon/kit/SolverRun.h>

#include <span>
#include <vector>

namespace tendon::kit {

using MatrixRef = Eigen::Ref<Eigen::MatrixXd>;

/// [m] How far a goal's chain may lead from its root, at most: its base translations and the limits of its slides, end
/// to end. A slide without a limit counts as far as the goal is away, or as the rest pose has it. The root's own slides
/// count only where the chain is next to nothing beside the way to its goal.
inline double spanOf(const SolverRun& run, const Goal& goal)
{
    constexpr double kNoLength = 0.01; // share of the way to the goal
    const Model& model = run.model();
    const sdk::Problem& problem = run.problem();
    const std::span<const double> rest = problem.posture.empty() ? problem.seed : problem.posture;

    std::int32_t root = goal.body;
    while (model.parent[root] >= 0) root = model.parent[root];
    const Vector3 origin = bodyFrame(model, root, Frame<double>(), problem.base, problem.seed.data()).position;
    const double distance = asksPosition(goal.kind) ? (vectorAt(goal.targetPosition) - origin).norm() : 0;

    double length = vectorAt(goal.offset).norm(); // from the goal up, each in its parent's units
    double open = 0;                              // what slides without a limit add [m]
    for (std::int32_t b = goal.body; b != root; b = model.parent[b]) {
        const double* base = problem.base.data() + kBaseStride * b;
        length = length * base[7] + vectorAt(base).norm();
        const int slides = slidingDofs(model, b);
        for (int k = 0; k < slides; ++k) {
            const std::int32_t v = model.vBegin[b] + k;
            const double now = std::abs(rest[model.qBegin[b] + k]);
            const double reach = run.isMovable(v) ? std::max(std::abs(model.lower[v]), std::abs(model.upper[v])) : now;
            if (reach < kInfinity)
                length += reach * vectorAt(&model.axis[3 * v]).norm();
            else
                open = std::max({open, distance, now});
        }
    }
    length *= problem.base[kBaseStride * root + 7];
    for (int k = 0; k < slidingDofs(model, root); ++k)
        if (run.isMovable(model.vBegin[root] + k)) open = std::max(open, kNoLength * distance - length);
    return length + open;
}

/// [m] One radian counts as much as this length in `run`: 0.3 of the longest spanOf() an active goal, about where
/// turning the last segment of a limb by one radian moves its end. 1 where nothing has a length.
inline double lengthOfRadian(const SolverRun& run)
{
    constexpr double kShare = 0.3;
    double longest = 0;
    for (const std::int32_t g : run.activeGoals()) longest = std::max(longest, spanOf(run, run.problem().goals[g]));
    return longest > 0 ? kShare * longest : 1;
}

/// The DOFs that one run may move, as one vector y without units: a step of 1 is one radian or one lengthOfRadian().
/// DOFs without room between their limits are left out, and so is a ball with a locked DOF. Sized by prepare(); nothing
/// here allocates after it.
class Tangent
{
public:
    struct Part
    {
        std::int32_t body = 0;
        std::int32_t coordinate = 0; ///< the first one in q
        std::int32_t dof = 0;        ///< the first one in v
        std::int32_t index = 0;      ///< the first one in y
        bool isRotation = false;     ///< 4 coordinates and 3 DOFs; else 1 and 1
        double unit = 1;             ///< [rad | m] of DOF change for a step of 1

        [[nodiscard]] int size() const { return isRotation ? 3 : 1; }
    };

    void prepare(const Model& model)
    {
        m_model = &model;
        m_parts.reserve(static_cast<std::size_t>(model.dofCount));
        m_indexOf.assign(static_cast<std::size_t>(model.dofCount), -1);
    }

    void build(const SolverRun& run)
    {
        const Model& model = *m_model;
        m_length = lengthOfRadian(run);
        m_parts.clear();
        m_size = 0;
        std::fill(m_indexOf.begin(), m_indexOf.end(), -1);
        for (const std::int32_t b : run.bodies()) {
            const int begin = model.vBegin[b], end = model.vBegin[b + 1], singles = begin + singleDofs(model, b);
            for (int v = begin; v < singles; ++v)
                if (run.isMovable(v) && model.lower[v] < model.upper[v])
                    add({b, model.qBegin[b] + v - begin, v, m_size, false,
                         model.dofKind[v] == DofKind::Sliding ? m_length : 1});
            if (singles < end && run.isMovable(end - 3) && run.isMovable(end - 2) && run.isMovable(end - 1))
                add({b, model.qBegin[b + 1] - 4, end - 3, m_size, true, 1});
        }
    }

    [[nodiscard]] const Model& model() const { return *m_model; }
    [[nodiscard]] int size() const { return m_size; }
    [[nodiscard]] double length() const { return m_length; } ///< [m] lengthOfRadian() of the run
    [[nodiscard]] std::span<const Part> parts() const { return m_parts; }

    /// The place of a DOF in y; -1 = it does not move.
    [[nodiscard]] int indexOf(int dof) const { return m_indexOf[static_cast<std::size_t>(dof)]; }
    [[nodiscard]] double unitOf(int dof) const { return m_model->dofKind[dof] == DofKind::Sliding ? m_length : 1; }

    /// Sets `to` to `from` (both nq, may be one array) moved by `y`, brought back into the limits. Returns the largest
    /// DOF change [rad | m] that was asked for.
    double move(std::span<const double> from, const double* y, std::span<const std::uint8_t> locked,
                std::span<double> to) const
    {
        if (from.data() != to.data()) std::copy(from.begin(), from.end(), to.begin());
        double largest = 0;
        for (const Part& part : m_parts) {
            double* own = to.data() + part.coordinate;
            if (!part.isRotation) {
                const double step = part.unit * y[part.index];
                largest = std::max(largest, std::abs(step));
                if (step != 0) *own = std::clamp(*own + step, m_model->lower[part.dof], m_model->upper[part.dof]);
                continue;
            }
            const Vector3 turning = vectorAt(y + part.index);
            largest = std::max(largest, turning.cwiseAbs().maxCoeff());
            if (turning.isZero(0)) continue;
            store(Quaternion((quaternionAt(own) * expMap(turning)).normalized()), own);
            clampBody(*m_model, part.body, locked, to.data() + m_model->qBegin[part.body]);
        }
        return largest;
    }

    /// The way of one part from one configuration (nq) to another; of a single DOF only the first number counts.
    [[nodiscard]] Vector3 way(const Part& part, std::span<const double> from, std::span<const double> to) const
    {
        const double *start = from.data() + part.coordinate, *end = to.data() + part.coordinate;
        if (!part.isRotation) return {(*end - *start) / part.unit, 0, 0};
        return logMap(Quaternion(quaternionAt(start).normalized().conjugate() * quaternionAt(end)));
    }

    /// How far y may go in a direction that belongs to a single DOF before its limit: lowest <= 0 <= highest.
    [[nodiscard]] double lowest(const Part& part, std::span<const double> q) const
    {
        return part.isRotation ? -kInfinity
                               : std::min(0.0, (m_model->lower[part.dof] - q[part.coordinate]) / part.unit);
    }
    [[nodiscard]] double highest(const Part& part, std::span<const double> q) const
    {
        return part.isRotation ? kInfinity : std::max(0.0, (m_model->upper[part.dof] - q[part.coordinate]) / part.unit);
    }

private:
    void add(const Part& part)
    {
        for (int k = 0; k < part.size(); ++k) m_indexOf[static_cast<std::size_t>(part.dof + k)] = part.index + k;
        m_size += part.size();
        m_parts.push_back(part);
    }

    const Model* m_model = nullptr;
    std::vector<Part> m_parts;
    std::vector<std::int32_t> m_indexOf; ///< (nv)
    int m_size = 0;
    double m_length = 1;
};

} // namespace tendon::kit
