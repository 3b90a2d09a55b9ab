#include "tests/gui/journeys/Stalls.h"

#include "app/viewport/Viewport.h"
#include "tests/gui/journeys/RealWindow.h"

#include <QMetaEnum>
#include <QThread>

#include <utility>

namespace tendon::test {

bool WatchedApplication::notify(QObject* receiver, QEvent* event)
{
    const int loop = thread()->loopLevel();
    if (QThread::currentThread() != thread() || loop <= m_loop) return QApplication::notify(receiver, event);
    const auto worked = [] { return threadSeconds() - viewport::Viewport::drawingSeconds(); };
    const char* const name = receiver->metaObject()->className(); // it may be gone afterwards
    const int type = event->type();
    const int outer = std::exchange(m_loop, loop);
    const double nestedBefore = std::exchange(m_nested, 0), begin = worked();
    const bool isHandled = QApplication::notify(receiver, event);
    const double whole = worked() - begin;
    note(whole - m_nested, name, type);
    m_loop = outer;
    m_nested = nestedBefore + whole;
    return isHandled;
}

void WatchedApplication::note(double seconds, const char* receiver, int type)
{
    if (1000 * seconds <= m_longest.milliseconds) return;
    const char* const known = QMetaEnum::fromType<QEvent::Type>().valueToKey(type);
    m_longest = {1000 * seconds,
                 QStringLiteral("%1, %2").arg(QLatin1StringView(receiver),
                                              known == nullptr ? QString::number(type) : QString::fromLatin1(known))};
}

} // namespace tendon::test
