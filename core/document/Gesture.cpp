#include "core/document/Gesture.h"

#include "core/document/FileStage.h"

namespace tendon {

Gesture::Gesture(Document& document) : m_document(document), m_edit(document.edit), m_mergeKey("gesture")
{
    m_document.history.seal();
}

Result<void> Gesture::update(const QJsonObject& operation)
{
    if (!m_isOpen) return Error{ErrorCode::Internal, "a gesture that has ended takes no more operations", ""};
    const Operation* known = findOperation(operation.value(QLatin1StringView("op")).toString().toStdString());
    if (known != nullptr && !known->isUndoStep)
        return Error{ErrorCode::InvalidArgument, "only what is an undo step can be part of a gesture", std::string(known->name)};
    FileStage stage;
    const EditState reached = m_document.edit;
    m_document.edit = m_edit;
    const auto done = carryOut(m_document, operation, stage, m_mergeKey);
    if (!done)
        m_document.edit = reached;
    else
        m_last = operation;
    return done;
}

void Gesture::cancel()
{
    if (!m_isOpen) return;
    if (m_last) {
        m_document.history.pushMerged(m_document.history.baseOf(m_mergeKey), {}, m_mergeKey);
        m_document.edit = m_edit;
    }
    m_last.reset();
    finish();
}

std::optional<QJsonObject> Gesture::finish()
{
    if (!m_isOpen) return std::nullopt;
    m_isOpen = false;
    m_document.history.seal();
    return m_last;
}

} // namespace tendon
