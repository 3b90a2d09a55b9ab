#include "core/document/SolvedPoses.h"

namespace tendon {

Result<std::shared_ptr<const CompiledRig>> SolvedPoses::rigOf(const Scene& scene)
{
    if (m_rig == nullptr || !scene.joints.isSame(m_joints) || !scene.handles.isSame(m_handles)) {
        m_evaluator.reset();
        m_rig.reset();
        auto rig = compile(scene);
        if (!rig) return rig.error();
        m_rig = *rig;
        m_joints = scene.joints;
        m_handles = scene.handles;
    }
    return m_rig;
}

Result<void> SolvedPoses::prepare(const Scene& scene)
{
    const auto rig = rigOf(scene);
    if (!rig) return rig.error();
    if (m_evaluator != nullptr) return {};
    auto evaluator = Evaluator::create(*rig, *m_solvers, OnBadHandle::ShowFk);
    if (!evaluator) return evaluator.error();
    m_evaluator = std::move(*evaluator);
    return {};
}

Result<const FrameResult*> SolvedPoses::at(const Scene& scene, const Clip* clip, const PendingValues& pending,
                                           Time time)
{
    if (const auto prepared = prepare(scene); !prepared) return prepared.error();
    m_evaluator->evaluate(scene, clip, pending, time, m_frame);
    return static_cast<const FrameResult*>(&m_frame);
}

} // namespace tendon
