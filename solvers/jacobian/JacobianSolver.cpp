#include "solvers/jacobian/JacobianSolver.h"

#include <tendon/kit/Steps.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tendon {

using kit::Vector3;
using sdk::GoalKind;

namespace {

constexpr int kMaxBends = 3; ///< of a straight chain

// [steps] without progress
constexpr int kPatience = 60;
constexpr int kPatienceOfNewton = 30;

// Near full reach gradient steps zigzag. Shorter ones do not (Raydan and Svaiter 2002); which pose they end in depends
// on rounding, but a goal beyond reach leaves no choice.
constexpr double kRelaxed = 0.85;

} // namespace

JacobianSolver::JacobianSolver()
{
    declare({.goalKinds = kit::bits(GoalKind::Position, GoalKind::Orientation, GoalKind::Pose, GoalKind::Aim,
                                    GoalKind::Pole),
             .priorities = true});
    declareEnum("method", 0, 3);
    declareReal("gain", 1, 0.01, 2);
    declareReal("maxStep", std::numbers::pi / 4, std::numbers::pi / 180, 20 * std::numbers::pi);
    declareReal("rankTolerance", 1e-6, 1e-12, 0.5);
    declareBool("bend", true);
}

sdk::Status JacobianSolver::onPrepare(const sdk::Model& model, std::int32_t maxGoals)
{
    m_method = static_cast<Method>(static_cast<int>(parameter("method")));
    m_maxStep = parameter("maxStep");
    m_rankTolerance = parameter("rankTolerance");
    m_bends = parameter("bend") != 0;
    declarePreferredBend(m_bends);

    const Eigen::Index rows = static_cast<Eigen::Index>(maxGoals) * kit::kMaxRows, columns = model.dofCount;
    m_rowFactors.reserve(static_cast<std::size_t>(rows));
    m_shifts.reserve(static_cast<std::size_t>(rows));
    m_blocks.reserve(static_cast<std::size_t>(2 * maxGoals + 1));
    m_columns.reserve(static_cast<std::size_t>(columns));
    m_q.assign(static_cast<std::size_t>(model.coordinateCount), 0);
    m_best = m_q;
    m_dv.assign(static_cast<std::size_t>(columns), 0);
    m_jacobian.setZero(rows, columns);
    m_error.setZero(rows);
    m_step.setZero(columns);
    m_part.setZero(columns);
    m_decomposition.prepare(rows, columns);
    return sdk::Status::Converged;
}

bool JacobianSolver::supports(const kit::SolverRun& run) const
{
    // A pole's angle changes quickly where the chain is nearly straight: gradient steps hardly ever meet it.
    return m_method != Method::Transpose ||
           std::none_of(run.activeGoals().begin(), run.activeGoals().end(),
                        [&run](std::int32_t g) { return run.problem().goals[g].kind == GoalKind::Pole; });
}

void JacobianSolver::run(kit::SolverRun& run)
{
    run.countStart();
    m_rowFactors.clear();
    double least = kit::kInfinity;
    kit::Patience patience(m_method == Method::Transpose ? kPatience : kPatienceOfNewton);
    const auto keepIfBest = [&](double error) {
        if (!(error < least)) return;
        least = error;
        std::copy(run.q().begin(), run.q().end(), m_best.begin());
    };
    for (int bends = 0; run.next();) {
        if (m_rowFactors.empty()) begin(run);
        const double error = updateError(run);
        keepIfBest(error);
        if (patience.isOver(error)) {
            run.setConfiguration(m_best, 0, -1, m_rank); // stalls there
            continue;
        }
        double largest = step(run);
        if (m_bends && largest <= run.stopWhen().stall && bends < kMaxBends &&
            kit::bendStraightChain(run, bends, m_dv)) {
            largest = kit::stepWithinLimits(run, m_dv, m_q);
            ++bends;
        }
        run.setConfiguration(m_q, largest, -1, m_rank);
    }
    if (run.isMet() || m_rowFactors.empty()) return;
    keepIfBest(updateError(run));
    run.accept(m_best);
}

