#include "tests/bench/ClipRuns.h"

#include "core/clip/AnswerSpace.h"
#include "core/clip/ClipSolver.h"
#include "core/clip/SelfMotion.h"
#include "core/conformance/SolverProblemClip.h"
#include "tests/bench/Contestant.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tendon::bench {
namespace {

constexpr const char* kSolver = "dls";
constexpr double kDegrees = 180 / std::numbers::pi;

/// A trajectory problem and what a solver needs to answer it as one clip.
struct Clip
{
    Clip(const SolverRegistry& registry, const std::string& solver, const SolverProblem& problem)
        : model(problem, registry.find(solver)->moves("ball")), clip(problem, model, [&](const sdk::Model& view) {
              auto made = *registry.create(solver);
              (void)made->prepare(view, static_cast<std::int32_t>(problem.goals.size()));
              return made;
          })
    {
    }

    /// The answer, and its time and judgement into `figures`.
    ClipAnswer solve(const SolverProblem& problem, Path& path, Figures& figures) const
    {
        const double begin = processorSeconds();
        ClipAnswer answer = solveClip(clip.task);
        figures.mean = 1e6 * (processorSeconds() - begin) / static_cast<double>(problem.cases.size());
        figures.median = figures.mean;
        path.clear();
        for (std::size_t t = 0; t < problem.cases.size(); ++t) {
            path.push_back(clip.inFile(answer, t));
            judge(problem, problem.cases[t], path.back(), figures);
        }
        figures.jumps = answer.jumps.size();
        for (const ClipHaste& haste : answer.hastes) figures.stretch = std::max(figures.stretch, haste.stretch);
        return answer;
    }

    SolverProblemModel model;
    SolverProblemClip clip;
};

} // namespace

Figures figuresOf(const SolverProblem& problem, std::string way)
{
    Figures figures;
    figures.problem = problem.name;
    figures.way = std::move(way);
    figures.dofs = problem.dofCount();
    figures.goals = problem.goals.size();
    figures.isTrajectory = problem.isTrajectory;
    return figures;
}

void judge(const SolverProblem& problem, const SolverProblem::Case& wanted, const std::vector<double>& q,
           Figures& figures)
{
    const auto judgement = problem.judge(q, wanted);
    ++figures.frames;
    figures.solved += problem.isSolved(judgement) ? 1 : 0;
    figures.beyondLimits += judgement.limitExcess <= 1e-9 ? 0 : 1;
}

void judgeSteps(const PathWithTruth& made, const Path& path, const std::vector<ClipJump>& jumps, Figures& figures)
{
    const double usual = stepPercentile(made.truth, 0.99);
    figures.p99 = stepPercentile(path, 0.99) / usual;
    figures.largest = stepPercentile(path, 1) / usual;
    for (std::size_t t = 1; t < path.size(); ++t) {
        const double step = stepPercentile({path[t - 1], path[t]}, 1);
        figures.steps.push_back(step * kDegrees);
        if (step <= 3 * usual) continue;
        ++figures.large;
        figures.unlisted += std::none_of(jumps.begin(), jumps.end(), [&](const ClipJump& jump) {
            return jump.frame <= static_cast<int>(t) && static_cast<int>(t) <= jump.last;
        });
    }
}

Figures runClip(const SolverRegistry& registry, const PathWithTruth& made, Path& path)
{
    Figures figures = figuresOf(made.problem, way::clip);
    const Clip clip(registry, kSolver, made.problem);
    const ClipAnswer answer = clip.solve(made.problem, path, figures);
    judgeSteps(made, path, answer.jumps, figures);
    return figures;
}

Figures runAgain(const SolverRegistry& registry, const std::string& solver, const PathWithTruth& made)
{
    Figures figures = figuresOf(made.problem, way::again);
    if (solver != kSolver) figures.problem += ", " + solver;
    const Clip clip(registry, solver, made.problem);
    Path path;
    const ClipAnswer answer = clip.solve(made.problem, path, figures);
    const sdk::Problem first = clip.clip.task.problem(0);
    const AnswerSpace space(clip.clip.task.model, first.base);
    // A figure's or a limb's goals leave much open; those of an arm of six hinges nothing.
    figures.apartAllowed = SelfMotion(space).leastFreedom(first) == 0 ? 0.1 : 2;
    const int nq = clip.clip.task.model.coordinateCount, frames = clip.clip.task.frameCount;
    const auto isJumpBetween = [&](int from, int to) {
        return std::any_of(answer.jumps.begin(), answer.jumps.end(),
                           [&](const ClipJump& jump) { return jump.last > from && jump.frame <= to; });
    };
    for (int from = 0; from < frames; from += 2 * kLeg)
        for (int to = from + 2 * kLeg; to < frames; to += 2 * kLeg)
            if (!isJumpBetween(from, to))
                figures.apart = std::max(
                    figures.apart, kDegrees * space.largest(answer.q.data() + from * nq, answer.q.data() + to * nq));
    return figures;
}

Figures runSpeeds(const SolverRegistry& registry, const PathWithTruth& made)
{
    PathWithTruth fast = made;
    for (SolverProblem::Joint& joint : fast.problem.joints) {
        if (joint.dof < 0) continue;
        double step = 0, change = 0;
        for (std::size_t t = 1; t < made.truth.size(); ++t) {
            const auto at = [&](std::size_t frame) { return made.truth[frame][static_cast<std::size_t>(joint.dof)]; };
            step = std::max(step, std::abs(at(t) - at(t - 1)));
            if (t > 1) change = std::max(change, std::abs(at(t) - 2 * at(t - 1) + at(t - 2)));
        }
        joint.velocity = step * fast.problem.framesPerSecond;
        joint.acceleration = change * fast.problem.framesPerSecond * fast.problem.framesPerSecond;
    }
    Figures figures = figuresOf(made.problem, way::speeds);
    const Clip clip(registry, kSolver, fast.problem);
    Path path;
    const ClipAnswer answer = clip.solve(fast.problem, path, figures);
    judgeSteps(made, path, answer.jumps, figures);
    return figures;
}

} // namespace tendon::bench
