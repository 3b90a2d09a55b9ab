#include "core/solve/GroupSolver.h"

#include "core/math/Convert.h"
#include "core/runtime/ForwardKinematics.h"
#include "core/scene/Constraint.h"
#include "core/solve/AnswerStatus.h"
#include "core/solve/ChainBend.h"
#include "core/solve/Settings.h"
#include "core/solve/SolveRecorder.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tendon {
namespace {

std::vector<SolveJoint> allMovable(const std::vector<JointIndex>& joints)
{
    std::vector<SolveJoint> result;
    for (const JointIndex joint : joints) result.push_back({joint, true});
    return result;
}

constexpr double kMaxFading = 1e3; ///< how much more than its blend a handle may weigh that fades out

/// A goal whose effector is the end joint's own pivot leaves that joint's turn open, as a curve does: it then keeps its
/// local rotation.
bool turnsItsEnd(const Handle& handle)
{
    return handle.orientationWeight > 0 || (!handle.hasCurve() && (!handle.offset.isZero(0) || handle.aimAxis));
}

} // namespace

RestOfRig::RestOfRig(const CompiledRig& rig)
{
    local.resize(rig.jointCount());
    local.joints = rig.rest;
    forwardKinematics(rig, local, model);
}

GroupSolver::GroupSolver(std::shared_ptr<const CompiledRig> rig, SolveGroup group, const SolverInfo& info)
    : m_rig(std::move(rig)), m_group(std::move(group)), m_builder(m_rig, allMovable(m_group.joints), settingsOf(info)),
      m_usesPoles(isUsed(Setting::Pole, info))
{
    // Solvers of single chains turn by themselves. Where handles share joints, turning one chain moves the other's end.
    m_turnsToPole = m_usesPoles && info.has("multi-goal") && m_group.handles.size() == 1;
    m_knowsLaw = isUsed(Setting::Ease, info);
    std::vector<std::vector<JointIndex>> chains;
    for (const std::size_t h : m_group.handles) chains.push_back(movableJoints(*m_rig, m_rig->handles[h]));
    for (std::size_t m = 0; m < m_group.handles.size(); ++m) {
        const std::size_t h = m_group.handles[m];
        std::swap(chains[m], chains.back()); // so that the others stand together
        const std::vector<JointIndex> joints = chains.back();
        Member member(h, GoalReach(*m_rig, m_rig->handles[h], joints, std::span(chains).first(chains.size() - 1)));
        std::swap(chains[m], chains.back());
        for (const JointIndex joint : joints)
            member.places.push_back(static_cast<std::size_t>(
                std::lower_bound(m_group.joints.begin(), m_group.joints.end(), joint) - m_group.joints.begin()));
        if (!member.places.empty()) member.endPlace = member.places.back();
        m_members.push_back(std::move(member));
        const Handle& handle = m_rig->handles[h];
        if (handle.maxIterations > 0)
            m_stop.maxIterations = h == m_group.handles.front() ? handle.maxIterations
                                                                : std::max(m_stop.maxIterations, handle.maxIterations);
        for (const auto& [wish, own] : {std::pair(&sdk::Objectives::restPose, handle.objectives.restPose),
                                        std::pair(&sdk::Objectives::naturalPose, handle.objectives.naturalPose),
                                        std::pair(&sdk::Objectives::velocity, handle.objectives.velocity),
                                        std::pair(&sdk::Objectives::power, handle.objectives.power)})
            m_objectives.*wish = std::max(m_objectives.*wish, own);
    }
    const sdk::Model& model = m_builder.model();
    m_goals.reserve(2 * m_members.size());
    m_errors.reserve(2 * m_members.size());
    m_poleless.reserve(m_members.size());
    m_goalResults.resize(2 * m_members.size());
    m_blend.resize(m_group.joints.size());
    m_q.resize(static_cast<std::size_t>(model.coordinateCount));
    m_stretch.resize(static_cast<std::size_t>(model.bodyCount), 1);
    m_limitHits.resize(static_cast<std::size_t>(model.dofCount));
    m_start.resize(m_q.size());
    m_untwisted.resize(m_q.size());
    m_keptQ.resize(m_q.size());
    m_keptResults.resize(m_goalResults.size());
    m_keptHits.resize(m_limitHits.size());
    m_frames.resize(static_cast<std::size_t>(model.bodyCount));
}

Result<std::unique_ptr<GroupSolver>> GroupSolver::create(std::shared_ptr<const CompiledRig> rig, SolveGroup group,
                                                         const SolverRegistry& registry, const RestOfRig& rest)
{
    const Handle& first = rig->handles[group.handles.front()];
    const std::string where = "handle \"" + first.name + "\"";
    const SolverInfo* info = registry.find(first.solver);
    if (info == nullptr) return registry.create(first.solver).error().within(where);
    std::unique_ptr<GroupSolver> made(new GroupSolver(std::move(rig), std::move(group), *info));
    if (const auto ready = made->prepareSolver(registry, rest); !ready) return ready.error().within(where);
    return made;
}

