#pragma once

#include <tendon/kit/Reach.h>
#include <tendon/kit/Recorder.h>
#include <tendon/kit/Residuals.h>
#include <tendon/sdk/Solver.h>

#include <algorithm>
#include <chrono>
#include <span>
#include <vector>

namespace tendon::kit {

/// One solve in progress: what is asked, the working configuration, and everything that can be computed from it. An
/// author's solver is a loop over it:
///
///     while (run.next()) {                                   // evaluates q; false when there is reason to stop
///         step = -gain * run.jacobian().transpose() * run.residual();
///         run.advance(step);                                 // integrates, keeps limits and locks
///     }
///
/// The best configuration seen by next() is what is returned. Memory is sized by prepare(); nothing here allocates.
class SolverRun
{
public:
    using VectorMap = Eigen::Map<Eigen::VectorXd>;
    using MatrixMap = Eigen::Map<Eigen::MatrixXd>;

    [[nodiscard]] const Model& model() const { return m_model; }
    [[nodiscard]] const sdk::Problem& problem() const { return *m_problem; }

    /// When to end the solve, and the objectives: as the problem gives them, with defaults for what it leaves out.
    [[nodiscard]] const sdk::Stop& stopWhen() const { return m_stop; }
    [[nodiscard]] const sdk::Objectives& objectives() const { return m_objectives; }
    [[nodiscard]] bool hasObjectives() const
    {
        const sdk::Objectives& o = m_objectives;
        return o.restPose > 0 || o.naturalPose > 0 || o.velocity > 0 || o.power > 0;
    }

    /// Where to record the rows of an optional capability; inactive unless the host made room for them.
    template <class Row>
    [[nodiscard]] Recorder<Row> recorder(std::string_view id) const
    {
        return Recorder<Row>(sdk::findExtension(*m_control, id));
    }

    /// The bodies that some active goal or the curve depends on, parents first. Only these have frames, and only their
    /// DOFs move; bodies above the curve's first have frames and do not move for it.
    [[nodiscard]] std::span<const std::int32_t> bodies() const { return {m_bodies.data(), m_bodyCount}; }

    /// The goals with a weight above 0, as indices into problem().goals.
    [[nodiscard]] std::span<const std::int32_t> activeGoals() const { return {m_activeGoals.data(), m_activeCount}; }

    /// False for DOFs that are locked, or that neither a goal nor the curve moves.
    [[nodiscard]] bool isMovable(int dof) const { return m_isMovable[dof] != 0; }

    /// The working configuration (nq). Write through advance() or setConfiguration().
    [[nodiscard]] std::span<const double> q() const { return {m_q.data(), m_coordinates}; }

    /// Frames (n) of q, current after next() or evaluate().
    [[nodiscard]] std::span<const Frame<double>> frames() const { return {m_frames.data(), m_frames.size()}; }

    /// Weighted residual of all active goals, in their order, current after next().
    [[nodiscard]] VectorMap residual() { return {m_residual.data(), m_rows}; }

    /// d(residual)/d(v) (rows x nv), weighted, at the q of the last next(). Columns of immovable DOFs are zero.
    [[nodiscard]] MatrixMap jacobian()
    {
        MatrixMap result(m_jacobian.data(), m_rows, model().dofCount);
        if (m_jacobianIsCurrent) return result;
        m_jacobianIsCurrent = true;
        result.setZero();
        updateMotions();
        Eigen::Index row = 0;
        for (const std::int32_t g : activeGoals()) {
            const Goal& goal = m_problem->goals[g];
            const ResidualDerivative derivative(model(), goal, frames());
            const int rows = residualRows(goal.kind);
            for (std::int32_t b = goal.body; b >= 0; b = model().parent[b])
                for (std::int32_t v = model().vBegin[b]; v < model().vBegin[b + 1]; ++v) {
                    if (!isMovable(v)) continue;
                    double column[kMaxRows];
                    derivative.column(m_motions[v], b, column);
                    for (int i = 0; i < rows; ++i) result(row + i, v) = rowWeight(goal, i) * column[i];
                }
            row += rows;
        }
        return result;
    }

    /// The motion of each DOF (nv) at the q of the last next(); only those of bodies() are filled.
    std::span<const DofMotion> motions()
    {
        updateMotions();
        return {m_motions.data(), m_motions.size()};
    }

