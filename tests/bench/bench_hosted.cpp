// What it costs to run a solver in a host process: the same solves in this process and in one, by turns.
//
//     tests/bench/run --hosted
#include "core/solve/ModelArrays.h"
#include "core/solve/SolverRegistry.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <vector>

using namespace tendon;

namespace {

constexpr int kSolves = 4000;

/// A chain of ball joints, a goal for its end that moves a little from solve to solve.
class Chain
{
public:
    explicit Chain(int joints)
    {
        for (std::int32_t body = 0; body < joints; ++body) m_arrays.addBody(body - 1, sdk::JointKind::Ball);
        m_base.assign(8 * static_cast<std::size_t>(joints), 0.0);
        for (std::size_t body = 0; body < static_cast<std::size_t>(joints); ++body) {
            m_base[8 * body + 1] = body == 0 ? 0 : 1.0 / joints;
            m_base[8 * body + 6] = m_base[8 * body + 7] = 1;
        }
        m_model = m_arrays.view();
        m_seed = m_arrays.neutral();
        m_goal.body = joints - 1;
    }

    [[nodiscard]] bool prepare(sdk::Solver& solver) const
    {
        return solver.prepare(m_model, 1) == sdk::Status::Converged;
    }

    /// [us]
    double solve(sdk::Solver& solver, int number)
    {
        const double turn = 0.01 * number;
        const double target[] = {0.3 * std::cos(turn), 0.5, 0.3 * std::sin(turn)};
        std::copy(std::begin(target), std::end(target), m_goal.targetPosition);
        sdk::Problem problem;
        problem.base = m_base;
        problem.seed = m_seed;
        problem.goals = std::span(&m_goal, 1);
        q.assign(m_seed.begin(), m_seed.end());
        sdk::Solution solution;
        solution.q = q;
        const auto begin = std::chrono::steady_clock::now();
        (void)solver.solve(problem, {}, solution);
        return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
    }

    std::vector<double> q; ///< the last answer

private:
    ModelArrays m_arrays;
    sdk::Model m_model;
    std::vector<double> m_base, m_seed;
    sdk::Goal m_goal;
};

double quantile(std::vector<double>& values, double share)
{
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), at, values.end());
    return *at;
}

} // namespace

int main(int argc, char** argv)
{
    if (argc != 3) return std::fputs("bench_hosted PLUGIN HOST\n", stderr), 2;
    PluginTrust foreign;
    foreign.isEveryPluginOurs = false;
    foreign.host = argv[2];
    SolverRegistry here, there(foreign);
    const auto info = here.add(argv[1]);
    if (!info || !there.add(argv[1])) return std::fputs("not a plugin\n", stderr), 1;
    std::printf("%s: us per solve, median (95 %%)\n%8s %20s %20s %10s %10s\n", info->alias.c_str(), "joints",
                "in this process", "in a host process", "added", "create ms");
    for (const int joints : {3, 10, 30, 100}) {
        const auto own = here.create(info->id);
        const auto begin = std::chrono::steady_clock::now();
        const auto hosted = there.create(info->id);
        const double create =
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
        Chain chain(joints);
        if (!own || !hosted || !chain.prepare(**own) || !chain.prepare(**hosted)) return 1;
        std::vector<double> inside, outside;
        for (int number = 0; number < kSolves; ++number) {
            inside.push_back(chain.solve(**own, number));
            const std::vector<double> answer = chain.q;
            outside.push_back(chain.solve(**hosted, number));
            if (answer != chain.q) return std::fputs("the answers differ\n", stderr), 1;
        }
        const double before = quantile(inside, 0.5), after = quantile(outside, 0.5);
        std::printf("%8d %10.1f (%7.1f) %10.1f (%7.1f) %10.1f %10.1f\n", joints, before, quantile(inside, 0.95), after,
                    quantile(outside, 0.95), after - before, create);
    }
    return 0;
}
