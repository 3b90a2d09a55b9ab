#include "core/solve/InteractiveDrag.h"

#include "core/math/Convert.h"
#include "core/runtime/ForwardKinematics.h"
#include "core/scene/Constraint.h"
#include "core/scene/HandleChannels.h"
#include "core/solve/DrivenDrag.h"
#include "core/solve/ProblemBuilder.h"
#include "core/solve/Settings.h"
#include "core/solve/SolveGroups.h"

#include <algorithm>
#include <cmath>

namespace tendon {

struct InteractiveDrag::Impl
{
    // as it was at the beginning
    Scene scene;
    const Clip* clip = nullptr; ///< of `scene`
    PendingValues pending;
    Time time;
    std::shared_ptr<const CompiledRig> rig;
    std::shared_ptr<Evaluator> evaluator;
    ClipSolutionPtr solution;
    SolvedFrame start;

    // what the drag moves
    DragRequest request;
    JointIndex joint = -1;
    std::optional<std::size_t> driver; ///< index of the handle whose goal moves
    bool isDriverUsingTwist = false;
    std::optional<std::size_t> turner; ///< index of the handle that turns the joint: not always the one that moves it
    bool isTurnerUsingTwist = false;
    JointIndex rigid = -1;         ///< the joint whose own translation changes; -1 = none does
    std::vector<JointIndex> chain; ///< joints that IK may move, top first
    std::vector<std::size_t> pins; ///< pinned handles in the same solve

    // the solve
    std::unique_ptr<ProblemBuilder> builder;
    std::string solverName;
    std::unique_ptr<sdk::Solver> solver;
    std::vector<sdk::Goal> goals;
    std::vector<double> q, blend;
    std::vector<sdk::GoalResult> goalResults;
    SolvedFrame after;

    [[nodiscard]] bool isActive(std::size_t handle) const { return start.targets[handle].isActive(); }
    [[nodiscard]] bool isInMiddle() const ///< of the driver's chain, not above it
    {
        const std::vector<JointIndex> moved = movableJoints(*rig, rig->handles[*driver]);
        return std::binary_search(moved.begin(), moved.end(), joint);
    }
    [[nodiscard]] bool isDriven(JointIndex candidate) const;
    [[nodiscard]] bool isMovedBy(JointIndex candidate, const Handle& handle) const;
    [[nodiscard]] std::optional<std::size_t> driverOf(JointIndex candidate, bool turns) const;
    void findDriver();
    [[nodiscard]] JointIndex carrier() const;
    [[nodiscard]] bool usesTwist(std::size_t handle, const SolverRegistry& registry) const;
    [[nodiscard]] Result<void> findChain();
    void findPins();
    [[nodiscard]] std::vector<SolveJoint> solveJoints() const;
    [[nodiscard]] Result<void> prepareSolver(const SolverRegistry& registry);