    /// Evaluates q, keeps it if it is the best so far, and decides: false when all goals are met, the host cancelled,
    /// the iterations or the time are used up, or the last step was below the stall threshold. status() says which.
    [[nodiscard]] bool next()
    {
        evaluate();
        keepIfBest();
        if (m_isMet) return stop(sdk::Status::Converged);
        if (isCancelled()) return stop(sdk::Status::Cancelled);
        if (m_lastStep <= m_stop.stall) return stop(sdk::Status::Stalled);
        if (m_iterations >= m_stop.maxIterations) return stop(sdk::Status::IterationLimit);
        if (isOutOfTime()) return stop(sdk::Status::TimeLimit);
        ++m_iterations;
        return true;
    }

    /// Takes the step `dv` (nv), then brings every moved body back into its limits. DOFs that may not move do not.
    /// `damping` goes into the trace, as does `stage`. NaN ends the run with NumericalFailure.
    void advance(std::span<const double> dv, double damping = -1, int stage = 0)
    {
        double largest = 0;
        for (const std::int32_t body : bodies()) {
            const int begin = model().vBegin[body], dofs = model().vBegin[body + 1] - begin;
            double own[6];
            bool moves = false;
            for (int k = 0; k < dofs; ++k) {
                own[k] = isMovable(begin + k) ? dv[begin + k] : 0;
                largest = std::isfinite(own[k]) ? std::max(largest, std::abs(own[k])) : kInfinity;
                moves |= own[k] != 0;
            }
            if (!moves) continue;
            double* coordinates = m_q.data() + model().qBegin[body];
            integrateBody(model(), body, coordinates, own, coordinates);
            clampBody(model(), body, m_problem->locked, coordinates);
        }
        if (std::isinf(largest)) m_hasFailed = true;
        m_lastStep = largest;
        m_jacobianIsCurrent = m_motionsAreCurrent = m_qIsBest = false;
        trace(m_residualNorm, largest, damping, stage);
    }
    void advance(const Eigen::Ref<const Eigen::VectorXd>& dv, double damping = -1, int stage = 0)
    {
        advance(std::span<const double>(dv.data(), static_cast<std::size_t>(dv.size())), damping, stage);
    }

    /// For solvers that make whole configurations: replaces q (nq). Locked DOFs and limits are the caller's business;
    /// see nearestInLimits() and clampBody(). `step` is what the stall test then sees.
    void setConfiguration(std::span<const double> q, double step, double damping = -1, int stage = 0)
    {
        std::copy(q.begin(), q.end(), m_q.begin());
        m_lastStep = step;
        m_jacobianIsCurrent = m_motionsAreCurrent = m_qIsBest = false;
        trace(m_residualNorm, step, damping, stage);
    }

    /// Ends the run; false, so that `return run.stop(...)` reads well in loops that return "go on".
    bool stop(sdk::Status status)
    {
        m_status = m_hasFailed ? sdk::Status::NumericalFailure : status;
        return false;
    }

    /// As stop(), for a run that objectives were still shaping: `status` stands even where every goal is met.
    bool stopUnfinished(sdk::Status status)
    {
        m_isUnfinished = true;
        return stop(status);
    }

    /// How hard a goal pulls (GoalResult::multiplier). Without it a goal reports none.
    void setMultiplier(int goal, double multiplier) { m_multipliers[goal] = multiplier; }

    /// For solvers that follow Problem::curve: the largest distance of a joint from its place on the curve [m], and the
    /// factor by which a body's base translation is longer. Without them 0 and 1.
    void setCurveMiss(double miss) { m_curveMiss = miss; }
    void setStretch(int body, double factor) { m_stretch[body] = factor; }

    [[nodiscard]] sdk::Status status() const { return m_status; }
    [[nodiscard]] int iterations() const { return m_iterations; }
    [[nodiscard]] bool isCancelled() const
    {
        return m_control->cancelled != nullptr && m_control->cancelled->load(std::memory_order_relaxed);
    }

    /// Reads the clock only if the host set a time limit.
    [[nodiscard]] bool isOutOfTime() const { return m_stop.maxSeconds > 0 && seconds() >= m_stop.maxSeconds; }

