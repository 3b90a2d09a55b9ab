#pragma once

#include <tendon/kit/OtherStarts.h>
#include <tendon/kit/Parameters.h>
#include <tendon/kit/PreferredBend.h>
#include <tendon/kit/Priorities.h>
#include <tendon/kit/SolverRun.h>
#include <tendon/kit/Validate.h>

#include <limits>

namespace tendon::kit {

/// A bit 1 << kind for each joint kind or goal kind.
template <class... Kinds>
constexpr std::uint32_t bits(Kinds... kinds)
{
    return (0u | ... | (1u << static_cast<unsigned>(kinds)));
}

/// The joint kinds that SDK 2.0 has. A solver names those that a later minor added.
constexpr std::uint32_t firstJointKinds()
{
    std::uint32_t kinds = 0;
    for (const JointKind kind : sdk::jointKinds())
        if (sdk::traits(kind).minor == 0) kinds |= bits(kind);
    return kinds;
}

/// What a solver can take. Everything else is refused with Unsupported before the author's code runs.
struct Abilities
{
    std::uint32_t jointKinds = firstJointKinds(); ///< bits of the kinds it moves; Fixed is always taken
    std::uint32_t goalKinds = bits(GoalKind::Position, GoalKind::Orientation, GoalKind::Pose);
    bool manyGoals = true; ///< more than one active goal
    bool soft = false;     ///< Goal::soft above 0
    bool objectives = false;
    bool curve = false;
    bool stretch = false;       ///< maxStretch above 1
    bool otherStarts = false;   ///< a miss in Follow where joints have limits may be a dead end: the kit goes on from
                                ///< there and from other starts (OtherStarts.h), the solver from where that meets all
    bool preferredBend = false; ///< run() begins where PreferredBend.h says, which is the seed but for straight chains
    bool priorities = false; ///< Goal::priority; else all goals count as equals (Priorities.h does it for the solver)
};

/// The base of every solver of ours. It checks the input, refuses what the solver cannot do, keeps locked DOFs,
/// measures the errors of the result itself and fills the report. An author derives from it, declares abilities and
/// parameters in the constructor, and writes run() (and onPrepare() where scratch memory is needed).
class SolverBase : public sdk::Solver
{
public:
    [[nodiscard]] bool setParameter(std::string_view id, double value) noexcept override
    {
        return m_parameters.set(id, value);
    }

    [[nodiscard]] sdk::Status prepare(const sdk::Model& model, std::int32_t maxGoals) noexcept override
    {
        m_isPrepared = false;
        if (maxGoals < 0 || !isValid(model)) return sdk::Status::InvalidProblem;
        for (const JointKind kind : model.kind)
            if (kind != JointKind::Fixed && (m_abilities.jointKinds & bits(kind)) == 0) return sdk::Status::Unsupported;
        try {
            m_parameters.commit();
            m_maxGoals = maxGoals;
            m_run.prepare(model, maxGoals);
            m_priorities.prepare(m_run.model(), maxGoals);
            m_start.assign(static_cast<std::size_t>(model.coordinateCount), 0);
            m_nearest = m_start;
            m_bend.prepare(m_run.model());
            const sdk::Status status = onPrepare(m_run.model(), maxGoals);
            m_isPrepared = status == sdk::Status::Converged;
            return status;
        } catch (...) { // out of memory
            return sdk::Status::NumericalFailure;
        }
    }

