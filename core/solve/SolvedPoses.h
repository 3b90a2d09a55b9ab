#pragma once

#include "core/solve/ClipSettler.h"
#include "core/solve/Evaluator.h"
#include "core/solve/InteractiveDrag.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace tendon {

/// When a clip is solved as a whole for a pose of it.
enum class Settling {
    First,     ///< before the pose is given
    Elsewhere, ///< by others, who pass it to take(); until then poses go by the clip's last solution
};

/// The one cache of what evaluating takes: the compiled rig and the prepared solvers, kept as long as a scene's joints
/// and handles stay the same, and prepared drags, kept as long as they begin from the same pose. What comes out does
/// not depend on what was kept. One thread.
class SolvedPoses
{
public:
    /// `solvers` outlives this. `solving`, if given, outlives it too: see Evaluator::watch().
    explicit SolvedPoses(const SolverRegistry& solvers, OnBadHandle onBadHandle = OnBadHandle::ShowFk,
                         std::atomic<ObjectId>* solving = nullptr, Settling settling = Settling::First)
        : m_solvers(&solvers), m_onBadHandle(onBadHandle), m_solving(solving), m_settling(settling),
          m_settler(solvers, OnBadHandle::ShowFk)
    {
    }

    /// Compiles the scene and prepares the solvers of its handles, without solving. A handle that cannot be solved is
    /// no error: issues() names it. Error: a scene that does not compile; then rig() is null.
    [[nodiscard]] Result<void> prepare(const Scene& scene);

    /// The pose at a moment, handles included; valid until the next call. A handle that cannot be solved leaves its
    /// joints at the FK pose. Errors: as prepare(); but for OnBadHandle::ShowDefault, a plugin whose fault this call
    /// has shown.
    [[nodiscard]] Result<const SolvedFrame*> at(const Scene& scene, const Clip* clip, const PendingValues& pending,
                                                Time time, const std::atomic<bool>* cancelled = nullptr);

    /// Evaluator::lookAround() for at().
    void lookAround(bool isOn) { m_looksAround = isOn; }

    /// A clip's solution that was found elsewhere. Null: there is none.
    void take(SettledClipPtr settled) { m_settled = std::move(settled); }

    /// A pose of that part of a scene which the place of one joint depends on.
    struct PosedPart
    {
        const CompiledRig& rig;
        const SolvedFrame& frame;
    };

    /// As at(), for the joints and handles that the place of `joint` depends on alone, which is what it costs however
    /// large the scene is. Where all goals are met by the FK pose (areAtRest()), nothing is solved, nor prepared for
    /// it, and the frame's handles tell nothing. Precondition: the scene has the joint.
    [[nodiscard]] Result<PosedPart> partAt(const Scene& scene, const Clip* clip, const PendingValues& pending,
                                           Time time, JointId joint);

    /// A drag that begins at a moment; valid until the next call. Prepared anew only when it begins from another scene,
    /// pose or request than the last drags did. Errors: as prepare() and InteractiveDrag::begin().
    [[nodiscard]] Result<InteractiveDrag*> drag(const Scene& scene, ClipId clip, const PendingValues& pending,
                                                Time time, const DragRequest& request);

    /// Error: the handle's solver is missing or cannot take its chain, whatever other handles there are, or its goal
    /// would wait for one that waits for it. Errors: as prepare().
    [[nodiscard]] Result<void> checkHandle(const Scene& scene, HandleId handle);

    /// The handles that are solved before a handle and move a joint that it moves, and those after it, in the order in
    /// which they are solved: each begins with the pose that those before it have left. Of the last scene.
    struct Sharers
    {
        std::vector<HandleId> before, after;
    };
    [[nodiscard]] Sharers sharersOf(HandleId handle) const;

    /// What is wrong with the handles of the last scene.
    [[nodiscard]] Issues issues() const { return m_evaluator == nullptr ? Issues{} : m_evaluator->issues(); }

    /// The rig of the last scene; null before the first.
    [[nodiscard]] const std::shared_ptr<const CompiledRig>& rig() const { return m_rig; }

private:
    struct PreparedPart
    {
        JointId joint;
        std::shared_ptr<const CompiledRig> rig;
        std::unique_ptr<Evaluator> evaluator; ///< null until there is something to solve
        SolvedFrame frame;
    };
    [[nodiscard]] Result<PreparedPart*> preparePart(const Scene& scene, JointId joint);

    struct PreparedDrag
    {
        Scene scene;
        ClipId clip;
        PendingValues pending;
        Time time;
        DragRequest request;
        std::unique_ptr<InteractiveDrag> drag;
    };

    [[nodiscard]] ClipSolutionPtr solutionOf(const Scene& scene, const Clip* clip, const Evaluator& evaluator);

    const SolverRegistry* m_solvers;
    OnBadHandle m_onBadHandle;
    std::atomic<ObjectId>* m_solving;
    Settling m_settling;
    bool m_looksAround = false;
    ClipSettler m_settler;
    SettledClipPtr m_settled;           ///< the latest
    Shared<ObjectList<Joint>> m_joints; ///< that m_rig was compiled from
    Shared<ObjectList<Handle>> m_handles;
    std::shared_ptr<const CompiledRig> m_rig;
    std::shared_ptr<Evaluator> m_evaluator;
    std::uint64_t m_revision = 0;           ///< of the solvers that m_evaluator was made with
    std::ptrdiff_t m_faultyHandles = 0;     ///< when m_evaluator was made: those whose plugin is at fault
    SolvedFrame m_frame;                    ///< keeps its memory from call to call
    std::vector<PreparedDrag> m_drags;      ///< one per joint, the latest last
    Shared<ObjectList<Joint>> m_partJoints; ///< that m_parts are parts of
    Shared<ObjectList<Handle>> m_partHandles;
    std::uint64_t m_partRevision = 0;
    std::vector<PreparedPart> m_parts; ///< one per joint, the latest last
};

} // namespace tendon