Result<void> GroupSolver::prepareSolver(const SolverRegistry& registry, const RestOfRig& rest)
{
    const Handle& first = m_rig->handles[m_group.handles.front()];
    const SolverInfo& info = *registry.find(first.solver); // create() has found it
    if (isConstraint(first)) return prepareConstraint(info);
    if (m_group.joints.empty()) return {}; // nothing to move, nothing to prepare
    if (const auto able = checkAbilities(info); !able) return able;
    auto solver = makeSolver(registry);
    if (!solver) return solver.error();
    m_solver = *std::move(solver);
    // A solver of single chains sees which joints its chain has only by the goal.
    if (!info.has("multi-goal") && !info.has("curve") && solveRestPose(rest) == sdk::Status::Unsupported)
        return cannotTakeChain(info);
    if (const auto fault = registry.fault(first.solver)) return *fault;
    m_builder.setPose(rest.local, rest.model);
    makeCurve(info, rest.model);
    findIssues();
    m_canFollow = info.has("follows-seed") && !m_curve && !wantsMotion() &&
                  std::none_of(m_group.handles.begin(), m_group.handles.end(),
                               [&](std::size_t h) { return m_rig->handles[h].unreachable == Unreachable::Hold; });
    return {};
}

Result<std::unique_ptr<sdk::Solver>> GroupSolver::makeSolver(const SolverRegistry& registry) const
{
    const Handle& first = m_rig->handles[m_group.handles.front()];
    auto solver = registry.create(first.solver);
    if (!solver) return solver.error();
    const SolverInfo& info = *registry.find(first.solver);
    const auto set = setParameters(**solver, info, first.parameters);
    if (const auto fault = registry.fault(first.solver)) return *fault;
    if (!set) return set.error();
    const sdk::Status status = (*solver)->prepare(m_builder.model(), static_cast<std::int32_t>(2 * m_members.size()));
    if (const auto fault = registry.fault(first.solver)) return *fault;
    constexpr const char* kFailed =
        "failed while it prepared (an exception, or memory is short); choose another solver";
    if (status == sdk::Status::NumericalFailure) return Error{ErrorCode::Unsupported, kFailed, info.alias};
    if (status != sdk::Status::Converged) return cannotTakeChain(info);
    return solver;
}

/// What the solver says of its goals where the rest pose has them.
sdk::Status GroupSolver::solveRestPose(const RestOfRig& rest)
{
    m_builder.setPose(rest.local, rest.model);
    m_goals.clear();
    HandleTarget target;
    for (Member& member : m_members) {
        const Handle& handle = m_rig->handles[member.handle];
        const Affine& end = rest.model.modelFromJoint[static_cast<std::size_t>(m_rig->index(handle.end))];
        target.goal = {end * handle.offset, rotationOf(end)};
        if (!turnsItsEnd(handle) && !member.places.empty()) m_builder.lockTurning(member.endPlace);
        member.asks = true;
        member.weight = 1;
        addGoals(member, rest.local, rest.model, target);
    }
    if (m_goals.empty()) return sdk::Status::Converged;
    sdk::Problem problem = m_builder.problem();
    problem.goals = m_goals;
    return solveGoals(problem, {}, nullptr, nullptr);
}

Error GroupSolver::cannotTakeChain(const SolverInfo& info) const
{
    const Member& member = m_members.front();
    const auto turning = std::count_if(member.places.begin(), member.places.end(), [&](std::size_t place) {
        const std::int32_t body = m_builder.bodyOf(m_group.joints[place]);
        const sdk::Model& model = m_builder.model();
        return place != member.endPlace && model.vBegin[body + 1] - model.vBegin[body] > kit::slidingDofs(model, body);
    });
    std::string reason = "the solver cannot take this chain, in which " + std::to_string(turning) +
                         (turning == 1 ? " joint turns" : " joints turn") + " above the end joint";
    if (info.maxChainJoints > 0) reason += " and not " + std::to_string(info.maxChainJoints - 1);
    return {ErrorCode::Unsupported, reason + "; choose another solver or other start and end joints", info.alias};
}

void GroupSolver::makeCurve(const SolverInfo& info, const ModelPose& rest)
{
    for (const Member& member : m_members) {
        const Handle& handle = m_rig->handles[member.handle];
        if (!handle.hasCurve() || m_curve) continue;
        std::vector<JointIndex> joints;
        for (const std::size_t place : member.places) joints.push_back(m_group.joints[place]);
        m_curve.emplace(*m_rig, handle, joints, m_builder, rest);
        m_curveHandle = member.handle;
        m_maxStretch = info.has("stretch") ? handle.stretch : 1;
        m_stretchedBase.resize(m_builder.problem().base.size());
    }
}

