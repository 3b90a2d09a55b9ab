#pragma once

#include "core/runtime/CompiledRig.h"
#include "core/runtime/HandleResult.h"
#include "core/runtime/Pose.h"
#include "core/runtime/PoseSampler.h"
#include "core/solve/SolverRegistry.h"

#include <atomic>
#include <memory>
#include <vector>

namespace tendon {

/// One evaluated frame: everything that a view, a bake or a report needs.
struct FrameResult
{
    Time time;
    LocalPose local;
    ModelPose model;
    std::vector<Vector3> stretch;      ///< reserved for stretching handles: factor per joint, empty = all 1
    std::vector<HandleResult> handles; ///< in the document's order
};

/// What to make of a handle that cannot be solved: its solver is missing or cannot take it.
enum class OnBadHandle {
    Refuse, ///< an Error that names it
    ShowFk, ///< its joints stay at the FK pose, its result says Unsupported, issues() says why
};

/// The one path from a document to a pose: sample, solve each group in order, forward kinematics. The viewport, baking
/// and the command line all use it. One evaluator belongs to one thread; any number may share rig and registry.
///
/// The result depends on the scene, the clip and the time alone: not on the frames visited before.
class Evaluator
{
public:
    /// Prepares every solve group's solver. Errors: a solver that is not there or cannot take the rig, goals that
    /// follow each other in a circle; they name the handle. `rig` must be compile(scene).
    [[nodiscard]] static Result<std::unique_ptr<Evaluator>> create(std::shared_ptr<const CompiledRig> rig,
                                                                   const SolverRegistry& registry,
                                                                   OnBadHandle onBadHandle = OnBadHandle::Refuse);
    ~Evaluator();

    /// What about the handles deserves a word: two solvers on one joint, priorities that cannot be kept, chains that
    /// are scaled unevenly, and with OnBadHandle::ShowFk the handles left out.
    [[nodiscard]] const Issues& issues() const;

    /// Evaluates one moment. `scene` must be one that the rig still fits (same joints and handles); `clip` may be null.
    /// Allocates only at the first call with a given `result`. A handle whose solve fails leaves its joints at the FK
    /// pose and says so in its HandleResult.
    void evaluate(const Scene& scene, const Clip* clip, const PendingValues& pending, Time time, FrameResult& result,
                  const std::atomic<bool>* cancelled = nullptr);

    /// While a group is solved, the id of its first handle stands in `solving`, and 0 otherwise: so that another thread
    /// can name the one that does not come back. Null: nobody watches. `solving` outlives the evaluator.
    void watch(std::atomic<ObjectId>* solving);

private:
    struct Impl;
    explicit Evaluator(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

} // namespace tendon
