#include "solvers/constrained/ConstrainedSolver.h"

#include <cmath>
#include <numbers>

namespace tendon {

using kit::Choice;
using kit::SolverRun;
using sdk::Status;
using Part = kit::Tangent::Part;

namespace {

constexpr double kMaxStep = 1;         ///< [rad | length] of one step: what derivatives tell holds nearby
constexpr double kMaxReluctance = 30;  ///< on the way to the goals; only where that ends differs
constexpr double kFaint = 1e-3;        ///< share of the joints' law where energy counts: it decides what mass does not
constexpr double kSlow = 0.5;          ///< a step should bring |c|^2 below this share
constexpr double kSufficient = 1e-4;   ///< share of the promised fall of G that a step must bring (Armijo)
constexpr double kShortestStep = 1e-4; ///< share of a step below which no more is tried
constexpr double kOnGoals = 1e-9;      ///< |c| that counts as none on the way to the optimum
constexpr double kNear = 0.2;          ///< |c| from which Newton's step on the whole system is tried
constexpr double kShortestLanding = 0.1; ///< share of that step below which no more is tried
constexpr double kAgain = 0.1;           ///< share of |c| from which it is tried again once it has failed
constexpr double kQuadratic = 1e-2;      ///< a step that shrank by this much shows what the next one would be
constexpr int kMaxReturns = 8;           ///< steps back to the goals after one along them
constexpr double kHopeless = 0.02; ///< of a search, a start ends whose next step promises less than this share of |c|^2
constexpr double kTooSmall = 1e-6; ///< [rad | length] a step of which G shows only rounding
constexpr double kKept = 1e-3;     ///< by so much of itself may objectives worsen goals that could not be met
constexpr int kPatience = 30;      ///< steps that hardly lower G, as along the limits of a ball, before it is enough
constexpr int kMaxNudges = 3;
constexpr Eigen::Index kLarge = 400; ///< DOFs from which on dense matrices would cost more than the steps they save
constexpr double kNudge = 0.15;      ///< [rad] leaves the straight pose for good, before rounding could decide
constexpr double kWorthIt = 0.98;    ///< a pose found after a nudge must be this much better to be taken

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

/// Raises what is next to nothing beside the largest, as what nothing holds has no unit of its own. False: all is 0.
bool raise(Eigen::Ref<Eigen::VectorXd> diagonal)
{
    constexpr double kLeast = 1e-9;
    const double largest = diagonal.size() > 0 ? diagonal.maxCoeff() : 0;
    diagonal = diagonal.cwiseMax(kLeast * largest);
    return largest > 0;
}

} // namespace

ConstrainedSolver::ConstrainedSolver()
{
    declare({.goalKinds = kit::bits(sdk::GoalKind::Position, sdk::GoalKind::Orientation, sdk::GoalKind::Pose,
                                    sdk::GoalKind::Aim, sdk::GoalKind::Pole),
             .objectives = true,
             .otherStarts = true,
             .preferredBend = true,
             .priorities = true});
    declareReal("accuracy", 1e-8, 1e-12, 1e-2);
    declareBool("curvature", true);
    declareEnum("choice", 0, kit::kChoices);
}

Status ConstrainedSolver::onPrepare(const sdk::Model& model, std::int32_t maxGoals)
{
    m_accuracy = parameter("accuracy");
    const auto dofs = static_cast<Eigen::Index>(model.dofCount), rows = Eigen::Index(maxGoals) * kit::kMaxRows;
    m_isLarge = dofs >= kLarge;
    m_usesCurvature = parameter("curvature") != 0 && !m_isLarge;
    m_choice = static_cast<Choice>(static_cast<int>(parameter("choice")));
    m_tangent.prepare(model);
    m_goals.prepare(model, maxGoals);
    m_law.prepare(model);
    m_objectives.prepare(model);
    m_q.assign(static_cast<std::size_t>(model.coordinateCount), 0);
    m_seed = m_trial = m_best = m_found = m_q;
    for (Eigen::VectorXd* room : {&m_gradientRoom, &m_stepRoom, &m_wholeRoom, &m_diagonalRoom}) room->setZero(dofs);
    m_hessianRoom.setZero(m_isLarge ? 0 : dofs, m_isLarge ? 0 : dofs);
    m_box.low.setZero(dofs);
    m_box.high.setZero(dofs);
    m_nearing.prepare(dofs, m_isLarge ? rows : 0);
    m_kkt.prepare(rows, dofs, m_isLarge);
    m_reluctance.resize(static_cast<std::size_t>(model.dofCount));
    return Status::Converged;
}

/// Takes up what the settings of joints mean under the choice. True if another pose than the seed may be
/// better where the seed meets the goals.
bool ConstrainedSolver::buildLaw(const SolverRun& run)
{
    const sdk::Problem& problem = run.problem();
    std::span<const double> reference = m_seed;
    if (m_choice == Choice::Outermost && !problem.posture.empty()) reference = problem.posture;
    if (m_choice == Choice::Natural && !problem.natural.empty()) reference = problem.natural;
    const bool weighsMass = m_choice == Choice::LeastEnergy;
    if (weighsMass) m_objectives.addMotion(m_seed, 1);
    m_law.build(run, m_tangent, m_choice == Choice::Outermost ? kit::Ranking::FromTip : kit::Ranking::ByHand, reference,
                weighsMass ? kFaint : 1);
    for (std::size_t i = 0; i < m_tangent.parts().size(); ++i)
        m_reluctance[i] = std::min(kMaxReluctance, std::sqrt(m_law.resistance(i)));
    return reference.data() != m_seed.data() || m_law.pullsFromReference();
}

void ConstrainedSolver::run(SolverRun& run)
{
    run.countStart();
    std::copy(run.q().begin(), run.q().end(), m_q.begin());
    std::copy(run.problem().seed.begin(), run.problem().seed.end(), m_seed.begin());
    m_tangent.build(run);
    m_hasLimitedBall = std::any_of(run.bodies().begin(), run.bodies().end(),
                                   [&](std::int32_t b) { return kit::isLimitedBall(run.model(), b); });
    m_goals.build(run, m_tangent);
    m_objectives.build(run, m_tangent);
    const bool hasObjectives = !m_objectives.empty();
    const bool isAsked = buildLaw(run) || hasObjectives;

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
        if (m_wasMet && hasObjectives && optimum != Status::Converged) {
            run.stopUnfinished(optimum);
            return;
        }
        // Where the goals are missed the status says why, not that what is left was still being weighed.
        if (isOver(optimum) && (m_wasMet || optimum != Status::IterationLimit)) status = optimum;
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
    double near = kNear; // |c| from which it is tried
    kit::Patience patience(kPatience, kSlow);
    m_isStopped = false;
    evaluate(run, m_q);
    for (;;) {
        if (run.isMet()) return Status::Converged;
        if (const Status stopped = hostStops(run); stopped != Status::Converged) return stopped;
        if (m_hasLimitedBall && patience.isOver(m_norm)) return Status::Stalled;
        if (m_norm <= near && !isSlow) {
            if (!land(run)) near = kAgain * m_norm;
            continue;
        }

        // Gauss and Newton's step, damped by the goals' own distance (Sugihara 2011). Where it hardly helps, as for
        // goals beyond reach, Newton's own.
        m_goals.differentiate(run);
        gradient().noalias() = m_goals.jacobian().transpose() * m_goals.values();
        const double before = m_norm;
        const double damping = factor * 0.5 * before * before;
        updateBox();
        const bool isNewton = isSlow && effort == Effort::Whole && !m_isLarge;
        if (!(isNewton && chooseApproach(run, damping, true)) && !chooseApproach(run, damping, false))
            return Status::Stalled;
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

/// Sets m_nearing to a step toward the goals. False where there is none.
bool ConstrainedSolver::chooseApproach(SolverRun& run, double damping, bool isNewton)
{
    const auto addDamping = [&](auto&& entry) {
        for (std::size_t i = 0; i < m_tangent.parts().size(); ++i) {
            const Part& part = m_tangent.parts()[i];
            for (int k = 0; k < part.size(); ++k) entry(part.index + k) += damping * m_reluctance[i] * m_reluctance[i];
        }
    };
    if (m_isLarge) {
        diagonal().setZero();
        addDamping([&](Eigen::Index k) -> double& { return m_diagonalRoom[k]; });
        if (!raise(diagonal())) return false;
        return m_nearing.solveSquare(diagonal(), m_goals.jacobian(), m_goals.values(), gradient(), m_box);
    }
    hessian().setZero();
    if (isNewton) addCurvature(run, 1, m_goals.values());
    m_goals.addSquare(hessian());
    addDamping([&](Eigen::Index k) -> double& { return m_hessianRoom(k, k); });
    return m_nearing.solve(hessian(), gradient(), m_box);
}

/// Newton's step on the whole system from near the goals, and on toward them by the same decomposition. False where
/// that does not bring them nearer: then m_q stays.
bool ConstrainedSolver::land(SolverRun& run)
{
    const double residual = run.residualNorm(), off = m_norm;
    double moved = 0;
    bool helps = false;
    if (chooseStep(run)) {
        auto whole = m_wholeRoom.head(m_tangent.size());
        whole = step();
        for (double share = 1; share > kShortestLanding && !helps; share *= 0.5) {
            step() = share * whole;
            moved = m_tangent.move(m_q, m_stepRoom.data(), run.problem().locked, m_trial);
            mend(run);
            helps = m_norm < kSlow * off;
        }
    }
    run.countIterations(1);
    run.trace(residual, helps ? moved : 0, -1, Optimising, helps ? m_trial : m_q);
    if (helps)
        std::swap(m_q, m_trial);
    else
        evaluate(run, m_q);
    return helps;
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
    m_isOnGoals = false;
    double before = kit::kInfinity; // size of the last step
    kit::Patience patience(kPatience);
    for (;;) {
        evaluate(run, m_q);
        if (const Status stopped = hostStops(run); stopped != Status::Converged) return stopped;
        if (patience.isOver(m_value) || !chooseStep(run)) return Status::Stalled;
        run.countIterations(1);
        const double residual = run.residualNorm(), size = largestStep();
        // Newton squares what is left with each step, so two steps tell the next. Rounding ends it where steps no
        // longer shrink.
        const double shrunk = size / before;
        const bool isNextNone = m_usesCurvature && shrunk > 0 && shrunk <= kQuadratic &&
                                size * shrunk * shrunk <= 0.1 * m_accuracy;
        const bool isSmall = size <= kTooSmall;
        const bool isLast = size <= m_accuracy || (isSmall && (isNextNone || shrunk > 0.5));
        before = size;
        double moved = 0;
        if (isSmall) {
            moved = m_tangent.move(m_q, m_stepRoom.data(), run.problem().locked, m_trial);
            evaluate(run, m_trial);
            if (isKept(run)) std::swap(m_q, m_trial);
        } else {
            moved = takeStep(run);
        }
        run.trace(residual, moved, -1, Optimising, m_q);
        if (isLast) return Status::Converged;
        if (!isSmall && moved <= 0) return Status::Stalled;
    }
}

/// Sets m_step to Newton's step, at the configuration of the last evaluate(). False where there is none.
bool ConstrainedSolver::chooseStep(SolverRun& run)
{
    differentiate(run);
    updateBox();
    m_kkt.balance(gradient(), m_goals.jacobian(), m_goals.values(), m_box);
    if (m_isLarge) return chooseStepOfLarge();
    // The whole second derivative where that makes a minimum, else the part of it that always does.
    for (const bool isWhole : {m_usesCurvature, false}) {
        hessian().setZero();
        m_law.addHessian(hessian());
        m_objectives.addHessian(hessian(), isWhole);
        if (isWhole) addCurvature(run, -1, m_kkt.multipliers());
        if (!m_kkt.solve(hessian(), gradient(), m_goals.jacobian(), m_goals.values(), m_box)) continue;
        step() = m_kkt.p();
        shortenStep();
        return true;
    }
    return false;
}

bool ConstrainedSolver::chooseStepOfLarge()
{
    diagonal().setZero();
    m_law.addHessianDiagonal(diagonal());
    m_objectives.addHessianDiagonal(diagonal());
    if (!raise(diagonal()) || !m_kkt.solveDiagonal(diagonal(), gradient(), m_goals.jacobian(), m_goals.values(), m_box))
        return false;
    step() = m_kkt.p();
    shortenStep();
    return true;
}

/// Goes along m_step as far as G - lambda . c falls (Armijo) and the goals can be mended. Returns the step [rad | m]; 0
/// = it does not fall. With the multipliers, what mending leaves of the goals does not count for or against the step.
double ConstrainedSolver::takeStep(SolverRun& run)
{
    auto whole = m_wholeRoom.head(m_tangent.size());
    whole = step();
    const auto value = [&] { return m_value - m_kkt.multipliers().dot(m_goals.values()); };
    const double before = value(), off = m_norm;
    double slope = gradient().dot(whole);
    for (Eigen::Index row = 0; row < m_goals.rows(); ++row)
        slope -= m_kkt.multipliers()[row] * m_goals.jacobian().row(row).dot(whole);
    slope = std::min(0.0, slope);
    const double rounding = 1e-13 * std::abs(before);
    for (double share = 1; share > kShortestStep; share *= 0.5) {
        step() = share * whole;
        const double moved = m_tangent.move(m_q, m_stepRoom.data(), run.problem().locked, m_trial);
        if (!returnToGoals(run, off)) continue;
        // The first step comes from where goals are only nearly met: what it takes to meet them is no matter of G.
        if (m_isOnGoals && value() > before + kSufficient * share * slope + rounding) continue;
        m_isOnGoals = true;
        std::swap(m_q, m_trial);
        return moved;
    }
    return 0;
}

/// Moves m_trial back to where the goals are as the last step found them, `off` the residual there, at the least cost
/// by the Hessian of that step. False when it does not get there.
bool ConstrainedSolver::returnToGoals(SolverRun& run, double off)
{
    mend(run);
    return isKept(run) && m_norm <= std::max(kOnGoals, off);
}

/// Steps of m_trial toward the goals by the decomposition of the last step, as long as each halves what is left.
void ConstrainedSolver::mend(SolverRun& run)
{
    evaluate(run, m_trial);
    for (int i = 0; i < kMaxReturns && m_norm > kOnGoals; ++i) {
        const double before = m_norm;
        step().setZero();
        if (m_isLarge)
            m_kkt.addMendingDiagonal(m_goals.values(), step());
        else
            m_kkt.addMending(hessian(), m_goals.values(), step());
        (void)m_tangent.move(m_trial, m_stepRoom.data(), run.problem().locked, m_trial);
        evaluate(run, m_trial);
        if (!(m_norm < kSlow * before)) break;
    }
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
    m_value = m_law.evaluate(q) + m_objectives.evaluate(q);
}

/// Of goals, law and objectives, at the configuration of the last evaluate().
void ConstrainedSolver::differentiate(SolverRun& run)
{
    m_goals.differentiate(run);
    gradient().setZero();
    m_law.addGradient(gradient());
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
