#include "core/conformance/Reference.h"
#include "core/conformance/Rig.h"
#include "core/solve/SolverRegistry.h"

#include <tendon/kit/Jacobian.h>

#include <benchmark/benchmark.h>

#include <cstdio>
#include <vector>

using namespace tendon;

namespace {

/// A rig with targets that are a small step apart, as in playback; each solve starts from the last answer.
struct Course
{
    conformance::Rig rig;
    sdk::Model model;
    std::vector<std::vector<double>> answers;
    std::vector<sdk::Goal> goals;

    Course(sdk::JointKind kind, int joints)
    {
        kit::Random random(7);
        rig = conformance::makeChain(kind, joints, false, random);
        model = rig.model();
        std::vector<double> q = conformance::randomConfiguration(rig, random);
        for (int i = 0; i < 256; ++i) {
            answers.push_back(q);
            sdk::Goal goal;
            goal.body = rig.tips[0];
            Eigen::Map<Eigen::Vector3d>(goal.targetPosition) = conformance::effector(
                goal, conformance::referenceFrames(model, rig.base, q));
            goals.push_back(goal);
            q = conformance::nearConfiguration(rig, q, 0.05, random);
        }
    }
};

const SolverRegistry& solvers()
{
    static const SolverRegistry registry = [] {
        SolverRegistry found;
        found.scan({TENDON_PLUGIN_FOLDER});
        return found;
    }();
    return registry;
}

/// Solves one target after the other, each from the last answer. Nanoseconds per joint and iteration, if there are
/// iterations.
void solve(benchmark::State& state, const std::string& alias, sdk::JointKind kind)
{
    const auto joints = static_cast<int>(state.range(0));
    const Course course(kind, joints);
    const auto solver = solvers().create(alias);
    if (!solver || (*solver)->prepare(course.model, 1) != sdk::Status::Converged)
        return state.SkipWithError("the solver does not take it");
    std::vector<double> q = course.answers[0];
    std::size_t i = 0;
    std::int64_t iterations = 0, solved = 0;
    for ([[maybe_unused]] auto step : state) {
        sdk::Problem problem;
        problem.base = course.rig.base;
        problem.seed = course.answers[i];
        i = (i + 1) % course.goals.size();
        problem.goals = std::span(&course.goals[i], 1);
        sdk::Solution solution;
        solution.q = q;
        const sdk::Status status = (*solver)->solve(problem, {}, solution);
        if (!sdk::isUsable(status)) return state.SkipWithError("the solver does not take it");
        solved += status == sdk::Status::Converged ? 1 : 0;
        iterations += solution.iterations;
    }
    const auto solves = static_cast<double>(state.iterations());
    state.counters["solved"] = static_cast<double>(solved) / solves;
    state.counters["iterations"] = static_cast<double>(iterations) / solves;
    if (iterations > 0)
        state.counters["s/joint/iteration"] = benchmark::Counter(
            static_cast<double>(joints) * static_cast<double>(iterations),
            benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void forwardKinematics(benchmark::State& state, sdk::JointKind kind)
{
    const Course course(kind, static_cast<int>(state.range(0)));
    std::vector<kit::Frame<double>> frames(static_cast<std::size_t>(course.model.bodyCount));
    std::size_t i = 0;
    for ([[maybe_unused]] auto step : state) {
        i = (i + 1) % course.answers.size();
        kit::forwardKinematics<double>(course.model, course.rig.base, course.answers[i], frames);
        benchmark::DoNotOptimize(frames.data());
        benchmark::ClobberMemory();
    }
    state.counters["s/joint"] = benchmark::Counter(static_cast<double>(state.range(0)),
                                                   benchmark::Counter::kIsIterationInvariantRate |
                                                       benchmark::Counter::kInvert);
}

/// Derivatives of the tip's position and rotation by all DOFs, without the kinematics.
void jacobian(benchmark::State& state, sdk::JointKind kind)
{
    const Course course(kind, static_cast<int>(state.range(0)));
    const sdk::Model& model = course.model;
    std::vector<kit::Frame<double>> frames(static_cast<std::size_t>(model.bodyCount));
    std::vector<kit::DofMotion> motions(static_cast<std::size_t>(model.dofCount));
    const std::vector<double>& q = course.answers[0];
    kit::forwardKinematics<double>(model, course.rig.base, q, frames);
    Eigen::MatrixXd result(6, model.dofCount);
    const std::int32_t tip = course.rig.tips[0];
    for ([[maybe_unused]] auto step : state) {
        for (std::int32_t b = 0; b < model.bodyCount; ++b)
            kit::dofMotions(model, b, course.rig.base, q, frames, motions);
        kit::pointJacobian(model, motions, tip, frames[static_cast<std::size_t>(tip)].position, result);
        benchmark::DoNotOptimize(result.data());
        benchmark::ClobberMemory();
    }
    state.counters["s/DOF"] = benchmark::Counter(static_cast<double>(model.dofCount),
                                                 benchmark::Counter::kIsIterationInvariantRate |
                                                     benchmark::Counter::kInvert);
}

} // namespace

int main(int argc, char** argv)
{
    using sdk::JointKind;
    for (const auto& [kind, name] : {std::pair(JointKind::Ball, "balls"), std::pair(JointKind::Revolute, "hinges")}) {
        benchmark::RegisterBenchmark((std::string("forwardKinematics/") + name).c_str(), forwardKinematics, kind)
            ->Arg(10)
            ->Arg(100);
        benchmark::RegisterBenchmark((std::string("jacobian/") + name).c_str(), jacobian, kind)->Arg(10)->Arg(100);
        for (const SolverInfo& info : solvers().solvers()) {
            if (!info.moves(conformance::nameOf(kind))) continue;
            auto* each = benchmark::RegisterBenchmark((info.alias + "/" + name).c_str(), solve, info.alias, kind);
            if (info.maxChainJoints > 0)
                each->Arg(info.minChainJoints);
            else
                each->Arg(10)->Arg(30)->Arg(100);
        }
    }
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
