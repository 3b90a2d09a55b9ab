#include "core/solve/ClipComparison.h"

#include "core/solve/GivenSolver.h"
#include "core/solve/SolveRecorder.h"

#include <algorithm>
#include <cmath>

namespace tendon {
namespace {

struct Tally
{
    ClipScore& score;
    std::vector<double> seconds = {};
    double errors = 0, iterations = 0;

    void add(const HandleResult& result, std::int32_t frame, double time)
    {
        ++score.frames;
        if (!sdk::isSuccess(result.status)) ++score.missed;
        const double error = result.positionError;
        if (score.frames == 1 || error > score.largestError) {
            score.largestError = error;
            score.worstFrame = frame;
        }
        errors += error;
        iterations += result.iterations;
        score.mostIterations = std::max(score.mostIterations, result.iterations);
        score.limitHits += static_cast<std::int64_t>(result.limitHits.size());
        seconds.push_back(time);
    }
    void finish()
    {
        if (score.frames == 0) return;
        score.meanError = errors / score.frames;
        score.meanIterations = iterations / score.frames;
        std::sort(seconds.begin(), seconds.end());
        score.medianSeconds = seconds[seconds.size() / 2];
        score.maxSeconds = seconds.back();
    }
};

} // namespace

Result<std::vector<ClipScore>> compareOverClip(const Scene& scene, const Clip* clip, FrameRange range, HandleId handle,
                                               std::span<const std::string> solvers, const SolverRegistry& registry,
                                               const std::function<void(double)>& progress,
                                               const std::atomic<bool>* cancelled)
{
    const auto given = GivenSolver::find(scene, handle, registry);
    if (!given) return given.error();
    const double frameCount = std::max(1, range.last - range.first + 1);
    std::vector<ClipScore> scores;
    for (const std::string& name : solvers) {
        ClipScore& score = scores.emplace_back();
        score.solver = name;
        const SolverInfo* solver = registry.find(name);
        if (solver == nullptr) {
            score.problem = "this solver is not installed";
            continue;
        }
        const Scene own = given->sceneOf(*solver);
        const auto rig = compile(own);
        if (!rig) return rig.error();
        const auto evaluator = Evaluator::create(*rig, registry, OnBadHandle::ShowFk);
        if (!evaluator) {
            score.problem = evaluator.error().message;
            continue;
        }
        for (const Issue& issue : (*evaluator)->issues())
            if (issue.object == handle.value && issue.severity == Severity::Error) score.problem = issue.text;
        if (!score.problem.empty()) continue;
        Tally tally{score};
        SolvedFrame frame;
        for (std::int32_t number = range.first; number <= range.last; ++number) {
            if (cancelled != nullptr && *cancelled) break;
            SolverRecording unused;
            SolveRecorder timer(unused, SolveRecorder::Detail::Times);
            (*evaluator)->record(given->handle(), &timer);
            (*evaluator)->evaluate(own, clip, {}, own.fps.timeOf(number), frame, cancelled);
            (*evaluator)->record(given->handle(), nullptr);
            if (frame.targets[given->handle()].isActive())
                tally.add(frame.handles[given->handle()], number, timer.seconds());
            if (progress)
                progress((static_cast<double>(scores.size() - 1) + (number - range.first + 1) / frameCount) /
                         static_cast<double>(solvers.size()));
        }
        tally.finish();
        if (score.frames == 0) score.problem = "the handle is off at every frame; raise its IK blend";
        if (cancelled != nullptr && *cancelled) break;
    }
    return scores;
}

} // namespace tendon
