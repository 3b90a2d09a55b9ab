#pragma once

#include "core/solve/ModelArrays.h"

#include <tendon/kit/SolverBase.h>

#include <algorithm>
#include <random>
#include <vector>

/// A uniformly distributed direction.
inline tendon::kit::Vector3 randomUnit(std::mt19937& random)
{
    std::normal_distribution<double> n;
    return tendon::kit::Vector3(n(random), n(random), n(random)).normalized();
}

/// A uniformly distributed rotation (Marsaglia 1972).
inline tendon::kit::Quaternion randomRotation(std::mt19937& random)
{
    std::normal_distribution<double> n;
    return tendon::kit::Quaternion(n(random), n(random), n(random), n(random)).normalized();
}

/// A position goal for a body's origin.
inline tendon::sdk::Goal positionGoal(int body, const tendon::kit::Vector3& target,
                                      double tolerance = tendon::sdk::Goal{}.positionTolerance, double weight = 1)
{
    tendon::sdk::Goal goal;
    goal.body = body;
    goal.positionTolerance = tolerance;
    goal.positionWeight = weight;
    for (int k = 0; k < 3; ++k) goal.targetPosition[k] = target[k];
    return goal;
}

/// A sdk::Model that owns its arrays, with a base and a seed, grown body by body: what solver tests stand on.
struct SolverModel : tendon::ModelArrays
{
    using Kind = tendon::sdk::JointKind;
    using Vector3 = tendon::kit::Vector3;
    using Quaternion = tendon::kit::Quaternion;

    std::vector<double> base; ///< (n x 8)
    std::vector<double> seed; ///< (nq) zero and identity

    /// Adds a body with its base; `axes`: sliding ones first for Axes. Returns its index.
    int add(int parentBody, Kind bodyKind, const Vector3& translation, const std::vector<Vector3>& axes = {},
            int slides = 0, const Quaternion& rotation = Quaternion::Identity(), double scale = 1)
    {
        std::vector<tendon::ModelDof> dofs;
        const int sliding = std::max(slides, tendon::sdk::traits(bodyKind).slides);
        for (const Vector3& a : axes)
            dofs.push_back(
                {.kind = std::ssize(dofs) < sliding ? tendon::sdk::DofKind::Sliding : tendon::sdk::DofKind::Turning,
                 .axis = {a[0], a[1], a[2]}});
        base.insert(base.end(), {translation[0], translation[1], translation[2], rotation.x(), rotation.y(),
                                 rotation.z(), rotation.w(), scale});
        const int body = addBody(parentBody, bodyKind, dofs);
        seed = neutral();
        return body;
    }

    void limit(int dof, double from, double to)
    {
        lower[static_cast<std::size_t>(dof)] = from;
        upper[static_cast<std::size_t>(dof)] = to;
    }

    [[nodiscard]] tendon::sdk::Model model() const { return view(); }

    [[nodiscard]] std::vector<tendon::kit::Frame<double>> frames(const std::vector<double>& q) const
    {
        std::vector<tendon::kit::Frame<double>> result(parent.size());
        tendon::kit::forwardKinematics<double>(model(), base, q, std::span<tendon::kit::Frame<double>>(result));
        return result;
    }

    /// The largest violation of a limit by `q`: exact for single DOFs, with a rounding tolerance for ball joints.
    [[nodiscard]] double violation(const std::vector<double>& q) const
    {
        const tendon::sdk::Model m = model();
        double worst = 0;
        for (int b = 0; b < m.bodyCount; ++b) {
            const double* own = q.data() + m.qBegin[b];
            const int singles = tendon::kit::singleDofs(m, b);
            for (int k = 0; k < singles; ++k)
                worst = std::max({worst, m.lower[m.vBegin[b] + k] - own[k], own[k] - m.upper[m.vBegin[b] + k]});
            if (!tendon::kit::traitsOf(m, b).hasSwingLimits) continue;
            const double outside = tendon::kit::ballViolation(m, b, tendon::kit::quaternionAt(own + singles));
            worst = std::max(worst, outside < 1e-9 ? 0 : outside);
        }
        return worst;
    }

    /// A configuration within limits: unlimited turning DOFs within +-`range`, ball joints rotated by up to `range`.
    template <class Random>
    [[nodiscard]] std::vector<double> randomConfiguration(Random& random, double range = 2.5) const
    {
        std::vector<double> q = seed;
        const tendon::sdk::Model m = model();
        for (int b = 0; b < m.bodyCount; ++b) {
            double* own = q.data() + m.qBegin[b];
            const int singles = tendon::kit::singleDofs(m, b);
            for (int k = 0; k < singles; ++k) {
                const int v = m.vBegin[b] + k;
                own[k] = std::uniform_real_distribution<double>(std::max(m.lower[v], -range),
                                                                std::min(m.upper[v], range))(random);
            }
            if (!tendon::kit::traitsOf(m, b).hasQuaternion) continue;
            std::uniform_real_distribution<double> part(-range / 2, range / 2);
            const Vector3 turn(part(random), part(random), part(random));
            tendon::kit::store(tendon::kit::expMap(turn), own + singles);
            tendon::kit::clampBody(m, b, {}, own);
        }
        return q;
    }
};

/// One solve with all its outputs.
struct SolveResult
{
    tendon::sdk::Status status = tendon::sdk::Status::InvalidProblem;
    std::vector<double> q;
    std::vector<tendon::sdk::GoalResult> goals;
    std::vector<std::int8_t> limitHits;
    tendon::sdk::Solution solution;
};

/// Precondition: `solver` is prepared for the rig's model.
inline SolveResult solveOnce(tendon::sdk::Solver& solver, const SolverModel& rig,
                             std::span<const tendon::sdk::Goal> goals, tendon::sdk::Problem problem = {},
                             const tendon::sdk::Control& control = {})
{
    SolveResult result;
    problem.base = rig.base;
    if (problem.seed.empty()) problem.seed = rig.seed;
    problem.goals = goals;
    result.q.assign(rig.seed.size(), 0.0);
    result.goals.resize(goals.size());
    result.limitHits.assign(rig.lower.size(), 0);
    result.solution.q = result.q;
    result.solution.goals = result.goals;
    result.solution.limitHits = result.limitHits;
    result.status = solver.solve(problem, control, result.solution);
    return result;
}
