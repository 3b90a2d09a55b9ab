#include "core/document/Gesture.h"

#include "core/document/FileStage.h"

namespace tendon {

Gesture::Gesture(Document& document) : m_document(document), m_edit(document.edit), m_mergeKey("gesture")
{
    m_document.history.seal();
}

Result<void> Gesture::update(std::span<const QJsonObject> operations)
{
    if (!m_isOpen) return Error{ErrorCode::Internal, "a gesture that has ended takes no more operations", ""};
    for (const QJsonObject& operation : operations) {
        const Operation* known = findOperation(operation.value(QLatin1StringView("op")).toString().toStdString());
        if (known != nullptr && !known->isUndoStep)
            return Error{ErrorCode::InvalidArgument, "only what is an undo step can be part of a gesture", std::string(known->name)};
    }
    FileStage stage;
    const EditState reached = m_document.edit;
    const Scene sceneReached = m_document.scene();
    const std::string text = m_document.history.undoText();
    m_document.edit = m_edit;
    Issues messages;
    MergeBase base = MergeBase::BeforeStep;
    for (const QJsonObject& operation : operations) {
        const auto done = carryOut(m_document, operation, stage, m_mergeKey, base);
        if (!done) {
            if (base == MergeBase::AfterStep) m_document.history.pushMerged(sceneReached, text, m_mergeKey);
            m_document.edit = reached;
            return done;
        }
        messages.insert(messages.end(), m_document.messages.begin(), m_document.messages.end());
        base = MergeBase::AfterStep;
    }
    m_document.messages = std::move(messages);
    m_last.assign(operations.begin(), operations.end());
    return {};
}

void Gesture::cancel()
{
    if (!m_isOpen) return;
    if (!m_last.empty()) {
        m_document.history.pushMerged(m_document.history.baseOf(m_mergeKey), {}, m_mergeKey);
        m_document.edit = m_edit;
    }
    m_last.clear();
    finish();
}

std::vector<QJsonObject> Gesture::finish()
{
    if (!m_isOpen) return {};
    m_isOpen = false;
    m_document.history.seal();
    return m_last;
}

} // namespace tendon
