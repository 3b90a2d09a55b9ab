#include "core/solve/Evaluator.h"

#include "core/runtime/ForwardKinematics.h"
#include "core/scene/Constraint.h"
#include "core/solve/Constraints.h"
#include "core/solve/GroupSolver.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace tendon {
namespace {

/// [rad] 0 where one has no length.
double angleBetween(const Vector3& a, const Vector3& b) { return std::atan2(a.cross(b).norm(), a.dot(b)); }

/// The earliest key of a clip, or nothing.
std::optional<Time> firstKey(const Clip* clip)
{
    std::optional<Time> first;
    if (clip == nullptr) return first;
    for (const auto& [channel, keys] : clip->channels)
        if (!keys->isEmpty() && (!first || keys->front().time < *first)) first = keys->front().time;
    return first;
}

/// The rig with other solvers for these handles.
std::shared_ptr<const CompiledRig> withDefaultSolver(const CompiledRig& rig, const std::vector<std::size_t>& handles)
{
    auto given = std::make_shared<CompiledRig>(rig);
    for (const std::size_t h : handles) {
        given->handles[h].solver = SolverRegistry::kDefaultAlias;
        given->handles[h].parameters.clear();
    }
    return given;
}

} // namespace

Result<void> checkPlugins(const CompiledRig& rig, const SolverRegistry& registry)
{
    for (const Handle& handle : rig.handles)
        if (const auto fault = registry.fault(handle.solver)) return fault->within("handle \"" + handle.name + "\"");
    return {};
}

struct Evaluator::Impl
{
    explicit Impl(std::shared_ptr<const CompiledRig> compiled) : rig(compiled), sampler(compiled)
    {
        for (const Handle& handle : rig->handles) chainLength.push_back(movableJoints(*rig, handle).size());
        findStronger();
    }

    void evaluate(const PendingValues& pending, Time time, const FrameBefore* before, SolvedFrame& result,
                  const std::atomic<bool>* cancelled);
    void begin(const PendingValues& pending, Time time, SolvedFrame& result);
    void findStronger();
    void findLaterConstraints();
    void findHolders();
    void hold(std::size_t index, const PendingValues& pending, Time time, const SolvedFrame& now,
              const std::atomic<bool>* cancelled);
    void evaluateWithoutHolding(Time time, const std::atomic<bool>* cancelled);
    [[nodiscard]] std::span<const double> startOf(std::size_t group, Time time);
    [[nodiscard]] SolveRecorder* recorderOf(const GroupSolver& group) const; ///< null = it is not recorded
    void clear(SolvedFrame& result) const;
    void measure(SolvedFrame& result) const;
    void noteSolution(Time time, SolvedFrame& result) const;

    std::shared_ptr<const CompiledRig> rig;
    PoseSampler sampler;
    std::vector<std::unique_ptr<GroupSolver>> groups; ///< in order of solving
    std::vector<ObjectId> firstHandles;               ///< (groups) that a watcher is told
    std::atomic<ObjectId>* solving = nullptr;
    std::vector<std::size_t> chainLength; ///< (handles) how many joints each moves
    /// (handles) those that move joints of its chain and have a higher priority, the highest first
    std::vector<std::vector<std::size_t>> stronger;
    /// (handles) of a constraint: those of the same joint that go on from what it has left
    std::vector<std::vector<std::size_t>> laterConstraints;
    std::vector<std::size_t> refused; ///< handles that no group solves (OnBadHandle::ShowFk)

    /// A handle with the policy Hold.
    struct Holder
    {
        std::size_t handle;
        bool isCarried; ///< handles move its chain's start or its goal's space, so that an earlier frame has to be
                        ///< solved
        HeldPose pose;
    };
    std::vector<Holder> holders;          ///< by groups
    std::vector<std::size_t> firstHolder; ///< (groups + 1) where those of each group begin
    HeldChains held;                      ///< (handles) at the frame that is evaluated; empty where no handle may hold
    SolvedFrame earlierFrame;             ///< that is looked at for a pose to hold
    FrameRate fps;
    int firstFrame = 1; ///< of the clip

    SolvedFrame frameBefore;  ///< what motion is counted from, where a group wants it
    std::size_t recorded = 0; ///< the handle that `recorder` is for
    SolveRecorder* recorder = nullptr;
    bool looksAround = false;
    ClipSolutionPtr solution;
    std::vector<const ClipSolution::Path*> paths; ///< (groups) of the solution; null = there is none
    std::vector<double> start;                    ///< what a path has a solve begin from
    std::vector<GroupMoment>* moments = nullptr;
    std::vector<std::uint8_t> isSolved; ///< (groups) while moments are captured; empty = all
    Issues issues;
};

