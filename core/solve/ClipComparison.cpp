#include "core/solve/ClipComparison.h"

#include "core/solve/GivenSolver.h"
#include "core/solve/PoseTurn.h"
#include "core/solve/SolveRecorder.h"

#include <algorithm>
#include <cmath>

namespace tendon {
namespace {

/// Notes a frame whose figure is larger than all before.
template <typename T>
void raise(T& largest, std::int32_t& frame, T figure, std::int32_t at)
{
    if (frame != 0 && !(figure > largest)) return;
    largest = figure;
    frame = at;
}

struct Tally
{
    ClipScore& score;
    const CompiledRig& rig;
    std::vector<JointIndex> chain; ///< of the handle
    std::vector<double> seconds = {};
    double errors = 0, iterations = 0;
    std::size_t mostHits = 0;
    LocalPose before = {}; ///< of frame `last`
    std::int32_t last = 0;

    void add(const HandleResult& result, const LocalPose& pose, std::int32_t frame, double time)
    {
        ++score.frames;
        if (!sdk::isSuccess(result.status) && score.missed++ == 0) score.at.missed = frame;
        const bool isSoft = result.status == sdk::Status::Converged && result.softened > 0;
        if (isSoft && score.softened++ == 0) score.at.softened = frame;
        raise(score.largestError, score.at.error, result.positionError, frame);
        errors += result.positionError;
        iterations += result.iterations;
        raise(score.mostIterations, score.at.iterations, result.iterations, frame);
        raise(score.maxSeconds, score.at.seconds, time, frame);
        score.limitHits += static_cast<std::int64_t>(result.limitHits.size());
        if (!result.limitHits.empty()) raise(mostHits, score.at.limits, result.limitHits.size(), frame);
        seconds.push_back(time);
        addStep(pose, frame);
    }
    void addStep(const LocalPose& pose, std::int32_t frame)
    {
        if (score.frames > 1 && last + 1 == frame) {
            const PoseTurn turn = largestTurn(before, pose, chain);
            raise(score.largestStep, score.at.step, turn.angle, frame);
            if (score.at.step == frame && turn.joint >= 0) score.stepJoint = rig.authored[at(turn.joint)].name;
        }
        before = pose;
        last = frame;
    }
    void finish()
    {
        if (score.frames == 0) return;
        score.meanError = errors / score.frames;
        score.meanIterations = iterations / score.frames;
        std::sort(seconds.begin(), seconds.end());
        score.medianSeconds = seconds[seconds.size() / 2];
        score.highSeconds = seconds[static_cast<std::size_t>(0.95 * static_cast<double>(seconds.size() - 1) + 0.5)];
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
        Tally tally{score, **rig, chainOf(**rig, (*rig)->handles[given->handle()])};
        SolvedFrame frame;
        for (std::int32_t number = range.first; number <= range.last; ++number) {
            if (cancelled != nullptr && *cancelled) break;
            SolverRecording unused;
            SolveRecorder timer(unused, SolveRecorder::Detail::Times);
            (*evaluator)->record(given->handle(), &timer);
            (*evaluator)->evaluate(own, clip, {}, own.fps.timeOf(number), frame, cancelled);
            (*evaluator)->record(given->handle(), nullptr);
            if (frame.targets[given->handle()].isActive())
                tally.add(frame.handles[given->handle()], frame.local, number, timer.seconds());
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
