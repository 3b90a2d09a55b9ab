#include "app/editor/Visibility.h"

#include <algorithm>

namespace tendon::editor {

bool Visibility::update(const FrameResult& frame, const ViewState& state)
{
    if (frame.rig == nullptr) return false;
    if (m_rig == frame.rig && m_view.isSame(frame.scene->view) && m_isolated == state.isolated) return false;
    m_rig = frame.rig;
    m_view = frame.scene->view;
    m_isolated = state.isolated;
    m_joints.clear();
    m_hiddenHandles.clear();
    if (m_view->hidden.empty() && m_isolated.empty()) return true;
    const auto isIsolatedAway = [&](ObjectId object) { return !m_isolated.empty() && m_isolated.count(object) == 0; };
    m_joints.assign(m_rig->jointCount(), 1);
    std::vector<std::uint8_t> isBelowHidden(m_rig->jointCount(), 0);
    for (std::size_t joint = 0; joint < m_joints.size(); ++joint) { // parents come first
        const JointIndex parent = m_rig->parent[joint];
        isBelowHidden[joint] = m_view->hidden.count(m_rig->id[joint].value) != 0 ||
                               (parent >= 0 && isBelowHidden[at(parent)] != 0);
        m_joints[joint] = isBelowHidden[joint] == 0 && !isIsolatedAway(m_rig->id[joint].value);
    }
    for (const Handle& handle : m_rig->handles)
        if (m_view->hidden.count(handle.id.value) != 0 || isIsolatedAway(handle.id.value))
            m_hiddenHandles.insert(handle.id.value);
    return true;
}

bool Visibility::isShown(const Mesh& mesh) const
{
    return m_view->hiddenMeshes.empty() || m_view->hiddenMeshes.count(mesh.name) == 0;
}

bool Visibility::isLocked(ObjectId object) const { return m_view->locked.count(object) != 0; }

bool Visibility::isPickable(JointIndex joint) const
{
    return isShown(joint) && (m_rig == nullptr || !isLocked(m_rig->id[at(joint)].value));
}

std::set<ObjectId> isolatedBy(const Scene& scene, const Selection& selection)
{
    std::set<ObjectId> shown;
    for (const SelectionItem& item : selection.items()) {
        shown.insert(item.object);
        if (item.joint().isValid())
            for (const JointId joint : subtree(scene, item.joint())) shown.insert(joint.value);
        if (const Handle* handle = scene.find(item.handle()))
            for (const JointId joint : chain(scene, handle->start, handle->end)) shown.insert(joint.value);
    }
    return shown;
}

} // namespace tendon::editor
