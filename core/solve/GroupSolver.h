#pragma once

#include "core/runtime/PoseSampler.h"
#include "core/solve/Evaluator.h"
#include "core/solve/ProblemBuilder.h"
#include "core/solve/SolveGroups.h"

#include <memory>
#include <span>
#include <vector>

namespace tendon {

/// What is asked of one handle at one frame, in the world.
struct HandleTarget
{
    Vector3 position = Vector3::Zero();           ///< [m]
    Quaternion rotation = Quaternion::Identity(); ///< unit
    double blend = 0;                             ///< 0 ... 1
    double weight = 0;
    bool isSolved = false; ///< a solve took it up and its pose was used

    [[nodiscard]] bool isActive() const { return blend > 0 && weight > 0; }
};

/// The pose that motion is counted from, and how long ago it was [s].
struct FrameBefore
{
    const LocalPose& pose;
    double seconds = 0;
};

/// Solves the handles of one group, frame by frame. Owns the solver and everything the solve reads and writes; after
/// construction nothing allocates.
class GroupSolver
{
public:
    /// Errors name the handle: no such solver, a parameter that it refuses, a goal or a joint that it cannot take.
    [[nodiscard]] static Result<std::unique_ptr<GroupSolver>> create(std::shared_ptr<const CompiledRig> rig,
                                                                     SolveGroup group, const SolverRegistry& registry);

    /// Moves the group's joints in `result` to meet their goals and brings result.model up to date below them. On a
    /// failure they stay where they are. Fills result.handles and `targets` of the group's handles (both indexed as
    /// rig.handles). `before` may be null: then motion counts for nothing.
    void solve(PoseSampler& sampler, const PendingValues& pending, Time time, FrameResult& result,
               std::span<HandleTarget> targets, const FrameBefore* before, const std::atomic<bool>* cancelled);

    /// True when an objective asks for the frame before.
    [[nodiscard]] bool wantsMotion() const { return m_objectives.velocity > 0 || m_objectives.power > 0; }

    [[nodiscard]] const SolveGroup& group() const { return m_group; }

    /// True when the rest pose stretches, shears or mirrors the chain: goals are then met nearly, not exactly.
    [[nodiscard]] bool isDistortedAtRest() const { return m_isDistortedAtRest; }

private:
    struct Asked
    {
        std::size_t handle = 0;          ///< index into rig.handles
        std::vector<std::size_t> places; ///< of its joints in m_builder.joints(), top first
        std::size_t endPlace = 0;
        std::int32_t goal = -1; ///< index into m_goals at this frame; -1 = none
    };

    GroupSolver(std::shared_ptr<const CompiledRig> rig, SolveGroup group);

    [[nodiscard]] Result<void> prepareSolver(const SolverRegistry& registry);
    [[nodiscard]] Result<void> checkAbilities(const SolverInfo& info) const;
    HandleTarget sampleTarget(const Asked& asked, PoseSampler& sampler, const PendingValues& pending, Time time,
                              const ModelPose& model) const;
    void chooseBlends(std::span<const HandleTarget> targets);
    void addGoals(Asked& asked, PoseSampler& sampler, const PendingValues& pending, Time time,
                  const FrameResult& result, const HandleTarget& target, double strongest);
    void addPole(const Asked& asked, PoseSampler& sampler, const PendingValues& pending, Time time,
                 const FrameResult& result, const HandleTarget& target, double weight);
    [[nodiscard]] Vector3 bendDirection(const Asked& asked, const ModelPose& model, const Vector3& goal) const;
    void report(const Asked& asked, sdk::Status status, FrameResult& result, HandleTarget& target) const;

    std::shared_ptr<const CompiledRig> m_rig;
    SolveGroup m_group;
    ProblemBuilder m_builder;
    std::vector<Asked> m_asked;
    std::unique_ptr<sdk::Solver> m_solver; ///< null when there is nothing to move

    bool m_takesPoles = false;
    bool m_isSoft = false; ///< the solver honours Goal::soft
    bool m_isDistortedAtRest = false;
    sdk::Stop m_stop;
    double m_maxStretch = 1;
    sdk::Objectives m_objectives;
    std::vector<double> m_curvePoints;
    sdk::Curve m_curve;

    // one frame
    std::vector<sdk::Goal> m_goals;
    std::vector<double> m_blend; ///< per joint of the builder
    std::vector<double> m_q, m_stretch;
    std::vector<sdk::GoalResult> m_goalResults;
    std::vector<std::int8_t> m_limitHits;
    sdk::Solution m_solution;
};

} // namespace tendon
