#include "core/solve/SolvedPoses.h"

#include "core/solve/GroupSolver.h"
#include "core/solve/HandlesAtRest.h"
#include "core/solve/ScenePart.h"
#include "core/solve/SolveGroups.h"

#include <algorithm>

namespace tendon {
namespace {

/// Joints that are dragged together are prepared one by one; more than this are prepared again at each move.
constexpr std::size_t kMaxDrags = 8;

/// The same of parts: an edit asks for the places of a few joints, over and over.
constexpr std::size_t kMaxParts = 8;

/// Error: goals would wait for each other in a circle. Only where some handle waits for another can that be.
Result<void> checkOrder(const Scene& scene, const Handle& handle, const SolverRegistry& solvers)
{
    const auto waits = [](const Handle& each) { return each.isCarried() || !each.followed().empty(); };
    if (std::none_of(scene.handles->begin(), scene.handles->end(), waits)) return {};
    const auto rig = compile(partThatPoses(scene, handle.end));
    if (!rig) return rig.error();
    const auto order = orderSolves(**rig, solvers);
    return order ? Result<void>() : Error{ErrorCode::Unsupported, order.error().message, order.error().where};
}

/// How many handles have a solver whose plugin is at fault.
std::ptrdiff_t faultyHandles(const CompiledRig& rig, const SolverRegistry& solvers)
{
    return std::count_if(rig.handles.begin(), rig.handles.end(),
                         [&](const Handle& handle) { return solvers.fault(handle.solver).has_value(); });
}

} // namespace

Result<void> SolvedPoses::prepare(const Scene& scene)
{
    const std::uint64_t revision = m_solvers->revision();
    if (m_evaluator != nullptr && revision == m_revision && scene.joints.isSame(m_joints) &&
        scene.handles.isSame(m_handles) && faultyHandles(*m_rig, *m_solvers) == m_faultyHandles)
        return {};
    m_drags.clear();
    m_evaluator.reset();
    m_rig.reset();
    if (revision != m_revision) m_settled.reset(); // the answers of solvers that have been replaced
    m_revision = revision;
    auto rig = compile(scene);
    if (!rig) return rig.error();
    auto evaluator = Evaluator::create(*rig, *m_solvers, m_onBadHandle);
    if (!evaluator) return evaluator.error();
    m_evaluator = std::move(*evaluator);
    m_evaluator->watch(m_solving);
    m_rig = *rig;
    m_faultyHandles = faultyHandles(**rig, *m_solvers);
    m_joints = scene.joints;
    m_handles = scene.handles;
    return {};
}

SolvedPoses::Sharers SolvedPoses::sharersOf(HandleId handle) const
{
    Sharers sharers;
    const auto index = m_evaluator == nullptr ? std::nullopt : m_rig->handleIndex(handle);
    if (!index) return sharers;
    const auto has = [](const auto& list, auto one) { return std::find(list.begin(), list.end(), one) != list.end(); };
    std::vector<JointIndex> joints;
    bool isAfter = false;
    for (const auto& group : m_evaluator->groups())
        if (has(group->group().handles, *index)) joints = group->group().joints;
    for (const auto& group : m_evaluator->groups()) {
        if (has(group->group().handles, *index)) {
            isAfter = true;
            continue;
        }
        const std::vector<JointIndex>& others = group->group().joints;
        if (std::none_of(others.begin(), others.end(), [&](JointIndex joint) { return has(joints, joint); })) continue;
        for (const std::size_t h : group->group().handles)
            (isAfter ? sharers.after : sharers.before).push_back(m_rig->handles[h].id);
    }
    return sharers;
}

ClipSolutionPtr SolvedPoses::solutionOf(const Scene& scene, const Clip* clip, const Evaluator& evaluator)
{
    if (clip == nullptr || evaluator.groups().empty()) return nullptr;
    const bool isSettled = m_settled != nullptr && m_settled->isOf(scene, *clip);
    if (!isSettled && m_settling == Settling::First)
        if (auto settled = m_settler.settle(scene, *clip)) m_settled = *std::move(settled);
    return m_settled != nullptr && m_settled->clip() == clip->id ? m_settled->solution() : nullptr;
}

Result<const SolvedFrame*> SolvedPoses::at(const Scene& scene, const Clip* clip, const PendingValues& pending,
                                           Time time, const std::atomic<bool>* cancelled)
{
    if (const auto prepared = prepare(scene); !prepared) return prepared.error();
    m_evaluator->follow(solutionOf(scene, clip, *m_evaluator));
    m_evaluator->lookAround(m_looksAround);
    m_evaluator->evaluate(scene, clip, pending, time, m_frame, cancelled);
    // Each time round a plugin has failed that had not before.
    while (faultyHandles(*m_rig, *m_solvers) > m_faultyHandles) {
        if (m_onBadHandle != OnBadHandle::ShowDefault) return checkPlugins(*m_rig, *m_solvers).error();
        if (const auto prepared = prepare(scene); !prepared) return prepared.error();
        m_evaluator->lookAround(m_looksAround);
        m_evaluator->evaluate(scene, clip, pending, time, m_frame, cancelled);
    }
    return static_cast<const SolvedFrame*>(&m_frame);
}

Result<SolvedPoses::PreparedPart*> SolvedPoses::preparePart(const Scene& scene, JointId joint)
{
    const std::uint64_t revision = m_solvers->revision();
    if (revision != m_partRevision || !scene.joints.isSame(m_partJoints) || !scene.handles.isSame(m_partHandles))
        m_parts.clear();
    m_partRevision = revision;
    m_partJoints = scene.joints;
    m_partHandles = scene.handles;
    const auto found = std::find_if(m_parts.begin(), m_parts.end(),
                                    [&](const PreparedPart& kept) { return kept.joint == joint; });
    if (found != m_parts.end()) return &*found;
    auto rig = compile(partThatPoses(scene, joint));
    if (!rig) return rig.error();
    if (m_parts.size() == kMaxParts) m_parts.erase(m_parts.begin());
    m_parts.push_back({joint, *std::move(rig), nullptr, {}});
    return &m_parts.back();
}

Result<SolvedPoses::PosedPart> SolvedPoses::partAt(const Scene& scene, const Clip* clip, const PendingValues& pending,
                                                   Time time, JointId joint)
{
    const auto prepared = preparePart(scene, joint);
    if (!prepared) return prepared.error();
    PreparedPart& part = **prepared;
    if (part.evaluator == nullptr) {
        const bool isPlaying = clip != nullptr && clip->hasKeys(); // its solution may have other answers
        if (!isPlaying && areAtRest(part.rig, scene, pending, time, *m_solvers, part.frame))
            return PosedPart{*part.rig, part.frame};
        auto evaluator = Evaluator::create(part.rig, *m_solvers, OnBadHandle::ShowFk);
        if (!evaluator) return evaluator.error();
        part.evaluator = *std::move(evaluator);
        part.evaluator->watch(m_solving);
    }
    part.evaluator->follow(solutionOf(scene, clip, *part.evaluator));
    part.evaluator->evaluate(scene, clip, pending, time, part.frame);
    return PosedPart{*part.rig, part.frame};
}

Result<InteractiveDrag*> SolvedPoses::drag(const Scene& scene, ClipId clip, const PendingValues& pending, Time time,
                                           const DragRequest& request)
{
    if (const auto prepared = prepare(scene); !prepared) return prepared.error();
    const auto found = std::find_if(m_drags.begin(), m_drags.end(),
                                    [&](const PreparedDrag& kept) { return kept.request.joint == request.joint; });
    if (found != m_drags.end()) {
        if (found->request == request && found->clip == clip && found->time == time && found->pending == pending &&
            found->scene == scene)
            return found->drag.get();
        m_drags.erase(found);
    }
    auto solution = solutionOf(scene, scene.find(clip), *m_evaluator);
    auto drag = InteractiveDrag::begin(scene, clip, pending, time, m_evaluator, std::move(solution), *m_solvers,
                                       request);
    if (!drag) return drag.error();
    if (m_drags.size() == kMaxDrags) m_drags.erase(m_drags.begin());
    m_drags.push_back({scene, clip, pending, time, request, std::move(*drag)});
    return m_drags.back().drag.get();
}

Result<void> SolvedPoses::checkHandle(const Scene& scene, HandleId handle)
{
    const auto rig = compile(partOfHandle(scene, *scene.find(handle)));
    if (!rig) return rig.error();
    const auto evaluator = Evaluator::create(*rig, *m_solvers, OnBadHandle::ShowFk);
    if (!evaluator) return evaluator.error();
    for (const Issue& issue : (*evaluator)->issues())
        if (issue.object == handle.value && issue.severity == Severity::Error)
            return Error{ErrorCode::Unsupported, issue.text, issue.where};
    return checkOrder(scene, *scene.find(handle), *m_solvers);
}

} // namespace tendon
