#pragma once

#include "app/widgets/task/TaskBody.h"

#include <QDockWidget>
#include <QFrame>

class QLabel;
class QPushButton;
class QScrollArea;
class QToolButton;

namespace tendon::editor {

class ElidedLabel;

/// The place of an open task: an accent line on top, the task's title with help and close, its body, which scrolls, and
/// a footer that says what comes of it, with Cancel and the one main button. It neither floats nor moves. Tasks opens
/// and closes it.
class TaskDock : public QDockWidget
{
    Q_OBJECT
public:
    /// Owns `body`.
    TaskDock(TaskBody* body, QWidget* parent);

    [[nodiscard]] TaskBody& body() { return *m_body; }
    void takeFocus();           ///< to the first row, or to the body
    void walk(int by);          ///< Down: 1, Up: -1: to the next row
    void reveal(QWidget& part); ///< scrolls to a part of the body

signals:
    void cancelled();
    void helpWanted();

private:
    QWidget* makeHead();
    QWidget* makeFooter();
    void refresh();
    bool takeKey(const QKeyEvent& key); ///< Up and Down; false: it is another one
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override; ///< of the area, which would scroll by these keys

    TaskBody* m_body;
    QScrollArea* m_area;
    ElidedLabel *m_subject, *m_outcome;
    QLabel* m_note;
    QPushButton* m_main;
};

/// A line of a body that Up and Down walk to. It takes the keyboard's focus and the mouse as one thing.
class TaskRow : public QFrame
{
    Q_OBJECT
public:
    explicit TaskRow(QWidget* parent = nullptr);

    void setLit(bool isLit); ///< an accent bar at its left
    [[nodiscard]] bool isLit() const { return m_isLit; }
    void setLined(bool isLined) { m_isLined = isLined; } ///< a hair line below it

signals:
    void pointedAt(bool isIn);                     ///< by the mouse or the focus
    void ticked();                                 ///< Space
    void clicked(Qt::KeyboardModifiers modifiers); ///< beside its controls, or Return

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    bool m_isLit = false, m_isPressed = false, m_isLined = true;
};

} // namespace tendon::editor
