#pragma once

#include "core/solve/Evaluator.h"

#include <tendon/sdk/Goal.h>
#include <tendon/sdk/Stages.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tendon {

/// One goal of a recorded solve.
struct RecordedGoal
{
    sdk::GoalKind kind = sdk::GoalKind::Position;
    std::int32_t joint = -1;          ///< index into SolverRecording::joints of the joint that carries the effector
    Vector3 offset = Vector3::Zero(); ///< [m] of the effector, in the joint's space
    Vector3 target = Vector3::Zero(); ///< [m] in the world
    double positionTolerance = 0;     ///< [m]
    double rotationTolerance = 0;     ///< [rad]
    std::optional<double> pull; ///< how hard it pulls at the end (sdk::GoalResult::multiplier); empty = not reported
};

/// One pose that a solver passed through: the start, the pose after an iteration, or the answer.
struct SolveStep
{
    /// What a pose misses one goal by.
    struct Miss
    {
        double position = 0; ///< [m]
        double rotation = 0; ///< [rad]
    };
    /// [m] and [rad] |r|: the norm of what all goals of the solve miss, unweighted.
    [[nodiscard]] Miss total() const;

    std::int32_t iteration = 0; ///< how many iterations are done: 0 at the start, and for the whole of a closed form
    double change = 0;          ///< largest change of a degree of freedom in the iteration [rad | m]
    double damping = -1;        ///< regularisation used; -1 = the method has none
    std::vector<Miss> misses;   ///< (goals) of the answer: the watched goal's is the handle's, stretch included

    /// Of the goals' Jacobian (constraints x degrees of freedom that may move) at this pose, the largest first. Rows
    /// are not weighted: metres or radians per radian or metre.
    std::vector<double> singularValues;
    std::int32_t rank = 0; ///< how many of them are not negligible beside the largest

    std::vector<LocalTransform> local; ///< (joints)
    std::vector<Vector3> positions;    ///< (joints) [m] in the world
};

/// A pose inside an iteration, as far as the solver traces it: CCD's after the move of each joint.
struct SolveMove
{
    std::int32_t iteration = 1;     ///< that it is part of, from 1
    std::vector<Vector3> positions; ///< (joints) [m] in the world
};

/// A row of the capability "stages" with its body as a joint.
struct RecordedStage
{
    sdk::StageRow row;         ///< row.pass counts from 1, as SolveStep::iteration does
    std::int32_t joint = -1;   ///< index into SolverRecording::joints; -1 = the row is about a goal's effector
    std::int32_t goal = -1;    ///< of the effector, or the goal that the branch leads to; -1 = none
    std::int32_t limited = -1; ///< of the stages e to h: the joint whose limits they keep, as `joint`; else -1
};

/// What one solver did with a handle's group at one frame, and what came of it.
struct SolverRecording
{
    std::string solver, name;          ///< alias; what users call it, or the alias if it is not installed
    std::string problem;               ///< why nothing was recorded; empty = it was
    std::vector<JointIndex> joints;    ///< that the group moves, ascending, in the rig of the scene
    std::vector<std::int32_t> parents; ///< (joints) index into `joints`; -1 = its parent is not in the group
    std::vector<Affine> carriers;      ///< (joints) world transform of the parent where `parents` is -1
    std::vector<RecordedGoal> goals;
    std::int32_t goal = -1;                   ///< the goal of the handle that was asked for; -1 = none (a curve)
    std::vector<SolveStep> steps;             ///< the first is the start, the last is the answer
    std::vector<SolveMove> moves;             ///< in the order in which they were made
    std::vector<RecordedStage> stages;        ///< of solvers that record them
    bool isCut = false;                       ///< the solve made more steps or stages than a recording has room for
    double medianSeconds = 0, maxSeconds = 0; ///< of the solver alone, in repeated solves without a recording; or 0
    SolvedFrame answer;                       ///< the whole frame, as the evaluator gives it
    HandleResult result;                      ///< the outcome for the handle that was asked for

    /// [s] medianSeconds as a mean of the iterations; 0 where it is not measured or there are none.
    [[nodiscard]] double secondsPerIteration() const;

    /// The start at 0, else the last step with at most so many iterations: a closed form has its answer at 1.
    /// Precondition: steps is not empty.
    [[nodiscard]] const SolveStep& at(std::int32_t iteration) const;
};

/// How several solvers solve one handle at one frame, from the same pose.
struct SolveRecording
{
    HandleId handle;
    Time time;
    std::vector<SolverRecording> solvers;

    [[nodiscard]] std::int32_t lastIteration() const; ///< of the solver that takes the most, at least 1; 0 = no steps
};

enum class RecordTimes {
    Measured,
    Skipped ///< nothing is solved twice: for recordings that have to keep up with playback
};

/// Evaluates a frame once for each solver (alias or id) with the handle's group given to that solver, and records that
/// group's solve. The handle's own solver keeps its parameters, others have their defaults. Scene and poses stay as
/// they are, and a solver's answer is to the bit what Evaluator gives. A solver that is missing or cannot take the
/// handle has a `problem`. Errors: no such handle, a scene that does not compile.
[[nodiscard]] Result<SolveRecording> recordSolve(const Scene& scene, const Clip* clip, const PendingValues& pending,
                                                 Time time, HandleId handle, std::span<const std::string> solvers,
                                                 const SolverRegistry& registry,
                                                 RecordTimes times = RecordTimes::Measured,
                                                 const std::atomic<bool>* cancelled = nullptr);

/// Local transforms `share` (0 ... 1) of the way between two poses of the same joints; at 1 they are `to`, to the bit.
/// Rotations are interpolated, so bones keep their lengths.
[[nodiscard]] std::vector<LocalTransform> posesBetween(std::span<const LocalTransform> from,
                                                       std::span<const LocalTransform> to, double share);

/// [m] Positions of the recording's joints in the world, posed by `local`.
[[nodiscard]] std::vector<Vector3> positionsOf(const SolverRecording& recording, std::span<const LocalTransform> local);

/// [m] Positions of the joints after the first `count` stages: where the stages of the pass have put them so far.
[[nodiscard]] std::vector<Vector3> positionsAtStage(const SolverRecording& recording, std::size_t count);

/// [m] Positions of the joints in the poses that a solver passed through inside `iteration` (from 1), the first one
/// first: its moves, or by its stages the end of the pass toward the root. Neither the pose before nor that after.
[[nodiscard]] std::vector<std::vector<Vector3>> posesWithin(const SolverRecording& recording, std::int32_t iteration);

/// [m] The same before the first `count` stages have all been made: a pose for each stage of that pass that moved a
/// joint, without the last.
[[nodiscard]] std::vector<std::vector<Vector3>> posesBeforeStage(const SolverRecording& recording, std::size_t count);

} // namespace tendon