    [[nodiscard]] sdk::Status solve(const sdk::Problem& problem, const sdk::Control& control,
                                    sdk::Solution& solution) noexcept override
    {
        solution.iterations = solution.starts = solution.traceRows = 0;
        solution.seconds = -1;
        if (!m_isPrepared) return sdk::Status::InvalidProblem;
        const Model& model = m_run.model();
        if (!isValid(model, m_maxGoals, problem) || !isValid(model, problem, solution))
            return sdk::Status::InvalidProblem;
        m_isRanked = m_priorities.build(problem);
        sdk::Problem asked = problem; // lives as long as the run
        if (m_isRanked) asked.goals = m_priorities.equals();
        m_run.begin(asked, control);
        if (!isWithinAbilities(problem)) return sdk::Status::Unsupported;
        if (m_run.activeGoals().empty() && !m_run.hasObjectives() && problem.curve == nullptr) return succeed(solution);
        if (!supports(m_run)) return sdk::Status::Unsupported;

        const bool isHeld = problem.unreachable == sdk::Unreachable::Hold && findShortfall();
        if (isHeld) {
            std::copy(problem.seed.begin(), problem.seed.end(), m_run.m_best.begin());
            m_run.stop(sdk::Status::Unreachable);
        } else {
            try {
                runFromSeed();
                if (m_abilities.otherStarts && mayBeDeadEnd()) leaveDeadEnd(asked);
                if (m_isRanked && m_abilities.priorities && mayGoOn()) settlePriorities(problem, asked);
            } catch (...) {
                return sdk::Status::NumericalFailure;
            }
        }
        return finish(solution);
    }

protected:
    /// Sizes the solver's own scratch memory; the only place where it may allocate. Parameters are in force. `model`
    /// stays valid until the next call. Return Converged to go on, Unsupported to refuse the model.
    virtual sdk::Status onPrepare(const sdk::Model& model, std::int32_t maxGoals)
    {
        (void)model;
        (void)maxGoals;
        return sdk::Status::Converged;
    }

    /// The solve. There is at least one active goal (or objective, or a curve), all input is checked, q is the seed
    /// within limits.
    virtual void run(SolverRun& run) = 0;

    /// Returns false to refuse a problem (Unsupported) for a reason that Abilities cannot express.
    [[nodiscard]] virtual bool supports(const SolverRun& run) const
    {
        (void)run;
        return true;
    }

    void declare(const Abilities& abilities) { m_abilities = abilities; }
    /// Abilities that depend on parameters: for onPrepare().
    void declareOtherStarts(bool triesThem) { m_abilities.otherStarts = triesThem; }
    void declarePreferredBend(bool beginsThere) { m_abilities.preferredBend = beginsThere; }
    void declareReal(std::string_view id, double value, double minimum, double maximum)
    {
        m_parameters.declare(id, Parameters::Kind::Real, value, minimum, maximum);
    }
    void declareInteger(std::string_view id, int value, int minimum, int maximum)
    {
        m_parameters.declare(id, Parameters::Kind::Integer, value, minimum, maximum);
    }
    void declareBool(std::string_view id, bool value)
    {
        m_parameters.declare(id, Parameters::Kind::Bool, value ? 1 : 0, 0, 1);
    }
    void declareEnum(std::string_view id, int value, int count)
    {
        m_parameters.declare(id, Parameters::Kind::Enum, value, 0, count - 1);
    }

    /// The value in force since prepare().
    [[nodiscard]] double parameter(std::string_view id) const noexcept { return m_parameters.value(id); }

private:
    [[nodiscard]] bool isWithinAbilities(const sdk::Problem& problem) const
    {
        if (!m_abilities.objectives && m_run.hasObjectives()) return false;
        if (!m_abilities.curve && problem.curve != nullptr) return false;
        if (!m_abilities.stretch && problem.maxStretch > 1) return false;
        if (!m_abilities.manyGoals && m_run.activeGoals().size() > 1) return false;
        for (const std::int32_t g : m_run.activeGoals()) {
            const Goal& goal = problem.goals[g];
            if ((m_abilities.goalKinds & bits(goal.kind)) == 0 || (goal.soft > 0 && !m_abilities.soft)) return false;
        }
        return true;
    }

    [[nodiscard]] bool findShortfall() const
    {
        for (const std::int32_t g : m_run.activeGoals())
            if (m_run.shortfall(g) > 0) return true;
        return false;
    }