    [[nodiscard]] DragResult moveGoal(const Vector3& target);
    [[nodiscard]] DragResult turnRigidly(const Quaternion& world) const;
    [[nodiscard]] Result<DragResult> turnChain(const Quaternion& world);
    [[nodiscard]] Result<DragResult> finished(DragResult result);
    [[nodiscard]] DragResult moveRigidly(const Vector3& target) const;
    [[nodiscard]] Result<DragResult> moveChain(const Vector3& target);
    void holdPins(DragResult& result);
};

bool InteractiveDrag::Impl::isDriven(JointIndex candidate) const
{
    for (std::size_t h = 0; h < rig->handles.size(); ++h) {
        const std::vector<JointIndex> moved = movableJoints(*rig, rig->handles[h]);
        if (std::binary_search(moved.begin(), moved.end(), candidate) && isActive(h)) return true;
    }
    return false;
}

/// The first joint of a chain turns, and stays where it is unless it slides.
bool InteractiveDrag::Impl::isMovedBy(JointIndex candidate, const Handle& handle) const
{
    if (isConstraint(handle)) return constrainedAxes(handle).anySlides() && !copiesLocally(handle);
    const Joint& authored = rig->authored[at(candidate)];
    const bool slides = std::any_of(authored.sliding.begin(), authored.sliding.end(),
                                    [](const AxisFreedom& axis) { return axis.active; });
    return slides || candidate == rig->index(handle.end) || handle.hasCurve() ||
           candidate != movableJoints(*rig, handle).front();
}

/// Of the handles that move or turn the joint, the one whose end is nearest below it.
std::optional<std::size_t> InteractiveDrag::Impl::driverOf(JointIndex candidate, bool turns) const
{
    std::optional<std::size_t> found;
    std::ptrdiff_t nearest = 0;
    for (std::size_t h = 0; h < rig->handles.size(); ++h) {
        const Handle& handle = rig->handles[h];
        const std::vector<JointIndex> moved = movableJoints(*rig, handle);
        const auto place = std::lower_bound(moved.begin(), moved.end(), candidate);
        if (place == moved.end() || *place != candidate || !isActive(h)) continue;
        const bool isEndLeftAlone = candidate == rig->index(handle.end) && handle.orientationWeight == 0 &&
                                    handle.offset.isZero() && !(isConstraint(handle) && handle.aimAxis);
        if (copiesLocally(handle)) continue; // it asks nothing of its own goal
        if (turns ? isEndLeftAlone : !isMovedBy(candidate, handle)) continue;
        const std::ptrdiff_t links = moved.end() - place;
        if (!found || links < nearest) {
            found = h;
            nearest = links;
        }
    }
    return found;
}

void InteractiveDrag::Impl::findDriver()
{
    turner = driverOf(joint, true);
    driver = driverOf(joint, false);
    // What moves the first joint of a chain is above it.
    JointIndex carried = joint;
    while (!driver && isDriven(carried) && rig->parent[at(carried)] >= 0 && !rig->authored[at(carried)].isTerminator) {
        carried = rig->parent[at(carried)];
        driver = driverOf(carried, false);
    }
}

/// The joint right below the root whose chains are held by handles, as a pelvis's are, if it is dragged or what is
/// dragged is the first joint of such a chain; -1: it is not so. Turned about the root, which may stand on the floor,
/// it would topple the whole body.
JointIndex InteractiveDrag::Impl::carrier() const
{
    JointIndex body = joint;
    int links = 1; // from the joint to the root
    for (; isDriven(body); body = rig->parent[at(body)], ++links)
        if (rig->parent[at(body)] < 0 || rig->authored[at(body)].isTerminator) return -1;
    const JointIndex root = rig->parent[at(body)];
    if (root < 0 || rig->parent[at(root)] >= 0 || rig->authored[at(body)].isTerminator) return -1;
    if (request.terminationDepth && *request.terminationDepth <= links) return -1;
    const Joint& authored = rig->authored[at(body)];
    const bool slides = std::any_of(authored.sliding.begin(), authored.sliding.end(),
                                    [](const AxisFreedom& axis) { return axis.active; });
    const bool turnsFreely = authored.ball || std::all_of(authored.turning.begin(), authored.turning.end(),
                                                          [](const AxisFreedom& axis) { return axis.active; });
    if (slides || !turnsFreely) return -1; // a part of a machine: as far as its freedom goes
    for (std::size_t h = 0; h < rig->handles.size(); ++h) {
        const std::vector<JointIndex> moved = movableJoints(*rig, rig->handles[h]);
        if (isActive(h) && !moved.empty() && moved.front() != body && rig->isAtOrBelow(moved.front(), body))
            return body;
    }
    return -1;
}

bool InteractiveDrag::Impl::usesTwist(std::size_t handle, const SolverRegistry& registry) const
{
    const SolverInfo* info = registry.find(rig->handles[handle].solver);
    return info != nullptr && isUsed(Setting::Twist, *info);
}

Result<void> InteractiveDrag::Impl::findChain()
{
    if (request.terminationDepth && *request.terminationDepth < 1)
        return Error{ErrorCode::InvalidArgument,
                     "the termination depth is counted in links up from the joint: give 1 or more",
                     rig->authored[at(joint)].name};
    findDriver();
    if (driver) return {};
    const bool isOwn = request.mode == DragMode::Fk || rig->parent[at(joint)] < 0 ||
                       rig->authored[at(joint)].isTerminator;
    rigid = isOwn ? joint : carrier();
    if (rigid >= 0) return {};
    chain = {joint};
    int links = 0;
    for (JointIndex above = rig->parent[at(joint)]; above >= 0; above = rig->parent[at(above)]) {
        ++links;
        const bool isAsDeepAsItGoes = request.terminationDepth && links >= *request.terminationDepth;
        if (isAsDeepAsItGoes || rig->authored[at(above)].isTerminator || isDriven(above)) break;
        chain.push_back(above);
    }
    std::reverse(chain.begin(), chain.end());
    findPins();
    return {};
}

void InteractiveDrag::Impl::findPins()
{
    for (std::size_t h = 0; h < rig->handles.size(); ++h) {
        const Handle& handle = rig->handles[h];
        const JointIndex end = rig->index(handle.end);
        if (handle.isPinned && isActive(h) && rig->isAtOrBelow(end, chain.front()) &&
            !movableJoints(*rig, handle).empty())
            pins.push_back(h);
    }
}

/// The chain, and for every pin the stretch down to its end; what neither the drag nor the pin's handle moves is
/// carried.
std::vector<SolveJoint> InteractiveDrag::Impl::solveJoints() const
{
    std::vector<SolveJoint> joints;
    for (const JointIndex moved : chain) joints.push_back({moved, true});
    for (const std::size_t h : pins) {
        const std::vector<JointIndex> moved = movableJoints(*rig, rig->handles[h]);
        for (JointIndex below = rig->index(rig->handles[h].end); !std::binary_search(chain.begin(), chain.end(), below);
             below = rig->parent[at(below)])
            joints.push_back({below, std::binary_search(moved.begin(), moved.end(), below)});
    }
    std::sort(joints.begin(), joints.end(), [](const SolveJoint& a, const SolveJoint& b) {
        return a.joint != b.joint ? a.joint < b.joint : a.isMovable > b.isMovable;
    });
    joints.erase(std::unique(joints.begin(), joints.end(),
                             [](const SolveJoint& a, const SolveJoint& b) { return a.joint == b.joint; }),
                 joints.end());
    return joints;
}

Result<void> InteractiveDrag::Impl::prepareSolver(const SolverRegistry& registry)
{
    std::vector<const Joint*> moving; // the joint itself turns nothing that is dragged: it only slides
    for (const JointIndex moved : chain)
        if (moved != joint) moving.push_back(&rig->authored[at(moved)]);
    Joint dragged = rig->authored[at(joint)];
    dragged.turning = {};
    moving.push_back(&dragged);
    solverName = request.solver.value_or(std::string(usualSolver(moving, registry)));
    auto made = registry.create(solverName);
    if (!made) return made.error();
    builder = std::make_unique<ProblemBuilder>(rig, solveJoints(), settingsOf(*registry.find(solverName)));
    solver = *std::move(made);
    const auto goalCount = static_cast<std::int32_t>(1 + pins.size());
    const sdk::Status status = solver->prepare(builder->model(), goalCount);
    if (const auto fault = registry.fault(solverName)) return *fault;
    if (status != sdk::Status::Converged)
        return Error{ErrorCode::Unsupported, "the solver \"" + solverName + "\" cannot drag this chain; name another",
                     rig->authored[at(joint)].name};
    q.resize(static_cast<std::size_t>(builder->model().coordinateCount));
    blend.assign(builder->joints().size(), 0);
    for (std::size_t place = 0; place < blend.size(); ++place)
        if (std::binary_search(chain.begin(), chain.end(), builder->joints()[place].joint)) blend[place] = 1;
    goals.resize(1 + pins.size());
    goalResults.resize(goals.size());
    for (std::size_t i = 0; i < pins.size(); ++i) {
        const Handle& handle = rig->handles[pins[i]];
        const GoalPose& pinned = start.targets[pins[i]].goal;
        sdk::Goal& goal = goals[1 + i];
        goal.kind = goalKindOf(handle);
        if (handle.aimAxis) writeNumbers(*handle.aimAxis, goal.axis);
        goal.body = builder->bodyOf(rig->index(handle.end));
        goal.priority = 1;
        writeNumbers(handle.offset, goal.offset);
        writeNumbers(pinned.position, goal.targetPosition);
        writeNumbers(pinned.rotation, goal.targetRotation);
        goal.positionWeight = 10; // for solvers that weigh where they should rank
        goal.rotationWeight = 10 * (handle.aimAxis ? 1 : handle.orientationWeight);
    }
    return {};
}

DragResult InteractiveDrag::Impl::moveGoal(const Vector3& target)
{
    const Handle& handle = rig->handles[*driver];
    const Affine& placed = start.model.modelFromJoint[at(joint)];
    DragResult result;
    result.movedGoal = handle.id;
    if (handle.hasCurve()) { // the nearest control point that moves the curve moves by as much as the joint is dragged
        std::vector<Vector3> points = start.targets[*driver].curve;
        const JointIndex first = rig->index(handle.start);
        const bool isFirstHeld = joint != first && points.size() > 1 && beginsAtStart(handle, rig->authored[at(first)]);
        const auto nearest = std::min_element(
            points.begin() + (isFirstHeld ? 1 : 0), points.end(), [&](const Vector3& a, const Vector3& b) {
                return (a - placed.translation()).squaredNorm() < (b - placed.translation()).squaredNorm();
            });
        const Vector3 moved = *nearest + target - placed.translation();
        result.writes.push_back({{handle.id.value, curvePoint(static_cast<int>(nearest - points.begin()))},
                                 toValue(Vector3(start.targets[*driver].worldFromSpace.inverse() * moved))});
        return result;
    }
    if (const DrivenJoint swung{*rig, start, *driver, joint, isDriverUsingTwist};
        !handle.aimAxis && start.targets[*driver].blend >= 1 && isInMiddle() && canSwing(swung)) {
        appendSwing(swung, target, result.writes);
        return result;
    }
    // The end joint goes to the target; for another joint, or one that aims, the goal moves by as much as it is
    // dragged.
    GoalPose goal = start.targets[*driver].goal;
    goal.position = rig->index(handle.end) == joint && !handle.aimAxis
                        ? Vector3(target + (placed * handle.offset - placed.translation()))
                        : Vector3(goal.position + target - placed.translation());
    const GoalPose inSpace = goalInSpace(start.targets[*driver].worldFromSpace, goal);
    result.writes.push_back({{handle.id.value, Property::GoalPosition}, toValue(inSpace.position)});
    return result;
}

DragResult InteractiveDrag::Impl::moveRigidly(const Vector3& target) const
{
    const JointIndex parent = rig->parent[at(rigid)];
    const auto placeOf = [&](JointIndex of) { return Vector3(start.model.modelFromJoint[at(of)].translation()); };
    const Vector3 place = rigid == joint ? target : Vector3(placeOf(rigid) + target - placeOf(joint));
    LocalPose moved = start.local;
    moved.joints[at(rigid)].translation = parent < 0
                                              ? place
                                              : Vector3(start.model.modelFromJoint[at(parent)].inverse() * place);
    DragResult result;
    appendJointWrites(*rig, rigid, start.local, moved, WriteAxes::Changed, result.writes);
    return result;
}

DragResult InteractiveDrag::Impl::turnRigidly(const Quaternion& world) const
{
    const JointIndex parent = rig->parent[at(joint)];
    const Quaternion above = parent < 0 ? Quaternion(Quaternion::Identity())
                                        : rotationOf(start.model.modelFromJoint[at(parent)]);
    LocalPose turned = start.local;
    turned.joints[at(joint)].rotation = (above.conjugate() * world).normalized();
    turned.isReadOff[at(joint)] = 1; // its angles are still those before
    DragResult result;
    appendJointWrites(*rig, joint, start.local, turned, WriteAxes::Changed, result.writes);
    return result;
}

Result<DragResult> InteractiveDrag::Impl::turnChain(const Quaternion& world)
{
    const Handle& handle = rig->handles[*turner];
    if (handle.hasCurve() || handle.aimAxis)
        return Error{ErrorCode::Unsupported,
                     "the handle " + handle.name + " turns it " +
                         (handle.hasCurve() ? "along a curve; move the points of the curve"
                                            : "to face its goal; move the goal") +
                         ", or switch the handle to FK",
                     rig->authored[at(joint)].name};
    const Quaternion by = (world * rotationOf(start.model.modelFromJoint[at(joint)]).conjugate()).normalized();
    DragResult result;
    result.movedGoal = handle.id;
    if (by.angularDistance(Quaternion::Identity()) < 1e-12) return result;
    const DrivenJoint turned{*rig, start, *turner, joint, isTurnerUsingTwist};
    appendTurn(turned, by, result.writes);
    if (start.targets[*turner].pole || !isTurnerUsingTwist || joint == rig->index(handle.end)) return result;
    evaluator->follow(solution);
    evaluator->evaluate(scene, clip, withWrites(pending, result.writes), time, after);
    const double twist = twistToward(turned, by, after);
    constexpr double kSame = 1e-6; // [rad]
    if (std::abs(twist) > kSame)
        result.writes.push_back({{handle.id.value, Property::Twist}, {start.targets[*turner].twist + twist}});
    return result;
}

Result<DragResult> InteractiveDrag::Impl::moveChain(const Vector3& target)
{
    const Vector3 origin = start.model.modelFromJoint[at(joint)].translation();
    builder->setPose(start.local, start.model);
    const auto end = static_cast<std::size_t>(std::find_if(builder->joints().begin(), builder->joints().end(),
                                                           [&](const SolveJoint& j) { return j.joint == joint; }) -
                                              builder->joints().begin());
    builder->lockTurning(end); // its rotation moves only joints below it, which keep their local transforms

    sdk::Goal& goal = goals.front();
    goal.body = builder->bodyOf(joint);
    writeNumbers(target, goal.targetPosition);
    sdk::Problem problem = builder->problem();
    problem.goals = goals;
    std::fill(goalResults.begin(), goalResults.end(), sdk::GoalResult{});
    DragResult held; // where it was
    held.distance = (target - origin).norm();
    held.status = held.distance > 0 ? sdk::Status::LimitsBlock : sdk::Status::Converged;
    if (std::all_of(problem.locked.begin(), problem.locked.end(), [](std::uint8_t locked) { return locked != 0; }))
        return held;
    sdk::Solution solved;
    solved.q = q;
    solved.goals = goalResults;
    const sdk::Status status = solver->solve(problem, {}, solved);
    if (!sdk::isUsable(status))
        return Error{ErrorCode::Internal, "the solver \"" + solverName + "\" could not solve the drag; name another",
                     rig->authored[at(joint)].name};

    after.local = start.local;
    builder->write(q, {}, blend, after.local);
    after.model.modelFromJoint = start.model.modelFromJoint;
    forwardKinematics(*rig, after.local, after.model, chain.front(), rig->subtreeEnd[at(chain.front())]);
    DragResult result;
    result.iterations = solved.iterations;
    result.distance = (after.model.modelFromJoint[at(joint)].translation() - target).norm();
    result.status = sdk::isUsable(goalResults.front().status) ? goalResults.front().status : status;
    constexpr double kMove = 1e-7; // [m] less is none: nothing changes, so that there is no step to undo
    if (held.distance > kMove && (after.model.modelFromJoint[at(joint)].translation() - origin).norm() < kMove) {
        held.iterations = result.iterations;
        if (result.status != sdk::Status::Converged) held.status = result.status;
        return held;
    }
    for (const JointIndex moved : chain)
        appendJointWrites(*rig, moved, start.local, after.local, WriteAxes::Changed, result.writes);
    return result;
}

/// Moves pinned goals that follow a joint back to where they were in the world.
void InteractiveDrag::Impl::holdPins(DragResult& result)
{
    std::vector<std::size_t> riding;
    for (std::size_t h = 0; h < rig->handles.size(); ++h)
        if (rig->handles[h].isPinned && !rig->handles[h].followed().empty() && rig->handles[h].id != result.movedGoal)
            riding.push_back(h);
    if (riding.empty()) return;
    evaluator->follow(solution);
    evaluator->evaluate(scene, clip, withWrites(pending, result.writes), time, after);
    for (const std::size_t h : riding) {
        const Handle& handle = rig->handles[h];
        const Affine& worldFromSpace = after.targets[h].worldFromSpace;
        if (worldFromSpace.matrix() == start.targets[h].worldFromSpace.matrix()) continue;
        if (handle.hasCurve())
            appendCurve(handle, worldFromSpace, start.targets[h].curve, result.writes);
        else
            appendGoal(handle, goalInSpace(worldFromSpace, start.targets[h].goal), result.writes);
    }
}

InteractiveDrag::InteractiveDrag(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}
InteractiveDrag::~InteractiveDrag() = default;

Result<std::unique_ptr<InteractiveDrag>>
InteractiveDrag::begin(const Scene& scene, ClipId clip, const PendingValues& pending, Time time,
                       std::shared_ptr<Evaluator> evaluator, ClipSolutionPtr solution, const SolverRegistry& registry,
                       const DragRequest& request)
{
    auto impl = std::make_unique<Impl>();
    impl->rig = evaluator->rig();
    impl->evaluator = std::move(evaluator);
    impl->joint = impl->rig->index(request.joint);
    if (impl->joint < 0) return Error{ErrorCode::NotFound, "there is no such joint", "drag"};
    impl->scene = scene;
    impl->clip = impl->scene.find(clip);
    impl->pending = pending;
    impl->time = time;
    impl->request = request;
    impl->solution = std::move(solution);
    impl->evaluator->follow(impl->solution);
    impl->evaluator->evaluate(impl->scene, impl->clip, pending, time, impl->start);
    if (const auto found = impl->findChain(); !found) return found.error();
    impl->isDriverUsingTwist = impl->driver && impl->usesTwist(*impl->driver, registry);
    impl->isTurnerUsingTwist = impl->turner && impl->usesTwist(*impl->turner, registry);
    if (!impl->driver && impl->rigid < 0)
        if (const auto ready = impl->prepareSolver(registry); !ready) return ready.error();
    return std::unique_ptr<InteractiveDrag>(new InteractiveDrag(std::move(impl)));
}

Vector3 InteractiveDrag::origin() const { return m_impl->start.model.modelFromJoint[at(m_impl->joint)].translation(); }

std::vector<JointId> InteractiveDrag::movedJoints() const
{
    if (m_impl->chain.empty()) return {m_impl->rigid >= 0 ? m_impl->rig->id[at(m_impl->rigid)] : m_impl->request.joint};
    std::vector<JointId> ids;
    for (const JointIndex joint : m_impl->chain) ids.push_back(m_impl->rig->id[at(joint)]);
    return ids;
}

Result<DragResult> InteractiveDrag::to(const Vector3& worldTarget)
{
    Impl& impl = *m_impl;
    if (!worldTarget.allFinite())
        return Error{ErrorCode::InvalidArgument, "the target of the drag is not finite",
                     impl.rig->authored[at(impl.joint)].name};
    DragResult result;
    if (impl.driver) {
        result = impl.moveGoal(worldTarget);
    } else if (impl.rigid >= 0) {
        result = impl.moveRigidly(worldTarget);
    } else {
        auto moved = impl.moveChain(worldTarget);
        if (!moved) return moved;
        result = *std::move(moved);
    }
    return impl.finished(std::move(result));
}

Result<DragResult> InteractiveDrag::turnTo(const Quaternion& world)
{
    Impl& impl = *m_impl;
    if (!world.coeffs().allFinite() || !(world.norm() > 0))
        return Error{ErrorCode::InvalidArgument, "the rotation of the drag is not a valid quaternion",
                     impl.rig->authored[at(impl.joint)].name};
    if (!impl.turner) return impl.finished(impl.turnRigidly(world.normalized()));
    auto turned = impl.turnChain(world.normalized());
    return turned ? impl.finished(*std::move(turned)) : turned;
}

Result<DragResult> InteractiveDrag::Impl::finished(DragResult result)
{
    holdPins(result);
    for (const ChannelWrite& write : result.writes)
        for (const double number : write.value)
            if (!std::isfinite(number))
                return Error{ErrorCode::InvalidArgument,
                             "is below a joint whose scale is 0, so that it cannot be moved; change that joint's scale "
                             "first",
                             rig->authored[at(joint)].name};
    return result;
}

} // namespace tendon