/// Sizes the report and makes it say that nothing is asked and nothing is wrong.
void Evaluator::Impl::clear(SolvedFrame& result) const
{
    result.targets.resize(rig->handles.size());
    for (HandleTarget& target : result.targets) { // keeping its memory
        std::vector<Vector3> curve = std::move(target.curve);
        curve.clear();
        target = {};
        target.curve = std::move(curve);
    }
    result.iterations = 0;
    result.handles.resize(rig->handles.size());
    for (std::size_t h = 0; h < result.handles.size(); ++h) {
        HandleResult& report = result.handles[h];
        report.handle = rig->handles[h].id;
        report.status = sdk::Status::Converged;
        report.iterations = 0;
        report.positionError = report.rotationError = report.shortfall = report.softened = 0;
        report.stretch = 1;
        report.canStretch = report.canHold = report.isHeld = false;
        report.pull.reset();
        report.nearPole.reset();
        report.poleSwing.reset();
        report.isBendFaint = false;
        report.goalSwing.reset();
        report.nearUp.reset();
        report.jump.reset();
        report.tooFast.reset();
        report.blockedBy = {};
        report.yieldsTo = report.pullsAgainst = {};
        report.limitHits.clear();
        report.limitHits.reserve(6 * chainLength[h]);
    }
    for (const std::size_t h : refused) result.handles[h].status = sdk::Status::Unsupported;
}

/// Judges fully blended handles by the pose as it came out: later groups, or a scale that solvers cannot see, may have
/// moved what a solver had met.
void Evaluator::Impl::measure(SolvedFrame& result) const
{
    for (std::size_t h = 0; h < result.targets.size(); ++h) {
        const HandleTarget& target = result.targets[h];
        const Handle& handle = rig->handles[h];
        HandleResult& report = result.handles[h];
        if (!target.isActive() || target.blend < 1 || handle.hasCurve()) continue;
        const Affine& end = result.model.modelFromJoint[static_cast<std::size_t>(rig->index(handle.end))];
        const Vector3 way = target.goal.position - end * handle.offset;
        const bool isConstrained = isConstraint(handle);
        // A part of a mean, which later ones have made of it: it was met where it was asked.
        if (std::any_of(laterConstraints[h].begin(), laterConstraints[h].end(),
                        [&](std::size_t other) { return result.targets[other].isActive(); }))
            continue;
        const ConstraintMiss left = isConstrained ? missOfConstraint(*rig, handle, target, result.local, result.model)
                                                  : ConstraintMiss{};
        report.positionError = isConstrained ? left.position : handle.aimAxis ? 0 : way.norm();
        report.rotationError = isConstrained                  ? left.rotation
                               : handle.aimAxis               ? angleBetween(rotationOf(end) * *handle.aimAxis, way)
                               : handle.orientationWeight > 0 ? rotationOf(end).angularDistance(target.goal.rotation)
                                                              : 0;
        if (report.isHeld || !sdk::isUsable(report.status)) continue;
        const bool isMet = report.positionError <= handle.positionTolerance &&
                           report.rotationError <= handle.rotationTolerance;
        if (isMet) {
            // A solver says of a goal that is met that it was cut off only where objectives were not yet at their best.
            const bool isCutOff = report.status == sdk::Status::IterationLimit ||
                                  report.status == sdk::Status::TimeLimit || report.status == sdk::Status::Cancelled;
            if (!isCutOff || !handle.objectives.isAny()) report.status = sdk::Status::Converged;
            report.shortfall = report.softened = 0;
            report.blockedBy = {};
            report.pullsAgainst = {};
        } else if (report.status == sdk::Status::Converged) {
            // Rounding alone must not undo a solver's word; a real miss does.
            const bool isRounding = report.positionError <=
                                        report.softened + handle.positionTolerance * (1 + 1e-6) + 1e-9 &&
                                    report.rotationError <= handle.rotationTolerance * (1 + 1e-6) + 1e-7;
            if (!isRounding) report.status = sdk::Status::Stalled;
        }
        const bool isBeyondReach = report.shortfall > handle.positionTolerance;
        if (report.status == sdk::Status::Converged || isBeyondReach) continue;
        for (const std::size_t other : stronger[h])
            if (!report.yieldsTo.isValid() && result.targets[other].isActive())
                report.yieldsTo = rig->handles[other].id;
    }
}

