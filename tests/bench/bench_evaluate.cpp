#include "core/document/Gesture.h"
#include "core/solve/Baker.h"
#include "core/solve/ClipSettler.h"
#include "resources/samples/Samples.h"
#include "tests/support/Figure.h"
#include "tests/support/LinkedSolvers.h"

#include <QJsonArray>

#include <benchmark/benchmark.h>

#include <cmath>

using namespace tendon;
using namespace tendon::test;

namespace {

void sampleAndForwardKinematics(benchmark::State& state)
{
    Figure figure;
    figure.test.scene.handles.edit().clear();
    const auto rig = *compile(figure.test.scene);
    auto evaluator = *Evaluator::create(rig, shippedSolvers());
    SolvedFrame result;
    int frame = 0;
    for (auto _ : state) {
        evaluator->evaluate(figure.test.scene, figure.test.clip(), {}, figure.test.scene.fps.timeOf(1 + frame++ % 48),
                            result);
        benchmark::DoNotOptimize(result.model.modelFromJoint.data());
    }
}
BENCHMARK(sampleAndForwardKinematics)->Unit(benchmark::kMicrosecond);

void evaluateWalkFrame(benchmark::State& state)
{
    Figure figure;
    const auto rig = *compile(figure.test.scene);
    auto evaluator = *Evaluator::create(rig, shippedSolvers());
    SolvedFrame result;
    int frame = 0;
    double iterations = 0, missed = 0;
    for (auto _ : state) {
        evaluator->evaluate(figure.test.scene, figure.test.clip(), {}, figure.test.scene.fps.timeOf(1 + frame++ % 48),
                            result);
        for (const HandleResult& handle : result.handles) {
            iterations += handle.iterations;
            missed += handle.status != sdk::Status::Converged;
        }
    }
    state.counters["iterations"] = iterations / static_cast<double>(state.iterations());
    state.counters["missed"] = missed / static_cast<double>(state.iterations());
}
BENCHMARK(evaluateWalkFrame)->Unit(benchmark::kMicrosecond);

/// The figure's walk again and again, until it has so many frames.
Figure walkingFor(int frames)
{
    Figure figure;
    Clip& clip = figure.test.scene.clips.back().edit();
    const auto channels = clip.channels;
    for (const auto& [channel, keys] : channels) {
        const std::vector<Key> cycle = keys->toVector();
        std::vector<Key> all = cycle;
        for (int begin = 48; begin < frames; begin += 48)
            for (Key key : cycle) {
                key.time = figure.test.scene.fps.timeOf(figure.test.scene.fps.frameAt(key.time) + begin);
                all.push_back(key);
            }
        clip.channels[channel] = KeyList(std::move(all));
    }
    return figure;
}

/// A clip of so many frames is solved as a whole after a key in its middle has moved.
void settleAfterAnEdit(benchmark::State& state)
{
    Figure figure = walkingFor(static_cast<int>(state.range(0)));
    const SolverRegistry solvers = shippedSolvers();
    ClipSettler settler(solvers);
    (void)settler.settle(figure.test.scene, *figure.test.clip());
    double lift = 0;
    for (auto _ : state) {
        figure.test.key(figure.hands[0], Property::GoalPosition, static_cast<double>(state.range(0) / 2 + 1),
                        Vector3(0.35, 1.05 + (lift = 0.02 - lift), 0));
        benchmark::DoNotOptimize(settler.settle(figure.test.scene, *figure.test.clip()));
    }
}
BENCHMARK(settleAfterAnEdit)->Arg(250)->Arg(1000)->Arg(10'000)->UseRealTime()->Unit(benchmark::kMillisecond);

/// The mannequin of the samples, walking: sampling, kinematics and all its handles.
void evaluateMannequinFrame(benchmark::State& state)
{
    const auto project = makeSample("mannequin", shippedSolvers());
    if (!project) return state.SkipWithError(project.error().text().c_str());
    const Scene& scene = project->scene;
    const auto rig = compile(scene);
    if (!rig || scene.clips.empty()) return state.SkipWithError("the mannequin does not walk");
    auto evaluator = *Evaluator::create(*rig, shippedSolvers());
    SolvedFrame result;
    int frame = 0;
    double missed = 0;
    for (auto _ : state) {
        evaluator->evaluate(scene, &*scene.clips.front(), {}, scene.fps.timeOf(1 + frame++ % 48), result);
        for (const HandleResult& handle : result.handles) missed += handle.status != sdk::Status::Converged;
    }
    state.counters["joints"] = static_cast<double>(scene.joints->size());
    state.counters["missed"] = missed / static_cast<double>(state.iterations());
}
BENCHMARK(evaluateMannequinFrame)->Unit(benchmark::kMicrosecond);

void bakeWalk(benchmark::State& state)
{
    Figure figure;
    const SolverRegistry registry = shippedSolvers();
    BakeOptions options;
    options.clip = figure.test.scene.clips[0]->id;
    options.fps = FrameRate{480, 1}; // 1000 samples of the two seconds
    options.from = figure.test.scene.fps.timeOf(1);
    options.to = Time{options.from.ticks + options.fps.timeOf(999).ticks};
    options.threads = static_cast<int>(state.range(0));
    for (auto _ : state) {
        const auto baked = bake(figure.test.scene, registry, options);
        if (!baked) state.SkipWithError(baked.error().text().c_str());
    }
    state.counters["frames/s"] = benchmark::Counter(1000, benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(bakeWalk)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();

/// Drags a handle's goal as a pending value; the goal is often out of reach.
void dragHandleFrame(benchmark::State& state)
{
    Figure figure;
    const auto rig = *compile(figure.test.scene);
    auto evaluator = *Evaluator::create(rig, shippedSolvers());
    SolvedFrame result;
    double t = 0, iterations = 0;
    for (auto _ : state) {
        t += 0.02;
        const double far = state.range(0) != 0 ? 1.5 : 0.35;
        const PendingValues pending{
            {{figure.hands[0].value, Property::GoalPosition}, {far * std::cos(t), 1.2 + 0.2 * std::sin(t), 0.2}}};
        evaluator->evaluate(figure.test.scene, figure.test.clip(), pending, figure.test.scene.fps.timeOf(5), result);
        iterations += result.handles[2].iterations;
    }
    state.counters["iterations"] = iterations / static_cast<double>(state.iterations());
}
BENCHMARK(dragHandleFrame)->ArgName("outOfReach")->Arg(0)->Arg(1)->Unit(benchmark::kMicrosecond);

/// One mouse move of a drag in the mannequin's settled walk, as the window evaluates it: sampling, all handles, one of
/// them after the mouse, kinematics.
void dragMannequinFrame(benchmark::State& state)
{
    const SolverRegistry solvers = shippedSolvers();
    const auto project = makeSample("mannequin", solvers);
    if (!project) return state.SkipWithError(project.error().text().c_str());
    const Scene& scene = project->scene;
    const auto rig = compile(scene);
    const Handle* hand = scene.handleNamed("HandIK_L");
    if (!rig || scene.clips.empty() || hand == nullptr) return state.SkipWithError("the mannequin has no hand");
    const Clip& clip = *scene.clips.front();
    const auto settled = ClipSettler(solvers).settle(scene, clip);
    if (!settled) return state.SkipWithError(settled.error().text().c_str());
    auto evaluator = *Evaluator::create(*rig, solvers);
    evaluator->follow((*settled)->solution());
    SolvedFrame result;
    const Time time = scene.fps.timeOf(20);
    evaluator->evaluate(scene, &clip, {}, time, result);
    Vector3 grabbed = Vector3::Zero();
    for (std::size_t h = 0; h < result.handles.size(); ++h)
        if (result.handles[h].handle == hand->id) grabbed = result.targets[h].goal.position;
    double t = 0;
    for (auto _ : state) {
        t += 0.02;
        const Vector3 goal = grabbed + 0.2 * Vector3(std::sin(t), 1 - std::cos(t), std::sin(0.7 * t));
        const PendingValues pending{{{hand->id.value, Property::GoalPosition}, {goal.x(), goal.y(), goal.z()}}};
        evaluator->evaluate(scene, &clip, pending, time, result);
        benchmark::DoNotOptimize(result.model.modelFromJoint.data());
    }
}
BENCHMARK(dragMannequinFrame)->Unit(benchmark::kMicrosecond);

/// Interactive IK without a handle: dragging a fingertip moves the whole figure. One mouse move as the editor carries
/// it out: the operation "drag" in a gesture, from its JSON to the new scene.
void dragJoint(benchmark::State& state)
{
    Figure figure;
    figure.test.scene.handles.edit().clear();
    const SolverRegistry registry = shippedSolvers();
    Document document = openDocument({}, {}, registry);
    document.history = History(versionOf(figure.test.scene, document.edit));
    Gesture gesture(document);
    const Vector3 origin{0.87, 1.44, 0.02};
    double t = 0;
    for (auto _ : state) {
        t += 0.02;
        const Vector3 place = origin + Vector3(0.2 * std::sin(t), 0.1 * std::cos(t) - 0.2, 0.1);
        const auto moved = gesture.update(
            {{"op", "drag"}, {"joint", "fingerL12"}, {"to", QJsonArray{place.x(), place.y(), place.z()}}});
        if (!moved) state.SkipWithError(moved.error().text().c_str());
    }
}
BENCHMARK(dragJoint)->Unit(benchmark::kMicrosecond);

} // namespace

BENCHMARK_MAIN();
