#pragma once

#include "app/editor/FrameResult.h"
#include "app/editor/ReachedPoses.h"
#include "core/solve/SolvedPoses.h"

namespace tendon::editor {

/// What a frame is evaluated from: immutable or copied, so that it can be passed to another thread.
struct FrameRequest
{
    std::shared_ptr<const Scene> scene;
    ClipId clip;
    PendingValues pending;
    std::int32_t frame = 1;
    std::uint64_t revision = 0;
    std::uint64_t number = 0; ///< set by the scheduler
    bool isPlaying = false;
    bool isDragged = false;      ///< a gesture of the mouse goes on
    bool isSettling = false;     ///< FrameResult::isSettling
    SettledClipPtr settled = {}; ///< the solution of the clip, maybe as it was before the last edits; null: none
    HandleId watched = {};       ///< its solve is recorded, too: FrameResult::recording; invalid = none
    std::vector<std::string> watchedSolvers = {}; ///< aliases of the solvers it is recorded with, its own first
};

/// Makes FrameResults. Keeps the compiled rig and the prepared solvers from frame to frame, and the poses that handles
/// hold during a drag. One thread.
class FrameEvaluator
{
public:
    /// `solvers` and `solving` (may be null: see Evaluator::watch()) outlive this.
    explicit FrameEvaluator(const SolverRegistry& solvers, std::atomic<ObjectId>* solving = nullptr)
        : m_solvers(solvers), m_poses(solvers, OnBadHandle::ShowDefault, solving, Settling::Elsewhere)
    {
    }

    /// Never fails: what is wrong is in the result's issues. `cancelled` stops solves; their handles then report it.
    [[nodiscard]] FramePtr evaluate(const FrameRequest& request, const std::atomic<bool>* cancelled = nullptr);

private:
    const SolverRegistry& m_solvers;
    SolvedPoses m_poses;
    ReachedPoses m_reached;
};

} // namespace tendon::editor