/// Precondition: the builder holds the rest pose.
void GroupSolver::findIssues()
{
    const auto warn = [&](const Handle& handle, const std::string& text) {
        m_issues.push_back({Severity::Warning, text, handle.name, handle.id.value});
    };
    if (m_builder.isDistorted())
        warn(m_rig->handles[m_group.handles.front()],
             "its chain is scaled unevenly or mirrored, which solvers cannot see: goals are met nearly, not exactly. "
             "Scale the joints evenly");
    for (const Member& member : m_members) {
        const Handle& handle = m_rig->handles[member.handle];
        if (handle.hasCurve()) continue; // Settings.h names what a curve has no use for
        if (handle.soft > 0 && !member.reach.softObstacle().empty())
            warn(handle, "\"soft\" has no effect: " + member.reach.softObstacle() + ". Set it to 0");
        if (handle.unreachable == Unreachable::Hold && !member.reach.holdObstacle().empty())
            warn(handle, "\"unreachable\" has no effect: " + member.reach.holdObstacle() + ". Set it to stretch");
        if (handle.squash < 1 && !member.reach.stretchObstacle().empty())
            warn(handle, "\"squash\" has no effect: " + member.reach.stretchObstacle() + ". Set it to 1");
        if (!handle.isSticky && carrierOf(*m_rig, handle) < 0)
            warn(handle,
                 std::string("\"stick\" has no effect: ") +
                     (handle.isPinned                                ? "the handle is pinned"
                      : handle.follow != 0 || handle.poleFollow != 0 ? "its goal or pole follows an object"
                                                                     : "there is no joint above its chain's start") +
                     ". Set it to true");
        if (handle.stretch > 1 && !member.reach.stretchObstacle().empty())
            warn(handle, "\"stretch\" has no effect: " + member.reach.stretchObstacle() + ". Set it to 1");
    }
}

Result<void> GroupSolver::checkAbilities(const SolverInfo& info) const
{
    const auto lacks = [&](const std::string& what, const std::string& remedy) {
        return Error{ErrorCode::Unsupported, "the solver cannot " + what + "; " + remedy, info.alias};
    };
    if (info.has("history"))
        return lacks("be evaluated frame by frame: its answer depends on the frames before", "choose another solver");
    const sdk::Model& model = m_builder.model();
    for (std::size_t body = 0; body < model.kind.size(); ++body) {
        const std::string kind(sdk::traits(model.kind[body]).name);
        if (model.kind[body] == sdk::JointKind::Fixed || info.moves(kind)) continue;
        const JointIndex joint = m_builder.jointOfDof(model.vBegin[body]);
        return lacks("move \"" + m_rig->authored[static_cast<std::size_t>(joint)].name +
                         "\", whose axes make it a joint of kind " + kind,
                     "change its active axes or choose another solver");
    }
    for (std::size_t dof = 0; dof < model.dofKind.size() && !info.slides(); ++dof) {
        if (model.dofKind[dof] != sdk::DofKind::Sliding) continue;
        const JointIndex joint = m_builder.jointOfDof(static_cast<std::int32_t>(dof));
        return lacks("slide \"" + m_rig->authored[static_cast<std::size_t>(joint)].name + "\"",
                     "turn off its sliding axes or choose another solver");
    }
    for (const Member& member : m_members) {
        const auto moving = std::count_if(member.places.begin(), member.places.end(), [&](std::size_t place) {
            return model.kind[static_cast<std::size_t>(m_builder.bodyOf(m_group.joints[place]))] !=
                   sdk::JointKind::Fixed;
        });
        if (info.maxChainJoints > 0 && moving > info.maxChainJoints)
            return lacks("move a chain of " + std::to_string(moving) + " joints, only one of up to " +
                             std::to_string(info.maxChainJoints),
                         "choose other start and end joints or another solver");
    }
    for (const std::size_t h : m_group.handles) {
        if (const SettingRule* rule = firstRefused(m_rig->handles[h], info))
            return lacks(std::string(rule->verb), std::string(rule->cure) + " or choose another solver");
        if (info.has("curve") && !info.has("position-goal") && !m_rig->handles[h].hasCurve())
            return lacks("meet a goal", "set the handle's curve or choose another solver");
    }
    for (const Member& member : m_members)
        if (m_rig->handles[member.handle].hasCurve() && member.places.size() < 2)
            return lacks("lay a single joint along a curve", "choose a start joint further up");
    return {};
}

/// How far each joint goes along with the solve: as far as the handle that asks most of it. Joints that no active
/// handle moves are locked, and so is the turn of an end joint that nothing asks to turn.
void GroupSolver::chooseBlends(std::span<const HandleTarget> targets)
{
    std::fill(m_blend.begin(), m_blend.end(), 0.0);
    for (const Member& member : m_members)
        if (member.asks)
            for (const std::size_t place : member.places)
                m_blend[place] = std::max(m_blend[place], targets[member.handle].blend);
    for (std::size_t place = 0; place < m_blend.size(); ++place)
        if (m_blend[place] <= 0) m_builder.lock(place);
    for (const Member& member : m_members) {
        if (!member.asks || turnsItsEnd(m_rig->handles[member.handle])) continue;
        const bool mustTurn = std::any_of(m_members.begin(), m_members.end(), [&](const Member& other) {
            if (!other.asks) return false;
            const bool isInside = std::find(other.places.begin(), other.places.end(), member.endPlace) !=
                                  other.places.end();
            return isInside && (other.endPlace != member.endPlace || turnsItsEnd(m_rig->handles[other.handle]));
        });
        if (!mustTurn) m_builder.lockTurning(member.endPlace);
    }
}

