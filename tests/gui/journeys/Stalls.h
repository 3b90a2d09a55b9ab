#pragma once

#include <QApplication>
#include <QString>

namespace tendon::test {

/// The application of a journey. Measures how long the window's thread works on one event, without drawing the view,
/// which is slow without a GPU: by its own CPU time, so that other programs may run. tst_slow_solvers checks that the
/// thread never waits. What a dialog does in an event loop of its own counts as events of that loop.
class WatchedApplication : public QApplication
{
public:
    using QApplication::QApplication;
    bool notify(QObject* receiver, QEvent* event) override;

    struct Stall
    {
        double milliseconds = 0;
        QString what; ///< the class that got the event, and the event
    };
    [[nodiscard]] const Stall& longest() const { return m_longest; }

private:
    void note(double seconds, const char* receiver, int type);

    int m_loop = -1;     ///< level of the event loop whose event is at work; -1 = none is
    double m_nested = 0; ///< [s] that events of loops within it have taken
    Stall m_longest;
};

} // namespace tendon::test