/// What is the same for all steps of a solve.
void JacobianSolver::begin(const kit::SolverRun& run)
{
    bool isBeyond = false;
    m_length = kit::lengthOfRadian(run);
    m_shifts.clear();
    m_blocks.assign(1, 0);
    for (const std::int32_t g : run.activeGoals()) {
        const sdk::Goal& goal = run.problem().goals[g];
        const Vector3 target = kit::vectorAt(goal.targetPosition);
        if (kit::asksPosition(goal.kind)) {
            const kit::Reach reach = run.reach(g);
            const Vector3 shift = goal.positionWeight * (target - reach.nearest(target));
            isBeyond |= reach.shortfall(target) > 0;
            for (int k = 0; k < 3; ++k) {
                m_rowFactors.push_back(1 / m_length);
                m_shifts.push_back(shift[k]);
            }
            m_blocks.push_back(static_cast<std::int32_t>(m_shifts.size()));
        }
        const std::size_t end = static_cast<std::size_t>(m_blocks.back()) +
                                static_cast<std::size_t>(kit::residualRows(goal.kind) -
                                                         (kit::asksPosition(goal.kind) ? 3 : 0));
        if (end == m_shifts.size()) continue;
        m_rowFactors.resize(end, 1);
        m_shifts.resize(end, 0);
        m_blocks.push_back(static_cast<std::int32_t>(end));
    }
    m_gain = parameter("gain") * (m_method == Method::Transpose && isBeyond ? kRelaxed : 1);
}

/// Writes the next configuration to m_q; returns the largest change of a DOF.
double JacobianSolver::step(kit::SolverRun& run)
{
    m_columns.clear();
    for (const std::int32_t body : run.bodies())
        for (std::int32_t v = run.model().vBegin[body]; v < run.model().vBegin[body + 1]; ++v)
            if (run.isMovable(v)) m_columns.push_back(v);
    do {
        buildJacobian(run);
        solveSystem();
    } while (dropPressed(run));
    return kit::stepWithinLimits(run, m_dv, m_q);
}

/// Target minus current at the run's configuration; returns its norm.
double JacobianSolver::updateError(kit::SolverRun& run)
{
    const auto residual = run.residual();
    for (Eigen::Index row = 0; row < residual.size(); ++row) {
        const auto r = static_cast<std::size_t>(row);
        m_error[row] = -m_rowFactors[r] * (residual[row] + m_shifts[r]);
    }
    return m_error.head(residual.size()).norm();
}

void JacobianSolver::buildJacobian(kit::SolverRun& run)
{
    const auto jacobian = run.jacobian();
    for (std::size_t c = 0; c < m_columns.size(); ++c) {
        const std::int32_t v = m_columns[c];
        const double unit = run.model().dofKind[v] == sdk::DofKind::Sliding ? m_length : 1;
        for (Eigen::Index row = 0; row < jacobian.rows(); ++row)
            m_jacobian(row, static_cast<Eigen::Index>(c)) = m_rowFactors[static_cast<std::size_t>(row)] *
                                                            jacobian(row, v) * unit;
    }
}

void JacobianSolver::solveSystem()
{
    m_rank = 0;
    switch (m_method) {
    case Method::Transpose: solveTranspose(); break;
    case Method::PseudoInverse: solveByDirections(false); break;
    case Method::SelectivelyDamped: solveByDirections(true); break;
    }
}

/// The gradient's direction, as far as is best if the Jacobian did not change (Buss 2004, eq. 7).
void JacobianSolver::solveTranspose()
{
    const auto rows = static_cast<Eigen::Index>(m_rowFactors.size()), columns = std::ssize(m_columns);
    auto gradient = m_step.head(columns);
    double slope = 0, curvature = 0; // e . J J'e and |J J'e|^2
    for (Eigen::Index c = 0; c < columns; ++c) gradient[c] = m_jacobian.col(c).head(rows).dot(m_error.head(rows));
    for (Eigen::Index row = 0; row < rows; ++row) {
        double moved = 0;
        for (Eigen::Index c = 0; c < columns; ++c) moved += m_jacobian(row, c) * gradient[c];
        slope += m_error[row] * moved;
        curvature += moved * moved;
    }
    gradient *= curvature > 0 ? m_gain * slope / curvature : 0;
    shorten(gradient, m_maxStep);
}