/// What the clip's solution says of a frame. A jump is between two; the moments nearest to the later ones show it.
void Evaluator::Impl::noteSolution(Time time, SolvedFrame& result) const
{
    if (solution == nullptr || (solution->jumps.empty() && solution->hastes.empty())) return;
    const double frame = std::floor(solution->fps.frameAt(time) + 0.5);
    for (const PoseJump& jump : solution->jumps)
        for (std::size_t h = 0; h < result.handles.size() && jump.frame <= frame && frame <= jump.last; ++h)
            if (result.handles[h].handle == jump.handle && result.targets[h].isActive())
                result.handles[h].jump = {jump.frame, jump.size, jump.reason, jump.cause, jump.joint};
    for (const PoseHaste& haste : solution->hastes)
        for (std::size_t h = 0; h < result.handles.size() && haste.first <= frame && frame <= haste.last; ++h) {
            HandleResult& report = result.handles[h];
            if (report.handle != haste.handle || !result.targets[h].isActive()) continue;
            if (!report.tooFast || report.tooFast->stretch < haste.stretch)
                report.tooFast = {haste.joint, haste.kind, haste.stretch};
        }
}

Evaluator::Evaluator(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}
Evaluator::~Evaluator() = default;

Result<std::unique_ptr<Evaluator>> Evaluator::create(std::shared_ptr<const CompiledRig> rig,
                                                     const SolverRegistry& registry, OnBadHandle onBadHandle)
{
    auto impl = std::make_unique<Impl>(rig);
    const bool isStrict = onBadHandle == OnBadHandle::Refuse;
    const auto note = [&](const Error& error, std::size_t handle) {
        impl->issues.push_back({Severity::Error, error.message, error.where, rig->handles[handle].id.value});
        impl->refused.push_back(handle);
    };
    auto order = orderSolves(*rig, registry);
    if (!order) {
        if (isStrict) return order.error();
        for (std::size_t h = 0; h < rig->handles.size(); ++h) note(order.error(), h);
        order = SolveOrder{};
    }
    impl->issues.insert(impl->issues.end(), order->issues.begin(), order->issues.end());
    const RestOfRig rest(*rig);
    for (SolveGroup& group : order->groups) {
        const std::vector<std::size_t> handles = group.handles;
        auto solver = GroupSolver::create(rig, group, registry, rest);
        if (!solver && onBadHandle == OnBadHandle::ShowDefault &&
            registry.fault(rig->handles[handles.front()].solver)) {
            const Error& fault = solver.error();
            impl->issues.push_back({Severity::Error, fault.message + ". The default solver stands in for it",
                                    fault.where, rig->handles[handles.front()].id.value});
            solver = GroupSolver::create(withDefaultSolver(*rig, handles), std::move(group), registry, rest);
        }
        if (solver) {
            impl->issues.insert(impl->issues.end(), (*solver)->issues().begin(), (*solver)->issues().end());
            impl->groups.push_back(*std::move(solver));
            impl->firstHandles.push_back(rig->handles[handles.front()].id.value);
            continue;
        }
        if (isStrict) return solver.error();
        for (const std::size_t h : handles) note(solver.error(), h);
    }
    impl->findHolders();
    impl->findLaterConstraints();
    return std::unique_ptr<Evaluator>(new Evaluator(std::move(impl)));
}

const std::shared_ptr<const CompiledRig>& Evaluator::rig() const { return m_impl->rig; }

const Issues& Evaluator::issues() const { return m_impl->issues; }

void Evaluator::watch(std::atomic<ObjectId>* solving) { m_impl->solving = solving; }

void Evaluator::lookAround(bool isOn) { m_impl->looksAround = isOn; }

void Evaluator::record(std::size_t index, SolveRecorder* recorder)
{
    m_impl->recorded = index;
    m_impl->recorder = recorder;
}

void Evaluator::follow(ClipSolutionPtr solution)
{
    Impl& impl = *m_impl;
    if (solution == impl.solution) return;
    impl.solution = std::move(solution);
    impl.paths.assign(impl.groups.size(), nullptr);
    for (Impl::Holder& holder : impl.holders) holder.pose.forget();
    if (impl.solution == nullptr) return;
    for (std::size_t g = 0; g < impl.groups.size(); ++g) {
        std::vector<HandleId> handles;
        for (const std::size_t h : impl.groups[g]->group().handles) handles.push_back(impl.rig->handles[h].id);
        impl.paths[g] = impl.solution->pathOf(handles);
        const auto nq = static_cast<std::size_t>(impl.groups[g]->model().coordinateCount);
        if (impl.paths[g] != nullptr && impl.paths[g]->coordinates != nq) impl.paths[g] = nullptr;
        impl.start.resize(std::max(impl.start.size(), nq));
    }
}

