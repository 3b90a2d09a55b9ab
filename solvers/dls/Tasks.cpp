#include "solvers/dls/Tasks.h"

#include <tendon/kit/Tangent.h>

#include <algorithm>
#include <cmath>

namespace tendon::dls {

using kit::asksPosition;
using kit::asksRotation;
using sdk::Goal;
using sdk::GoalKind;

namespace {

/// How near a chain must come to the edge of its reach: there the error is the square of the bend, so this is a bend of
/// about a thousandth.
constexpr double kEdgeTolerance = 1e-6;

void write(double* out, const Vector3& v)
{
    for (int i = 0; i < 3; ++i) out[i] = v[i];
}

/// The rotation vector of a rotation matrix.
Vector3 rotationVector(const Matrix3& m)
{
    const Vector3 twice(m(2, 1) - m(1, 2), m(0, 2) - m(2, 0), m(1, 0) - m(0, 1)); // 2 sin(angle) axis
    const double sine = 0.5 * twice.norm(), cosine = 0.5 * (m.trace() - 1);
    if (cosine < 0 && sine < 1e-3) return kit::logMap(kit::Quaternion(m)); // about half a turn
    if (sine < 1e-5) return twice * (0.5 + sine * sine / 12);
    return twice * (0.5 * std::atan2(sine, cosine) / sine);
}

} // namespace

void Tasks::prepare(const sdk::Model& model, std::int32_t maxGoals)
{
    m_model = &model;
    const auto goals = static_cast<std::size_t>(maxGoals), dofs = static_cast<std::size_t>(model.dofCount);
    m_tasks.assign(goals, {});
    m_carriers.assign(goals * dofs, 0);
    m_residual.assign(goals * kit::kMaxRows, 0);
    m_jacobian.assign(goals * kit::kMaxRows * dofs, 0);
    m_filled.reserve(dofs);
    m_frames.assign(static_cast<std::size_t>(model.bodyCount), {});
}

void Tasks::build(const kit::SolverRun& run, const LinkTree& tree)
{
    m_problem = &run.problem();
    m_rows = m_count = 0;
    m_needsFrames = m_hasProjected = false;

    m_length = kit::lengthOfRadian(run);
    std::int32_t row = 0, carrier = 0;
    m_filled.assign(tree.columns().size(), {}); // within the capacity of prepare()
    for (const std::int32_t g : run.activeGoals()) {
        Task& task = m_tasks[m_count++];
        task.goal = g;
        task.row = row;
        task.firstColumn = carrier;
        buildTask(task, run, tree);
        for (int i = task.link; i >= 0; i = tree.link(i).parent)
            for (int c = 0; c < tree.link(i).columnCount; ++c) m_carriers[carrier++] = tree.link(i).firstColumn + c;
        task.columnCount = carrier - task.firstColumn;
        row += kit::residualRows(m_problem->goals[g].kind);
        for (std::int32_t k = task.firstColumn; k < carrier; ++k) {
            BoxStep::RowRange& filled = m_filled[static_cast<std::size_t>(m_carriers[static_cast<std::size_t>(k)])];
            filled = {filled.end == 0 ? task.row : filled.begin, row}; // goals come by row
        }
    }
    m_rows = static_cast<std::size_t>(row);
    chooseArc(tree);
    std::fill_n(m_jacobian.begin(), m_rows * tree.columns().size(), 0.0); // what no carrier fills stays zero
}

void Tasks::chooseArc(const LinkTree& tree)
{
    constexpr int kMostOfShort = 10;
    int joints = 0;
    for (int i = 0; i < tree.linkCount(); ++i) joints += tree.link(i).columnCount > 0;
    m_isLong = joints > kMostOfShort;
    m_hasArc = m_count == 1 && m_problem->goals[m_tasks.front().goal].kind == GoalKind::Position &&
               std::all_of(tree.columns().begin(), tree.columns().end(), [&](const Column& column) {
                   if (column.slot >= 0) return !kit::isLimitedBall(*m_model, tree.link(column.link).body);
                   return m_isLong && column.turns && std::isinf(column.lower) && std::isinf(column.upper);
               });
}

void Tasks::buildTask(Task& task, const kit::SolverRun& run, const LinkTree& tree)
{
    const Goal& goal = m_problem->goals[task.goal];
    task.link = tree.linkOf(goal.body);
    task.positionFactor = goal.positionWeight / m_length;
    task.rotationFactor = goal.rotationWeight;
    task.target = kit::vectorAt(goal.targetPosition);
    task.isProjected = false;
    if (asksPosition(goal.kind)) {
        const kit::Reach reach = run.reach(task.goal);
        task.isProjected = reach.shortfall(task.target) > 0;
        if (task.isProjected) task.target = reach.nearest(task.target);
        task.anchor = reach.anchor;
        m_hasProjected |= task.isProjected;
    }
    task.next = task.target;
    if (asksRotation(goal.kind))
        task.inverseTarget = kit::quaternionAt(goal.targetRotation).toRotationMatrix().transpose();
    m_needsFrames |= goal.kind == GoalKind::Aim || goal.kind == GoalKind::Pole;
}

void Tasks::updateFrames(const LinkTree& tree)
{
    for (int i = 0; i < tree.linkCount(); ++i) {
        const Link& link = tree.link(i);
        m_frames[link.body] = {link.position, kit::Quaternion(link.rotation), link.scale};
    }
}

Vector3 Tasks::effector(const Task& task, const LinkTree& tree) const
{
    const Link& link = tree.link(task.link);
    return link.position + link.rotation * (kit::vectorAt(m_problem->goals[task.goal].offset) * link.scale);
}

void Tasks::aimAlongArc(const LinkTree& tree)
{
    const double most = m_isLong ? 0.5 : 0.35; // [rad] that a step may go: so near, it goes where it is sent
    if (!m_hasArc) return;
    Task& task = m_tasks.front();
    const Vector3 from = effector(task, tree) - task.anchor, to = task.target - task.anchor;
    const double near = from.norm(), far = to.norm();
    task.next = task.target;
    if (near > 0 && far > 0) {
        const kit::Quaternion turn = kit::leastRotation(from, to);
        const Vector3 way = kit::logMap(turn);
        const double length = std::hypot(way.norm(), (far - near) / m_length);
        if (length > most) {
            const double share = most / length;
            const Vector3 direction = kit::expMap(Vector3(share * way)) * Vector3(from / near);
            task.next = task.anchor + (near + share * (far - near)) * direction;
        }
    }
    evaluate(tree);
}

void Tasks::evaluate(const LinkTree& tree)
{
    if (m_needsFrames) updateFrames(tree);
    double squared = 0;
    m_isMet = true;
    for (std::size_t i = 0; i < m_count; ++i) {
        const Task& task = m_tasks[i];
        const Goal& goal = m_problem->goals[task.goal];
        const Link& link = tree.link(task.link);
        double* out = m_residual.data() + task.row;
        if (goal.kind == GoalKind::Aim || goal.kind == GoalKind::Pole) {
            kit::residual<double>(*m_model, goal, m_frames, out);
            m_isMet &= kit::goalError(goal, out).isWithin(goal);
            for (int k = 0; k < kit::residualRows(goal.kind); ++k) {
                out[k] *= task.rotationFactor;
                squared += out[k] * out[k];
            }
            continue;
        }
        if (asksPosition(goal.kind)) {
            const Vector3 point = effector(task, tree), error = point - task.next;
            const double miss = (point - task.target).squaredNorm();
            // A stand-in target lies on the edge of reach, where the error shrinks with the square of the bend.
            const double tolerance = task.isProjected ? std::min(goal.positionTolerance, kEdgeTolerance * m_length)
                                                      : goal.positionTolerance;
            m_isMet &= goal.positionWeight == 0 || miss <= tolerance * tolerance;
            write(out, error * task.positionFactor);
            squared += error.squaredNorm() * task.positionFactor * task.positionFactor;
            out += 3;
        }
        if (asksRotation(goal.kind)) {
            const Vector3 error = rotationVector(link.rotation * task.inverseTarget);
            const double norm = error.squaredNorm();
            m_isMet &= goal.rotationWeight == 0 || norm <= goal.rotationTolerance * goal.rotationTolerance;
            write(out, error * task.rotationFactor);
            squared += norm * task.rotationFactor * task.rotationFactor;
        }
    }
    m_cost = 0.5 * squared;
}

void Tasks::differentiate(const LinkTree& tree)
{
    for (std::size_t i = 0; i < m_count; ++i) {
        const Task& task = m_tasks[i];
        const Goal& goal = m_problem->goals[task.goal];
        const std::int32_t* carriers = m_carriers.data() + task.firstColumn;
        if (goal.kind == GoalKind::Aim || goal.kind == GoalKind::Pole) {
            const kit::ResidualDerivative derivative(*m_model, goal, m_frames);
            for (int k = 0; k < task.columnCount; ++k) {
                const Column& column = tree.columns()[carriers[k]];
                const Link& owner = tree.link(column.link);
                double* out = m_jacobian.data() + static_cast<std::size_t>(carriers[k]) * m_rows + task.row;
                derivative.column({column.direction, owner.position, column.turns}, owner.body, out);
                for (int row = 0; row < kit::residualRows(goal.kind); ++row)
                    out[row] *= task.rotationFactor * column.metric;
            }
            continue;
        }
        // The rotation residual is a rotation vector r; its exact derivative is Jl(r)^-1 times the turning axis. Both
        // J'r and the undamped step are the same without that factor, because r is an eigenvector of it.
        const bool hasPosition = asksPosition(goal.kind), hasRotation = asksRotation(goal.kind);
        const Vector3 point = effector(task, tree);
        for (int k = 0; k < task.columnCount; ++k) {
            const Column& column = tree.columns()[carriers[k]];
            double* out = m_jacobian.data() + static_cast<std::size_t>(carriers[k]) * m_rows + task.row;
            if (hasPosition) {
                write(out, tree.velocity(column, point) * (task.positionFactor * column.metric));
                out += 3;
            }
            if (hasRotation)
                write(out, column.turns ? Vector3(column.direction * (task.rotationFactor * column.metric))
                                        : Vector3(Vector3::Zero()));
        }
    }
}

} // namespace tendon::dls
