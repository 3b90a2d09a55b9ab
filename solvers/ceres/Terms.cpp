#include "solvers/ceres/Terms.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tendon::ceres_ik {

using kit::Vector3;
using sdk::Goal;

namespace {

/// The time by which speeds are counted: a frame of film. At 24 frames a second the objectives of motion and of
/// similarity weigh alike.
constexpr double kFrame = 1.0 / 24; // [s]

} // namespace

void Terms::prepare(const kit::Model& model, std::int32_t maxGoals)
{
    m_model = &model;
    const auto n = static_cast<std::size_t>(model.bodyCount), rows = static_cast<std::size_t>(maxGoals) * kit::kMaxRows;
    m_allBodies.resize(n);
    std::iota(m_allBodies.begin(), m_allBodies.end(), 0);
    m_frames.assign(n, {});
    m_otherFrames.assign(n, {});
    m_motions.assign(static_cast<std::size_t>(model.dofCount), {});
    m_q.assign(static_cast<std::size_t>(model.coordinateCount), 0);
    for (std::vector<double>* perRow : {&m_factors, &m_shift, &m_residual}) perRow->assign(rows, 0);
}

void Terms::build(const kit::SolverRun& run, Space& space)
{
    m_problem = &run.problem();
    m_objectives = run.objectives();
    m_space = &space;
    m_bodies.assign(run.bodies().begin(), run.bodies().end());
    m_length = kit::lengthOfRadian(run);
    space.build(run, m_length);
    m_goals.clear();
    m_goalFactor = 1;
    disableObjectives();

    std::size_t row = 0;
    for (const std::int32_t g : run.activeGoals()) {
        Goal goal = m_problem->goals[g];
        if (kit::asksPosition(goal.kind)) {
            // Beyond reach, proved by lengths: the nearest point within it is asked instead.
            const Vector3 nearest = run.reach(g).nearest(kit::vectorAt(goal.targetPosition));
            std::copy_n(nearest.data(), 3, goal.targetPosition);
        }
        const int rows = kit::residualRows(goal.kind);
        for (int i = 0; i < rows; ++i)
            m_factors[row++] = kit::rowWeight(goal, i) / (kit::asksPosition(goal.kind) && i < 3 ? m_length : 1);
        m_goals.push_back(goal);
    }
    m_goalRows = static_cast<Eigen::Index>(row);
    clearShift();
}

void Terms::addToShift(double times)
{
    for (std::size_t i = 0; i < static_cast<std::size_t>(m_goalRows); ++i) m_shift[i] += times * m_residual[i];
}

void Terms::clearShift() { std::fill(m_shift.begin(), m_shift.end(), 0.0); }

void Terms::disableObjectives()
{
    m_likenesses.clear();
    m_masses.clear();
    m_objectiveRows = 0;
}

bool Terms::enableObjectives(std::span<const double> anchor)
{
    disableObjectives();
    const double rate = kFrame / (m_problem->dt > 0 ? m_problem->dt : kFrame);
    addLikeness(m_problem->posture, m_objectives.restPose, false);
    addLikeness(m_problem->natural, m_objectives.naturalPose, false);
    addLikeness(m_problem->previous, m_objectives.velocity * rate * rate, false);
    if (!m_problem->previous.empty()) addMasses(m_objectives.power * rate * rate);
    if (m_likenesses.empty() && m_masses.empty()) return false;
    m_anchor.assign(anchor.begin(), anchor.end());
    addLikeness(m_anchor, 1, true);

    // Only the objectives' weights relative to each other matter: the strongest possible pull is made 1, so that the
    // goals' factor means the same with any weights.
    double total = m_masses.empty() ? 0 : m_objectives.power * rate * rate;
    for (const Likeness& likeness : m_likenesses) total += likeness.factor * likeness.factor;
    m_objectiveScale = 1 / std::sqrt(total);
    for (Likeness& likeness : m_likenesses) likeness.factor *= m_objectiveScale;
    for (MovedMass& mass : m_masses) mass.factor *= m_objectiveScale;
    m_objectiveRows = static_cast<Eigen::Index>(m_likenesses.size()) * m_space->tangentSize() +
                      3 * static_cast<Eigen::Index>(m_masses.size());
    return true;
}