    /// Reach of the goal's effector point (position and pose goals): the same throughout a stage, as only what may not
    /// move counts in it by where it is, and remembered as long as nothing changes that it depends on.
    [[nodiscard]] const Reach& reach(int goal) const
    {
        const auto place = static_cast<std::size_t>(goal);
        const Goal& g = m_problem->goals[goal];
        KnownReach& known = m_reaches[place];
        const Vector3 offset = vectorAt(g.offset);
        if (m_hasReach[place] == 0 || known.body != g.body || known.offset != offset) {
            known = {g.body, offset, reachOf(model(), m_problem->base, q(), m_problem->locked, g.body, g.offset)};
            m_hasReach[place] = 1;
        }
        return known.reach;
    }

    /// [m] how far the goal is proved to lie beyond reach; 0 = reachable or unknown. Below its tolerance it is 0, too.
    [[nodiscard]] double shortfall(int goal) const
    {
        const Goal& g = m_problem->goals[goal];
        if (!asksPosition(g.kind)) return 0;
        const double beyond = reach(goal).shortfall(vectorAt(g.targetPosition));
        return beyond > g.positionTolerance ? beyond : 0;
    }

    // For solvers that run their own loop instead of next() and advance().

    /// Offers a whole configuration (nq) as a result, judged as next() judges: true when it meets all goals.
    bool offer(std::span<const double> q)
    {
        std::copy(q.begin(), q.end(), m_q.begin());
        evaluate();
        keepIfBest();
        return m_isMet;
    }

    /// Takes a whole configuration (nq) as the result, better or not than what came before: for closed forms, whose
    /// answer must not depend on where they started. True when it meets all goals.
    bool accept(std::span<const double> q)
    {
        m_bestIterations = -1;
        return offer(q);
    }

    /// The best configuration (nq) offered or evaluated so far; the seed before the first.
    [[nodiscard]] std::span<const double> best() const { return {m_best.data(), m_coordinates}; }

    /// The weighted residual's norm at a configuration (nq), as traces state it. Keeps nothing as a result.
    double residualNormAt(std::span<const double> q)
    {
        std::copy(q.begin(), q.end(), m_q.begin());
        evaluate();
        return m_residualNorm;
    }

    /// Counts `count` iterations as done.
    void countIterations(int count) { m_iterations += count; }
    void countStart() { ++m_starts; }

    /// Adds a trace row while there is room. `residual` is the norm before the step.
    void trace(double residualNorm, double step, double damping, int stage = 0)
    {
        trace(residualNorm, step, damping, stage, q());
    }
    void trace(double residualNorm, double step, double damping, int stage, std::span<const double> configuration)
    {
        const auto row = static_cast<std::size_t>(m_traceRows);
        if (row >= m_control->trace.size() || !m_control->trace.isLargeEnough()) return;
        m_control->trace[row] = {std::max(0, m_iterations - 1), stage, residualNorm, step, damping};
        if (m_control->traceConfigurations.size() >= (row + 1) * m_coordinates)
            std::copy(configuration.begin(), configuration.end(),
                      m_control->traceConfigurations.begin() + static_cast<std::ptrdiff_t>(row * m_coordinates));
        ++m_traceRows;
    }
    [[nodiscard]] bool wantsTrace() const { return !m_control->trace.empty(); }
    /// How many rows still fit into the trace.
    [[nodiscard]] int traceRoom() const { return static_cast<int>(m_control->trace.size()) - m_traceRows; }

    /// Frames, residual and errors at q.
    void evaluate()
    {
        forwardKinematics<double>(model(), m_problem->base, q(), bodies(), m_frames);
        m_isMet = true;
        double squared = 0;
        double* out = m_residual.data();
        for (const std::int32_t g : activeGoals()) {
            const Goal& goal = m_problem->goals[g];
            kit::residual<double>(model(), goal, m_frames, out);
            m_errors[g] = goalError(goal, out);
            m_isMet &= m_errors[g].isWithin(goal);
            const int rows = residualRows(goal.kind);
            for (int i = 0; i < rows; ++i) {
                out[i] *= rowWeight(goal, i);
                squared += out[i] * out[i];
            }
            out += rows;
        }
        m_residualNorm = std::sqrt(squared);
        m_jacobianIsCurrent = m_motionsAreCurrent = m_qIsBest = false;
    }
    [[nodiscard]] bool isMet() const { return m_isMet; }
    [[nodiscard]] double residualNorm() const { return m_residualNorm; }
    [[nodiscard]] const GoalError& error(int goal) const { return m_errors[goal]; }

private:
    friend class SolverBase;

