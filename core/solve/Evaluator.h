#pragma once

#include "core/runtime/CompiledRig.h"
#include "core/runtime/HandleResult.h"
#include "core/runtime/Pose.h"
#include "core/runtime/PoseSampler.h"
#include "core/solve/ClipSolution.h"
#include "core/solve/HandleTarget.h"
#include "core/solve/SolverRegistry.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

namespace tendon {

class GroupSolver;
class SolveRecorder;
struct GroupMoment;

/// One evaluated frame: everything that a view, a bake or a report needs.
struct SolvedFrame
{
    Time time;
    LocalPose local;
    ModelPose model;
    std::vector<HandleTarget> targets; ///< (handles) what each asked for, solved or not, in the document's order
    std::vector<HandleResult> handles; ///< in the document's order
    std::int32_t iterations = 0;       ///< of all solves; one that several handles share counts once
};

/// What to do with a handle that cannot be solved, because its solver is missing or does not support it.
enum class OnBadHandle {
    Refuse, ///< return an Error that names it
    ShowFk, ///< keep its joints at the FK pose; its result is Unsupported, and issues() gives the reason
    /// Where its plugin is at fault, solve it with the default solver, and issues() gives the reason; else as ShowFk.
    /// To be looked at, not to be kept.
    ShowDefault,
};

/// Error: the plugin of a handle's solver is at fault (SolverRegistry::fault()), so that what was evaluated is not what
/// the handle asks for. Names the handle.
[[nodiscard]] Result<void> checkPlugins(const CompiledRig& rig, const SolverRegistry& registry);

/// The only path from a document to a pose: sample, solve each group in order, forward kinematics. The viewport, baking
/// and the command line all use it. An evaluator belongs to one thread; any number may share a rig and a registry.
///
/// The result depends on the scene, the clip, its solution and the time alone, not on the frames evaluated before. A
/// handle that holds takes the pose of an earlier frame, solved as if no handle held.
class Evaluator
{
public:
    /// Prepares the solver of every solve group. Errors: a solver is missing or does not support the rig, goals follow
    /// each other in a circle; they name the handle. `rig` must be compile(scene).
    [[nodiscard]] static Result<std::unique_ptr<Evaluator>> create(std::shared_ptr<const CompiledRig> rig,
                                                                   const SolverRegistry& registry,
                                                                   OnBadHandle onBadHandle = OnBadHandle::Refuse);
    ~Evaluator();

    [[nodiscard]] const std::shared_ptr<const CompiledRig>& rig() const;

    /// Problems of handles: two solvers on one joint, priorities that cannot be kept, chains that are scaled unevenly,
    /// and with OnBadHandle::ShowFk the handles that cannot be solved.
    [[nodiscard]] const Issues& issues() const;

    /// Evaluates one frame. `scene` must have the joints and handles that the rig was compiled from; `clip` may be
    /// null. Allocates only at the first call with a given `result`. If a solve fails, its joints stay at the FK pose,
    /// and the HandleResult tells.
    void evaluate(const Scene& scene, const Clip* clip, const PendingValues& pending, Time time, SolvedFrame& result,
                  const std::atomic<bool>* cancelled = nullptr);

    /// From now on frames are those of a clip's solution: solves begin from its answers. It is to be the one of the
    /// scene and the clip that are evaluated (ClipSettler). Null: each frame for itself.
    void follow(ClipSolutionPtr solution);

    /// From now on evaluations also ask what a move by 5 % of the reach would do to each goal that is within 90 % of
    /// it, for the caution HandleResult::goalSwing; that takes six more solves a handle. False at first: for frames
    /// that somebody looks at, not for bakes.
    void lookAround(bool isOn);

    /// The groups of handles, in the order in which they are solved.
    [[nodiscard]] const std::vector<std::unique_ptr<GroupSolver>>& groups() const;

    /// From now on `moments` (one per group, in their order) take what each evaluation asks of the groups and what they
    /// answer. Null: nothing does. It outlives the evaluations, in which only the groups that `isSolved` marks are
    /// solved; empty = all. Marked are then those, too, that a marked one depends on (dependenciesOf()).
    void capture(std::vector<GroupMoment>* moments, std::vector<std::uint8_t> isSolved = {});

    /// While a group is solved, `solving` is the id of its first handle, otherwise 0, so that another thread can name
    /// a handle that hangs. Null: not watched. `solving` outlives the evaluator.
    void watch(std::atomic<ObjectId>* solving);

    /// From now on the solve of handle `index` of the rig, with all that is solved together with it, is recorded. Null:
    /// nothing is. `recorder` outlives the evaluations.
    void record(std::size_t index, SolveRecorder* recorder);

private:
    struct Impl;
    explicit Evaluator(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

} // namespace tendon