/// Gives each member its rank and its weight. A handle that fades out takes no freedom from others: it ranks lowest,
/// and weighs b / (1 - b) instead, which is nothing at blend 0 and goes before all others as the blend nears 1.
void GroupSolver::rankGoals(std::span<const HandleTarget> targets)
{
    std::int32_t lowest = 0;
    for (Member& member : m_members) {
        member.priority = -m_rig->handles[member.handle].priority; // 1 is solved first
        if (member.asks) lowest = std::min(lowest, member.priority);
    }
    const auto strongestAt = [&](std::int32_t priority) {
        double strongest = 0;
        for (const Member& member : m_members)
            if (member.asks && member.priority == priority)
                strongest = std::max(strongest, targets[member.handle].weight * targets[member.handle].blend);
        return strongest;
    };
    for (Member& member : m_members) {
        const HandleTarget& target = targets[member.handle];
        if (!member.asks) continue;
        // Weights count relative to each other. Of handles solved together a half blended one asks half as much, so
        // that fading it out is smooth.
        member.weight = target.weight * target.blend / strongestAt(member.priority);
    }
    for (Member& member : m_members) {
        const double blend = targets[member.handle].blend;
        if (blend >= 1 || member.priority == lowest) continue;
        member.weight *= std::min(1 / (1 - blend), kMaxFading);
        member.priority = lowest;
    }
}

void GroupSolver::addGoals(Member& member, const LocalPose& local, const ModelPose& model, const HandleTarget& target)
{
    member.goal = -1;
    member.request = {};
    if (!member.asks || member.places.empty()) return;
    const Handle& handle = m_rig->handles[member.handle];
    if (!handle.hasCurve()) {
        sdk::Goal goal;
        goal.kind = goalKindOf(handle);
        if (handle.aimAxis) writeNumbers(*handle.aimAxis, goal.axis);
        goal.body = m_builder.bodyOf(m_group.joints[member.endPlace]);
        writeNumbers(handle.offset, goal.offset);
        member.request = member.reach.request(model, target.goal);
        writeNumbers(member.request.position, goal.targetPosition);
        writeNumbers(target.goal.rotation, goal.targetRotation);
        goal.priority = 2 * member.priority; // its pole comes next
        goal.positionWeight = member.weight;
        goal.rotationWeight = handle.aimAxis ? member.weight : member.weight * handle.orientationWeight;
        goal.positionTolerance = handle.positionTolerance /
                                 member.request.stretch; // of the chain before it is stretched
        goal.rotationTolerance = handle.rotationTolerance;
        member.goal = static_cast<std::int32_t>(m_goals.size());
        m_goals.push_back(goal);
    }
    addPole(member, local, model, target);
}

/// The solver turns the inner joints to the pole; where a hinge is nearly straight, its plane is what faces the pole.
void GroupSolver::addPole(Member& member, const LocalPose& local, const ModelPose& model, const HandleTarget& target)
{
    member.hinge.reset();
    if (!m_usesPoles || member.places.size() < 3 || !target.pole) return; // or nothing between start and end to turn
    m_goals.push_back(poleGoal(member, target, *target.pole));
    const Handle& handle = m_rig->handles[member.handle];
    if (handle.hasCurve()) return; // the curve says how far apart start and end are
    const JointIndex start = m_group.joints[member.places.front()], end = m_group.joints[member.endPlace];
    // A goal that turns the end says where its pivot goes.
    const bool turnsEnd = handle.orientationWeight > 0;
    member.hinge = HingeBend::of(*m_rig, local, model, start, end, turnsEnd ? Vector3(Vector3::Zero()) : handle.offset);
    if (!member.hinge) return;
    const Affine& endFrame = model.modelFromJoint[at(end)];
    Vector3 goal = member.request.position;
    if (turnsEnd)
        goal -= target.goal.rotation * (rotationOf(endFrame).conjugate() * (endFrame.linear() * handle.offset));
    m_goals.back().twist += member.hinge->lead((goal - model.modelFromJoint[at(start)].translation()).norm());
}

sdk::Goal GroupSolver::poleGoal(const Member& member, const HandleTarget& target, const Vector3& position) const
{
    const Handle& handle = m_rig->handles[member.handle];
    sdk::Goal pole;
    pole.kind = sdk::GoalKind::Pole;
    pole.body = m_builder.bodyOf(m_group.joints[member.endPlace]);
    pole.startBody = m_builder.bodyOf(m_group.joints[member.places.front()]);
    writeNumbers(handle.offset, pole.offset);
    writeNumbers(position, pole.targetPosition);
    pole.priority = 2 * member.priority - 1; // limits that cannot have both take the pole first
    pole.positionWeight = pole.rotationWeight = member.weight;
    pole.rotationTolerance = handle.rotationTolerance;
    pole.twist = target.twist;
    return pole;
}

/// A twist without a pole turns the answer that the solver gives without the twist: the pole is the way in which the
/// chain bends there. So any solver's answer changes continuously as the twist leaves 0. Precondition: m_q is that
/// answer. False when no handle is twisted without a pole.
bool GroupSolver::addTwists(std::span<const HandleTarget> targets, std::span<const double> base)
{
    const sdk::Model& model = m_builder.model();
    bool isAny = false;
    for (const Member& member : m_members) {
        const HandleTarget& target = targets[member.handle];
        const bool isTwisted = member.asks && !target.pole && target.twist != 0;
        if (!m_usesPoles || !isTwisted || member.places.size() < 3) continue;
        if (!isAny) kit::forwardKinematics<double>(model, base, m_q, m_frames);
        isAny = true;
        sdk::Goal pole = poleGoal(member, target, Vector3::Zero());
        pole.isDirection = 1;
        writeNumbers(kit::poleShape<double>(model, pole, m_frames).bend, pole.targetPosition);
        m_goals.push_back(pole);
    }
    return isAny;
}