    /// True if a goal is missed that lengths do not put out of reach.
    [[nodiscard]] bool missesWithinReach() const
    {
        return std::any_of(m_run.activeGoals().begin(), m_run.activeGoals().end(), [this](std::int32_t g) {
            return !m_run.error(g).isWithin(m_run.problem().goals[g]) && !(m_run.shortfall(g) > 0);
        });
    }

    /// True if goals are not all met and nobody wants the solve to end.
    [[nodiscard]] bool mayGoOn() const
    {
        const sdk::Status status = m_run.status();
        return !m_run.m_bestIsMet && !m_run.m_hasFailed && sdk::isUsable(status) && status != sdk::Status::Cancelled &&
               status != sdk::Status::TimeLimit;
    }

    /// True if a local solve ended short of goals that lengths do not put out of reach, and joints have limits.
    [[nodiscard]] bool mayBeDeadEnd() const
    {
        return m_run.problem().search == sdk::Search::Follow && mayGoOn() && m_run.status() == sdk::Status::Stalled &&
               hasLimits(m_run) && !findShortfall();
    }

    /// On from where the solve ended, downhill within limits, then from other starts, until all goals are met: the
    /// solve goes on from there. If none leads there, the answer is the first one, as near as limits let it come.
    void leaveDeadEnd(const sdk::Problem& asked)
    {
        const int cap = m_run.m_stop.maxIterations;
        std::copy(m_run.best().begin(), m_run.best().end(), m_nearest.begin());
        m_start = m_nearest;
        m_run.beginStage(asked);
        m_run.m_stop.maxIterations = cap;
        sdk::Status status = m_priorities.descend(m_run, m_start);
        m_nearest = m_start;
        Random random(kSeedOfOtherStarts);
        for (int start = 1; start < kOtherStarts && status == sdk::Status::Stalled; ++start) {
            std::copy(asked.seed.begin(), asked.seed.end(), m_start.begin());
            moveTowardRandom(m_run, m_run.bodies(), shareOfStart(start), random, m_start);
            status = m_priorities.descend(m_run, m_start, Priorities::Effort::Brief);
        }
        if (status == sdk::Status::Converged) {
            runFrom(asked, m_start, cap);
            if (!m_run.m_bestIsMet) m_run.offer(m_start);
            return;
        }
        m_run.offer(m_nearest);
        m_run.stop(status == sdk::Status::IterationLimit ? sdk::Status::Stalled : status);
    }

    /// The run of the stage that has begun. A seed that meets all goals stays. One that is nearer to them than where
    /// the run ends is the answer; it is looked at beforehand only where that may tell the run where to begin.
    void runFromSeed()
    {
        const bool looksFirst = m_abilities.preferredBend && m_bend.mayMove();
        if (looksFirst) {
            m_run.evaluate();
            m_run.keepIfBest();
            if (!m_run.isMet()) m_bend.apply(m_run, m_run.m_q);
        }
        run(m_run);
        if (m_abilities.preferredBend && !looksFirst && !m_run.m_bestIsMet) m_run.offerSeed();
    }

    /// One more run of the problem, from another configuration than its seed.
    void runFrom(const sdk::Problem& asked, std::span<const double> start, int maxIterations)
    {
        m_run.beginStage(asked);
        std::copy(start.begin(), start.end(), m_run.m_q.begin());
        m_run.m_best = m_run.m_q;
        m_run.m_stop.maxIterations = maxIterations;
        run(m_run);
    }

    /// Goals that could not be met as equals: level by level, each within what the higher ones leave free. `asked` is
    /// the run's problem.
    void settlePriorities(const sdk::Problem& problem, sdk::Problem& asked)
    {
        m_priorities.takeAnswerToEquals(m_run.best());
        const int last = m_priorities.levels() - 1;
        sdk::Status status = sdk::Status::Stalled;
        for (int level = 0; level <= last; ++level) {
            if (level < last) {
                asked.goals = m_priorities.downTo(level, problem.goals);
                m_run.beginStage(asked);
                runFromSeed();
                if (m_abilities.otherStarts && mayBeDeadEnd()) leaveDeadEnd(asked);
                if (m_run.m_hasFailed || !sdk::isUsable(m_run.status())) return;
                m_priorities.takeAnswer(level, m_run.best());
            }
            asked.goals = m_priorities.equals();
            m_run.beginStage(asked);
            status = m_priorities.settle(m_run, problem.goals, level);
            if (status == sdk::Status::Cancelled || status == sdk::Status::TimeLimit) break;
        }
        m_run.stop(m_priorities.finish(m_run, status));
    }

