#include "solvers/ceres/CeresSolver.h"

#include <algorithm>
#include <cmath>

namespace tendon {

using ceres_ik::Ending;
using ceres_ik::Space;
using kit::SolverRun;
using sdk::Status;

namespace {

constexpr int kMaxNudges = 3;
constexpr double kNudge = 0.15;   ///< [rad] leaves the straight pose for good, before rounding could decide
constexpr double kWorthIt = 0.98; ///< a pose found after a nudge must be this much better to be taken
constexpr double kCrawl = 0.5;    ///< a step of a start that may be given up should bring the cost below this share
constexpr double kKept = 1e-3;    ///< by so much of itself may objectives worsen a residual that could not be met

bool isOver(Status status)
{
    return status == Status::Cancelled || status == Status::TimeLimit || status == Status::IterationLimit;
}

} // namespace

CeresSolver::CeresSolver()
{
    declare({.goalKinds = kit::bits(sdk::GoalKind::Position, sdk::GoalKind::Orientation, sdk::GoalKind::Pose,
                                    sdk::GoalKind::Aim, sdk::GoalKind::Pole),
             .objectives = true,
             .otherStarts = true,
             .preferredBend = true,
             .priorities = true});
    declareEnum("method", 0, 4);
    declareReal("damping", 0.1, 1e-6, 100);
    declareReal("trustRadius", 1, 0.01, 100);
    declareEnum("linearSolver", 0, 2);
    declareReal("functionTolerance", 1e-9, 1e-15, 1e-2);
    declareInteger("startIterations", 50, 1, 1000);
    declareEnum("constraints", 0, 2);
    declareReal("goalWeight", 1e4, 1, 1e10);
    declareInteger("multiplierSteps", 10, 1, 100);
}

Status CeresSolver::onPrepare(const sdk::Model& model, std::int32_t maxGoals)
{
    m_settings.method = static_cast<ceres_ik::Settings::Method>(static_cast<int>(parameter("method")));
    m_settings.damping = parameter("damping");
    m_settings.trustRadius = parameter("trustRadius");
    m_settings.usesQr = parameter("linearSolver") == 1;
    m_settings.functionTolerance = parameter("functionTolerance");
    m_startIterations = static_cast<int>(parameter("startIterations"));
    m_constraints = static_cast<Constraints>(static_cast<int>(parameter("constraints")));
    m_goalWeight = parameter("goalWeight");
    m_multiplierSteps = static_cast<int>(parameter("multiplierSteps"));
    m_space.prepare(model);
    m_terms.prepare(model, maxGoals);
    m_q.assign(static_cast<std::size_t>(model.coordinateCount), 0);
    m_best = m_q;
    return Status::Converged;
}

/// Follows one descent on behalf of the run: counts, traces, keeps what is good, and says when it is enough.
class CeresSolver::Descent final : public ceres_ik::Watcher
{
public:
    Descent(SolverRun& run, const Space& space, std::span<const double> q, const Errand& errand)
        : m_run(run), m_space(space), m_errand(errand), m_q(q.begin(), q.end()), m_next(m_q),
          m_norm(run.residualNormAt(q))
    {
    }

    [[nodiscard]] Status status() const { return m_status; }

    bool goesOn(const double* x, bool isAccepted, double cost, double damping) override
    {
        m_run.countIterations(1);
        m_space.scatter(x, m_next);
        const double step = isAccepted ? m_space.largestChange(m_q, m_next) : 0;
        if (m_run.wantsTrace()) m_run.trace(m_norm, step, damping, m_errand.stage, m_next);
        bool isMet = false;
        if (isAccepted) {
            m_q = m_next;
            if (m_errand.stopsWhenMet)
                isMet = m_run.offer(m_q);
            else
                m_run.residualNormAt(m_q);
            m_norm = m_run.residualNorm();
        }
        const sdk::Stop& stop = m_run.stopWhen();
        if (isMet) return end(Status::Converged);
        if (m_run.isCancelled()) return end(Status::Cancelled);
        if (m_run.iterations() >= stop.maxIterations) return end(Status::IterationLimit);
        if (m_run.isOutOfTime()) return end(Status::TimeLimit);
        if (isAccepted && (step <= stop.stall || crawls(cost))) return end(Status::Stalled);
        return true;
    }

private:
    bool end(Status status)
    {
        m_status = status;
        return false;
    }

