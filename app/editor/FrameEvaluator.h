#pragma once

#include "app/editor/FrameResult.h"

namespace tendon::editor {

/// What a frame is evaluated from; all of it immutable or a copy, so that it may go to another thread.
struct FrameRequest
{
    std::shared_ptr<const Scene> scene;
    ClipId clip;
    PendingValues pending;
    std::int32_t frame = 1;
    std::uint64_t revision = 0;
    std::uint64_t number = 0; ///< given by the scheduler
    bool isPlaying = false;
};

/// Makes FrameResults, keeping the compiled rig and the prepared solvers as long as they fit. One thread.
class FrameEvaluator
{
public:
    /// `solving`, if given, outlives this: see Evaluator::watch().
    explicit FrameEvaluator(const SolverRegistry& solvers, std::atomic<ObjectId>* solving = nullptr)
        : m_solvers(&solvers), m_solving(solving)
    {
    }

    /// Never fails: what is wrong stands in the result's issues. `cancelled` stops solves; handles then say so.
    [[nodiscard]] FramePtr evaluate(const FrameRequest& request, const std::atomic<bool>* cancelled = nullptr);

private:
    [[nodiscard]] bool prepare(const Scene& scene, FrameResult& result);

    const SolverRegistry* m_solvers;
    std::atomic<ObjectId>* m_solving;
    Shared<std::vector<Joint>> m_joints;
    Shared<std::vector<Handle>> m_handles;
    std::shared_ptr<const CompiledRig> m_rig;
    std::unique_ptr<Evaluator> m_evaluator;
    tendon::FrameResult m_pose; ///< keeps its memory from frame to frame
};

} // namespace tendon::editor
