#include "app/editor/ReachedPoses.h"

#include <algorithm>

namespace tendon::editor {

FramePtr ReachedPoses::shown(FramePtr frame, bool isDragged)
{
    const CompiledRig& rig = *frame->rig;
    if (!isDragged || frame->frame != m_frame) m_poses.clear();
    m_frame = frame->frame;
    std::vector<JointIndex> joints;
    std::vector<LocalTransform> local;
    for (std::size_t h = 0; h < rig.handles.size(); ++h) {
        const Handle& handle = rig.handles[h];
        const HandleView& view = frame->handles[h];
        if (handle.unreachable != Unreachable::Hold || !view.target.isActive()) continue;
        if (!view.result.isHeld) {
            Pose& pose = m_poses[handle.id];
            pose.clear();
            for (JointIndex joint = view.end; joint >= std::max(view.start, 0); joint = rig.parent[at(joint)])
                pose.emplace_back(rig.id[at(joint)], frame->solved.local.joints[at(joint)]);
            continue;
        }
        const auto reached = m_poses.find(handle.id);
        if (reached == m_poses.end()) continue;
        for (const auto& [joint, transform] : reached->second) {
            if (rig.index(joint) < 0) continue;
            joints.push_back(rig.index(joint));
            local.push_back(transform);
        }
    }
    return joints.empty() ? frame : posedOtherwise(*frame, joints, local);
}

} // namespace tendon::editor
