#include "core/document/Gesture.h"

#include "core/document/Operation.h"

namespace tendon {

Gesture::Gesture(Document& document) : m_document(document), m_scene(document.scene()), m_edit(document.edit) {}

Result<void> Gesture::check(const QJsonObject& operation)
{
    const Operation* known = findOperation(operation);
    if (known != nullptr && !known->isUndoStep)
        return Error{ErrorCode::InvalidArgument, "only an undo step can be part of a gesture",
                     std::string(known->name)};
    return {};
}

Result<void> Gesture::update(const QJsonObject& operation)
{
    if (const auto fits = check(operation); !fits) return fits;
    auto step = prepare(m_scene, m_edit, *m_document.solvers, m_document.services, *m_document.poses, operation);
    if (!step) return step.error();
    take(std::move(*step), operation);
    return {};
}

void Gesture::take(PreparedStep step, const QJsonObject& operation)
{
    m_document.messages = std::move(step.messages);
    m_document.edit = std::move(step.edit);
    Version next = versionOf(std::move(step.scene), m_document.edit);
    History& history = m_document.history;
    m_hasStep = m_hasStep ? history.replaceLast(std::move(next), std::move(step.text))
                          : history.push(std::move(next), std::move(step.text));
    m_last = operation;
}

void Gesture::cancel()
{
    if (m_hasStep) m_hasStep = m_document.history.replaceLast(versionOf(m_scene, m_edit), {});
    m_document.edit = m_edit;
    m_document.history.setCurrentClip(m_edit.currentClip);
    m_last.reset();
}

} // namespace tendon
