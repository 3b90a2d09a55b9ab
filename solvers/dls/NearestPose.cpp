#include "solvers/dls/NearestPose.h"

#include <tendon/kit/Curvature.h>
#include <tendon/kit/Limits.h>

#include <algorithm>
#include <cmath>

namespace tendon::dls {

namespace {

constexpr int kStages = 5; ///< from the first weights to the last
constexpr double kLastGoalWeight = 1e5, kHeavier = 10;
constexpr double kFirstWall = 1, kLastWall = 0.03;
constexpr int kMostSteps = 40; ///< at the last weights
constexpr int kMostShifts = 5; ///< of the Hessian in a step, before it is given up
constexpr double kFirstShift = 0.1, kMoreShift = 10, kLessShift = 0.1;
constexpr double kMaxTurn = 0.6;     ///< [rad] of a step
constexpr double kNearEnough = 1e-4; ///< [rad] of a whole step, whose square is about what is left
constexpr double kShorter = 0.25;    ///< of a step that does not help
constexpr std::size_t kMostEntries = 500'000;

} // namespace

bool NearestPose::takes(const sdk::Model& model) { return TreeMatrix::entryCount(model) <= kMostEntries; }

void NearestPose::prepare(const sdk::Model& model, std::int32_t maxGoals)
{
    m_model = &model;
    m_hessian.prepare(model);
    m_walls.prepare(model);
    const auto nq = static_cast<std::size_t>(model.coordinateCount), nv = static_cast<std::size_t>(model.dofCount);
    const auto bodies = static_cast<std::size_t>(model.bodyCount);
    const auto rows = static_cast<std::size_t>(maxGoals) * kit::kMaxRows;
    for (std::vector<double>* coordinates : {&m_reference, &m_trial}) coordinates->assign(nq, 0);
    for (std::vector<double>* perColumn : {&m_gradient, &m_step, &m_corrected, &m_dv}) perColumn->assign(nv, 0);
    m_isHeld.assign(nv, 0);
    m_packed.assign(nv * kit::kMaxRows, 0);
    for (std::vector<double>* perRow : {&m_forces, &m_expected}) perRow->assign(rows, 0);
    m_force.assign(bodies, Vector3::Zero());
    m_torque.assign(bodies, Vector3::Zero());
    m_moment.assign(bodies, Matrix3::Zero());
}

void NearestPose::build(const kit::SolverRun& run, LinkTree& tree, Tasks& tasks, std::span<const double> reference)
{
    m_tree = &tree;
    m_tasks = &tasks;
    m_hessian.build(tree);
    std::copy(reference.begin(), reference.end(), m_reference.begin());
    for (const std::int32_t body : run.bodies())
        kit::clampBody(*m_model, body, run.problem().locked, m_reference.data() + m_model->qBegin[body]);
    std::copy(m_reference.begin(), m_reference.end(), m_trial.begin()); // what no column moves
    const std::size_t columns = tree.columns().size();
    for (std::vector<double>* perColumn : {&m_gradient, &m_step, &m_corrected, &m_dv}) perColumn->resize(columns);
    m_isHeld.resize(columns);
    m_walls.build(tree, tasks.length(), m_reference);
}

void NearestPose::approach(kit::SolverRun& run, std::span<double> q)
{
    std::copy(m_reference.begin(), m_reference.end(), q.begin());
    evaluate(q);
    if (m_tasks->isMet()) return;
    double norm = run.wantsTrace() ? run.residualNormAt(q) : 0; // a row tells where its step has come from
    m_walls.enter(*m_tree, q);
    evaluate(q);
    m_hasForces = false;
    m_shift = 0;
    for (int stage = 0, left = kMostSteps; left > 0;) {
        const double share = static_cast<double>(stage) / kStages;
        const bool isLast = stage == kStages;
        m_goalWeight = kLastGoalWeight * std::pow(kHeavier, stage - kStages);
        m_wall = kFirstWall * std::pow(kLastWall / kFirstWall, share);
        m_walls.setReach(1 - share);
        if (isLast)
            --left;
        else
            ++stage;
        if (run.isCancelled() || run.isOutOfTime() || run.iterations() >= run.stopWhen().maxIterations) return;
        run.countIterations(1);

        m_tasks->differentiate(*m_tree);
        double length = -1;
        bool isSolved = true;
        for (int attempt = 0; attempt < kMostShifts && length < 0; ++attempt) {
            isSolved = newton(q);
            if (!isSolved) break;
            length = tryStep(q);
            m_shift = length < 0 ? std::max(kFirstShift, m_shift * kMoreShift) : m_shift * kLessShift;
            if (m_shift < kFirstShift * kLessShift) m_shift = 0;
        }
        if (length >= 0) std::copy(m_trial.begin(), m_trial.end(), q.begin());
        if (run.wantsTrace()) {
            run.trace(norm, std::max(0.0, length), m_shift, 0, q);
            norm = run.residualNormAt(q);
        }
        if (!isSolved || (isLast && length < kNearEnough)) return;
    }
}

void NearestPose::evaluate(std::span<const double> q)
{
    m_tree->evaluate(q);
    m_tasks->evaluate(*m_tree);
}

double NearestPose::energy(std::span<const double> q) const
{
    double squared = 0;
    for (const Column& column : m_tree->columns()) {
        if (column.slot >= 0) continue;
        const double y = (q[column.coordinate] - m_reference[column.coordinate]) / column.metric;
        squared += y * y;
    }
    for (int i = 0; i < m_tree->linkCount(); ++i) {
        const Link& link = m_tree->link(i);
        if (link.quaternion < 0) continue;
        const Vector3 way = m_tree->wayOfBall(link, m_reference, q);
        for (const Column& column : m_tree->columnsOf(link)) {
            if (column.slot < 0) continue;
            const double y = way[column.slot] / column.metric;
            squared += y * y;
        }
    }
    return 0.5 * squared + m_goalWeight * m_tasks->cost() + m_wall * m_walls.energy(*m_tree, q);
}

/// Fills m_step at the transforms and the Jacobian of `q`. False where nothing helps.
bool NearestPose::newton(std::span<const double> q)
{
    for (const Curvature curvature : {Curvature::Exact, Curvature::OfResiduals}) {
        if (curvature == Curvature::Exact && !m_hasForces) continue;
        differentiate(q, curvature);
        if (!m_hessian.factorise()) continue;
        for (std::size_t c = 0; c < m_step.size(); ++c) m_step[c] = -m_gradient[c];
        m_hessian.solveInPlace(m_step);
        noteForces();
        return true;
    }
    return false;
}

void NearestPose::differentiate(std::span<const double> q, Curvature curvature)
{
    const std::span<const Column> columns = m_tree->columns();
    m_hessian.setZero();
    for (std::size_t c = 0; c < columns.size(); ++c) {
        const Column& column = columns[c];
        m_hessian.diagonal(c) = 1;
        if (column.slot < 0) m_gradient[c] = (q[column.coordinate] - m_reference[column.coordinate]) / column.metric;
    }
    for (int i = 0; i < m_tree->linkCount(); ++i)
        if (m_tree->link(i).quaternion >= 0) addBallWay(m_tree->link(i), q, curvature);
    m_walls.differentiate(*m_tree, q, m_wall, m_gradient, m_hessian);
    addGoals();
    if (curvature == Curvature::Exact) addGoalCurvature();
    for (std::size_t c = 0; c < columns.size(); ++c) m_hessian.diagonal(c) += m_shift;
    holdAtLimits(q);
}

void NearestPose::addBallWay(const Link& link, std::span<const double> q, Curvature curvature)
{
    const std::span<const Column> columns = m_tree->columns();
    const Vector3 way = m_tree->wayOfBall(link, m_reference, q);
    Vector3 pull = Vector3::Zero();
    for (const Column& column : m_tree->columnsOf(link))
        if (column.slot >= 0) pull[column.slot] = way[column.slot] / (column.metric * column.metric);
    pull = kit::leftJacobianInverse(way) * pull; // a step in the turned frame changes `way` by the transpose
    const Matrix3 bend = kit::squaredAngleHessian(way);
    for (int c = link.firstColumn; c < link.firstColumn + link.columnCount; ++c) {
        const auto j = static_cast<std::size_t>(c);
        if (columns[j].slot < 0) continue;
        m_gradient[j] = pull[columns[j].slot] * columns[j].metric;
        if (curvature != Curvature::Exact) continue;
        for (int b = link.firstColumn; b <= c; ++b) {
            const auto k = static_cast<std::size_t>(b);
            if (columns[k].slot >= 0) m_hessian.row(j)[m_hessian.depth(k)] = bend(columns[j].slot, columns[k].slot);
        }
    }
}

void NearestPose::addGoals()
{
    const std::span<const double> residual = m_tasks->residual();
    const std::size_t rows = residual.size();
    for (std::size_t i = 0; i < m_tasks->taskCount(); ++i) {
        const Task& task = m_tasks->task(i);
        if (task.columnCount == 0) continue;
        const auto own = static_cast<std::size_t>(kit::residualRows(m_tasks->goal(task).kind));
        const auto first = static_cast<std::size_t>(task.row), count = static_cast<std::size_t>(task.columnCount);
        int last = task.link;
        while (m_tree->link(last).columnCount == 0) last = m_tree->link(last).parent;
        const int tip = m_tree->link(last).firstColumn + m_tree->link(last).columnCount - 1;
        int c = tip;
        for (std::size_t k = count; k-- > 0; c = m_hessian.parent(static_cast<std::size_t>(c))) {
            const double* column = m_tasks->jacobian() + static_cast<std::size_t>(c) * rows + first;
            double pull = 0;
            for (std::size_t r = 0; r < own; ++r) {
                m_packed[r * count + k] = column[r];
                pull += column[r] * residual[first + r];
            }
            m_gradient[static_cast<std::size_t>(c)] += m_goalWeight * pull;
        }
        c = tip;
        for (std::size_t k = count; k-- > 0; c = m_hessian.parent(static_cast<std::size_t>(c))) {
            double* row = m_hessian.row(static_cast<std::size_t>(c));
            for (std::size_t r = 0; r < own; ++r) {
                const double* packed = m_packed.data() + r * count;
                const double share = m_goalWeight * packed[k];
                for (std::size_t e = 0; share != 0 && e <= k; ++e) row[e] += share * packed[e];
            }
        }
    }
}

/// The second derivatives of goals that pull with m_forces (kit/Curvature.h): an outer DOF i turns what an inner one j
/// does, so each pair counts a_i . h_j, where h_j sums over the goals that j carries: of a point at x from its joint
/// (a_j x x) x f = x (a_j . f) - a_j (x . f), of a rotation 1/2 a_j x f. Aims and poles count by their residuals alone.
void NearestPose::addGoalCurvature()
{
    const std::span<const Column> columns = m_tree->columns();
    const auto links = static_cast<std::size_t>(m_tree->linkCount());
    std::fill_n(m_force.begin(), links, Vector3::Zero());
    std::fill_n(m_torque.begin(), links, Vector3::Zero());
    std::fill_n(m_moment.begin(), links, Matrix3::Zero());
    for (std::size_t i = 0; i < m_tasks->taskCount(); ++i) {
        const Task& task = m_tasks->task(i);
        const sdk::Goal& goal = m_tasks->goal(task);
        const double* force = m_forces.data() + task.row;
        const auto link = static_cast<std::size_t>(task.link);
        if (kit::asksPosition(goal.kind)) {
            const Vector3 pull = kit::vectorAt(force) * task.positionFactor;
            m_force[link] += pull;
            m_moment[link] += m_tasks->effector(task, *m_tree) * pull.transpose();
            force += 3;
        }
        if (kit::asksRotation(goal.kind)) m_torque[link] += kit::vectorAt(force) * task.rotationFactor;
    }
    for (std::size_t i = links; i-- > 0;) {
        if (m_tree->link(static_cast<int>(i)).parent < 0) continue;
        const auto parent = static_cast<std::size_t>(m_tree->link(static_cast<int>(i)).parent);
        m_force[parent] += m_force[i];
        m_torque[parent] += m_torque[i];
        m_moment[parent] += m_moment[i];
    }
    const auto effectOf = [&](const Column& column) -> Vector3 {
        const auto link = static_cast<std::size_t>(column.link);
        if (!column.turns) return column.metric * column.direction.cross(m_force[link]);
        const Matrix3 moment = m_moment[link] - m_tree->link(column.link).position * m_force[link].transpose();
        return column.metric * (moment * column.direction - moment.trace() * column.direction +
                                0.5 * column.direction.cross(m_torque[link]));
    };
    for (std::size_t j = 0; j < columns.size(); ++j) {
        const auto link = static_cast<std::size_t>(columns[j].link);
        if (m_force[link].isZero(0) && m_torque[link].isZero(0)) continue;
        const Vector3 effect = effectOf(columns[j]);
        double* row = m_hessian.row(j);
        auto i = static_cast<int>(j);
        for (int p = m_hessian.depth(j); p >= 0; --p, i = m_hessian.parent(static_cast<std::size_t>(i))) {
            const Column& outer = columns[static_cast<std::size_t>(i)];
            if (!outer.turns) continue;
            double value = outer.metric * outer.direction.dot(effect);
            if (outer.slot >= 0 && outer.link == columns[j].link &&
                p != m_hessian.depth(j)) // of one ball: none is outer
                value = 0.5 * (value + columns[j].metric * columns[j].direction.dot(effectOf(outer)));
            row[p] += value;
        }
    }
}

/// Takes what presses a limit out of the system.
void NearestPose::holdAtLimits(std::span<const double> q)
{
    if (!m_walls.hold(*m_tree, q, m_gradient, m_isHeld)) return;
    for (std::size_t k = 0; k < m_isHeld.size(); ++k) {
        double* row = m_hessian.row(k);
        int above = m_hessian.parent(k);
        for (int p = m_hessian.depth(k); p-- > 0; above = m_hessian.parent(static_cast<std::size_t>(above)))
            if (m_isHeld[k] != 0 || m_isHeld[static_cast<std::size_t>(above)] != 0) row[p] = 0;
        if (m_isHeld[k] == 0) continue;
        m_hessian.diagonal(k) = 1;
        m_gradient[k] = 0;
    }
}

/// What the goals will pull with after the step, by the linear model: at the present pose a goal that has just become
/// heavier would pull far too much.
void NearestPose::noteForces()
{
    expect(m_step);
    for (std::size_t r = 0; r < m_tasks->residual().size(); ++r) m_forces[r] = m_goalWeight * m_expected[r];
    m_hasForces = true;
}

/// The residual after `step` from where residual and Jacobian are, by the linear model.
void NearestPose::expect(std::span<const double> step)
{
    const std::span<const double> residual = m_tasks->residual();
    const std::size_t rows = residual.size();
    std::copy(residual.begin(), residual.end(), m_expected.begin());
    for (std::size_t c = 0; c < step.size(); ++c) {
        const double* column = m_tasks->jacobian() + c * rows;
        for (std::size_t r = 0; r < rows; ++r) m_expected[r] += column[r] * step[c];
    }
}

double NearestPose::largest(std::span<const double> step) const
{
    const std::span<const Column> columns = m_tree->columns();
    double most = 0;
    for (std::size_t c = 0; c < columns.size(); ++c)
        most = std::max(most, std::abs(step[c]) * columns[c].metric / (columns[c].turns ? 1 : m_tasks->length()));
    return most;
}

/// E at m_trial, which is `step` from `q`, or the part of it within the walls. Transforms and residual become its own.
double NearestPose::tryAt(std::span<const double> q, std::span<const double> step)
{
    const std::span<const Column> columns = m_tree->columns();
    for (std::size_t c = 0; c < columns.size(); ++c) m_dv[c] = step[c] * columns[c].metric;
    const double share = m_walls.shareWithin(*m_tree, q, m_dv);
    for (double& d : m_dv) d *= share;
    m_tree->step(q, m_dv, m_trial);
    evaluate(m_trial);
    return energy(m_trial);
}

/// Goes from `q` by m_step, or by as much of it as limits and the linear model are good for, to m_trial. Returns how
/// far the whole step would have gone [rad], or -1 where none of it helps; then transforms and residual are again those
/// of `q`.
double NearestPose::tryStep(std::span<const double> q)
{
    constexpr double kRounding = 1e-12;
    const double before = energy(q), enough = before + kRounding * std::abs(before);
    const double whole = largest(m_step);
    for (std::size_t c = 0; c < m_step.size(); ++c) m_dv[c] = m_step[c] * m_tree->columns()[c].metric;
    const double share = std::min(m_walls.shareWithin(*m_tree, q, m_dv), whole > kMaxTurn ? kMaxTurn / whole : 1);
    for (double& y : m_step) y *= share;
    expect(m_step);
    if (tryAt(q, m_step) <= enough) return whole;

    // Goals curve away from a straight step: back to them by the same matrix.
    correct();
    if (largest(m_corrected) < kMaxTurn) {
        for (std::size_t c = 0; c < m_step.size(); ++c) m_corrected[c] += m_step[c];
        if (tryAt(q, m_corrected) <= enough) return whole;
    }
    for (double& y : m_step) y *= kShorter;
    if (tryAt(q, m_step) <= enough) return std::max(whole, kNearEnough);
    evaluate(q);
    return -1;
}

/// The step in m_corrected that takes off what the residual is other than expected.
void NearestPose::correct()
{
    const std::span<const double> residual = m_tasks->residual();
    const std::size_t rows = residual.size();
    for (std::size_t r = 0; r < rows; ++r) m_expected[r] = m_goalWeight * (residual[r] - m_expected[r]);
    for (std::size_t c = 0; c < m_corrected.size(); ++c) {
        const double* column = m_tasks->jacobian() + c * rows;
        double pull = 0;
        for (std::size_t r = 0; r < rows; ++r) pull += column[r] * m_expected[r];
        m_corrected[c] = m_isHeld[c] != 0 ? 0 : -pull;
    }
    m_hessian.solveInPlace(m_corrected);
}

} // namespace tendon::dls