bool GroupSolver::isBeyondReach(std::size_t handle, PoseSampler& sampler, const PendingValues& pending, Time time,
                                const ModelPose& model) const
{
    const auto member = std::find_if(m_members.begin(), m_members.end(),
                                     [&](const Member& each) { return each.handle == handle; });
    HandleTarget target;
    sampleTarget(*m_rig, handle, sampler, pending, time, model, target);
    return target.isActive() && member->reach.isBeyond(model, target.goal);
}

/// Poses the chains of the handles that hold.
void GroupSolver::hold(const HeldChains& held, SolvedFrame& result) const
{
    for (const Member& member : m_members) {
        const HandleTarget& target = result.targets[member.handle];
        if (member.asks || !target.isActive()) continue;
        const ChainPose* pose = *held[member.handle];
        if (pose == nullptr || pose->joints.empty()) continue;
        pose->writeTo(*m_rig, target.blend, result.local);
        refresh(pose->joints, result);
    }
}

/// Forward kinematics below joints that have moved. They need not hang together: each whole subtree once.
void GroupSolver::refresh(std::span<const JointIndex> joints, SolvedFrame& result) const
{
    JointIndex done = 0;
    for (const JointIndex joint : joints) {
        if (joint < done) continue;
        done = m_rig->subtreeEnd[static_cast<std::size_t>(joint)];
        forwardKinematics(*m_rig, result.local, result.model, joint, done);
    }
}

void GroupSolver::solve(const GroupRequest& request, SolvedFrame& result)
{
    bool isActive = false, isAsked = false, isTwisted = false;
    for (Member& member : m_members) {
        HandleTarget& target = result.targets[member.handle];
        sampleTarget(*m_rig, member.handle, request.sampler, request.pending, request.time, result.model, target);
        member.asks = target.isActive() && (request.held.empty() || !request.held[member.handle]);
        isActive = isActive || target.isActive();
        isAsked = isAsked || member.asks;
        isTwisted = isTwisted || (member.asks && !target.pole && target.twist != 0);
    }
    if (request.moment != nullptr) request.moment->isAsked = false;
    if (!isActive) return;
    if (isConstraint(m_rig->handles[m_group.handles.front()])) return constrain(result);
    hold(request.held, result);
    m_goals.clear();
    sdk::Status status = sdk::Status::LimitsBlock; // what a handle gets whose joints are all held by a terminator
    if (m_solver && isAsked) {
        m_builder.setPose(result.local, result.model);
        if (request.before != nullptr && wantsMotion()) m_builder.setPrevious(request.before->pose);
        chooseBlends(result.targets);
        rankGoals(result.targets);
        for (Member& member : m_members) addGoals(member, result.local, result.model, result.targets[member.handle]);
        sdk::Problem problem = m_builder.problem();
        problem.goals = m_goals;
        const bool hasCurve = m_curve && result.targets[m_curveHandle].isActive();
        if (hasCurve) {
            m_curve->set(result.targets[m_curveHandle]);
            problem.curve = &m_curve->curve();
            problem.maxStretch = m_maxStretch;
        }
        problem.stop = &m_stop;
        problem.objectives = &m_objectives;
        if (!problem.previous.empty()) problem.dt = request.before->seconds;
        const auto [cancelled, recorder] = std::pair(request.cancelled, request.recorder);
        // What is twisted without a pole is so from the answer without the twist.
        status = request.start.empty() || isTwisted ? solveWithPoles(problem, result, cancelled, recorder)
                                                    : solveFrom(request.start, problem, result, cancelled, recorder);
        if (hasCurve && sdk::isUsable(status) && turnToUps(result.targets[m_curveHandle], problem.base))
            status = solveGoals(problem, result, cancelled, recorder);
        for (const Member& member : m_members) {
            if (!sdk::isUsable(status) || request.moment != nullptr) continue; // nobody reads the cautions of a moment
            HandleResult& cautions = result.handles[member.handle];
            const double byPole = isOverruled(member) ? poleSwing(member, problem, result, cancelled) : 0;
            if (byPole > 0) cautions.poleSwing = byPole;
            if (request.start.empty()) cautions.goalSwing = swingOf(member, problem, request, result);
        }
        if (sdk::isUsable(status) && addTwists(result.targets, problem.base)) {
            m_untwisted = m_q;
            problem.goals = m_goals;
            const std::int32_t iterations = m_solution.iterations;
            if (!request.start.empty()) {
                if (m_members.size() > 1) problem.seed = m_untwisted; // as without the clip
                status = solveFrom(request.start, problem, result, cancelled, recorder);
                m_solution.iterations += iterations;
            } else if (!isTurnedToTwist(problem)) {
                if (m_members.size() == 1)
                    beginFrom(m_untwisted, problem);
                else
                    problem.seed = m_untwisted;
                status = solveGoals(problem, result, cancelled, recorder);
                m_solution.iterations += iterations;
            }
        }
        if (sdk::isUsable(status)) {
            if (request.moment != nullptr) keepMoment(status, *request.moment);
            m_builder.write(m_q,
                            writeStretch(problem.base) ? std::span<const double>(m_stretch) : std::span<const double>(),
                            m_blend, result.local);
            if (recorder != nullptr) recorder->finish(result.local);
            refresh(m_group.joints, result);
        }
        result.iterations += m_solution.iterations;
    }
    for (const Member& member : m_members) {
        if (member.asks) report(member, status, result);
        if (!member.asks && result.targets[member.handle].isActive()) result.handles[member.handle].isHeld = true;
    }
    const bool isLookedAt = request.moment == nullptr && sdk::isUsable(status) && status != sdk::Status::Cancelled;
    if (isLookedAt) findContradictions(result, request.cancelled);
}

