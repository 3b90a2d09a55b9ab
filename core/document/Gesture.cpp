#include "core/document/Gesture.h"

namespace tendon {

Gesture::Gesture(Document& document) : m_document(document), m_edit(document.edit), m_mergeKey("gesture")
{
    m_document.history.seal();
}

Result<void> Gesture::check(std::span<const QJsonObject> operations)
{
    for (const QJsonObject& operation : operations) {
        const Operation* known = findOperation(operation.value(QLatin1StringView("op")).toString().toStdString());
        if (known != nullptr && !known->isUndoStep)
            return Error{ErrorCode::InvalidArgument, "only what is an undo step can be part of a gesture",
                         std::string(known->name)};
    }
    return {};
}

Result<void> Gesture::update(std::span<const QJsonObject> operations)
{
    if (!m_isOpen) return Error{ErrorCode::Internal, "a gesture that has ended takes no more operations", ""};
    if (const auto fits = check(operations); !fits) return fits;
    auto steps = prepareSteps(scene(), m_edit, *m_document.solvers, m_document.services, *m_document.poses, operations);
    if (!steps) return steps.error();
    take(std::move(*steps), operations);
    return {};
}

void Gesture::take(std::vector<PreparedStep> steps, std::span<const QJsonObject> operations)
{
    if (!m_isOpen || steps.empty()) return;
    Issues messages;
    for (PreparedStep& step : steps) messages.insert(messages.end(), step.messages.begin(), step.messages.end());
    steps.back().messages = std::move(messages);
    takeStep(m_document, std::move(steps.back()), m_mergeKey);
    m_last.assign(operations.begin(), operations.end());
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
