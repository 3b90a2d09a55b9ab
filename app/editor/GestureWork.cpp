#include "app/editor/GestureWork.h"

#include "app/editor/EditorDocument.h"
#include "core/document/Operation.h"

#include <QElapsedTimer>

namespace tendon::editor {

GestureWork::GestureWork(EditorDocument& document) : m_document(document), m_preparer(document.solvers())
{
    m_watch.setSingleShot(true);
    m_watch.setInterval(kHang);
    QObject::connect(&m_watch, &QTimer::timeout, &m_watch, [this] { cancelHung(); });
}

void GestureWork::begin()
{
    end();
    m_gesture = m_document.makeGesture();
    m_state = State::Open;
}

Result<void> GestureWork::update(const QJsonObject& operation)
{
    if (m_state != State::Open) begin();
    if (const auto fits = Gesture::check(operation); !fits) return fits;
    if (m_preparer.state() != Preparer::State::Idle) {
        m_next = operation;
        return {};
    }
    if (!takesTime(operation)) {
        auto done = m_document.change([&](Document&) { return m_gesture->update(operation); });
        return done ? done : Result<void>(inWords(done.error()));
    }
    prepare(operation);
    return m_preparer.waitFor(kPatience) ? takeUpdate() : Result<void>{};
}

void GestureWork::prepare(const QJsonObject& operation)
{
    m_preparing = operation;
    m_watch.start();
    m_preparer.start(m_gesture->scene(), m_gesture->edit(), operation, m_document.services(), [this] {
        if (const auto taken = takeUpdate(); !taken) emit m_document.gestureRefused(taken.error());
    });
}

Result<void> GestureWork::takeUpdate()
{
    m_watch.stop();
    auto step = m_preparer.take();
    Result<void> outcome;
    if (step)
        outcome = m_document.change([&](Document&) {
            m_gesture->take(std::move(*step), m_preparing);
            return Result<void>{};
        });
    else
        outcome = inWords(step.error());
    if (m_next)
        prepare(*std::exchange(m_next, std::nullopt));
    else if (m_state == State::Closing)
        close();
    return outcome;
}

bool GestureWork::settle(int milliseconds)
{
    QElapsedTimer clock;
    clock.start();
    while (m_preparer.state() == Preparer::State::Preparing) {
        if (!m_preparer.waitFor(static_cast<int>(std::max<qint64>(0, milliseconds - clock.elapsed())))) return false;
        if (const auto taken = takeUpdate(); !taken) emit m_document.gestureRefused(taken.error());
    }
    return true;
}

void GestureWork::finish()
{
    if (m_state == State::None) return;
    m_state = State::Closing;
    if (m_preparer.state() == Preparer::State::Idle) close();
}

void GestureWork::end()
{
    if (m_state == State::None) return;
    const bool isSettled = settle(WorkQueue::kPatience);
    if (m_state == State::None) return; // it was Closing, and its last update is done
    if (!isSettled && !m_gesture->last())
        m_document.report(
            {{Severity::Info, "the drag was still being solved when another edit began; it was discarded", "drag", 0}});
    close();
}

void GestureWork::close()
{
    m_watch.stop();
    m_preparer.abandon();
    m_next.reset();
    m_state = State::None;
    if (const auto gesture = std::move(m_gesture); gesture->last()) m_document.record(*gesture->last());
    emit m_document.gestureEnded();
    m_document.work().advance();
}

void GestureWork::cancel()
{
    if (m_state == State::None) return;
    (void)m_document.change([this](Document&) {
        m_gesture->cancel();
        return Result<void>{};
    });
    close();
}

void GestureWork::cancelHung()
{
    const QString solver = m_preparing.value(QLatin1StringView("solver")).toString();
    cancel();
    m_document.report(
        {{Severity::Error, "the solver stopped responding; the drag was cancelled", solver.toStdString(), 0}});
}

} // namespace tendon::editor