void Terms::addLikeness(std::span<const double> toward, double weight, bool isAnchor)
{
    if (weight > 0 && !toward.empty()) m_likenesses.push_back({toward, std::sqrt(weight), isAnchor});
}

bool Terms::isMoved(std::int32_t body) const
{
    for (std::int32_t b = body; b >= 0; b = m_model->parent[b])
        if (!m_space->partsOf(b).empty()) return true;
    return false;
}

/// Where no mass is authored at all, a bone weighs its length, at its lower end.
void Terms::addMasses(double weight)
{
    if (!(weight > 0)) return;
    const bool isAuthored = std::any_of(m_model->mass.begin(), m_model->mass.end(),
                                        [](double mass) { return mass > 0; });
    kit::forwardKinematics<double>(*m_model, m_problem->base, m_problem->previous, m_otherFrames);
    double total = 0;
    for (const std::int32_t b : m_allBodies) {
        const double* base = m_problem->base.data() + kit::kBaseStride * b;
        const double scale = m_model->parent[b] >= 0 ? m_otherFrames[m_model->parent[b]].scale : 0;
        const double mass = isAuthored ? m_model->mass[b] : kit::vectorAt(base).norm() * scale;
        if (!(mass > 0) || !isMoved(b)) continue;
        MovedMass moved;
        moved.body = b;
        if (isAuthored) moved.centre = kit::vectorAt(&m_model->centre[3 * b]);
        moved.previous = m_otherFrames[b].point(moved.centre);
        moved.factor = mass;
        total += mass;
        m_masses.push_back(moved);
    }
    for (MovedMass& moved : m_masses) moved.factor = std::sqrt(weight * moved.factor / total) / m_length;
}

void Terms::forward(std::span<const double> q)
{
    std::copy(q.begin(), q.end(), m_q.begin());
    kit::forwardKinematics<double>(*m_model, m_problem->base, m_q, m_masses.empty() ? m_bodies : m_allBodies, m_frames);
}

void Terms::evaluate(std::span<const double> q, double* rows)
{
    forward(q);
    std::size_t row = 0;
    for (const Goal& goal : m_goals) {
        kit::residual<double>(*m_model, goal, m_frames, m_residual.data() + row);
        row += static_cast<std::size_t>(kit::residualRows(goal.kind));
    }
    for (std::size_t i = 0; i < row; ++i) *rows++ = m_goalFactor * m_factors[i] * (m_residual[i] + m_shift[i]);
    for (const Likeness& likeness : m_likenesses) rows = evaluateLikeness(likeness, rows);
    for (const MovedMass& mass : m_masses) {
        const Vector3 moved = mass.factor * (m_frames[mass.body].point(mass.centre) - mass.previous);
        for (int i = 0; i < 3; ++i) *rows++ = moved[i];
    }
}

double* Terms::evaluateLikeness(const Likeness& likeness, double* out) const
{
    for (const Space::Part& part : m_space->parts()) {
        const double *to = likeness.toward.data() + part.coordinate, *at = m_q.data() + part.coordinate;
        const double factor = likeness.factor * (likeness.isAnchor ? part.reluctance : 1) /
                              (part.slides ? m_length : 1);
        if (!part.isRotation) {
            *out++ = factor * (*at - *to);
            continue;
        }
        const Vector3 way = kit::logMap(
            kit::Quaternion(kit::quaternionAt(to).normalized().conjugate() * kit::quaternionAt(at)));
        for (int i = 0; i < 3; ++i) *out++ = factor * way[i];
    }
    return out;
}

