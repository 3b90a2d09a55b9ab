#include "app/editor/ShownScene.h"

#include "app/editor/EditorDocument.h"

#include <utility>

namespace tendon::editor {

void ShownScene::showInstead(std::shared_ptr<const Scene> scene, ClipId clip)
{
    if (scene == m_instead && (scene == nullptr || clip == m_clip)) return;
    m_instead = std::move(scene);
    m_clip = clip;
    emit changed();
}

const std::shared_ptr<const Scene>& ShownScene::scene()
{
    if (m_instead != nullptr) return m_instead;
    if (m_snapshot == nullptr || m_revision != m_document.revision()) {
        m_snapshot = std::make_shared<const Scene>(m_document.scene());
        m_revision = m_document.revision();
    }
    return m_snapshot;
}

const Scene& ShownScene::now() const { return m_instead != nullptr ? *m_instead : m_document.scene(); }

ClipId ShownScene::clipId() const { return m_instead != nullptr ? m_clip : m_document.edit().currentClip; }

} // namespace tendon::editor
