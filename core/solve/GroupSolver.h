#pragma once

#include "core/runtime/PoseSampler.h"
#include "core/solve/ChainBend.h"
#include "core/solve/ChainCurve.h"
#include "core/solve/Evaluator.h"
#include "core/solve/GoalReach.h"
#include "core/solve/GroupMoment.h"
#include "core/solve/HeldPoses.h"
#include "core/solve/ProblemBuilder.h"
#include "core/solve/SolveGroups.h"

#include <tendon/kit/Residuals.h>

#include <array>
#include <memory>
#include <span>
#include <vector>

namespace tendon {

class SolveRecorder;

/// The pose that objectives compare motion with, and how long ago it was [s].
struct FrameBefore
{
    const LocalPose& pose;
    double seconds = 0;
};

/// What the solve of a group at one moment is given, beside the frame.
struct GroupRequest
{
    PoseSampler& sampler;
    const PendingValues& pending;
    Time time;
    const HeldChains& held;              ///< its handles take the pose given there and ask for nothing; may be empty
    const FrameBefore* before = nullptr; ///< null: motion counts for nothing
    std::span<const double> start = {};  ///< (nq) the answer of the clip's solution to begin from; empty = the FK pose
    const std::atomic<bool>* cancelled = nullptr;
    SolveRecorder* recorder = nullptr; ///< null: the solve is not recorded
    GroupMoment* moment = nullptr;     ///< takes what is asked and answered; null: nothing does
    bool looksAround = false;          ///< Evaluator::lookAround()
};

/// The rest pose of a whole rig, as its groups begin from it.
struct RestOfRig
{
    explicit RestOfRig(const CompiledRig& rig);

    LocalPose local;
    ModelPose model;
};

/// Solves the handles of one group, frame by frame. Owns the solver and all data that a solve reads and writes, so that
/// nothing allocates after construction.
class GroupSolver
{
public:
    /// Errors name the handle: the solver is missing, or does not support a parameter, a goal or a joint.
    [[nodiscard]] static Result<std::unique_ptr<GroupSolver>> create(std::shared_ptr<const CompiledRig> rig,
                                                                     SolveGroup group, const SolverRegistry& registry,
                                                                     const RestOfRig& rest);

    /// True if the handle (of the group) is active and has a goal beyond its reach, in a pose that is final above the
    /// group.
    [[nodiscard]] bool isBeyondReach(std::size_t handle, PoseSampler& sampler, const PendingValues& pending, Time time,
                                     const ModelPose& model) const;

    /// Moves the group's joints in `result` to meet their goals and brings result.model up to date below them. On a
    /// failure they stay where they are. Fills result.targets and result.handles of the group's handles.
    void solve(const GroupRequest& request, SolvedFrame& result);

    /// True if a clip can be solved as a whole for the group: the solver follows its seed, and an answer depends on its
    /// moment alone.
    [[nodiscard]] bool canFollow() const { return m_canFollow; }

    /// What was asked at a moment, as the solver is given it. Looks into the moment and into the group.
    [[nodiscard]] sdk::Problem problemOf(const GroupMoment& moment) const;

    /// Another solver like the group's own, prepared for model(). Errors: as create().
    [[nodiscard]] Result<std::unique_ptr<sdk::Solver>> makeSolver(const SolverRegistry& registry) const;

    [[nodiscard]] const sdk::Model& model() const { return m_builder.model(); }
    [[nodiscard]] JointIndex jointOfDof(std::int32_t dof) const { return m_builder.jointOfDof(dof); }

    /// True if an objective needs the frame before.
    [[nodiscard]] bool wantsMotion() const { return m_objectives.velocity > 0 || m_objectives.power > 0; }

    [[nodiscard]] const SolveGroup& group() const { return m_group; }

    /// Warnings: a chain that the rest pose stretches, shears or mirrors, whose goals are then met nearly, not exactly;
    /// soft reach or stretch without effect.
    [[nodiscard]] const Issues& issues() const { return m_issues; }

private:
    struct Member
    {
        Member(std::size_t h, GoalReach r) : handle(h), reach(std::move(r)) {}

        std::size_t handle;              ///< index into rig.handles
        std::vector<std::size_t> places; ///< of its joints in m_builder.joints(), top first
        std::size_t endPlace = 0;
        GoalReach reach;
        // at this frame
        bool asks = false;         ///< is active and does not hold
        std::int32_t goal = -1;    ///< index into m_goals; -1 = none
        std::int32_t priority = 0; ///< of its goals: higher first
        double weight = 1;         ///< relative to the others of its priority
        GoalReach::Request request;
        std::optional<HingeBend> hinge; ///< of the chain that is to face a pole
    };

    GroupSolver(std::shared_ptr<const CompiledRig> rig, SolveGroup group, const SolverInfo& info);