    /// Returns the seed, to the bit, for a problem without active goals.
    sdk::Status succeed(sdk::Solution& solution)
    {
        const sdk::Problem& problem = m_run.problem();
        std::copy(problem.seed.begin(), problem.seed.end(), m_run.m_best.begin());
        m_run.stop(sdk::Status::Converged);
        return finish(solution);
    }

    /// Measures the best configuration and writes the solution.
    sdk::Status finish(sdk::Solution& solution)
    {
        const sdk::Problem& problem = m_run.problem();
        if (m_run.status() == sdk::Status::NumericalFailure || m_run.status() == sdk::Status::Unsupported ||
            m_run.m_hasFailed || !allFinite(m_run.m_best))
            return m_run.status() == sdk::Status::Unsupported ? sdk::Status::Unsupported
                                                              : sdk::Status::NumericalFailure;
        if (restoreLocked(problem) || !m_run.m_qIsBest) {
            m_run.m_q = m_run.m_best;
            m_run.evaluate();
        }

        const bool isFinished = m_run.isMet() && !m_run.m_isUnfinished;
        sdk::Status status = isFinished ? sdk::Status::Converged : m_run.status();
        if (!m_run.isMet() && (status == sdk::Status::Converged)) status = sdk::Status::Stalled;
        const bool isUnreachable = !m_run.isMet() && findShortfall();
        bool isBlocked = !m_run.isMet() && fillBlocking(solution);
        // More iterations would not help a goal that limits shut off.
        const bool mayBeShut = status == sdk::Status::Stalled ||
                               (status == sdk::Status::IterationLimit && !m_isRanked && !m_run.hasObjectives());
        if (isBlocked && mayBeShut && !m_isRanked && (!isUnreachable || missesWithinReach()))
            isBlocked = isStoppedByLimits(solution);
        // What there is to say of a missed goal within reach, and of one that a limit shuts off.
        const sdk::Status open = status == sdk::Status::Unreachable ? sdk::Status::Stalled : status;
        const sdk::Status shut = mayBeShut && isBlocked ? sdk::Status::LimitsBlock : open;
        fillGoals(solution, isUnreachable ? open : shut, shut);
        if (mayBeShut && isBlocked) status = sdk::Status::LimitsBlock;
        if (isUnreachable && (status == sdk::Status::LimitsBlock || status == sdk::Status::Stalled ||
                              status == sdk::Status::IterationLimit))
            status = sdk::Status::Unreachable;

        std::copy(m_run.m_q.begin(), m_run.m_q.end(), solution.q.begin());
        if (!solution.stretch.empty())
            std::copy(m_run.m_stretch.begin(), m_run.m_stretch.end(), solution.stretch.begin());
        if (!solution.limitHits.empty())
            for (std::int32_t b = 0; b < m_run.model().bodyCount; ++b)
                limitHits(m_run.model(), b, m_run.m_q.data() + m_run.model().qBegin[b],
                          solution.limitHits.data() + m_run.model().vBegin[b]);
        solution.iterations = m_run.m_iterations;
        solution.starts = std::max(1, m_run.m_starts);
        solution.traceRows = m_run.m_traceRows;
        solution.cost = 0.5 * (m_run.m_residualNorm * m_run.m_residualNorm + m_run.m_curveMiss * m_run.m_curveMiss);
        if (m_run.stopWhen().maxSeconds > 0) solution.seconds = m_run.seconds();
        return status;
    }