/// From an answer of the clip's solution. A goal that is lost from there, because the pose of the moment has left the
/// clip's, is looked for from the problem's own seed.
sdk::Status GroupSolver::solveFrom(std::span<const double> start, sdk::Problem problem, const SolvedFrame& fk,
                                   const std::atomic<bool>* cancelled, SolveRecorder* recorder)
{
    const std::span<const double> own = m_builder.problem().seed;
    const sdk::Model& model = m_builder.model();
    std::copy(start.begin(), start.end(), m_start.begin());
    for (std::int32_t b = 0; b < model.bodyCount; ++b) { // what is locked keeps its FK pose
        const int singles = kit::singleDofs(model, b);
        const auto q = static_cast<std::size_t>(model.qBegin[b]), v = static_cast<std::size_t>(model.vBegin[b]);
        const auto end = static_cast<std::size_t>(model.qBegin[b + 1]);
        const auto isLocked = [&](int k) { return problem.locked[v + static_cast<std::size_t>(k)] != 0; };
        for (int k = 0; k < singles; ++k)
            if (isLocked(k)) m_start[q + static_cast<std::size_t>(k)] = own[q + static_cast<std::size_t>(k)];
        for (std::size_t c = q + static_cast<std::size_t>(singles); c < end; ++c)
            if (isLocked(singles)) m_start[c] = own[c];
    }
    for (sdk::Goal& goal : m_goals)
        if (goal.kind == sdk::GoalKind::Pole && m_turnsToPole) leadHinge(problem, m_start, fk, goal);
    const std::span<const double> cold = problem.seed;
    problem.goals = m_goals;
    problem.seed = m_start;
    const sdk::Status status = solveGoals(problem, fk, cancelled, recorder);
    if (sdk::isSuccess(status) || status == sdk::Status::Cancelled) return status;
    problem.seed = cold;
    const sdk::Status another = solveWithPoles(problem, fk, cancelled, nullptr);
    if (sdk::isSuccess(another)) return another;
    // Of all answers that miss as little as this one, the clip's is the one that its neighbours lead to.
    const bool isAsGood = sdk::isUsable(another) && isAsNear(m_start, problem);
    problem.seed = m_start;
    problem.goals = m_goals;
    const sdk::Status again = solveGoals(problem, fk, cancelled, nullptr);
    if (isAsGood && sdk::isUsable(again)) m_q = m_start;
    return again;
}

/// True if a configuration comes as near to each goal as the answer does, but for the goal's tolerance.
bool GroupSolver::isAsNear(std::span<const double> q, const sdk::Problem& problem)
{
    const auto errorOf = [&](const sdk::Goal& goal) {
        double residual[kit::kMaxRows] = {};
        if (kit::isActive(goal)) kit::residual<double>(m_builder.model(), goal, m_frames, residual);
        return kit::goalError(goal, residual);
    };
    m_errors.clear();
    kit::forwardKinematics<double>(m_builder.model(), problem.base, m_q, m_frames);
    for (const sdk::Goal& goal : m_goals) m_errors.push_back(errorOf(goal));
    kit::forwardKinematics<double>(m_builder.model(), problem.base, q, m_frames);
    for (std::size_t g = 0; g < m_goals.size(); ++g) {
        const kit::GoalError error = errorOf(m_goals[g]);
        if (error.position > m_errors[g].position + m_goals[g].positionTolerance) return false;
        if (error.rotation > m_errors[g].rotation + m_goals[g].rotationTolerance) return false;
    }
    return true;
}

void GroupSolver::keepMoment(sdk::Status status, GroupMoment& moment) const
{
    const sdk::Problem problem = m_builder.problem();
    moment.isAsked = true;
    moment.base.assign(problem.base.begin(), problem.base.end());
    moment.seed.assign(problem.seed.begin(), problem.seed.end());
    moment.locked.assign(problem.locked.begin(), problem.locked.end());
    moment.goals = m_goals;
    moment.answer = m_q;
    moment.status = status;
    moment.blend = m_blend.empty() ? 1 : *std::max_element(m_blend.begin(), m_blend.end());
    moment.curve.clear();
    if (!m_curve) return;
    const sdk::Curve& curve = m_curve->curve();
    moment.curve.assign(curve.points.begin(), curve.points.end());
    moment.curve.insert(moment.curve.end(), {curve.startTwist, curve.endTwist, curve.offset});
}

sdk::Problem GroupSolver::problemOf(const GroupMoment& moment) const
{
    sdk::Problem problem = m_builder.problem(); // for what stays: rest pose, preferred angles
    problem.base = moment.base;
    problem.seed = moment.seed;
    problem.locked = moment.locked;
    problem.goals = moment.goals;
    problem.stop = &m_stop;
    problem.objectives = &m_objectives;
    return problem;
}