    [[nodiscard]] Result<void> prepareSolver(const SolverRegistry& registry, const RestOfRig& rest);
    [[nodiscard]] sdk::Status solveFrom(std::span<const double> start, sdk::Problem problem, const SolvedFrame& fk,
                                        const std::atomic<bool>* cancelled, SolveRecorder* recorder);
    [[nodiscard]] bool isAsNear(std::span<const double> q, const sdk::Problem& problem);
    void keepMoment(sdk::Status status, GroupMoment& moment) const;
    [[nodiscard]] bool isStraightAtGoal(std::span<const double> base, const SolvedFrame& fk);
    sdk::Status solveBent(const sdk::Problem& problem, const SolvedFrame& fk, const std::atomic<bool>* cancelled,
                          SolveRecorder* recorder);
    void leadHinge(const sdk::Problem& problem, std::span<const double> q, const SolvedFrame& fk, sdk::Goal& pole);
    [[nodiscard]] Result<void> checkAbilities(const SolverInfo& info) const;
    void hold(const HeldChains& held, SolvedFrame& result) const;
    void constrain(SolvedFrame& result) const;
    [[nodiscard]] Result<void> prepareConstraint(const SolverInfo& info);
    void chooseBlends(std::span<const HandleTarget> targets);
    void findIssues();
    [[nodiscard]] sdk::Status solveRestPose(const RestOfRig& rest);
    [[nodiscard]] Error cannotTakeChain(const SolverInfo& info) const;
    void rankGoals(std::span<const HandleTarget> targets);
    void addGoals(Member& member, const LocalPose& local, const ModelPose& model, const HandleTarget& target);
    [[nodiscard]] bool writeStretch(std::span<const double> base);
    void addPole(Member& member, const LocalPose& local, const ModelPose& model, const HandleTarget& target);
    [[nodiscard]] sdk::Goal poleGoal(const Member& member, const HandleTarget& target, const Vector3& position) const;
    [[nodiscard]] bool addTwists(std::span<const HandleTarget> targets, std::span<const double> base);
    [[nodiscard]] sdk::Status solveWithPoles(sdk::Problem problem, const SolvedFrame& fk,
                                             const std::atomic<bool>* cancelled, SolveRecorder* recorder);
    [[nodiscard]] bool isTrappedByPole(std::span<const double> base);
    [[nodiscard]] sdk::Status solveAgainForPoles(sdk::Problem problem, const SolvedFrame& fk,
                                                 const std::atomic<bool>* cancelled, SolveRecorder* recorder);
    [[nodiscard]] sdk::Status solveTurned(sdk::Problem problem, const SolvedFrame& fk,
                                          const std::atomic<bool>* cancelled, SolveRecorder* recorder);
    void turnToPole(const sdk::Problem& problem, const sdk::Goal& pole);
    void beginFrom(std::span<const double> q, sdk::Problem& problem) const;
    [[nodiscard]] sdk::Status solveGoals(const sdk::Problem& problem, const SolvedFrame& fk,
                                         const std::atomic<bool>* cancelled, SolveRecorder* recorder);
    void makeCurve(const SolverInfo& info, const ModelPose& rest);
    [[nodiscard]] bool turnToUps(const HandleTarget& target, std::span<const double> base);
    void reportPole(const Member& member, SolvedFrame& result) const;
    [[nodiscard]] bool isOverruled(const Member& member) const;
    [[nodiscard]] double poleSwing(const Member& member, const sdk::Problem& problem, const SolvedFrame& fk,
                                   const std::atomic<bool>* cancelled);
    [[nodiscard]] bool isWayOpen(const Member& member, const sdk::Problem& problem, const SolvedFrame& fk);
    [[nodiscard]] double goalSwing(const Member& member, const sdk::Problem& problem, const SolvedFrame& fk,
                                   double share, const std::atomic<bool>* cancelled);
    [[nodiscard]] std::optional<HandleResult::GoalSwing> swingOf(const Member& member, const sdk::Problem& problem,
                                                                 const GroupRequest& request, const SolvedFrame& fk);
    [[nodiscard]] bool isTurnedToTwist(const sdk::Problem& problem);
    void keepAnswer();
    void restoreAnswer();
    void reportCurve(HandleResult& report) const;
    [[nodiscard]] bool areAllMet() const; ///< every goal of the last solve is within its tolerance
    void refresh(std::span<const JointIndex> joints, SolvedFrame& result) const;
    void report(const Member& member, sdk::Status status, SolvedFrame& result) const;
    void findContradictions(SolvedFrame& result, const std::atomic<bool>* cancelled);
    [[nodiscard]] std::array<double, 2> solveOnly(const Member& first, const Member* second,
                                                  const std::atomic<bool>* cancelled);
    [[nodiscard]] double missOf(const Member& member, std::size_t goalResult) const;

    std::shared_ptr<const CompiledRig> m_rig;
    SolveGroup m_group;
    ProblemBuilder m_builder;
    std::vector<Member> m_members;
    std::unique_ptr<sdk::Solver> m_solver; ///< null when there is nothing to move, and for a constraint

    bool m_canFollow = false;
    bool m_usesPoles = false;
    bool m_turnsToPole = false; ///< the chain is turned to its pole before the solver has to meet it
    bool m_knowsLaw = false;    ///< the solver weighs how far joints are from a reference pose
    Issues m_issues;
    sdk::Stop m_stop;
    sdk::Objectives m_objectives;
    std::optional<ChainCurve> m_curve; ///< of the first handle that has one
    std::size_t m_curveHandle = 0;     ///< that handle
    double m_maxStretch = 1;           ///< what the solver may stretch that chain by

    // one frame
    std::vector<sdk::Goal> m_goals;
    std::vector<double> m_blend; ///< per joint of the builder
    std::vector<double> m_q, m_stretch;
    std::vector<double> m_start;       ///< where the clip's solution has the solve begin
    std::vector<double> m_untwisted;   ///< the answer before twists without a pole, or without poles
    std::vector<sdk::Goal> m_poleless; ///< m_goals without poles, or some of those
    std::vector<double> m_stretchedBase;
    std::vector<kit::Frame<double>> m_frames;
    std::vector<kit::GoalError> m_errors; ///< (goals)
    std::vector<sdk::GoalResult> m_goalResults;
    std::vector<std::int8_t> m_limitHits;
    sdk::Solution m_solution;
    std::vector<double> m_keptQ; ///< the answer, while others are looked at
    std::vector<sdk::GoalResult> m_keptResults;
    std::vector<std::int8_t> m_keptHits;
    sdk::Solution m_keptSolution;
};

} // namespace tendon
