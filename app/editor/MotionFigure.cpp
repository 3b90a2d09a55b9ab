#include "app/editor/MotionFigure.h"

#include "core/roles/RoleNames.h"
#include "core/runtime/ForwardKinematics.h"

#include <utility>

namespace tendon::editor {

std::map<JointId, RoleColour> coloursOf(const CompiledRig& rig, const RoleMap& roles)
{
    std::map<JointId, RoleColour> colours;
    for (const JointId joint : rig.id) colours[joint] = RoleColour::Unknown;
    for (const auto& [role, joints] : roles)
        for (const JointId joint : joints)
            if (rig.index(joint) >= 0) colours[joint] = roleColourOf(sideOfRole(role));
    return colours;
}

void MotionFigure::show(ContentPtr content)
{
    if (content == m_content) return;
    const bool isSameMotion = m_content != nullptr && content != nullptr && m_content->rig == content->rig &&
                              m_content->scene == content->scene && m_content->clip == content->clip &&
                              m_content->anchor == content->anchor;
    m_content = std::move(content);
    if (!isSameMotion) {
        m_sampler.reset();
        m_anchoredAt.reset();
        m_links.clear();
        m_hovered = {};
        if (m_content != nullptr) {
            m_sampler.emplace(m_content->rig);
            (void)m_sampler->prepare(*m_content->scene, m_content->scene->find(m_content->clip));
            m_frame.rig = m_content->rig;
            m_frame.scene = m_content->scene;
        }
    }
    emit changed();
}

const FrameResult* MotionFigure::at(Time time)
{
    if (m_content == nullptr) return nullptr;
    std::vector<Affine>& world = m_frame.solved.model.modelFromJoint;
    const CompiledRig& rig = *m_content->rig;
    if (m_content->still != nullptr) {
        world.resize(rig.jointCount());
        for (std::size_t joint = 0; joint < world.size(); ++joint)
            world[joint] = Eigen::Translation3d(m_content->still->position[joint]) * m_content->still->rotation[joint];
    } else {
        const JointIndex anchor = rig.index(m_content->anchor);
        if (anchor >= 0 && !m_anchoredAt) {
            const Clip* clip = m_content->scene->find(m_content->clip);
            m_sampler->sample({}, clip == nullptr ? Time{} : clip->begin(), m_frame.solved.local);
            forwardKinematics(rig, m_frame.solved.local, m_frame.solved.model);
            m_anchoredAt = world[tendon::at(anchor)].translation();
        }
        m_sampler->sample({}, time, m_frame.solved.local);
        forwardKinematics(rig, m_frame.solved.local, m_frame.solved.model);
    }
    const Affine placed = m_content->worldFromMotion;
    for (Affine& joint : world) joint = placed * joint;
    if (const JointIndex anchor = rig.index(m_content->anchor);
        anchor >= 0 && m_anchoredAt && m_content->still == nullptr) {
        Vector3 back = placed * *m_anchoredAt - world[tendon::at(anchor)].translation();
        back.y() = 0; // height stays
        for (Affine& joint : world) joint.pretranslate(back);
    }
    return &m_frame;
}

void MotionFigure::setLinks(std::vector<Link> links)
{
    if (links == m_links) return;
    m_links = std::move(links);
    emit hoverChanged();
}

void MotionFigure::setHovered(JointId joint)
{
    if (joint == m_hovered) return;
    m_hovered = joint;
    emit hoverChanged();
}

} // namespace tendon::editor