sdk::Status GroupSolver::solveGoals(const sdk::Problem& problem, const SolvedFrame& fk,
                                    const std::atomic<bool>* cancelled, SolveRecorder* recorder)
{
    sdk::Control control;
    control.cancelled = cancelled;
    m_solution.iterations = 0;
    m_solution.q = m_q;
    m_solution.stretch = m_stretch;
    m_solution.goals = std::span(m_goalResults).first(problem.goals.size());
    m_solution.limitHits = m_limitHits;
    std::fill(m_stretch.begin(), m_stretch.end(), 1.0);
    std::fill(m_limitHits.begin(), m_limitHits.end(), std::int8_t{0});
    std::fill(m_goalResults.begin(), m_goalResults.end(), sdk::GoalResult{});
    if (recorder != nullptr) recorder->begin(control, m_builder.model());
    const sdk::Status status = answerStatus(m_solver->solve(problem, control, m_solution), m_q);
    if (recorder != nullptr && sdk::isUsable(status))
        recorder->end(*m_rig, m_builder, problem, m_solution, m_blend, fk);
    return status;
}

/// Fills m_stretch with what each handle's bones are lengthened by; false when none is. Precondition: m_q is the
/// answer.
bool GroupSolver::writeStretch(std::span<const double> base)
{
    if (m_curve) // the solver has stretched it
        return std::any_of(m_stretch.begin(), m_stretch.end(), [](double factor) { return factor != 1; });
    std::fill(m_stretch.begin(), m_stretch.end(), 1.0);
    bool isAny = false, isPosed = false;
    for (Member& member : m_members) {
        if (member.goal < 0 || !member.reach.canStretch()) continue;
        const bool isMet = sdk::isSuccess(m_goalResults[static_cast<std::size_t>(member.goal)].status);
        if (isMet && member.request.stretch == 1) continue;
        if (!isMet) { // limits may keep it from being straight
            if (!isPosed) kit::forwardKinematics<double>(m_builder.model(), base, m_q, m_frames);
            isPosed = true;
            const auto end = static_cast<std::size_t>(m_builder.bodyOf(m_group.joints[member.endPlace]));
            member.request.stretch = member.reach.stretch(member.request, m_frames[end].point(member.reach.endPoint()));
        }
        isAny = true;
        for (std::size_t i = 1; i < member.places.size(); ++i) // the first joint's bone is above the chain
            m_stretch[static_cast<std::size_t>(m_builder.bodyOf(m_group.joints[member.places[i]]))] =
                member.request.stretch;
    }
    return isAny;
}

/// Precondition: m_q and m_stretch are the answer along the curve. True when it is to be solved again for the up
/// joints.
bool GroupSolver::turnToUps(const HandleTarget& target, std::span<const double> base)
{
    if (!target.startUp && !target.endUp) return false;
    std::copy(base.begin(), base.end(), m_stretchedBase.begin());
    for (std::size_t body = 0; body < m_stretch.size(); ++body)
        for (std::size_t k = 0; k < 3; ++k) m_stretchedBase[kit::kBaseStride * body + k] *= m_stretch[body];
    kit::forwardKinematics<double>(m_builder.model(), m_stretchedBase, m_q, m_frames);
    return m_curve->faceUps(target, m_frames);
}

void GroupSolver::reportCurve(HandleResult& report) const
{
    report.positionError = std::sqrt(2 * m_solution.cost); // see Solution::cost
    if (report.status == sdk::Status::Unreachable) report.shortfall = report.positionError;
    report.stretch = *std::max_element(m_stretch.begin(), m_stretch.end());
    report.canStretch = m_maxStretch > 1;
    report.nearUp = m_curve->nearUp();
}

bool GroupSolver::areAllMet() const
{
    return std::all_of(m_goalResults.begin(), m_goalResults.begin() + std::ssize(m_goals),
                       [](const sdk::GoalResult& goal) { return sdk::isSuccess(goal.status); });
}

