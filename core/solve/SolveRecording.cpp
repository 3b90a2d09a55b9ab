#include "core/solve/SolveRecording.h"

#include "core/math/Convert.h"
#include "core/solve/GivenSolver.h"
#include "core/solve/SolveRecorder.h"

#include <algorithm>
#include <cmath>

namespace tendon {
namespace {

constexpr int kTimedSolves = 7;
constexpr double kMaxTiming = 0.1; ///< [s] that the timed solves of one solver may take together, once there is one

/// The recording's goal that belongs to a handle; -1 = none.
std::int32_t goalOf(const SolverRecording& recording, const CompiledRig& rig, const Handle& handle)
{
    const JointIndex end = rig.index(handle.end);
    for (std::size_t g = 0; g < recording.goals.size(); ++g) {
        const RecordedGoal& goal = recording.goals[g];
        if (goal.kind == sdk::GoalKind::Pole || goal.joint < 0) continue;
        if (recording.joints[static_cast<std::size_t>(goal.joint)] == end) return static_cast<std::int32_t>(g);
    }
    return -1;
}

struct Moment
{
    const Clip* clip;
    const PendingValues& pending;
    Time time;
    RecordTimes times;
};

/// The answer misses the handle's goal by what its result says: soft reach and stretch are outside the solver.
void takeErrors(const HandleResult& result, const RecordedGoal& goal, SolveStep::Miss& miss)
{
    if (goal.kind != sdk::GoalKind::Aim && goal.kind != sdk::GoalKind::Orientation)
        miss.position = result.positionError;
    if (goal.kind != sdk::GoalKind::Position) miss.rotation = result.rotationError;
}

SolverRecording record(const Scene& scene, std::shared_ptr<const CompiledRig> rig, std::size_t handle,
                       const Moment& moment, const SolverInfo& solver, const SolverRegistry& registry,
                       const std::atomic<bool>* cancelled)
{
    SolverRecording made;
    made.solver = solver.alias;
    made.name = solver.name;
    const Handle& recorded = rig->handles[handle];
    const auto evaluator = Evaluator::create(rig, registry, OnBadHandle::ShowFk);
    if (!evaluator) {
        made.problem = evaluator.error().message;
        return made;
    }
    std::vector<double> seconds;
    double total = 0;
    while (moment.times == RecordTimes::Measured && seconds.size() < kTimedSolves &&
           (seconds.empty() || total < kMaxTiming)) {
        if (cancelled != nullptr && *cancelled) break;
        SolveRecorder timer(made, SolveRecorder::Detail::Times);
        (*evaluator)->record(handle, &timer);
        (*evaluator)->evaluate(scene, moment.clip, moment.pending, moment.time, made.answer, cancelled);
        seconds.push_back(timer.seconds());
        total += timer.seconds();
    }
    SolveRecorder recorder(made, SolveRecorder::Detail::Steps);
    (*evaluator)->record(handle, &recorder);
    (*evaluator)->evaluate(scene, moment.clip, moment.pending, moment.time, made.answer, cancelled);
    (*evaluator)->record(handle, nullptr);
    made.result = made.answer.handles[handle];
    made.goal = goalOf(made, *rig, recorded);
    if (const auto goal = static_cast<std::size_t>(made.goal); made.goal >= 0 && !made.steps.empty())
        takeErrors(made.result, made.goals[goal], made.steps.back().misses[goal]);
    if (!seconds.empty()) {
        std::sort(seconds.begin(), seconds.end());
        made.medianSeconds = seconds[seconds.size() / 2];
        made.maxSeconds = seconds.back();
    }
    if (!made.steps.empty()) return made;
    for (const Issue& issue : (*evaluator)->issues())
        if (issue.object == recorded.id.value && issue.severity == Severity::Error) made.problem = issue.text;
    if (made.problem.empty())
        made.problem = !made.answer.targets[handle].isActive() ? "the handle is off at this frame; raise its IK blend"
                       : made.result.isHeld ? "its goal is beyond reach, and the handle holds its pose; bring the "
                                              "goal nearer, or let it stretch toward the goal"
                       : sdk::isUsable(made.result.status) ? "nothing may move: a terminator holds every joint"
                                                           : "the solver gave no answer";
    return made;
}

constexpr double kSamePose = 1e-9; // [m]

bool isSame(std::span<const Vector3> a, std::span<const Vector3> b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const Vector3& p, const Vector3& q) { return (p - q).norm() < kSamePose; });
}

} // namespace

SolveStep::Miss SolveStep::total() const
{
    Miss squares;
    for (const Miss& miss : misses) {
        squares.position += miss.position * miss.position;
        squares.rotation += miss.rotation * miss.rotation;
    }
    return {std::sqrt(squares.position), std::sqrt(squares.rotation)};
}

double SolverRecording::secondsPerIteration() const
{
    return result.iterations > 0 ? medianSeconds / result.iterations : 0;
}

const SolveStep& SolverRecording::at(std::int32_t iteration) const
{
    if (iteration <= 0) return steps.front();
    const auto after = std::upper_bound(
        steps.begin(), steps.end(), iteration,
        [](std::int32_t wanted, const SolveStep& step) { return wanted < step.iteration; });
    return after == steps.begin() ? steps.front() : *std::prev(after);
}

