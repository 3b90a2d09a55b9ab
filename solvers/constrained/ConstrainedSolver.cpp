#include "solvers/constrained/ConstrainedSolver.h"

#include <cmath>
#include <numbers>

namespace tendon {

using kit::SolverRun;
using sdk::Status;
using Part = kit::Tangent::Part;

namespace {

constexpr double kMaxStep = 1;           ///< [rad | length] of one step: what derivatives tell holds nearby
constexpr double kMinWillingness = 1e-3; ///< of a joint whose stiffness is 1
constexpr double kSlow = 0.5;            ///< a step should bring |c|^2 below this share
constexpr double kSufficient = 1e-4;     ///< share of the promised fall of the merit that a step must bring (Armijo)
constexpr double kShortestStep = 1e-4;   ///< share of a step below which no more is tried
constexpr double kMinFall = 0.3;         ///< share of what a step mends of |c| that the merit must count at least
constexpr double kHopeless = 0.02; ///< of a search, a start ends whose next step promises less than this share of |c|^2
constexpr double kTooSmall = 1e-6; ///< [rad | length] a step of which the merit shows only rounding
constexpr double kKept = 1e-3;     ///< by so much of itself may objectives worsen goals that could not be met
constexpr int kMaxNudges = 3;
constexpr double kNudge = 0.15;   ///< [rad] leaves the straight pose for good, before rounding could decide
constexpr double kWorthIt = 0.98; ///< a pose found after a nudge must be this much better to be taken

bool isOver(Status status)
{
    return status == Status::Cancelled || status == Status::TimeLimit || status == Status::IterationLimit;
}

/// Whether the host wants the solve to end now; Converged = it does not.
Status hostStops(const SolverRun& run)
{
    if (run.isCancelled()) return Status::Cancelled;
    if (run.iterations() >= run.stopWhen().maxIterations) return Status::IterationLimit;
    return run.isOutOfTime() ? Status::TimeLimit : Status::Converged;
}

} // namespace

ConstrainedSolver::ConstrainedSolver()
{
    declare({.goalKinds = kit::bits(sdk::GoalKind::Position, sdk::GoalKind::Orientation, sdk::GoalKind::Pose,
                                    sdk::GoalKind::Aim, sdk::GoalKind::Pole),
             .objectives = true,
             .priorities = true});
    declareReal("accuracy", 1e-8, 1e-12, 1e-2);
    declareBool("curvature", true);
}

Status ConstrainedSolver::onPrepare(const sdk::Model& model, std::int32_t maxGoals)
{
    m_accuracy = parameter("accuracy");
    m_usesCurvature = parameter("curvature") != 0;
    m_tangent.prepare(model);
    m_goals.prepare(model, maxGoals);
    m_objectives.prepare(model);
    m_q.assign(static_cast<std::size_t>(model.coordinateCount), 0);
    m_seed = m_trial = m_best = m_found = m_q;
    const auto dofs = static_cast<Eigen::Index>(model.dofCount);
    for (Eigen::VectorXd* room : {&m_gradientRoom, &m_stepRoom, &m_wholeRoom, &m_bentRoom}) room->setZero(dofs);
    m_hessianRoom.setZero(dofs, dofs);
    m_box.low.setZero(dofs);
    m_box.high.setZero(dofs);
    m_nearing.prepare(dofs);
    m_kkt.prepare(static_cast<Eigen::Index>(maxGoals) * kit::kMaxRows, dofs);
    m_reluctance.resize(static_cast<std::size_t>(model.dofCount));
    for (std::size_t v = 0; v < m_reluctance.size(); ++v)
        m_reluctance[v] = 1 / std::max(kMinWillingness, (1 - model.stiffness[v]) * (1 - 0.9 * model.damping[v]));
    return Status::Converged;
}

void ConstrainedSolver::run(SolverRun& run)
{
    run.countStart();
    std::copy(run.q().begin(), run.q().end(), m_q.begin());
    m_seed = m_q;
    m_tangent.build(run);
    m_goals.build(run, m_tangent);
    m_objectives.build(run, m_tangent);
    const bool isAsked = !m_objectives.empty(); // by the problem, besides the wish to stay at the seed
    m_objectives.addLikeness(m_seed, 1, m_reluctance);

    evaluate(run, m_q);
    if (run.isMet() && !isAsked) { // not a bit moves
        for (const std::int32_t g : run.activeGoals()) run.setMultiplier(g, 0);
        run.accept(m_q);
        run.stop(Status::Converged);
        return;
    }
    Status status = meetGoals(run);
    m_wasMet = run.accept(m_q);
    if (!isOver(status) && (m_wasMet || isAsked)) {
        const Status optimum = optimise(run);
        run.accept(m_q);
        if (m_wasMet) reportMultipliers(run);
        if (m_wasMet && isAsked && optimum != Status::Converged) {
            run.stopUnfinished(optimum);
            return;
        }
        if (isOver(optimum)) status = optimum;
    }
    run.stop(status);
}

// The goals alone.

Status ConstrainedSolver::meetGoals(SolverRun& run)
{
    bool isBeyond = false;
    for (const std::int32_t g : run.activeGoals()) isBeyond |= run.shortfall(g) > 0;
    if (run.problem().search != sdk::Search::Find || run.stopWhen().maxStarts <= 1 || isBeyond)
        return follow(run, Effort::Whole);
    Status status = follow(run, Effort::Brief);
    if (status == Status::Stalled) status = search(run);
    return status == Status::Stalled ? approach(run, Effort::Whole) : status;
}

/// One local solve from m_q. Where nothing moves though no limit presses, as in a straight chain with the goal on its
/// line, the chain is nudged and tried again.
Status ConstrainedSolver::follow(SolverRun& run, Effort effort)
{
    double best = kit::kInfinity;
    for (int attempt = 0;; ++attempt) {
        const Status status = approach(run, effort);
        if (status == Status::Converged) return status;
        evaluate(run, m_q);
        if (m_norm < kWorthIt * best) {
            best = m_norm;
            m_best = m_q;
        }
        const bool isLast = isOver(status) || attempt >= kMaxNudges || m_isStopped;
        if (isLast || !nudge(run, attempt)) {
            m_q = m_best;
            return status;
        }
    }
}

/// Steps from m_q to where goals are met, or as near as they can be. A brief one gives up where that is slow.
Status ConstrainedSolver::approach(SolverRun& run, Effort effort)
{
    double factor = 1;
    bool isSlow = false;
    m_isStopped = false;
    evaluate(run, m_q);
    for (;;) {
        if (run.isMet()) return Status::Converged;
        if (const Status stopped = hostStops(run); stopped != Status::Converged) return stopped;

        // Gauss and Newton's step, damped by the goals' own distance (Sugihara 2011). Where it hardly helps, as for
        // goals beyond reach, Newton's own.
        m_goals.differentiate(run);
        gradient().noalias() = m_goals.jacobian().transpose() * m_goals.values();
        const double before = m_norm;
        const double damping = factor * 0.5 * before * before;
        updateBox();
        for (const bool isNewton : {isSlow && effort == Effort::Whole, false}) {
            hessian().setZero();
            if (isNewton) addCurvature(run, 1, m_goals.values());
            m_goals.addSquare(hessian());
            for (const Part& part : m_tangent.parts())
                for (int k = 0; k < part.size(); ++k)
                    m_hessianRoom(part.index + k, part.index + k) += damping * m_reluctance[part.dof] *
                                                                     m_reluctance[part.dof];
            if (m_nearing.solve(hessian(), gradient(), m_box)) break;
            if (!isNewton) return Status::Stalled;
        }
        m_isStopped = m_nearing.isStopped();
        step() = m_nearing.p();
        if (effort == Effort::Brief && -gradient().dot(step()) < kHopeless * before * before) return Status::Stalled;
        shortenStep();

        run.countIterations(1);
        const double residual = run.residualNorm();
        const double moved = m_tangent.move(m_q, m_stepRoom.data(), run.problem().locked, m_trial);
        evaluate(run, m_trial);
        const bool helps = m_norm < before;
        run.trace(residual, helps ? moved : 0, damping, Nearing, helps ? m_trial : m_q);
        if (helps) {
            m_q = m_trial;
            isSlow = m_norm * m_norm > kSlow * before * before;
            factor = std::max(0.3 * factor, 1e-6);
        } else {
            evaluate(run, m_q);
            factor *= 8;
        }
        if (moved <= run.stopWhen().stall) return run.isMet() ? Status::Converged : Status::Stalled;
    }
}

/// Tries other starts, drawn evenly from within the limits. Leaves m_q at the best end if none meets the goals.
Status ConstrainedSolver::search(SolverRun& run)
{
    Status status = Status::Stalled;
    kit::Random random(run.problem().randomSeed);
    evaluate(run, m_q);
    double best = m_norm;
    m_found = m_q;
    const sdk::Model& model = run.model();
    for (int start = 1; start < run.stopWhen().maxStarts && status == Status::Stalled; ++start) {
        for (const Part& part : m_tangent.parts()) {
            double* own = m_q.data() + part.coordinate;
            if (part.isRotation) {
                kit::store(random.rotation(), own);
                kit::clampBody(model, part.body, run.problem().locked, m_q.data() + model.qBegin[part.body]);
            } else {
                *own = random.within(model.lower[part.dof], model.upper[part.dof], part.unit * std::numbers::pi);
            }
        }
        run.countStart();
        status = approach(run, Effort::Brief);
        evaluate(run, m_q);
        if (status != Status::Converged && m_norm >= best) continue;
        best = m_norm;
        m_found = m_q;
    }
    m_q = m_found;
    return status;
}

/// Moves m_q aside: first the joints that have preferred angles toward them, else all by fixed amounts, the same for
/// every problem. False when there is nothing to move.
bool ConstrainedSolver::nudge(const SolverRun& run, int attempt)
{
    kit::Random random(0x7e4d0 + static_cast<std::uint64_t>(attempt));
    step().setZero();
    const auto towardPreferred = [&](const Part& part) {
        const double preferred = run.model().preferred[part.dof];
        return part.isRotation || preferred == 0 ? 0 : preferred - m_q[static_cast<std::size_t>(part.coordinate)];
    };
    const auto turns = [&](const Part& part) { return run.model().dofKind[part.dof] != sdk::DofKind::Sliding; };
    const auto prefers = [&](const Part& part) { return turns(part) && towardPreferred(part) != 0; };
    const bool onlyPreferred = attempt == 0 && std::any_of(m_tangent.parts().begin(), m_tangent.parts().end(), prefers);
    for (const Part& part : m_tangent.parts()) {
        if (!turns(part) || (onlyPreferred && !prefers(part))) continue;
        for (int k = 0; k < part.size(); ++k) {
            double way = random.sign() * kNudge * random.uniform(0.5, 1);
            if (prefers(part))
                way = std::clamp(towardPreferred(part), -std::abs(way), std::abs(way));
            else if (way > m_tangent.highest(part, m_q) || way < m_tangent.lowest(part, m_q))
                way = -way;
            m_stepRoom[part.index + k] = way;
        }
    }
    m_tangent.move(m_q, m_stepRoom.data(), run.problem().locked, m_q);
    return !step().isZero(0);
}

// The optimum.

/// Converged = found. What could not be met is asked for where it got to.
Status ConstrainedSolver::optimise(SolverRun& run)
{
    evaluate(run, m_q);
    m_reached = m_norm;
    if (!m_wasMet) m_goals.askForReached();
    m_penalty = 1;
    m_best = m_q;
    double best = kit::kInfinity, before = kit::kInfinity; // merit; size of the last step
    Status status = Status::Converged;
    for (;;) {
        evaluate(run, m_q);
        if (isKept(run) && m_value + m_penalty * m_norm < best) {
            best = m_value + m_penalty * m_norm;
            m_best = m_q;
        }
        status = hostStops(run);
        if (status != Status::Converged) break;
        if (!chooseStep(run)) {
            status = Status::Stalled;
            break;
        }
        run.countIterations(1);
        const double residual = run.residualNorm(), size = largestStep();
        // Newton squares what is left with the last step; rounding ends it where steps no longer shrink.
        const bool isSmall = size <= kTooSmall, isLast = size <= m_accuracy || (isSmall && size > 0.5 * before);
        before = size;
        const double moved = isSmall ? m_tangent.move(m_q, m_stepRoom.data(), run.problem().locked, m_q)
                                     : takeStep(run);
        run.trace(residual, moved, -1, Optimising, m_q);
        if (isLast) {
            evaluate(run, m_q);
            if (isKept(run)) return Status::Converged;
        }
        if (isLast || (!isSmall && moved <= 0)) {
            status = Status::Stalled;
            break;
        }
    }
    m_q = m_best;
    return status;
}

/// Sets m_step to Newton's step, at the configuration of the last evaluate(). False where there is none.
bool ConstrainedSolver::chooseStep(SolverRun& run)
{
    differentiate(run);
    updateBox();
    m_kkt.balance(gradient(), m_goals.jacobian(), m_goals.values(), m_box);
    // The whole second derivative where that makes a minimum, else the part of it that always does.
    for (const bool isWhole : {m_usesCurvature, false}) {
        hessian().setZero();
        m_objectives.addHessian(hessian(), isWhole);
        if (isWhole) addCurvature(run, -1, m_kkt.multipliers());
        if (!m_kkt.solve(hessian(), gradient(), m_goals.jacobian(), m_goals.values(), m_box)) continue;
        step() = m_kkt.p();
        shortenStep();
        return true;
    }
    return false;
}

/// Goes along m_step as far as the merit G + penalty |c| falls (Nocedal and Wright 2006, chapter 18.3). Returns the
/// step [rad | m]; 0 = it does not fall.
double ConstrainedSolver::takeStep(SolverRun& run)
{
    auto whole = m_wholeRoom.head(m_tangent.size()), bent = m_bentRoom.head(m_tangent.size());
    whole = step();
    bent.noalias() = hessian() * whole;
    const double along = gradient().dot(whole), bend = std::max(0.0, whole.dot(bent));
    m_penalty = std::max(m_penalty, 2 * m_kkt.multipliers().norm());
    const double mended = m_norm - m_goals.normAfter(whole);
    if (mended > kTooSmall) m_penalty = std::max(m_penalty, (along + 0.5 * bend) / ((1 - kMinFall) * mended));
    const double before = m_value + m_penalty * m_norm;
    const double slope = std::min(0.0, along - m_penalty * mended);
    const double rounding = 1e-13 * std::abs(before);
    for (double share = 1; share > kShortestStep; share *= 0.5) {
        step() = share * whole;
        double moved = m_tangent.move(m_q, m_stepRoom.data(), run.problem().locked, m_trial);
        double after = merit(run, m_trial);
        if (share == 1 && after > before + kSufficient * slope + rounding) {
            // Curved goals alone may be why: mend what the step left of them (second-order correction).
            m_kkt.addMending(m_goals.values(), step());
            moved = m_tangent.move(m_q, m_stepRoom.data(), run.problem().locked, m_trial);
            after = merit(run, m_trial);
        }
        if (after > before + kSufficient * share * slope + rounding) continue;
        m_q = m_trial;
        return moved;
    }
    return 0;
}

double ConstrainedSolver::merit(SolverRun& run, std::span<const double> q)
{
    evaluate(run, q);
    return m_value + m_penalty * m_norm;
}

bool ConstrainedSolver::isKept(const SolverRun& run) const
{
    return m_wasMet ? run.isMet() : m_norm <= kKept * m_reached + 1e-12;
}

// What both need.

void ConstrainedSolver::evaluate(SolverRun& run, std::span<const double> q)
{
    run.residualNormAt(q);
    m_norm = m_goals.evaluate(run);
    m_value = m_objectives.evaluate(q);
}

/// Of goals and objectives, at the configuration of the last evaluate().
void ConstrainedSolver::differentiate(SolverRun& run)
{
    m_goals.differentiate(run);
    gradient().setZero();
    m_objectives.addGradient(gradient());
}

void ConstrainedSolver::shortenStep()
{
    if (const double largest = largestStep(); largest > kMaxStep) step() *= kMaxStep / largest;
}

/// Adds sign d2(force . c)/dy dy to the Hessian.
void ConstrainedSolver::addCurvature(SolverRun& run, double sign, const Eigen::Ref<const Eigen::VectorXd>& force)
{
    Eigen::Index row = 0;
    for (const std::int32_t g : run.activeGoals()) {
        const sdk::Goal& goal = run.problem().goals[g];
        const int rows = kit::residualRows(goal.kind);
        double scaled[kit::kMaxRows] = {};
        for (int i = 0; i < rows; ++i)
            scaled[i] = sign * force[row + i] * m_goals.factors()[row + i] * kit::rowWeight(goal, i);
        kit::addGoalCurvature(m_tangent, run.motions(), run.frames(), goal, scaled, hessian());
        row += rows;
    }
}

void ConstrainedSolver::updateBox()
{
    m_box.low.setConstant(-kit::kInfinity);
    m_box.high.setConstant(kit::kInfinity);
    for (const Part& part : m_tangent.parts()) {
        if (part.isRotation) continue;
        m_box.low[part.index] = m_tangent.lowest(part, m_q);
        m_box.high[part.index] = m_tangent.highest(part, m_q);
    }
}

/// The multipliers at m_q, per metre or radian of the target.
void ConstrainedSolver::reportMultipliers(SolverRun& run)
{
    evaluate(run, m_q);
    differentiate(run);
    updateBox();
    m_kkt.balance(gradient(), m_goals.jacobian(), m_goals.values(), m_box);
    Eigen::Index row = 0;
    for (const std::int32_t g : run.activeGoals()) {
        const sdk::Goal& goal = run.problem().goals[g];
        const int rows = kit::residualRows(goal.kind);
        double squared = 0;
        for (int i = 0; i < std::min(3, rows); ++i) {
            const double pull = m_kkt.multipliers()[row + i] * m_goals.factors()[row + i] * kit::rowWeight(goal, i);
            squared += pull * pull;
        }
        run.setMultiplier(g, std::sqrt(squared));
        row += rows;
    }
}

std::unique_ptr<sdk::Solver> makeConstrainedSolver() { return std::make_unique<ConstrainedSolver>(); }

} // namespace tendon
