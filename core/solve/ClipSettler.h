#pragma once

#include "core/solve/ClipSolution.h"
#include "core/solve/Evaluator.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace tendon {

/// A solution, and what it is the solution of.
class SettledClip
{
public:
    SettledClip(const Scene& scene, const Clip& clip, ClipSolutionPtr solution);

    /// True if it is the solution of this clip of this scene: nothing that it depends on has changed. False may also
    /// mean that the same was made anew.
    [[nodiscard]] bool isOf(const Scene& scene, const Clip& clip) const;

    [[nodiscard]] const ClipSolutionPtr& solution() const { return m_solution; }
    [[nodiscard]] ClipId clip() const { return m_clip->id; }

    /// Where frames may ask something else than in another state of the scene: nothing = it is not known; else a span
    /// of time, or an empty one.
    [[nodiscard]] std::optional<std::optional<TimeSpan>> differenceTo(const Scene& scene, const Clip& clip) const;

private:
    [[nodiscard]] bool isOfStateOf(const Scene& scene) const; ///< all but the clip is the same

    Shared<ObjectList<Joint>> m_joints;
    Shared<ObjectList<Handle>> m_handles;
    Shared<StaticValues> m_statics;
    Shared<Clip> m_clip;
    FrameRate m_fps;
    ClipSolutionPtr m_solution;
};

using SettledClipPtr = std::shared_ptr<const SettledClip>;

/// Solves the clips of documents as a whole: each group of handles after those that it depends on.
///
///     each frame for itself --moments--> core/clip --paths--> what later groups are asked, where it has changed
///
/// A path leads through frames at which the same is asked of the same joints. It breaks where a handle begins or ends,
/// and at keys that end a hold (interpolation Step), where the motion itself has a cut. An edit of keys solves what it
/// reaches (kClipReach) again, the rest is remembered; so is nothing where a path jumps or leads through branches. This
/// changes how soon a solution is there, not the solution. One thread; it uses others.
class ClipSettler
{
public:
    /// `solvers` outlives this.
    explicit ClipSettler(const SolverRegistry& solvers, OnBadHandle onBadHandle = OnBadHandle::ShowFk)
        : m_solvers(&solvers), m_onBadHandle(onBadHandle)
    {
    }

    /// The solution of a clip of the scene; the same on any number of threads (0 = all cores). Errors: as
    /// Evaluator::create(); Cancelled.
    [[nodiscard]] Result<SettledClipPtr> settle(const Scene& scene, const Clip& clip, int threads = 0,
                                                const std::atomic<bool>* cancelled = nullptr);

    static constexpr std::int32_t kMostFrames = 20'000; ///< a longer clip is solved frame by frame

private:
    [[nodiscard]] Result<void> prepare(const Scene& scene, int threads);
    [[nodiscard]] Result<ClipSolutionPtr> solve(const Scene& scene, const Clip& clip, int threads,
                                                const std::atomic<bool>* cancelled);

    const SolverRegistry* m_solvers;
    OnBadHandle m_onBadHandle;
    std::uint64_t m_revision = 0;       ///< of the solvers that m_evaluators have
    Shared<ObjectList<Joint>> m_joints; ///< that m_evaluators are made for
    Shared<ObjectList<Handle>> m_handles;
    std::shared_ptr<const CompiledRig> m_rig;
    std::vector<std::unique_ptr<Evaluator>> m_evaluators; ///< one per thread

    struct Memory;
    std::shared_ptr<Memory> m_memory; ///< of the last clip; null = of none
};

} // namespace tendon
