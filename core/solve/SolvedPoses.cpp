#include "core/solve/SolvedPoses.h"

#include <algorithm>

namespace tendon {
namespace {

/// Joints that are dragged together are prepared one by one; more than this are prepared again at each move.
constexpr std::size_t kMaxDrags = 8;

/// How many handles have a solver whose plugin is at fault.
std::ptrdiff_t faultyHandles(const CompiledRig& rig, const SolverRegistry& solvers)
{
    return std::count_if(rig.handles.begin(), rig.handles.end(),
                         [&](const Handle& handle) { return solvers.fault(handle.solver).has_value(); });
}

} // namespace

Result<void> SolvedPoses::prepare(const Scene& scene)
{
    if (m_evaluator != nullptr && scene.joints.isSame(m_joints) && scene.handles.isSame(m_handles) &&
        faultyHandles(*m_rig, *m_solvers) == m_faultyHandles)
        return {};
    m_drags.clear();
    m_evaluator.reset();
    m_rig.reset();
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

Result<const SolvedFrame*> SolvedPoses::at(const Scene& scene, const Clip* clip, const PendingValues& pending,
                                           Time time, const std::atomic<bool>* cancelled)
{
    if (const auto prepared = prepare(scene); !prepared) return prepared.error();
    m_evaluator->evaluate(scene, clip, pending, time, m_frame, cancelled);
    // Each time round a plugin has failed that had not before.
    while (faultyHandles(*m_rig, *m_solvers) > m_faultyHandles) {
        if (m_onBadHandle != OnBadHandle::ShowDefault) return checkPlugins(*m_rig, *m_solvers).error();
        if (const auto prepared = prepare(scene); !prepared) return prepared.error();
        m_evaluator->evaluate(scene, clip, pending, time, m_frame, cancelled);
    }
    return static_cast<const SolvedFrame*>(&m_frame);
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
    auto drag = InteractiveDrag::begin(scene, clip, pending, time, m_evaluator, *m_solvers, request);
    if (!drag) return drag.error();
    if (m_drags.size() == kMaxDrags) m_drags.erase(m_drags.begin());
    m_drags.push_back({scene, clip, pending, time, request, std::move(*drag)});
    return m_drags.back().drag.get();
}

Result<void> SolvedPoses::checkHandle(const Scene& scene, HandleId handle)
{
    if (const auto prepared = prepare(scene); !prepared) return prepared;
    for (const Issue& issue : m_evaluator->issues())
        if (issue.object == handle.value && issue.severity == Severity::Error)
            return Error{ErrorCode::Unsupported, issue.text, issue.where};
    return {};
}

} // namespace tendon