void GroupSolver::report(const Member& member, sdk::Status status, SolvedFrame& result) const
{
    HandleResult& report = result.handles[member.handle];
    report.status = status;
    if (!m_solver) {
        // Held by a terminator: the lowest of its chain is what blocks it.
        JointIndex joint = m_rig->index(m_rig->handles[member.handle].end);
        while (joint >= 0 && !m_rig->authored[static_cast<std::size_t>(joint)].isTerminator)
            joint = m_rig->parent[static_cast<std::size_t>(joint)];
        if (joint >= 0) report.blockedBy = m_rig->id[static_cast<std::size_t>(joint)];
        return;
    }
    report.iterations = m_solution.iterations;
    if (!sdk::isUsable(status)) return;
    reportPole(member, result);
    if (member.goal >= 0) {
        const sdk::GoalResult& goal = m_goalResults[static_cast<std::size_t>(member.goal)];
        // A solver may leave single goals unreported. Where all are met and the solve still is no success, it was cut
        // off while it weighed objectives: that is what there is to say of each handle.
        const bool isCutOff = !sdk::isSuccess(status) && areAllMet();
        if (sdk::isUsable(goal.status) && !isCutOff) report.status = goal.status;
        report.positionError = goal.positionError * member.request.stretch + member.request.softened +
                               member.request.shortfall;
        report.rotationError = goal.rotationError;
        report.shortfall = goal.shortfall * member.request.stretch;
        report.softened = member.request.softened;
        report.stretch = member.request.stretch;
        report.canStretch = member.reach.stretchObstacle().empty();
        report.canHold = member.reach.holdObstacle().empty();
        if (member.request.shortfall > 0) { // the solver has met what it was asked
            report.shortfall = member.request.shortfall;
            if (sdk::isSuccess(report.status)) report.status = sdk::Status::Unreachable;
        }
        if (std::isfinite(goal.multiplier)) report.pull = goal.multiplier;
        const bool isNamed = goal.blockingDof >= 0 && goal.blockingDof < m_builder.model().dofCount;
        if (isNamed && report.status != sdk::Status::Converged)
            report.blockedBy = m_rig->id[static_cast<std::size_t>(m_builder.jointOfDof(goal.blockingDof))];
    }
    if (m_curve && m_curveHandle == member.handle) reportCurve(report);
    const sdk::Model& model = m_builder.model();
    for (std::int32_t v = 0; v < model.dofCount; ++v) {
        if (m_limitHits[static_cast<std::size_t>(v)] == 0) continue;
        const JointIndex joint = m_builder.jointOfDof(v);
        const bool isItsOwn = std::any_of(member.places.begin(), member.places.end(),
                                          [&](std::size_t place) { return m_group.joints[place] == joint; });
        if (isItsOwn)
            report.limitHits.push_back({m_rig->id[static_cast<std::size_t>(joint)], m_builder.propertyOfDof(v)});
    }
    const bool isCurveBlocked = report.status == sdk::Status::LimitsBlock && member.goal < 0;
    if (isCurveBlocked && !report.limitHits.empty()) report.blockedBy = report.limitHits.front().joint;
}

/// What the last solve left of a member's goal, whose result is at `goalResult`. [tolerances]
double GroupSolver::missOf(const Member& member, std::size_t goalResult) const
{
    constexpr double kExact = 1e-9; // [m | rad] a tolerance of 0
    const sdk::Goal& goal = m_goals[static_cast<std::size_t>(member.goal)];
    const sdk::GoalResult& found = m_goalResults[goalResult];
    return std::max(found.positionError / std::max(goal.positionTolerance, kExact),
                    found.rotationError / std::max(goal.rotationTolerance, kExact));
}

/// What one goal, or two, miss where nothing else is asked, poles included. Overwrites the answer. [tolerances]
std::array<double, 2> GroupSolver::solveOnly(const Member& first, const Member* second,
                                             const std::atomic<bool>* cancelled)
{
    m_poleless.assign(1, m_goals[static_cast<std::size_t>(first.goal)]);
    if (second != nullptr) m_poleless.push_back(m_goals[static_cast<std::size_t>(second->goal)]);
    sdk::Problem problem = m_builder.problem();
    problem.goals = m_poleless;
    problem.stop = &m_stop;
    problem.objectives = &m_objectives;
    constexpr double kFar = std::numeric_limits<double>::max();
    if (!sdk::isUsable(solveGoals(problem, {}, cancelled, nullptr))) return {kFar, kFar};
    return {missOf(first, 0), second == nullptr ? 0 : missOf(*second, 1)};
}

/// Names the handles whose goals contradict each other: two of one priority that together miss both, though each alone
/// is met or nearly so. Precondition: the members are reported. Overwrites the answer, whose result stays.
void GroupSolver::findContradictions(SolvedFrame& result, const std::atomic<bool>* cancelled)
{
    constexpr std::size_t kMaxMissed = 3; // each is solved alone, and each pair of them
    constexpr double kNearly = 0.25;      // of what a goal misses together with the other
    struct Missed
    {
        const Member* member = nullptr;
        double together = 0, alone = 0;
        [[nodiscard]] bool isKeptOff() const { return together > 1 && alone <= kNearly * together; }
    };
    std::array<Missed, kMaxMissed> missed;
    std::size_t count = 0, asked = 0;
    for (const Member& member : m_members) {
        if (!member.asks || member.goal < 0) continue;
        ++asked;
        const HandleResult& report = result.handles[member.handle];
        const bool isExplained = sdk::isSuccess(report.status) || !sdk::isUsable(report.status) ||
                                 report.shortfall > 0 || result.targets[member.handle].blend < 1;
        if (!isExplained && count < kMaxMissed)
            missed[count++] = {&member, missOf(member, static_cast<std::size_t>(member.goal))};
    }
    if (count < 2) return;
    for (std::size_t i = 0; i < count; ++i) missed[i].alone = solveOnly(*missed[i].member, nullptr, cancelled)[0];
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = i + 1; j < count; ++j) {
            Missed a = missed[i], b = missed[j];
            if (a.member->priority != b.member->priority || !a.isKeptOff() || !b.isKeptOff()) continue;
            if (asked > 2) {
                const std::array<double, 2> together = solveOnly(*a.member, b.member, cancelled);
                a.together = together[0];
                b.together = together[1];
            }
            if (!a.isKeptOff() || !b.isKeptOff()) continue;
            for (const auto& [own, other] : {std::pair(a.member, b.member), std::pair(b.member, a.member)})
                if (!result.handles[own->handle].pullsAgainst.isValid())
                    result.handles[own->handle].pullsAgainst = m_rig->handles[other->handle].id;
        }
}

} // namespace tendon