std::int32_t SolveRecording::lastIteration() const
{
    std::int32_t last = 0;
    for (const SolverRecording& solver : solvers)
        if (!solver.steps.empty()) last = std::max({last, 1, solver.steps.back().iteration});
    return last;
}

Result<SolveRecording> recordSolve(const Scene& scene, const Clip* clip, const PendingValues& pending, Time time,
                                   HandleId handle, std::span<const std::string> solvers,
                                   const SolverRegistry& registry, RecordTimes times,
                                   const std::atomic<bool>* cancelled)
{
    const auto given = GivenSolver::find(scene, handle, registry);
    if (!given) return given.error();
    SolveRecording made{handle, time, {}};
    for (const std::string& name : solvers) {
        if (cancelled != nullptr && *cancelled) break;
        const SolverInfo* solver = registry.find(name);
        if (solver == nullptr) {
            made.solvers.emplace_back();
            made.solvers.back().solver = made.solvers.back().name = name;
            made.solvers.back().problem = "this solver is not installed";
            continue;
        }
        const Scene own = given->sceneOf(*solver);
        const auto rig = compile(own);
        if (!rig) return rig.error();
        made.solvers.push_back(
            record(own, *rig, given->handle(), {clip, pending, time, times}, *solver, registry, cancelled));
    }
    return made;
}

std::vector<LocalTransform> posesBetween(std::span<const LocalTransform> from, std::span<const LocalTransform> to,
                                         double share)
{
    std::vector<LocalTransform> poses(to.begin(), to.end());
    if (share >= 1) return poses;
    for (std::size_t i = 0; i < poses.size(); ++i) {
        poses[i].translation = from[i].translation + share * (to[i].translation - from[i].translation);
        poses[i].rotation = from[i].rotation.slerp(share, to[i].rotation);
        poses[i].scale = from[i].scale + share * (to[i].scale - from[i].scale);
    }
    return poses;
}

std::vector<Vector3> positionsOf(const SolverRecording& recording, std::span<const LocalTransform> local)
{
    std::vector<Affine> world(recording.joints.size());
    std::vector<Vector3> positions;
    for (std::size_t i = 0; i < world.size(); ++i) {
        const std::int32_t parent = recording.parents[i];
        world[i] = (parent < 0 ? recording.carriers[i] : world[static_cast<std::size_t>(parent)]) *
                   local[i].parentFromJoint();
        positions.push_back(world[i].translation());
    }
    return positions;
}

std::vector<Vector3> positionsAtStage(const SolverRecording& recording, std::size_t count)
{
    count = std::min(count, recording.stages.size());
    if (count == 0) return recording.steps.front().positions;
    const std::int32_t pass = recording.stages[count - 1].row.pass;
    std::vector<Vector3> positions = recording.at(pass - 1).positions;
    for (std::size_t r = 0; r < count; ++r) {
        const RecordedStage& stage = recording.stages[r];
        const bool moves = stage.row.stage != sdk::Stage::Candidate && stage.row.stage != sdk::Stage::Ellipse;
        if (stage.row.pass != pass || !moves) continue;
        const std::int32_t joint = stage.joint >= 0  ? stage.joint
                                   : stage.goal >= 0 ? recording.goals[static_cast<std::size_t>(stage.goal)].joint
                                                     : -1;
        if (joint >= 0) positions[static_cast<std::size_t>(joint)] = toVector(stage.row.position);
    }
    return positions;
}

std::vector<std::vector<Vector3>> posesWithin(const SolverRecording& recording, std::int32_t iteration)
{
    std::vector<std::vector<Vector3>> poses;
    if (recording.steps.empty() || iteration < 1) return poses;
    const std::vector<Vector3>&before = recording.at(iteration - 1).positions,
          &after = recording.at(iteration).positions;
    const auto add = [&](std::vector<Vector3> pose) {
        const std::vector<Vector3>& last = poses.empty() ? before : poses.back();
        if (!isSame(pose, last) && !isSame(pose, after)) poses.push_back(std::move(pose));
    };
    for (const SolveMove& move : recording.moves)
        if (move.iteration == iteration) add(move.positions);
    for (std::size_t r = 0; r < recording.stages.size(); ++r) {
        const auto isInward = [&](std::size_t row) {
            return row < recording.stages.size() && recording.stages[row].row.pass == iteration &&
                   recording.stages[row].row.isForward == 0;
        };
        if (isInward(r) && !isInward(r + 1)) add(positionsAtStage(recording, r + 1));
    }
    return poses;
}

std::vector<std::vector<Vector3>> posesBeforeStage(const SolverRecording& recording, std::size_t count)
{
    std::vector<std::vector<Vector3>> poses;
    if (count < 2 || count > recording.stages.size()) return poses;
    const std::int32_t pass = recording.stages[count - 1].row.pass;
    for (std::size_t r = 0; r < count; ++r) {
        if (recording.stages[r].row.pass != pass) continue;
        std::vector<Vector3> pose = positionsAtStage(recording, r + 1);
        if (poses.empty() || !isSame(pose, poses.back())) poses.push_back(std::move(pose));
    }
    if (!poses.empty()) poses.pop_back(); // the shown one
    return poses;
}

} // namespace tendon
