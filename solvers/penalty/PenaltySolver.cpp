#include "solvers/penalty/PenaltySolver.h"

#include <tendon/kit/Steps.h>

#include <algorithm>
#include <cmath>

namespace tendon {

using kit::SolverRun;
using sdk::Status;

namespace {

constexpr double kSufficient = 1e-4; ///< share of the promised fall that a step must bring (Armijo)
constexpr int kMaxHalvings = 40;
constexpr int kPatience = 60;  ///< steps that crawl along the limits of a ball before it is enough
constexpr double kMaxStep = 1; ///< [rad | length] of one step: what the gradient tells holds nearby

} // namespace

PenaltySolver::PenaltySolver()
{
    declare({.goalKinds = kit::bits(sdk::GoalKind::Position, sdk::GoalKind::Orientation, sdk::GoalKind::Pose,
                                    sdk::GoalKind::Aim, sdk::GoalKind::Pole),
             .objectives = true,
             .preferredBend = true});
    declareReal("weight", 1000, 1e-3, 1e6);
    declareBool("lineSearch", true);
    declareReal("step", 1, 0.01, 10);
    declareReal("accuracy", 1e-6, 1e-12, 1e-2);
}

Status PenaltySolver::onPrepare(const sdk::Model& model, std::int32_t maxGoals)
{
    m_weight = parameter("weight");
    m_searchesLine = parameter("lineSearch") != 0;
    m_step = parameter("step");
    m_accuracy = parameter("accuracy");
    m_tangent.prepare(model);
    m_goals.prepare(model, maxGoals);
    m_objectives.prepare(model);
    m_q.assign(static_cast<std::size_t>(model.coordinateCount), 0);
    m_trial = m_best = m_q;
    for (Eigen::VectorXd* vector : {&m_gradient, &m_direction, &m_moved}) vector->setZero(model.dofCount);
    m_hessian.setZero(model.dofCount, model.dofCount);
    return Status::Converged;
}

void PenaltySolver::run(SolverRun& run)
{
    run.countStart();
    std::copy(run.q().begin(), run.q().end(), m_q.begin());
    m_tangent.build(run);
    m_goals.build(run, m_tangent);
    m_objectives.build(run, m_tangent);
    const Status status = descend(run);
    m_q = m_best;
    run.accept(m_q);
    reportForces(run);
    run.stop(status);
}

Status PenaltySolver::descend(SolverRun& run)
{
    double unit = 0; // what the gradient's length is compared with
    m_inverseBefore = m_slopeBefore = m_length = 0;
    m_turn = 0;
    m_value = m_bestValue = evaluate(run, m_q);
    m_best = m_q;
    const bool mayCrawl = m_objectives.empty() &&
                          std::any_of(run.bodies().begin(), run.bodies().end(),
                                      [&](std::int32_t b) { return kit::isLimitedBall(run.model(), b); });
    kit::Patience patience(kPatience);
    for (;;) {
        if (run.isMet() && m_objectives.empty()) return Status::Converged;
        if (mayCrawl && patience.isOver(run.residualNorm())) return Status::Stalled;
        if (run.isCancelled()) return Status::Cancelled;
        if (run.iterations() >= run.stopWhen().maxIterations) return Status::IterationLimit;
        if (run.isOutOfTime()) return Status::TimeLimit;

        differentiate(run);
        chooseDirection();
        const double slope = m_direction.head(m_tangent.size()).norm(), norm = run.residualNorm();
        if (unit == 0) unit = m_objectives.empty() ? slope : meanCurvature();
        if (!(slope > m_accuracy * unit)) return Status::Stalled;
        run.countIterations(1);
        const double step = m_searchesLine ? searchLine(run) : stepFixed(run);
        run.trace(norm, step, -1, 0, m_q);
        if (m_value <= m_bestValue) { // not always where the step is fixed
            m_bestValue = m_value;
            m_best = m_q;
        }
        if (!(step > run.stopWhen().stall)) return Status::Stalled;
    }
}

double PenaltySolver::evaluate(SolverRun& run, std::span<const double> q)
{
    run.residualNormAt(q);
    const double residual = m_goals.evaluate(run);
    return m_objectives.evaluate(q) + 0.5 * m_weight * residual * residual;
}

void PenaltySolver::differentiate(SolverRun& run)
{
    m_goals.differentiate(run);
    auto gradient = m_gradient.head(m_tangent.size());
    gradient.noalias() = m_weight * m_goals.jacobian().transpose() * m_goals.values();
    m_objectives.addGradient(gradient);
}

void PenaltySolver::chooseDirection()
{
    m_direction.head(m_tangent.size()) = -m_gradient.head(m_tangent.size());
    for (const kit::Tangent::Part& part : m_tangent.parts()) {
        if (part.isRotation) continue;
        double& way = m_direction[part.index];
        if ((way > 0 && m_tangent.highest(part, m_q) <= 0) || (way < 0 && m_tangent.lowest(part, m_q) >= 0)) way = 0;
    }
}

/// Of the objectives, over all directions of the tangent.
double PenaltySolver::meanCurvature()
{
    const int n = m_tangent.size();
    auto hessian = m_hessian.topLeftCorner(n, n);
    hessian.setZero();
    m_objectives.addHessian(hessian, false);
    return n > 0 ? hessian.trace() / n : 0;
}

double PenaltySolver::curvatureAlong()
{
    const auto direction = m_direction.head(m_tangent.size());
    double curvature = m_objectives.empty() ? 0 : m_objectives.curvatureAlong(direction);
    for (Eigen::Index row = 0; row < m_goals.rows(); ++row) {
        const double along = m_goals.jacobian().row(row).dot(direction);
        curvature += m_weight * along * along;
    }
    return curvature;
}

/// The first trial: the lowest point of the parabola along the gradient (Cauchy). Such steps alone soon zigzag, so
/// after every few of them come some of one short length, that of Yuan, which in a plane ends at the lowest point (De
/// Asmundis et al. 2014). Longer rows of Cauchy's steps zigzag longer, shorter ones let rounding grow to another pose.
double PenaltySolver::trialLength(double slope)
{
    constexpr int kCauchySteps = 16, kShortSteps = 8;
    const double curvature = curvatureAlong();
    const double own = curvature / slope, before = m_inverseBefore; // 1 / length of Cauchy's steps
    const int turn = m_turn++ % (kCauchySteps + kShortSteps);
    if (turn < kCauchySteps)
        m_length = curvature > 0 ? 1 / own : 1;
    else if (turn == kCauchySteps && own > 0 && before > 0)
        m_length = 2 / (std::sqrt((before - own) * (before - own) + 4 * slope * before * before / m_slopeBefore) +
                        before + own);
    m_inverseBefore = own;
    m_slopeBefore = slope;
    return std::min(m_length, kMaxStep / m_direction.head(m_tangent.size()).cwiseAbs().maxCoeff());
}

double PenaltySolver::searchLine(SolverRun& run)
{
    const auto direction = m_direction.head(m_tangent.size());
    const double slope = direction.squaredNorm();
    double length = trialLength(slope);
    for (int k = 0; k < kMaxHalvings; ++k, length *= 0.5) {
        m_moved.head(m_tangent.size()) = length * direction;
        const double step = m_tangent.move(m_q, m_moved.data(), run.problem().locked, m_trial);
        const double value = evaluate(run, m_trial);
        if (!(value <= m_value - kSufficient * length * slope)) continue;
        m_q = m_trial;
        m_value = value;
        return step;
    }
    m_value = evaluate(run, m_q); // for what is asked of the run next
    return 0;
}

double PenaltySolver::stepFixed(SolverRun& run)
{
    const int n = m_tangent.size();
    if (m_length == 0) {
        // No direction bends more than all directions together: at the start a step of this length never overshoots.
        const double bend = m_weight * m_goals.jacobian().squaredNorm() + n * meanCurvature();
        m_length = bend > 0 ? m_step / bend : m_step;
    }
    m_moved.head(n) = m_length * m_direction.head(n);
    const double step = m_tangent.move(m_q, m_moved.data(), run.problem().locked, m_q);
    m_value = evaluate(run, m_q);
    return step;
}

/// The springs' forces, per metre or radian of the target.
void PenaltySolver::reportForces(SolverRun& run)
{
    m_value = evaluate(run, m_q);
    Eigen::Index row = 0;
    for (const std::int32_t g : run.activeGoals()) {
        const sdk::Goal& goal = run.problem().goals[g];
        double squared = 0;
        for (int i = 0; i < std::min(3, kit::residualRows(goal.kind)); ++i) {
            const double force = m_weight * m_goals.values()[row + i] * m_goals.factors()[row + i] *
                                 kit::rowWeight(goal, i);
            squared += force * force;
        }
        run.setMultiplier(g, std::sqrt(squared));
        row += kit::residualRows(goal.kind);
    }
}

std::unique_ptr<sdk::Solver> makePenaltySolver() { return std::make_unique<PenaltySolver>(); }

} // namespace tendon