const std::vector<std::unique_ptr<GroupSolver>>& Evaluator::groups() const { return m_impl->groups; }

void Evaluator::capture(std::vector<GroupMoment>* moments, std::vector<std::uint8_t> isSolved)
{
    m_impl->moments = moments;
    m_impl->isSolved = std::move(isSolved);
    if (moments != nullptr) moments->resize(m_impl->groups.size());
}

/// Empty: the FK pose.
std::span<const double> Evaluator::Impl::startOf(std::size_t group, Time time)
{
    if (solution == nullptr || paths[group] == nullptr) return {};
    const std::span<double> q = std::span(start).first(paths[group]->coordinates);
    return solution->sample(*paths[group], groups[group]->model(), time, q) ? q : std::span<double>();
}

SolveRecorder* Evaluator::Impl::recorderOf(const GroupSolver& group) const
{
    const std::vector<std::size_t>& handles = group.group().handles;
    return std::binary_search(handles.begin(), handles.end(), recorded) ? recorder : nullptr;
}

void Evaluator::evaluate(const Scene& scene, const Clip* clip, const PendingValues& pending, Time time,
                         SolvedFrame& result, const std::atomic<bool>* cancelled)
{
    Impl& impl = *m_impl;
    const bool isSameMotion = !impl.sampler.prepare(scene, clip) && impl.fps == scene.fps;
    impl.fps = scene.fps;
    if (!impl.holders.empty()) {
        const auto keyed = firstKey(clip);
        impl.firstFrame = keyed ? std::min(scene.firstFrame, static_cast<int>(std::floor(scene.fps.frameAt(*keyed))))
                                : std::numeric_limits<int>::max(); // without keys no frame is earlier
        if (!isSameMotion)
            for (Impl::Holder& holder : impl.holders) holder.pose.forget();
    }
    const bool wantsMotion = std::any_of(impl.groups.begin(), impl.groups.end(),
                                         [](const auto& group) { return group->wantsMotion(); });
    if (!wantsMotion) return impl.evaluate(pending, time, nullptr, result, cancelled);

    // One frame before, where motion counts for nothing: so that a frame depends on two, not on all that came before.
    // What is posed but not keyed belongs to this frame alone.
    const Time earlier = scene.fps.timeOf(scene.fps.frameAt(time) - 1);
    SolveRecorder* const recorder = std::exchange(impl.recorder, nullptr); // of the frame itself alone
    impl.evaluate({}, earlier, nullptr, impl.frameBefore, cancelled);
    impl.recorder = recorder;
    const FrameBefore before{impl.frameBefore.local, time.seconds() - earlier.seconds()};
    impl.evaluate(pending, time, &before, result, cancelled);
}

/// The FK pose of a moment, with nothing solved.
void Evaluator::Impl::begin(const PendingValues& pending, Time time, SolvedFrame& result)
{
    result.time = time;
    sampler.sample(pending, time, result.local);
    forwardKinematics(*rig, result.local, result.model);
    clear(result);
}

/// One moment by what the sampler has been prepared for.
void Evaluator::Impl::evaluate(const PendingValues& pending, Time time, const FrameBefore* before, SolvedFrame& result,
                               const std::atomic<bool>* cancelled)
{
    begin(pending, time, result);
    for (std::size_t g = 0; g < groups.size(); ++g) {
        if (!isSolved.empty() && isSolved[g] == 0) continue;
        if (solving != nullptr) *solving = firstHandles[g];
        hold(g, pending, time, result, cancelled);
        groups[g]->solve({sampler, pending, time, held, before, startOf(g, time), cancelled, recorderOf(*groups[g]),
                          moments == nullptr ? nullptr : &(*moments)[g], looksAround},
                         result);
    }
    if (solving != nullptr) *solving = 0;
    measure(result);
    noteSolution(time, result);
    for (const std::size_t h : refused) sampleTarget(*rig, h, sampler, pending, time, result.model, result.targets[h]);
}

/// An earlier frame, into earlierFrame. What is held there is not asked, so that a pose depends on two frames at most.
void Evaluator::Impl::evaluateWithoutHolding(Time time, const std::atomic<bool>* cancelled)
{
    begin({}, time, earlierFrame);
    for (std::size_t g = 0; g < groups.size(); ++g)
        if (isSolved.empty() || isSolved[g] != 0)
            groups[g]->solve({sampler, {}, time, {}, nullptr, startOf(g, time), cancelled}, earlierFrame);
}

