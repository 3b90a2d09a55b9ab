#include "tests/bench/Contestant.h"

#include "core/solve/StatusNames.h"

#include <ctime>
#include <optional>

extern "C" std::int64_t tendon_allocations();

namespace tendon::bench {

namespace {

class PluginContestant final : public Contestant
{
public:
    PluginContestant(const SolverRegistry& registry, SolverInfo info) : m_registry(registry), m_info(std::move(info)) {}

    std::string name() const override { return m_info.alias; }

    Result<void> prepare(const SolverProblem& problem) override
    {
        auto solver = m_registry.create(m_info.alias);
        if (!solver) return solver.error();
        m_solver = *std::move(solver);
        m_problem = &problem;
        m_view.emplace(problem, m_info.moves("ball"));
        m_model = m_view->model();
        m_start = m_view->toSolver(problem.start);
        const sdk::Status status = m_solver->prepare(m_model, static_cast<std::int32_t>(problem.goals.size()));
        if (status != sdk::Status::Converged)
            return Error{ErrorCode::Unsupported, "refuses the mechanism", m_info.alias};
        return {};
    }

    Result<void> solve(const SolverProblem::Case& wanted, const std::vector<double>& seed, bool isWarm,
                       Answer& answer) override
    {
        const std::vector<sdk::Goal> goals = m_view->goals(wanted);
        const std::vector<double> from = isWarm && !m_last.empty() && m_lastFile == seed ? m_last
                                                                                         : m_view->toSolver(seed);
        m_last = from;
        sdk::Problem problem;
        sdk::Stop stop;
        problem.stop = &stop;
        problem.base = m_view->base();
        problem.seed = from;
        problem.posture = m_start;
        problem.goals = goals;
        problem.search = isWarm ? sdk::Search::Follow : sdk::Search::Find;
        const bool isHuge = m_problem->dofCount() > 600; // one of their cases must not use the time of all others
        stop.maxSeconds = m_problem->maxSeconds > 0 || !isHuge ? m_problem->maxSeconds : 1;
        sdk::Solution solution;
        solution.q = m_last;
        const std::int64_t before = tendon_allocations();
        const double begin = processorSeconds();
        const sdk::Status status = m_solver->solve(problem, {}, solution);
        answer.seconds = processorSeconds() - begin;
        answer.allocations = tendon_allocations() - before;
        if (!sdk::isUsable(status))
            return Error{ErrorCode::Unsupported, std::string("refuses the goals (") + statusName(status) + ")",
                         m_info.alias};
        answer.q = m_view->toFile(m_last);
        answer.iterations = solution.iterations;
        m_lastFile = answer.q;
        return {};
    }

private:
    const SolverRegistry& m_registry;
    SolverInfo m_info;
    std::unique_ptr<sdk::Solver> m_solver;
    const SolverProblem* m_problem = nullptr;
    std::optional<SolverProblemModel> m_view;
    sdk::Model m_model;
    std::vector<double> m_start, m_last,
        m_lastFile; ///< m_last: the solver's configuration, which a ball chain's file form rounds
};

} // namespace

double processorSeconds()
{
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

std::vector<std::unique_ptr<Contestant>> contestants(const SolverRegistry& registry)
{
    std::vector<std::unique_ptr<Contestant>> all;
    for (const SolverInfo& info : registry.solvers()) all.push_back(std::make_unique<PluginContestant>(registry, info));
#ifdef TENDON_WITH_KDL
    for (auto& each : kdlContestants()) all.push_back(std::move(each));
#endif
    return all;
}

} // namespace tendon::bench