    using Clock = std::chrono::steady_clock;

    /// The seed within limits, as beginStage() leaves it in q.
    void startAtSeed()
    {
        std::copy(m_problem->seed.begin(), m_problem->seed.end(), m_q.begin());
        for (const std::int32_t b : bodies())
            if (m_isInvolved[b] != 0) clampBody(model(), b, m_problem->locked, m_q.data() + model().qBegin[b]);
    }

    /// Offers the seed within limits as a result.
    void offerSeed()
    {
        startAtSeed();
        evaluate();
        keepIfBest();
    }

    /// Forgets reaches that may be others in this stage than in the one before.
    void forgetReaches()
    {
        bool areLengths = true; // what may not move counts by where it is
        for (const std::int32_t b : bodies())
            for (std::int32_t v = m_model.vBegin[b]; v < m_model.vBegin[b + 1]; ++v)
                areLengths = areLengths && isMovable(v) && m_model.lower[v] < m_model.upper[v];
        const bool isSameBase = std::ranges::equal(m_problem->base, m_baseOfReaches);
        if (!isSameBase) std::ranges::copy(m_problem->base, m_baseOfReaches.begin());
        if (!isSameBase || !areLengths || !m_areReachesLengths)
            std::fill(m_hasReach.begin(), m_hasReach.end(), std::uint8_t(0));
        m_areReachesLengths = areLengths;
    }

    [[nodiscard]] double seconds() const { return std::chrono::duration<double>(Clock::now() - m_begin).count(); }

    void updateMotions()
    {
        if (m_motionsAreCurrent) return;
        m_motionsAreCurrent = true;
        for (const std::int32_t body : bodies()) dofMotions(model(), body, m_problem->base, q(), frames(), m_motions);
    }

    /// Met beats unmet, then the smaller residual wins, then the earlier.
    void keepIfBest()
    {
        if (std::isnan(m_residualNorm)) {
            m_hasFailed = true;
            return;
        }
        const bool isBetter = m_bestIterations < 0 || (m_isMet && !m_bestIsMet) ||
                              (m_isMet == m_bestIsMet && m_residualNorm < m_bestNorm);
        if (!isBetter) return;
        std::copy(m_q.begin(), m_q.end(), m_best.begin());
        m_qIsBest = true;
        m_bestNorm = m_residualNorm;
        m_bestIsMet = m_isMet;
        m_bestIterations = m_iterations;
    }

    void prepare(const Model& model, std::int32_t maxGoals)
    {
        const auto n = static_cast<std::size_t>(model.bodyCount), nv = static_cast<std::size_t>(model.dofCount);
        m_model = model; // the spans; the arrays stay the host's
        m_model.size = sizeof(Model);
        m_coordinates = static_cast<std::size_t>(model.coordinateCount);
        const auto goals = static_cast<std::size_t>(maxGoals);
        m_bodies.assign(n, 0);
        m_isInvolved.assign(n, 0);
        m_isCarrier.assign(n, 0);
        m_stretch.assign(n, 1);
        m_activeGoals.assign(goals, 0);
        m_isMovable.assign(nv, 0);
        m_q.assign(m_coordinates, 0);
        m_best.assign(m_coordinates, 0);
        m_frames.assign(n, {});
        m_motions.assign(nv, {});
        m_residual.assign(kMaxRows * goals, 0);
        m_jacobian.assign(kMaxRows * goals * nv, 0);
        m_errors.assign(goals, {});
        m_reaches.assign(goals, {});
        m_baseOfReaches.assign(n * kBaseStride, 0);
        m_areReachesLengths = false;
        m_hasReach.assign(goals, 0);
        m_multipliers.assign(goals, sdk::kNotReported);
    }

    void begin(const sdk::Problem& problem, const sdk::Control& control)
    {
        m_control = &control;
        m_iterations = m_starts = m_traceRows = 0;
        if (sdk::read(problem.stop).maxSeconds > 0) m_begin = Clock::now();
        beginStage(problem);
    }