    /// Copies the seed's bits over every DOF that was not to move, whatever the author did. True when that changed any.
    bool restoreLocked(const sdk::Problem& problem)
    {
        const Model& model = m_run.model();
        bool changed = false;
        const auto restore = [&](int q) {
            changed |= m_run.m_best[q] != problem.seed[q];
            m_run.m_best[q] = problem.seed[q]; // also where they compare equal: -0 is not 0
        };
        for (std::int32_t b = 0; b < model.bodyCount; ++b) {
            const int begin = model.vBegin[b], end = model.vBegin[b + 1];
            const int singles = singleDofs(model, b);
            const int q = model.qBegin[b];
            bool turns = false;
            for (int k = 0; k < end - begin; ++k) {
                const bool isMovable = m_run.isMovable(begin + k);
                if (k >= singles)
                    turns |= isMovable;
                else if (!isMovable)
                    restore(q + k);
            }
            if (singles < end - begin && !turns)
                for (int k = 0; k < 4; ++k) restore(q + singles + k);
        }
        return changed;
    }

    /// For each unmet goal, which DOF at its limit holds it off most: the one that the goal pulls hardest beyond the
    /// limit. Of goals without ranks only a DOF counts that all of them together press against its limit.
    bool fillBlocking(sdk::Solution& solution)
    {
        constexpr double kNear = 1e-9; // [rad | m] a step to a limit, or a projection, lands this close to it
        bool isBlocked = false;
        const Model& model = m_run.model();
        const auto jacobian = m_run.jacobian();
        const auto r = m_run.residual();
        Eigen::Index row = 0;
        for (const std::int32_t g : m_run.activeGoals()) {
            const Goal& goal = m_run.problem().goals[g];
            const Eigen::Index rows = residualRows(goal.kind);
            std::int32_t worst = -1;
            double hardest = 1e-9 * (1 + r.segment(row, rows).norm()); // above rounding
            // `all`, `own`: how the residual of all goals and of this one grows along a way that limits may shut.
            const auto look = [&](std::int32_t v, double all, double own, bool isShutUp, bool isShutDown) {
                const bool isOut = (own < 0 && isShutUp) || (own > 0 && isShutDown);
                if (!isOut || (!m_isRanked && !(all * own > 0)) || std::abs(own) <= hardest) return;
                hardest = std::abs(own);
                worst = v;
            };
            for (std::int32_t b = goal.body; b >= 0; b = model.parent[b]) {
                const int begin = model.vBegin[b], end = model.vBegin[b + 1], singles = singleDofs(model, b);
                const double* q = m_run.m_q.data() + model.qBegin[b];
                for (int k = 0; k < singles; ++k) {
                    const int v = begin + k;
                    if (m_run.isMovable(v))
                        look(v, jacobian.col(v).dot(r), jacobian.col(v).segment(row, rows).dot(r.segment(row, rows)),
                             q[k] >= model.upper[v] - kNear, q[k] <= model.lower[v] + kNear);
                }
                const bool mayTurn = end - begin == singles + 3 && m_run.isMovable(end - 3) &&
                                     m_run.isMovable(end - 2) && m_run.isMovable(end - 1);
                if (!mayTurn || !isLimitedBall(model, b)) continue;
                const BallWays ways = ballWays(model, b, quaternionAt(q + singles));
                for (int k = 0; k < 3; ++k) {
                    double all = 0, own = 0;
                    for (int i = 0; i < 3; ++i) {
                        const auto column = jacobian.col(end - 3 + i);
                        all += ways.turn(i, k) * column.dot(r);
                        own += ways.turn(i, k) * column.segment(row, rows).dot(r.segment(row, rows));
                    }
                    look(end - 3 + ways.dof[k], all, own, ways.highest[k] <= kNear, ways.lowest[k] >= -kNear);
                }
            }
            isBlocked |= worst >= 0 && !m_run.error(g).isWithin(goal);
            if (!solution.goals.empty()) solution.goals[g].blockingDof = m_run.error(g).isWithin(goal) ? -1 : worst;
            row += rows;
        }
        return isBlocked;
    }

