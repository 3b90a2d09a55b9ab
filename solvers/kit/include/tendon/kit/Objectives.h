#pragma once

#include <tendon/kit/Curvature.h>
#include <tendon/sdk/Problem.h>

#include <cmath>
#include <numeric>

namespace tendon::kit {

/// What a problem prefers among the poses that meet its goals, as one function G of the configuration, with its first
/// and second derivatives by the tangent:
///
///     restPose, naturalPose, velocity   1/2 w |d(q, p)|^2      p = rest, natural, previous configuration
///     power                             1/2 w sum m_b |c_b(q) - c_b(previous)|^2 / (L^2 sum m_b)
///
/// d is the way from p to q in steps of the tangent (a ball's as a rotation vector), c_b a centre of mass, L the
/// tangent's length. Velocity and power count per frame of film: their weights are multiplied by (1/24 s / dt)^2. Where
/// no mass is authored, a bone weighs its length, at its lower end.
class Objectives
{
public:
    void prepare(const Model& model)
    {
        m_model = &model;
        const auto n = static_cast<std::size_t>(model.bodyCount);
        m_bodies.resize(n);
        std::iota(m_bodies.begin(), m_bodies.end(), 0);
        m_frames.assign(n, {});
        m_motions.assign(static_cast<std::size_t>(model.dofCount), {});
        m_q.assign(static_cast<std::size_t>(model.coordinateCount), 0);
        m_masses.reserve(2 * n);
        m_likenesses.reserve(kMaxLikenesses);
        m_velocities.setZero(3, model.dofCount);
    }

    /// Takes the objectives of the run's problem. `tangent` stays borrowed.
    void build(const SolverRun& run, const Tangent& tangent)
    {
        constexpr double kFrame = 1.0 / 24; // [s] of film, so that all weights are comparable at 24 frames a second
        const sdk::Problem& problem = run.problem();
        const sdk::Objectives& weights = run.objectives();
        m_tangent = &tangent;
        m_base = problem.base;
        m_likenesses.clear();
        m_masses.clear();
        const double rate = kFrame / (problem.dt > 0 ? problem.dt : kFrame);
        addLikeness(problem.posture, weights.restPose);
        addLikeness(problem.natural, weights.naturalPose);
        addLikeness(problem.previous, weights.velocity * rate * rate);
        if (!problem.previous.empty()) addMasses(problem.previous, weights.power * rate * rate);
    }

    /// Adds what power counts, with this weight, for the motion since `from` (nq).
    void addMotion(std::span<const double> from, double weight) { addMasses(from, weight); }

    [[nodiscard]] bool empty() const { return m_likenesses.empty() && m_masses.empty(); }

    /// G at a configuration (nq), which the derivatives are then about.
    double evaluate(std::span<const double> q)
    {
        std::copy(q.begin(), q.end(), m_q.begin());
        double value = 0;
        for (const Likeness& likeness : m_likenesses)
            for (const Tangent::Part& part : m_tangent->parts())
                value += 0.5 * likeness.weight * wayOf(likeness, part).squaredNorm();
        if (m_masses.empty()) return value;
        forwardKinematics<double>(*m_model, m_base, m_q, m_bodies, m_frames);
        for (const Mass& mass : m_masses) value += 0.5 * mass.weight * movedOf(mass).squaredNorm();
        return value;
    }

    /// Adds dG/dy.
    void addGradient(Eigen::Ref<Eigen::VectorXd> gradient)
    {
        for (const Likeness& likeness : m_likenesses)
            for (const Tangent::Part& part : m_tangent->parts()) // the way is an eigenvector of its own derivative
                gradient.segment(part.index, part.size()) += likeness.weight * wayOf(likeness, part).head(part.size());
        updateMotions();
        for (const Mass& mass : m_masses) {
            differentiate(mass);
            gradient += mass.weight * m_velocities.leftCols(m_tangent->size()).transpose() * movedOf(mass);
        }
    }

    /// The second derivative of G along a direction of the tangent, as far as it is never negative.
    double curvatureAlong(const Eigen::Ref<const Eigen::VectorXd>& direction)
    {
        double curvature = 0;
        for (const Likeness& likeness : m_likenesses)
            for (const Tangent::Part& part : m_tangent->parts()) {
                const auto way = direction.segment(part.index, part.size());
                curvature += likeness.weight * (part.isRotation
                                                    ? way.dot(squaredAngleHessian(wayOf(likeness, part)) * way)
                                                    : way[0] * way[0]);
            }
        updateMotions();
        for (const Mass& mass : m_masses) {
            differentiate(mass);
            Vector3 velocity = Vector3::Zero();
            for (int k = 0; k < m_tangent->size(); ++k) velocity += direction[k] * m_velocities.col(k);
            curvature += mass.weight * velocity.squaredNorm();
        }
        return curvature;
    }

    /// Adds d2G/dy dy; without `isExact` the part of it that is never negative.
    void addHessian(MatrixRef hessian, bool isExact)
    {
        for (const Likeness& likeness : m_likenesses)
            for (const Tangent::Part& part : m_tangent->parts()) addHessian(likeness, part, hessian);
        updateMotions();
        for (const Mass& mass : m_masses) {
            differentiate(mass);
            for (int j = 0; j < m_tangent->size(); ++j)
                for (int i = 0; !m_velocities.col(j).isZero(0) && i < m_tangent->size(); ++i)
                    hessian(i, j) += mass.weight * m_velocities.col(i).dot(m_velocities.col(j));
            if (isExact)
                addPointCurvature(*m_tangent, m_motions, mass.body, m_frames[mass.body].point(mass.centre),
                                  mass.weight * movedOf(mass), hessian);
        }
    }

