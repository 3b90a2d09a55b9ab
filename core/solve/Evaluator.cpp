#include "core/solve/Evaluator.h"

#include "core/runtime/ForwardKinematics.h"
#include "core/solve/GroupSolver.h"

#include <algorithm>
#include <utility>

namespace tendon {

struct Evaluator::Impl
{
    explicit Impl(std::shared_ptr<const CompiledRig> compiled) : rig(compiled), sampler(compiled) {}

    void evaluate(const PendingValues& pending, Time time, const FrameBefore* before, SolvedFrame& result,
                  const std::atomic<bool>* cancelled);
    [[nodiscard]] SolveRecorder* recorderOf(const GroupSolver& group) const; ///< null = it is not recorded
    void clear(SolvedFrame& result) const;
    void measure(SolvedFrame& result) const;

    std::shared_ptr<const CompiledRig> rig;
    PoseSampler sampler;
    std::vector<std::unique_ptr<GroupSolver>> groups; ///< in order of solving
    std::vector<ObjectId> firstHandles;               ///< (groups) that a watcher is told
    std::atomic<ObjectId>* solving = nullptr;
    std::vector<std::size_t> refused; ///< handles that no group solves (OnBadHandle::ShowFk)
    SolvedFrame frameBefore;          ///< what motion is counted from, where a group wants it
    std::size_t recorded = 0;         ///< the handle that `recorder` is for
    SolveRecorder* recorder = nullptr;
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
    result.handles.resize(rig->handles.size());
    for (std::size_t h = 0; h < result.handles.size(); ++h) {
        HandleResult& report = result.handles[h];
        const std::size_t mostHits = 6 * static_cast<std::size_t>(rig->index(rig->handles[h].end) -
                                                                  rig->index(rig->handles[h].start) + 1);
        report.handle = rig->handles[h].id;
        report.status = sdk::Status::Converged;
        report.iterations = 0;
        report.positionError = report.rotationError = report.shortfall = report.softened = 0;
        report.stretch = 1;
        report.canStretch = false;
        report.pull.reset();
        report.blockedBy = {};
        report.limitHits.clear();
        report.limitHits.reserve(
            mostHits); // a chain is no longer than the stretch between its ends in depth-first order
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
        report.positionError = (end * handle.offset - target.goal.position).norm();
        report.rotationError = handle.orientationWeight > 0 ? rotationOf(end).angularDistance(target.goal.rotation) : 0;
        if (!sdk::isUsable(report.status)) continue;
        const bool isMet = report.positionError <= handle.positionTolerance &&
                           report.rotationError <= handle.rotationTolerance;
        if (isMet) {
            // A solver says of a goal that is met that it was cut off only where objectives were not yet at their best.
            const bool isCutOff = report.status == sdk::Status::IterationLimit ||
                                  report.status == sdk::Status::TimeLimit || report.status == sdk::Status::Cancelled;
            if (!isCutOff || !handle.objectives.isAny()) report.status = sdk::Status::Converged;
            report.shortfall = report.softened = 0;
            report.blockedBy = {};
        } else if (report.status == sdk::Status::Converged) {
            // Rounding alone must not undo a solver's word; a real miss does.
            const bool isRounding = report.positionError <=
                                        report.softened + handle.positionTolerance * (1 + 1e-6) + 1e-9 &&
                                    report.rotationError <= handle.rotationTolerance * (1 + 1e-6) + 1e-7;
            if (!isRounding) report.status = sdk::Status::Stalled;
        }
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
    for (SolveGroup& group : order->groups) {
        const std::vector<std::size_t> handles = group.handles;
        auto solver = GroupSolver::create(rig, std::move(group), registry);
        if (solver) {
            impl->issues.insert(impl->issues.end(), (*solver)->issues().begin(), (*solver)->issues().end());
            impl->groups.push_back(*std::move(solver));
            impl->firstHandles.push_back(rig->handles[handles.front()].id.value);
            continue;
        }
        if (isStrict) return solver.error();
        for (const std::size_t h : handles) note(solver.error(), h);
    }
    return std::unique_ptr<Evaluator>(new Evaluator(std::move(impl)));
}

const std::shared_ptr<const CompiledRig>& Evaluator::rig() const { return m_impl->rig; }

const Issues& Evaluator::issues() const { return m_impl->issues; }

void Evaluator::watch(std::atomic<ObjectId>* solving) { m_impl->solving = solving; }

void Evaluator::record(std::size_t index, SolveRecorder* recorder)
{
    m_impl->recorded = index;
    m_impl->recorder = recorder;
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
    impl.sampler.prepare(scene, clip);
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

/// One moment by what the sampler has been prepared for.
void Evaluator::Impl::evaluate(const PendingValues& pending, Time time, const FrameBefore* before, SolvedFrame& result,
                               const std::atomic<bool>* cancelled)
{
    result.time = time;
    sampler.sample(pending, time, result.local);
    forwardKinematics(*rig, result.local, result.model);
    clear(result);
    for (std::size_t g = 0; g < groups.size(); ++g) {
        if (solving != nullptr) *solving = firstHandles[g];
        groups[g]->solve(sampler, pending, time, result, before, cancelled, recorderOf(*groups[g]));
    }
    if (solving != nullptr) *solving = 0;
    measure(result);
    for (const std::size_t h : refused) sampleTarget(*rig, h, sampler, pending, time, result.model, result.targets[h]);
}

} // namespace tendon
