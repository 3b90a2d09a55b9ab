#include "app/editor/WorkQueue.h"

#include "app/editor/EditorDocument.h"
#include "app/editor/RememberedBake.h"
#include "core/document/MakeOperation.h"
#include "core/document/Operation.h"

namespace tendon::editor {

namespace {

/// Whether an operation is worth a thread: it edits and takes time.
bool isForThread(const QJsonObject& operation)
{
    const Operation* known = findOperation(operation);
    return known != nullptr && known->edit != nullptr && takesTime(operation);
}

} // namespace

WorkQueue::WorkQueue(EditorDocument& document) : m_document(document), m_preparer(document.solvers()) {}

Result<void> WorkQueue::apply(const QJsonObject& operation, Services services, Done then)
{
    GestureWork& gesture = m_document.gesture();
    if (!gesture.settle(kPatience)) { // its end comes first
        gesture.finish();
        emit m_document.gestureEnded();
        return add(operation, std::move(services), std::move(then));
    }
    gesture.end();
    if (isForThread(operation)) return add(operation, std::move(services), std::move(then));
    const auto done = m_document.applyNow(operation);
    if (then) then(done);
    return done;
}

bool WorkQueue::undo()
{
    GestureWork& gesture = m_document.gesture();
    if (!isEmpty()) {
        cancel();
        return true;
    }
    if (gesture.state() == GestureWork::State::Closing && !gesture.settle(kPatience)) {
        gesture.cancel();
        return true;
    }
    gesture.end();
    return m_document.history().undoCount() > 0 && m_document.applyNow(ops::undo());
}

bool WorkQueue::redo()
{
    m_document.gesture().end();
    return m_document.canRedo() && m_document.applyNow(ops::redo());
}

bool WorkQueue::finish()
{
    constexpr int kTooLong = 60'000; // [ms]
    while (m_document.gesture().settle(kTooLong)) {
        if (isEmpty() || m_document.gesture().isOpen()) return true;
        if (!wait(kTooLong)) return false;
    }
    return false;
}

Result<void> WorkQueue::add(const QJsonObject& operation, Services services, Done then)
{
    rememberBakes(services);
    const auto outcome = std::make_shared<std::optional<Result<void>>>();
    m_entries.push_back({operation, std::move(services), [outcome, then = std::move(then)](const Result<void>& done) {
                             *outcome = done;
                             if (then) then(done);
                         }});
    emit m_document.workChanged(true);
    advance();
    if (m_entries.size() == 1) (void)wait(kPatience);
    return outcome->value_or(Result<void>{});
}

void WorkQueue::advance()
{
    if (m_entries.empty() || m_document.gesture().isOpen()) return;
    switch (m_preparer.state()) {
    case Preparer::State::Idle: return prepareFirst();
    case Preparer::State::Preparing: return;
    case Preparer::State::Prepared: return takeFirst();
    }
}

void WorkQueue::prepareFirst()
{
    const Entry& entry = m_entries.front();
    if (!isForThread(entry.operation)) // it only waited for its turn
        return finishFirst(m_document.applyNow(entry.operation));
    m_revision = m_document.revision();
    m_preparer.start(m_document.scene(), m_document.edit(), entry.operation, entry.services, [this] { advance(); });
}

void WorkQueue::takeFirst()
{
    auto step = m_preparer.take();
    if (m_revision != m_document.revision()) return prepareFirst();
    if (step) return finishFirst(m_document.take(std::move(*step), m_entries.front().operation));
    m_document.reportError(step.error());
    finishFirst(step.error());
}

void WorkQueue::finishFirst(const Result<void>& done)
{
    const Done then = std::move(m_entries.front().then);
    m_entries.pop_front();
    emit m_document.workChanged(!isEmpty());
    then(done);
    advance();
}

void WorkQueue::cancel()
{
    if (m_entries.empty()) return;
    m_preparer.abandon();
    const auto entries = std::move(m_entries);
    m_entries.clear();
    emit m_document.workChanged(false);
    for (const Entry& entry : entries) entry.then(Error{ErrorCode::Cancelled, "was cancelled", {}});
}

bool WorkQueue::wait(int milliseconds)
{
    if (m_preparer.state() != Preparer::State::Preparing || !m_preparer.waitFor(milliseconds)) return false;
    advance();
    return true;
}

} // namespace tendon::editor
