#pragma once

#include "core/solve/Evaluator.h"

#include <memory>

namespace tendon {

/// Evaluates scenes one after the other, keeping the compiled rig and the prepared solvers as long as they fit: a drag
/// prepares once. One thread.
class SolvedPoses
{
public:
    explicit SolvedPoses(const SolverRegistry& solvers) : m_solvers(&solvers) {}

    /// The pose of a moment, handles and all. It stands until the next call. A handle that cannot be solved leaves its
    /// joints at the FK pose and its reason in issues(). Errors: a scene that does not compile.
    [[nodiscard]] Result<const FrameResult*> at(const Scene& scene, const Clip* clip, const PendingValues& pending,
                                                Time time);

    /// Prepares the solvers of a scene's handles without solving, so that issues() tells which of them will not take
    /// them. Errors: as at().
    [[nodiscard]] Result<void> prepare(const Scene& scene);

    /// What is wrong with handles of the last scene.
    [[nodiscard]] Issues issues() const { return m_evaluator == nullptr ? Issues{} : m_evaluator->issues(); }

    /// The rig that the last pose belongs to.
    [[nodiscard]] const CompiledRig& rig() const { return *m_rig; }

    /// The compiled rig of a scene.
    [[nodiscard]] Result<std::shared_ptr<const CompiledRig>> rigOf(const Scene& scene);

private:
    const SolverRegistry* m_solvers;
    Shared<std::vector<Joint>> m_joints;
    Shared<std::vector<Handle>> m_handles;
    std::shared_ptr<const CompiledRig> m_rig;
    std::unique_ptr<Evaluator> m_evaluator;
    FrameResult m_frame;
};

} // namespace tendon
