#pragma once

#include <tendon/kit/SolverBase.h>

#include <random>
#include <vector>

/// A direction, every one as likely.
inline tendon::kit::Vector3 randomUnit(std::mt19937& random)
{
    std::normal_distribution<double> n;
    return tendon::kit::Vector3(n(random), n(random), n(random)).normalized();
}

/// A rotation, every one as likely (Marsaglia 1972).
inline tendon::kit::Quaternion randomRotation(std::mt19937& random)
{
    std::normal_distribution<double> n;
    return tendon::kit::Quaternion(n(random), n(random), n(random), n(random)).normalized();
}

/// A goal for where a body's origin is.
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

/// A sdk::Model that owns its arrays, grown body by body: what solver tests stand on.
struct SolverModel
{
    using Kind = tendon::sdk::JointKind;
    using Vector3 = tendon::kit::Vector3;
    using Quaternion = tendon::kit::Quaternion;

    std::vector<std::int32_t> parent, qBegin{0}, vBegin{0}, precedence;
    std::vector<Kind> kind;
    std::vector<tendon::sdk::DofKind> dofKind;
    std::vector<double> axis, lower, upper, stiffness, damping, ease, springRest, springTension, preferred;
    std::vector<double> ballSwing, ballTwist, mass, centre;
    std::vector<tendon::sdk::Axis> ballAxis;
    std::vector<double> base; ///< (n x 8)
    std::vector<double> seed; ///< (nq) zero and identity

    /// Adds a body with its base; `axes`: sliding ones first for Prismatic and Axes. Returns its index.
    int add(int parentBody, Kind bodyKind, const Vector3& translation, const std::vector<Vector3>& axes = {},
            int slides = 0, const Quaternion& rotation = Quaternion::Identity(), double scale = 1)
    {
        using tendon::kit::kInfinity;
        const bool isBall = bodyKind == Kind::Ball, isFree = bodyKind == Kind::Free;
        const int dofs = isBall ? 3 : isFree ? 6 : static_cast<int>(axes.size());
        parent.push_back(parentBody);
        kind.push_back(bodyKind);
        qBegin.push_back(qBegin.back() + (isBall ? 4 : isFree ? 7 : dofs));
        vBegin.push_back(vBegin.back() + dofs);
        for (int k = 0; k < dofs; ++k) {
            const Vector3 a = isBall || isFree ? Vector3(Vector3::Unit(k % 3)) : axes[static_cast<std::size_t>(k)];
            axis.insert(axis.end(), a.data(), a.data() + 3);
            const bool slidesHere = isFree ? k < 3 : bodyKind == Kind::Prismatic || k < slides;
            dofKind.push_back(slidesHere ? tendon::sdk::DofKind::Sliding : tendon::sdk::DofKind::Turning);
            lower.push_back(-kInfinity);
            upper.push_back(kInfinity);
            for (std::vector<double>* perDof : {&stiffness, &damping, &ease, &springRest, &springTension, &preferred})
                perDof->push_back(0);
        }
        for (int k = 0; k < 4; ++k) ballSwing.push_back(kInfinity);
        ballTwist.insert(ballTwist.end(), {-kInfinity, kInfinity});
        ballAxis.push_back(tendon::sdk::Axis::X);
        mass.push_back(0);
        centre.insert(centre.end(), {0, 0, 0});
        precedence.push_back(0);
        base.insert(base.end(), {translation[0], translation[1], translation[2], rotation.x(), rotation.y(),
                                 rotation.z(), rotation.w(), scale});
        seed.resize(static_cast<std::size_t>(qBegin.back()), 0.0);
        if (isBall || isFree) seed.back() = 1;
        return static_cast<int>(parent.size()) - 1;
    }

    void limit(int dof, double from, double to)
    {
        lower[static_cast<std::size_t>(dof)] = from;
        upper[static_cast<std::size_t>(dof)] = to;
    }

    /// Spans into this: valid while it stands unchanged.
    [[nodiscard]] tendon::sdk::Model model() const
    {
        tendon::sdk::Model m;
        m.bodyCount = static_cast<std::int32_t>(parent.size());
        m.coordinateCount = qBegin.back();
        m.dofCount = vBegin.back();
        m.parent = parent;
        m.kind = kind;
        m.qBegin = qBegin;
        m.vBegin = vBegin;
        m.dofKind = dofKind;
        m.axis = axis;
        m.lower = lower;
        m.upper = upper;
        m.stiffness = stiffness;
        m.damping = damping;
        m.ease = ease;
        m.springRest = springRest;
        m.springTension = springTension;
        m.preferred = preferred;
        m.ballSwing = ballSwing;
        m.ballTwist = ballTwist;
        m.ballAxis = ballAxis;
        m.mass = mass;
        m.centre = centre;
        m.precedence = precedence;
        return m;
    }

    [[nodiscard]] std::vector<tendon::kit::Frame<double>> frames(const std::vector<double>& q) const
    {
        std::vector<tendon::kit::Frame<double>> result(parent.size());
        tendon::kit::forwardKinematics<double>(model(), base, q, std::span<tendon::kit::Frame<double>>(result));
        return result;
    }

    /// By how much `q` is beyond its limits, at most: exact for DOFs, a ball's rounding forgiven.
    [[nodiscard]] double violation(const std::vector<double>& q) const
    {
        const tendon::sdk::Model m = model();
        double worst = 0;
        for (int b = 0; b < m.bodyCount; ++b) {
            const double* own = q.data() + m.qBegin[b];
            if (m.kind[b] == Kind::Ball) {
                const double outside = tendon::kit::ballViolation(m, b, tendon::kit::quaternionAt(own));
                worst = std::max(worst, outside < 1e-9 ? 0 : outside);
            } else if (m.kind[b] != Kind::Free) {
                for (int v = m.vBegin[b], k = 0; v < m.vBegin[b + 1]; ++v, ++k)
                    worst = std::max({worst, m.lower[v] - own[k], own[k] - m.upper[v]});
            }
        }
        return worst;
    }

    /// A configuration within limits: turning DOFs within +-`range` where unlimited, balls turned by up to `range`.
    template <class Random>
    [[nodiscard]] std::vector<double> randomConfiguration(Random& random, double range = 2.5) const
    {
        std::vector<double> q = seed;
        const tendon::sdk::Model m = model();
        for (int b = 0; b < m.bodyCount; ++b) {
            double* own = q.data() + m.qBegin[b];
            const bool hasQuaternion = m.kind[b] == Kind::Ball || m.kind[b] == Kind::Free;
            const int dofs = m.vBegin[b + 1] - m.vBegin[b], simple = hasQuaternion ? dofs - 3 : dofs;
            for (int k = 0; k < simple; ++k) {
                const int v = m.vBegin[b] + k;
                own[k] = std::uniform_real_distribution<double>(std::max(m.lower[v], -range),
                                                                std::min(m.upper[v], range))(random);
            }
            if (!hasQuaternion) continue;
            std::uniform_real_distribution<double> part(-range / 2, range / 2);
            const Vector3 turn(part(random), part(random), part(random));
            tendon::kit::store(tendon::kit::expMap(turn), own + simple);
            tendon::kit::clampBody(m, b, {}, own);
        }
        return q;
    }
};

/// One solve with everything it fills in.
struct SolveResult
{
    tendon::sdk::Status status = tendon::sdk::Status::InvalidProblem;
    std::vector<double> q;
    std::vector<tendon::sdk::GoalResult> goals;
    std::vector<std::int8_t> limitHits;
    tendon::sdk::Solution solution;
};

/// Prepares nothing: `solver` must be prepared on the rig's model.
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