/// J+ e: of the steps that best meet the linear model, the smallest. If `isSelective`, each singular direction is
/// shortened by itself.
void JacobianSolver::solveByDirections(bool isSelective)
{
    const auto rows = static_cast<Eigen::Index>(m_rowFactors.size()), columns = std::ssize(m_columns);
    m_decomposition.decompose(m_jacobian.topLeftCorner(rows, columns));
    const double least = m_rankTolerance * m_decomposition.largestValue();
    auto step = m_step.head(columns), part = m_part.head(columns);
    step.setZero();
    for (Eigen::Index i = 0; i < m_decomposition.count(); ++i) {
        const double value = m_decomposition.value(i);
        if (!(value > least)) continue;
        ++m_rank;
        part = m_decomposition.left(i).dot(m_error.head(rows)) / value * m_decomposition.right(i);
        if (isSelective) shorten(part, m_maxStep * std::min(1.0, selectiveShare(i)));
        step += part;
    }
    step *= m_gain;
    shorten(step, m_maxStep);
}

/// Buss and Kim 2005, "Selectively damped least squares for inverse kinematics": the share N / M of the largest step
/// that a singular direction may make, so that no end moves much farther than it is asked to.
double JacobianSolver::selectiveShare(Eigen::Index direction) const
{
    const auto left = m_decomposition.left(direction), right = m_decomposition.right(direction);
    double moved = 0, wanted = 0; // M: what the ends may move in all; N: what this direction should move them
    for (std::size_t block = 0; block + 1 < m_blocks.size(); ++block) {
        const Eigen::Index first = m_blocks[block], size = m_blocks[block + 1] - first;
        wanted += left.segment(first, size).norm();
        for (Eigen::Index c = 0; c < std::ssize(m_columns); ++c)
            moved += std::abs(right[c]) * m_jacobian.col(c).segment(first, size).norm();
    }
    moved /= m_decomposition.value(direction);
    return wanted / moved;
}

/// Scales a step so that no DOF moves by more than `largest`.
void JacobianSolver::shorten(Eigen::Ref<Eigen::VectorXd> step, double largest) const
{
    const double longest = step.size() > 0 ? step.cwiseAbs().maxCoeff() : 0;
    if (longest > largest) step *= largest / longest;
}

/// Writes the step to m_dv, and takes out the columns that it would only press against a limit; true if there are any:
/// then the others have to move without them.
bool JacobianSolver::dropPressed(const kit::SolverRun& run)
{
    const sdk::Model& model = run.model();
    std::fill(m_dv.begin(), m_dv.end(), 0);
    for (std::size_t c = 0; c < m_columns.size(); ++c)
        m_dv[static_cast<std::size_t>(m_columns[c])] = m_step[static_cast<Eigen::Index>(c)] *
                                                       (model.dofKind[m_columns[c]] == sdk::DofKind::Sliding ? m_length
                                                                                                             : 1);
    const std::size_t before = m_columns.size();
    for (const std::int32_t body : run.bodies()) {
        const int begin = model.vBegin[body], singles = kit::singleDofs(model, body);
        for (int v = begin; v < begin + singles; ++v) {
            const double q = run.q()[model.qBegin[body] + v - begin], dv = m_dv[static_cast<std::size_t>(v)];
            if ((q >= model.upper[v] && dv > 0) || (q <= model.lower[v] && dv < 0)) std::erase(m_columns, v);
        }
    }
    return m_columns.size() != before;
}

std::unique_ptr<sdk::Solver> makeJacobianSolver() { return std::make_unique<JacobianSolver>(); }

} // namespace tendon