    bool crawls(double cost)
    {
        m_slowSteps = cost > kCrawl * m_cost ? m_slowSteps + 1 : 0;
        m_cost = cost;
        return m_errand.mayGiveUp && m_slowSteps > 3 + m_space.tangentSize() / 8; // long chains turn slowly
    }

    SolverRun& m_run;
    const Space& m_space;
    Errand m_errand;
    std::vector<double> m_q, m_next;
    double m_norm;
    double m_cost = kit::kInfinity;
    int m_slowSteps = 0;
    Status m_status = Status::Stalled;
};

Status CeresSolver::descend(SolverRun& run, const Errand& errand)
{
    const int left = run.stopWhen().maxIterations - run.iterations();
    if (run.isCancelled()) return Status::Cancelled;
    if (left <= 0) return Status::IterationLimit;
    Descent descent(run, m_space, m_q, errand);
    const int most = errand.mayGiveUp ? std::min(left, m_startIterations) : left;
    static_cast<void>(m_minimiser.minimise(m_settings, m_terms, m_space, m_q, most, descent));
    return descent.status(); // Ceres' own endings all mean that it sees nothing to gain
}

void CeresSolver::run(SolverRun& run)
{
    std::copy(run.q().begin(), run.q().end(), m_q.begin());
    run.countStart();
    m_terms.build(run, m_space);
    const bool isPenalty = m_constraints == Constraints::Penalty && m_terms.enableObjectives({});
    if (isPenalty) {
        run.stop(penalise(run));
        return;
    }
    m_terms.disableObjectives();
    Status status = meetGoals(run);
    if (!isOver(status)) {
        const Status weighed = weighObjectives(run);
        if (isOver(weighed)) status = weighed; // heard only where a goal is missed: a status is about goals
    }
    run.stop(status);
}

Status CeresSolver::meetGoals(SolverRun& run)
{
    if (run.offer(m_q)) return Status::Converged; // not a bit moves
    bool isBeyond = false, hasLimits = false;
    for (const std::int32_t g : run.activeGoals()) isBeyond |= run.shortfall(g) > 0;
    for (const Space::Part& part : m_space.parts())
        hasLimits |= std::isfinite(part.lower) || std::isfinite(part.upper) || part.isRotation;
    const bool maySearch = run.problem().search == sdk::Search::Find && run.stopWhen().maxStarts > 1 && !isBeyond;
    // Without limits there are hardly any dead ends: the first start is worth its time.
    const Status status = follow(run, maySearch && hasLimits);
    return maySearch && status == Status::Stalled ? search(run, status) : status;
}

/// One local solve from m_q. Where nothing moves though no limit presses, as in a straight chain with the goal on its
/// line, it is nudged and tried again.
Status CeresSolver::follow(SolverRun& run, bool mayGiveUp)
{
    double best = kit::kInfinity;
    for (int attempt = 0;; ++attempt) {
        const Status status = descend(run, {.mayGiveUp = mayGiveUp});
        if (status != Status::Stalled || mayGiveUp) return status;
        const double norm = run.residualNormAt(m_q);
        if (norm < kWorthIt * best) {
            best = norm;
            m_best = m_q;
        }
        if (attempt >= kMaxNudges || isBlocked() || !nudge(run, attempt)) {
            run.accept(m_best);
            return Status::Stalled;
        }
    }
}

Status CeresSolver::search(SolverRun& run, Status status)
{
    const sdk::Stop& stop = run.stopWhen();
    kit::Random random(run.problem().randomSeed);
    for (int start = 1; start < stop.maxStarts && !isOver(status) && status != Status::Converged; ++start) {
        m_space.randomise(random, m_q);
        run.countStart();
        if (run.offer(m_q)) return Status::Converged;
        status = descend(run, {.mayGiveUp = true});
    }
    return status;
}

/// True when a limit stops the descent at m_q.
bool CeresSolver::isBlocked()
{
    const auto columns = static_cast<std::size_t>(m_space.tangentSize()),
               rows = static_cast<std::size_t>(m_terms.rows());
    m_rows.resize(rows);
    m_jacobian.resize(rows * columns);
    m_step.assign(columns, 0);
    m_x.resize(static_cast<std::size_t>(m_space.ambientSize()));
    m_terms.evaluate(m_q, m_rows.data());
    m_terms.differentiate(m_jacobian.data());
    double residual = 0, squared = 0;
    for (std::size_t i = 0; i < rows; ++i) {
        residual += m_rows[i] * m_rows[i];
        for (std::size_t c = 0; c < columns; ++c) {
            m_step[c] += m_rows[i] * m_jacobian[i * columns + c];
            squared += m_jacobian[i * columns + c] * m_jacobian[i * columns + c];
        }
    }
    m_space.gather(m_q, m_x.data());
    m_space.findHeld(m_x.data(), m_step.data());
    const std::vector<double> gradient = m_step;
    m_space.project(m_step.data());
    double held = 0;
    for (std::size_t c = 0; c < columns; ++c) held = std::max(held, std::abs(gradient[c] - m_step[c]));
    return held > 1e-6 * std::sqrt(residual * squared);
}

bool CeresSolver::nudge(const SolverRun& run, int attempt)
{
    // The same for every problem; preferred angles decide where there are any.
    kit::Random random(0x7e4d0 + static_cast<std::uint64_t>(attempt));
    m_step.assign(static_cast<std::size_t>(m_space.tangentSize()), 0);
    bool moves = false;
    for (const Space::Part& part : m_space.parts()) {
        if (part.slides) continue;
        for (int k = 0; k < (part.isRotation ? 3 : 1); ++k) {
            double way = random.sign() * kNudge * random.uniform(0.5, 1);
            if (!part.isRotation) {
                const double at = m_q[static_cast<std::size_t>(part.coordinate)],
                             preferred = run.model().preferred[static_cast<std::size_t>(part.dof)];
                if (preferred != 0 && preferred != at)
                    way = std::clamp(preferred - at, -std::abs(way), std::abs(way));
                else if (at + way > part.upper || at + way < part.lower)
                    way = -way;
            }
            m_step[static_cast<std::size_t>(part.tangent + k)] = way / part.metric;
            moves = true;
        }
    }
    m_x.resize(static_cast<std::size_t>(m_space.ambientSize()));
    m_space.gather(m_q, m_x.data());
    m_space.plus(m_x.data(), m_step.data(), m_x.data());
    m_space.scatter(m_x.data(), m_q);
    return moves;
}

/// Among the poses that meet the goals as well as the best one so far, the one that the objectives like best: the
/// method of multipliers (Nocedal and Wright 2006, chapter 17.3), whose multipliers stand as shifts in the goals' rows.
Status CeresSolver::weighObjectives(SolverRun& run)
{
    m_best.assign(run.best().begin(), run.best().end());
    if (!m_terms.enableObjectives(m_best) || m_terms.isContent(m_best)) return Status::Converged;
    const double reached = run.residualNormAt(m_best);
    const bool wasMet = run.isMet();
    const auto isKept = [&] {
        const double norm = run.residualNormAt(m_q);
        return wasMet ? run.isMet() : norm <= reached * (1 + kKept) + 1e-12;
    };
    // What could not be met is asked for where it got to.
    m_rows.resize(static_cast<std::size_t>(m_terms.rows()));
    const auto askForReached = [&] {
        m_terms.clearShift();
        if (wasMet) return;
        m_terms.evaluate(m_best, m_rows.data());
        m_terms.addToShift(-1);
    };
    askForReached();
    m_terms.setGoalFactor(std::sqrt(m_goalWeight));
    m_q = m_best;
    Status status = Status::Stalled;
    for (int k = 0; k < m_multiplierSteps; ++k) {
        status = descend(run, {.stage = 1, .stopsWhenMet = false});
        if (isOver(status) || isKept()) break;
        m_terms.evaluate(m_q, m_rows.data());
        m_terms.addToShift(1);
    }
    if (!isKept() && !isOver(status)) { // the last bit by the goals alone
        askForReached();
        m_terms.disableObjectives();
        m_terms.setGoalFactor(1);
        status = descend(run, {.stage = 1, .stopsWhenMet = wasMet});
    }
    run.accept(isKept() ? m_q : m_best);
    return status;
}

/// F = G + w C^2, as taught: the objectives as they are, every goal a spring. Goals are met but for a share 1/w.
Status CeresSolver::penalise(SolverRun& run)
{
    m_terms.setGoalFactor(std::sqrt(m_goalWeight) * m_terms.objectiveScale());
    const Status status = descend(run, {.stopsWhenMet = false});
    run.accept(m_q);
    return status;
}

std::unique_ptr<sdk::Solver> makeCeresSolver() { return std::make_unique<CeresSolver>(); }

} // namespace tendon