    /// Whether limits are why the solve stalled: joints press against them where the way downhill from its pose ends,
    /// and no other start leads to the goals. Names them as fillBlocking() does, and none where the method is to blame.
    /// The pose stays.
    bool isStoppedByLimits(sdk::Solution& solution)
    {
        const int iterations = m_run.m_iterations, traceRows = m_run.m_traceRows, cap = m_run.m_stop.maxIterations;
        m_nearest = m_run.m_q;
        m_start = m_nearest;
        m_run.m_stop.maxIterations = std::numeric_limits<int>::max();
        bool isMet = m_priorities.descend(m_run, m_start) == sdk::Status::Converged;
        m_run.residualNormAt(m_start);
        bool isBlocked = !isMet && fillBlocking(solution);
        if (isBlocked && !m_abilities.otherStarts) isBlocked = !doesOtherStartMeet(); // else they have been tried
        if (!isBlocked)
            for (sdk::GoalResult& goal : solution.goals) goal.blockingDof = -1;
        m_run.residualNormAt(m_nearest);
        m_run.m_iterations = iterations;
        m_run.m_traceRows = traceRows;
        m_run.m_stop.maxIterations = cap;
        return isBlocked;
    }

    /// True if a way downhill from one of the other starts leads to the goals. Overwrites m_start.
    bool doesOtherStartMeet()
    {
        const std::span<const double> seed = m_run.problem().seed;
        Random random(kSeedOfOtherStarts);
        sdk::Status status = sdk::Status::Stalled;
        for (int start = 1; start < kOtherStarts && status == sdk::Status::Stalled; ++start) {
            std::copy(seed.begin(), seed.end(), m_start.begin());
            moveTowardRandom(m_run, m_run.bodies(), shareOfStart(start), random, m_start);
            status = m_priorities.descend(m_run, m_start, Priorities::Effort::Brief);
        }
        return status == sdk::Status::Converged;
    }

    /// Gives each goal its status: one that is missed within reach has `shut` where a limit shuts it off, else `open`.
    void fillGoals(sdk::Solution& solution, sdk::Status open, sdk::Status shut)
    {
        if (solution.goals.empty()) return;
        const sdk::Problem& problem = m_run.problem();
        std::size_t active = 0;
        for (std::size_t g = 0; g < problem.goals.size(); ++g) {
            sdk::GoalResult result;
            result.blockingDof = m_run.isMet() ? -1 : solution.goals[g].blockingDof;
            const bool isGoalActive = active < m_run.activeGoals().size() &&
                                      m_run.activeGoals()[active] == static_cast<std::int32_t>(g);
            if (!isGoalActive) { // absent: nothing is measured and nothing missed
                result.status = sdk::Status::Converged;
                result.blockingDof = -1;
                solution.goals[g] = result;
                continue;
            }
            ++active;
            const Goal& goal = problem.goals[g];
            const int i = static_cast<int>(g);
            result.positionError = m_run.error(i).position;
            result.rotationError = m_run.error(i).rotation;
            result.multiplier = m_run.m_multipliers[g];
            if (m_run.error(i).isWithin(goal)) {
                result.status = sdk::Status::Converged;
            } else {
                result.shortfall = m_run.shortfall(i);
                result.status = result.shortfall > 0 ? sdk::Status::Unreachable : result.blockingDof < 0 ? open : shut;
            }
            solution.goals[g] = result;
        }
    }

    Abilities m_abilities;
    Parameters m_parameters;
    SolverRun m_run;
    Priorities m_priorities;
    PreferredBend m_bend;
    std::vector<double> m_start, m_nearest; ///< (nq) of leaveDeadEnd()
    std::int32_t m_maxGoals = 0;
    bool m_isPrepared = false;
    bool m_isRanked = false; ///< the goals of the problem differ in priority
};

} // namespace tendon::kit
