#pragma once

#include "app/widgets/task/TaskDock.h"

#include <QObject>
#include <QPointer>

class QMainWindow;

namespace tendon::editor {

/// The open task of a window, at most one. It takes the place of the right docks, which come back when it is left; in a
/// small window the outliner folds to a rail meanwhile. View, timeline, playing and undo go on working.
class Tasks : public QObject
{
    Q_OBJECT
public:
    explicit Tasks(QMainWindow& window);

    /// Opens a task and gives it the focus. The one that was open is left.
    void open(TaskBody* body);
    void leave(); ///< without effect if none is open

    [[nodiscard]] TaskBody* current() const { return m_dock == nullptr ? nullptr : &m_dock->body(); } ///< null = none
    [[nodiscard]] bool isWorking() const { return current() != nullptr && current()->isWorking(); }
    [[nodiscard]] TaskDock* dock() const { return m_dock; }

signals:
    void changed(); ///< a task was opened or left, or what it says has changed
    void helpWanted();

private:
    void hideDocks(bool isSmall);
    void dropDock();
    void addRail();
    void removeRail();

    QMainWindow& m_window;
    QPointer<TaskDock> m_dock;
    QPointer<QDockWidget> m_rail;
    QList<QPointer<QDockWidget>> m_hidden; ///< docks to show again
    QList<double> m_widths;                ///< [px] at 100 % that they had
};

} // namespace tendon::editor