    /// Begins again at the seed, with another problem on the same model. What was counted, recorded and timed goes on;
    /// the cap on iterations holds for each stage.
    void beginStage(const sdk::Problem& problem)
    {
        m_problem = &problem;
        m_stop = sdk::read(problem.stop);
        m_stop.maxIterations += m_iterations;
        m_objectives = sdk::read(problem.objectives);
        m_status = sdk::Status::Stalled;
        m_hasFailed = m_jacobianIsCurrent = m_motionsAreCurrent = m_bestIsMet = m_isMet = m_qIsBest = false;
        m_isUnfinished = false;
        std::fill(m_multipliers.begin(), m_multipliers.end(), sdk::kNotReported);
        std::fill(m_stretch.begin(), m_stretch.end(), 1.0);
        m_curveMiss = 0;
        m_bestIterations = -1;
        m_lastStep = kInfinity;
        std::copy(problem.seed.begin(), problem.seed.end(), m_best.begin());

        // Who is involved: the bodies of active goals and their ancestors, and the chain that follows the curve. What
        // only carries that chain has a frame, and stays.
        const Model& model = m_model;
        std::fill(m_isInvolved.begin(), m_isInvolved.end(), std::uint8_t(0));
        std::fill(m_isCarrier.begin(), m_isCarrier.end(), std::uint8_t(0));
        m_activeCount = m_bodyCount = 0;
        m_rows = 0;
        for (std::size_t g = 0; g < problem.goals.size(); ++g) {
            const Goal& goal = problem.goals[g];
            if (!isActive(goal)) continue;
            m_activeGoals[m_activeCount++] = static_cast<std::int32_t>(g);
            m_rows += residualRows(goal.kind);
            for (std::int32_t b = goal.body; b >= 0 && m_isInvolved[b] == 0; b = model.parent[b]) m_isInvolved[b] = 1;
        }
        if (problem.curve != nullptr) {
            const sdk::Curve curve = sdk::read(problem.curve);
            for (std::int32_t b = curve.endBody; b >= 0; b = model.parent[b])
                (b >= curve.startBody ? m_isInvolved : m_isCarrier)[b] = 1;
        }
        for (std::int32_t b = 0; b < model.bodyCount; ++b) {
            if (m_isInvolved[b] != 0 || m_isCarrier[b] != 0) m_bodies[m_bodyCount++] = b;
            for (std::int32_t v = model.vBegin[b]; v < model.vBegin[b + 1]; ++v)
                m_isMovable[v] = m_isInvolved[b] != 0 && (problem.locked.empty() || problem.locked[v] == 0);
        }
        startAtSeed(); // one outside its limits comes inside where the solve may move it
        forgetReaches();
    }

    Model m_model;
    const sdk::Problem* m_problem = nullptr;
    const sdk::Control* m_control = nullptr;
    sdk::Stop m_stop;
    sdk::Objectives m_objectives;
    Clock::time_point m_begin;

    std::vector<std::int32_t> m_bodies, m_activeGoals;
    std::vector<std::uint8_t> m_isInvolved, m_isCarrier, m_isMovable;
    std::vector<double> m_q, m_best, m_residual, m_jacobian, m_multipliers, m_stretch;
    std::vector<Frame<double>> m_frames;
    std::vector<DofMotion> m_motions;
    std::vector<GoalError> m_errors;
    struct KnownReach
    {
        std::int32_t body = -1;
        Vector3 offset = Vector3::Zero();
        Reach reach;
    };
    mutable std::vector<KnownReach> m_reaches; ///< (goals) of those that m_hasReach marks
    std::vector<double> m_baseOfReaches;       ///< (8 n)
    bool m_areReachesLengths = false;          ///< they hang on the base alone
    mutable std::vector<std::uint8_t> m_hasReach;
    std::size_t m_coordinates = 0, m_bodyCount = 0, m_activeCount = 0;
    Eigen::Index m_rows = 0;

    sdk::Status m_status = sdk::Status::Stalled;
    double m_residualNorm = 0, m_curveMiss = 0, m_bestNorm = 0, m_lastStep = kInfinity;
    int m_iterations = 0, m_starts = 0, m_traceRows = 0, m_bestIterations = -1;
    bool m_isMet = false, m_bestIsMet = false, m_hasFailed = false, m_isUnfinished = false;
    bool m_jacobianIsCurrent = false, m_motionsAreCurrent = false;
    bool m_qIsBest = false; ///< q, its frames and residual are those of the best configuration
};

} // namespace tendon::kit