void Terms::differentiate(double* jacobian)
{
    const Eigen::Index columns = m_space->tangentSize();
    std::fill_n(jacobian, rows() * columns, 0.0);
    for (const std::int32_t body : m_masses.empty() ? m_bodies : m_allBodies)
        kit::dofMotions(*m_model, body, m_problem->base, m_q, m_frames, m_motions);
    differentiateGoals(jacobian);
    double* out = jacobian + m_goalRows * columns;
    for (const Likeness& likeness : m_likenesses) out = differentiateLikeness(likeness, out);
    for (const MovedMass& mass : m_masses) out = differentiateMass(mass, out);
}

void Terms::differentiateGoals(double* jacobian)
{
    const Eigen::Index columns = m_space->tangentSize();
    std::size_t row = 0;
    for (const Goal& goal : m_goals) {
        const kit::ResidualDerivative derivative(*m_model, goal, m_frames);
        const int rows = kit::residualRows(goal.kind);
        for (std::int32_t b = goal.body; b >= 0; b = m_model->parent[b])
            for (const Space::Part& part : m_space->partsOf(b))
                for (int k = 0; k < (part.isRotation ? 3 : 1); ++k) {
                    double column[kit::kMaxRows];
                    derivative.column(m_motions[static_cast<std::size_t>(part.dof + k)], b, column);
                    for (int i = 0; i < rows; ++i)
                        jacobian[(static_cast<Eigen::Index>(row) + i) * columns + part.tangent + k] =
                            m_goalFactor * m_factors[row + static_cast<std::size_t>(i)] * column[i];
                }
        row += static_cast<std::size_t>(rows);
    }
}

double* Terms::differentiateLikeness(const Likeness& likeness, double* out) const
{
    const Eigen::Index columns = m_space->tangentSize();
    for (const Space::Part& part : m_space->parts()) {
        const double factor = likeness.factor * (likeness.isAnchor ? part.reluctance : 1) /
                              (part.slides ? m_length : 1);
        if (!part.isRotation) {
            out[part.tangent] = factor;
            out += columns;
            continue;
        }
        // d log(t^-1 q exp(v))/dv is the inverse of the right Jacobian, which is the left one of the opposite vector.
        const double *to = likeness.toward.data() + part.coordinate, *at = m_q.data() + part.coordinate;
        const Vector3 way = kit::logMap(
            kit::Quaternion(kit::quaternionAt(to).normalized().conjugate() * kit::quaternionAt(at)));
        const kit::Matrix3 inverse = kit::leftJacobianInverse(-way);
        for (int i = 0; i < 3; ++i, out += columns)
            for (int k = 0; k < 3; ++k) out[part.tangent + k] = factor * inverse(i, k);
    }
    return out;
}

double* Terms::differentiateMass(const MovedMass& mass, double* out) const
{
    const Eigen::Index columns = m_space->tangentSize();
    const Vector3 centre = m_frames[mass.body].point(mass.centre);
    for (std::int32_t b = mass.body; b >= 0; b = m_model->parent[b])
        for (const Space::Part& part : m_space->partsOf(b))
            for (int k = 0; k < (part.isRotation ? 3 : 1); ++k) {
                const Vector3 velocity = mass.factor *
                                         m_motions[static_cast<std::size_t>(part.dof + k)].velocity(centre);
                for (int i = 0; i < 3; ++i) out[i * columns + part.tangent + k] = velocity[i];
            }
    return out + 3 * columns;
}

bool Terms::isContent(std::span<const double> q)
{
    forward(q);
    constexpr double kNothing = 1e-12; // [rad | length]
    std::vector<double> rows(static_cast<std::size_t>(m_space->tangentSize()));
    for (const Likeness& likeness : m_likenesses) {
        evaluateLikeness(likeness, rows.data());
        if (std::any_of(rows.begin(), rows.end(), [](double row) { return std::abs(row) > kNothing; })) return false;
    }
    return std::all_of(m_masses.begin(), m_masses.end(), [&](const MovedMass& mass) {
        return mass.factor * (m_frames[mass.body].point(mass.centre) - mass.previous).norm() <= kNothing;
    });
}

} // namespace tendon::ceres_ik