void Evaluator::Impl::findLaterConstraints()
{
    laterConstraints.resize(rig->handles.size());
    std::map<JointId, std::vector<std::size_t>> earlier; // of a joint
    for (const auto& group : groups)
        for (const std::size_t h : group->group().handles) {
            if (!isConstraint(rig->handles[h])) continue;
            std::vector<std::size_t>& before = earlier[rig->handles[h].end];
            for (const std::size_t other : before) laterConstraints[other].push_back(h);
            before.push_back(h);
        }
}

void Evaluator::Impl::findStronger()
{
    stronger.resize(rig->handles.size());
    if (std::all_of(rig->handles.begin(), rig->handles.end(),
                    [&](const Handle& handle) { return handle.priority == rig->handles.front().priority; }))
        return;
    std::map<JointIndex, std::vector<std::size_t>> movers; // of joints that handles move
    for (std::size_t h = 0; h < rig->handles.size(); ++h)
        for (const JointIndex joint : movableJoints(*rig, rig->handles[h])) movers[joint].push_back(h);
    const auto priorityOf = [&](std::size_t h) { return rig->handles[h].priority; };
    for (const auto& [joint, handles] : movers)
        for (const std::size_t h : handles)
            for (const std::size_t other : handles)
                if (priorityOf(other) < priorityOf(h)) stronger[h].push_back(other);
    for (std::vector<std::size_t>& others : stronger) {
        std::sort(others.begin(), others.end(), [&](std::size_t a, std::size_t b) {
            return std::pair(priorityOf(a), a) < std::pair(priorityOf(b), b);
        });
        others.erase(std::unique(others.begin(), others.end()), others.end());
    }
}

void Evaluator::Impl::findHolders()
{
    std::vector<bool> moves(rig->jointCount(), false); // with some handle, or with a joint above that does
    for (const auto& group : groups)
        for (const JointIndex joint : group->group().joints) moves[at(joint)] = true;
    for (std::size_t joint = 0; joint < moves.size(); ++joint)
        if (rig->parent[joint] >= 0 && moves[at(rig->parent[joint])]) moves[joint] = true;
    const auto isMoved = [&](JointIndex joint) { return joint >= 0 && moves[at(joint)]; };
    for (const auto& group : groups) {
        firstHolder.push_back(holders.size());
        for (const std::size_t h : group->group().handles) {
            const Handle& handle = rig->handles[h];
            std::vector<JointIndex> chain = movableJoints(*rig, handle);
            if (handle.unreachable != Unreachable::Hold || handle.hasCurve() || chain.empty() || isConstraint(handle))
                continue;
            const bool isCarried = isMoved(rig->parent[static_cast<std::size_t>(chain.front())]) ||
                                   std::any_of(rig->followed[h].begin(), rig->followed[h].end(), isMoved);
            holders.push_back({h, isCarried, HeldPose(std::move(chain))});
        }
    }
    firstHolder.push_back(holders.size());
    if (!holders.empty()) held.resize(rig->handles.size());
}

/// Fills `held` for the handles of a group that is to be solved next in `now`. Only frames of the clip are looked at,
/// the latest first; each is solved once at most as long as the clip stays the same and time runs on.
void Evaluator::Impl::hold(std::size_t index, const PendingValues& pending, Time time, const SolvedFrame& now,
                           const std::atomic<bool>* cancelled)
{
    const GroupSolver& group = *groups[index];
    for (std::size_t h = firstHolder[index]; h < firstHolder[index + 1]; ++h) {
        Holder& holder = holders[h];
        held[holder.handle].reset();
        if (!group.isBeyondReach(holder.handle, sampler, pending, time, now.model)) continue;
        const auto isInReach = [&](int frame) {
            const Time earlier = fps.timeOf(frame);
            if (cancelled != nullptr && *cancelled) return false;
            if (holder.isCarried)
                evaluateWithoutHolding(earlier, cancelled);
            else
                begin({}, earlier, earlierFrame);
            return !group.isBeyondReach(holder.handle, sampler, {}, earlier, earlierFrame.model);
        };
        const auto poseAt = [&](int frame) -> const LocalPose& {
            if (!holder.isCarried) evaluateWithoutHolding(fps.timeOf(frame), cancelled);
            return earlierFrame.local;
        };
        constexpr double kSameFrame = 1e-6;
        const int last = static_cast<int>(std::ceil(fps.frameAt(time) - kSameFrame)) - 1;
        held[holder.handle] = holder.pose.find(firstFrame, last, isInReach, poseAt);
        if (cancelled != nullptr && *cancelled) holder.pose.forget();
    }
}

} // namespace tendon