    /// Adds the diagonal of the part of d2G/dy dy that is never negative.
    void addHessianDiagonal(Eigen::Ref<Eigen::VectorXd> diagonal)
    {
        for (const Likeness& likeness : m_likenesses)
            for (const Tangent::Part& part : m_tangent->parts()) {
                if (part.isRotation)
                    diagonal.segment<3>(part.index) += likeness.weight *
                                                       squaredAngleHessian(wayOf(likeness, part)).diagonal();
                else
                    diagonal[part.index] += likeness.weight;
            }
        updateMotions();
        for (const Mass& mass : m_masses) {
            differentiate(mass);
            for (int j = 0; j < m_tangent->size(); ++j) diagonal[j] += mass.weight * m_velocities.col(j).squaredNorm();
        }
    }

private:
    struct Likeness
    {
        std::span<const double> toward; ///< (nq)
        double weight = 0;
    };
    struct Mass
    {
        std::int32_t body = 0;
        Vector3 centre = Vector3::Zero();   ///< in body space
        Vector3 previous = Vector3::Zero(); ///< in model space
        double weight = 0;
    };
    static constexpr std::size_t kMaxLikenesses = 3;

    void addLikeness(std::span<const double> toward, double weight)
    {
        if (weight > 0 && !toward.empty()) m_likenesses.push_back({toward, weight});
    }

    [[nodiscard]] Vector3 wayOf(const Likeness& likeness, const Tangent::Part& part) const
    {
        return m_tangent->way(part, likeness.toward, m_q);
    }

    [[nodiscard]] Vector3 movedOf(const Mass& mass) const
    {
        return m_frames[mass.body].point(mass.centre) - mass.previous;
    }

    void addHessian(const Likeness& likeness, const Tangent::Part& part, MatrixRef& hessian) const
    {
        if (!part.isRotation) {
            hessian(part.index, part.index) += likeness.weight;
            return;
        }
        hessian.block<3, 3>(part.index, part.index) += likeness.weight * squaredAngleHessian(wayOf(likeness, part));
    }

    [[nodiscard]] bool isMoved(std::int32_t body) const
    {
        for (std::int32_t b = body; b >= 0; b = m_model->parent[b])
            for (std::int32_t v = m_model->vBegin[b]; v < m_model->vBegin[b + 1]; ++v)
                if (m_tangent->indexOf(v) >= 0) return true;
        return false;
    }

    void addMasses(std::span<const double> previous, double weight)
    {
        if (!(weight > 0)) return;
        const Model& model = *m_model;
        const bool isAuthored = std::any_of(model.mass.begin(), model.mass.end(), [](double m) { return m > 0; });
        forwardKinematics<double>(model, m_base, previous, m_bodies, m_frames);
        double total = 0;
        const std::size_t before = m_masses.size();
        for (const std::int32_t b : m_bodies) {
            const double* base = m_base.data() + kBaseStride * b;
            const double scale = model.parent[b] >= 0 ? m_frames[model.parent[b]].scale : 0;
            Mass mass;
            mass.body = b;
            mass.weight = isAuthored ? model.mass[b] : vectorAt(base).norm() * scale;
            if (!(mass.weight > 0) || !isMoved(b)) continue;
            if (isAuthored) mass.centre = vectorAt(&model.centre[3 * b]);
            mass.previous = m_frames[b].point(mass.centre);
            total += mass.weight;
            m_masses.push_back(mass);
        }
        for (Mass& mass : std::span(m_masses).subspan(before))
            mass.weight *= weight / (total * m_tangent->length() * m_tangent->length());
    }

    void updateMotions()
    {
        if (m_masses.empty()) return;
        for (const std::int32_t b : m_bodies) dofMotions(*m_model, b, m_base, m_q, m_frames, m_motions);
    }

    /// d(centre of mass)/dy.
    void differentiate(const Mass& mass)
    {
        m_velocities.leftCols(m_tangent->size()).setZero();
        const Vector3 centre = m_frames[mass.body].point(mass.centre);
        for (std::int32_t b = mass.body; b >= 0; b = m_model->parent[b])
            for (std::int32_t v = m_model->vBegin[b]; v < m_model->vBegin[b + 1]; ++v)
                if (const int index = m_tangent->indexOf(v); index >= 0)
                    m_velocities.col(index) = m_tangent->unitOf(v) * m_motions[v].velocity(centre);
    }

    const Model* m_model = nullptr;
    const Tangent* m_tangent = nullptr;
    std::span<const double> m_base;
    std::vector<std::int32_t> m_bodies; ///< all, parents first
    std::vector<double> m_q;
    std::vector<Frame<double>> m_frames;
    std::vector<DofMotion> m_motions;
    std::vector<Likeness> m_likenesses;
    std::vector<Mass> m_masses;
    Eigen::Matrix3Xd m_velocities;
};

} // namespace tendon::kit
