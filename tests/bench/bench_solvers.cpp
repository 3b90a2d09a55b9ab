#include "core/conformance/Reference.h"
#include "core/conformance/Rig.h"
#include "core/solve/SolverRegistry.h"

#include <benchmark/benchmark.h>

#include <cstdio>
#include <vector>

using namespace tendon;

namespace {

/// A rig and targets that are a small step apart, as in playback: each solve starts from the last answer.
struct Course
{
    conformance::Rig rig;
    sdk::Model model;
    std::vector<std::vector<double>> answers;
    std::vector<sdk::Goal> goals;

    Course(sdk::JointKind kind, int joints)
    {
        conformance::Random random(7);
        rig = conformance::makeChain(kind, joints, false, random);
        model = rig.model();
        std::vector<double> q = conformance::randomConfiguration(rig, random);
        for (int i = 0; i < 256; ++i) {
            answers.push_back(q);
            sdk::Goal goal;
            goal.body = rig.tips[0];
            Eigen::Map<Eigen::Vector3d>(goal.targetPosition) = conformance::effector(goal, conformance::referenceFrames(model, rig.base, q));
            goals.push_back(goal);
            q = conformance::nearConfiguration(rig, q, 0.05, random);
        }
    }
};

void solve(benchmark::State& state, const std::string& alias, sdk::JointKind kind)
{
    static const SolverRegistry registry = [] {
        SolverRegistry found;
        found.scan({TENDON_PLUGIN_FOLDER});
        return found;
    }();
    const Course course(kind, static_cast<int>(state.range(0)));
    const auto solver = registry.create(alias);
    if (!solver || (*solver)->prepare(course.model, 1) != sdk::Status::Converged) return state.SkipWithError("the solver does not take it");
    std::vector<double> q = course.answers[0];
    std::size_t i = 0;
    std::int64_t iterations = 0, solved = 0;
    for ([[maybe_unused]] auto step : state) {
        sdk::Problem problem;
        problem.base = course.rig.base;
        problem.seed = course.answers[i];
        i = (i + 1) % course.goals.size();
        problem.goals = {&course.goals[i], 1};
        sdk::Solution solution;
        solution.q = q;
        solved += (*solver)->solve(problem, {}, solution) == sdk::Status::Converged ? 1 : 0;
        iterations += solution.iterations;
    }
    const auto solves = static_cast<double>(state.iterations());
    state.counters["solved"] = static_cast<double>(solved) / solves;
    state.counters["iterations"] = static_cast<double>(iterations) / solves;
}

} // namespace

BENCHMARK_CAPTURE(solve, two_bone, "two-bone", sdk::JointKind::Ball)->Arg(2);
BENCHMARK_CAPTURE(solve, dls_balls, "dls", sdk::JointKind::Ball)->Arg(2)->Arg(10)->Arg(30);
BENCHMARK_CAPTURE(solve, dls_hinges, "dls", sdk::JointKind::Revolute)->Arg(7)->Arg(30);

BENCHMARK_MAIN();
