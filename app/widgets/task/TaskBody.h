#pragma once

#include "app/widgets/CommandTable.h"

#include <QWidget>

namespace tendon::editor {

/// What a task decides, and how: the middle of a TaskDock. A body keeps the choices made in it and reads the document;
/// nothing in the document changes until run(), which is one undo step. It may be dropped at any time: leaving asks
/// nothing, since nothing has changed. GUI thread.
class TaskBody : public QWidget
{
    Q_OBJECT
public:
    using QWidget::QWidget;

    virtual void begin() {} ///< it is in its place: from now on it may mark the view
    virtual void end() {}   ///< it has been left: it takes its marks away; it is deleted soon

    [[nodiscard]] virtual QString title() const = 0;             ///< "Rig it"
    [[nodiscard]] virtual QString subject() const { return {}; } ///< beside the title: "Faun, 83 joints"
    [[nodiscard]] virtual QString note() const { return {}; }    ///< at the right of the head: "0.2 s"
    [[nodiscard]] virtual QString picture() const = 0;           ///< icon
    [[nodiscard]] virtual QString helpPage() const = 0;          ///< of resources/docs/user, for F1: "rig-it"
    [[nodiscard]] virtual QString hint() const = 0;              ///< in the status line: what mouse and keys do

    // The footer
    [[nodiscard]] virtual QString outcome() const = 0;  ///< what run() will have done: "7 handles · one undo step"
    [[nodiscard]] virtual QString mainText() const = 0; ///< of the main button: "Make handles"
    [[nodiscard]] virtual UserText whyNot() const = 0;  ///< why the main button does nothing; "" = it can be pressed

    /// Carries the task out, as one step; finished() ends the task, now or when the work is done. On an error the
    /// document reports it and the task stays open.
    virtual void run() = 0;

    [[nodiscard]] virtual bool isWorking() const { return false; } ///< what it shows is still being worked out

    // Choices are taken back before steps of the document are
    [[nodiscard]] virtual bool canUndo() const { return false; }
    [[nodiscard]] virtual bool canRedo() const { return false; }
    virtual void undo() {}
    virtual void redo() {}

    /// The rows that Up and Down walk, from the top; those that are not visible are passed over. A body whose rows are
    /// one list needs none: the list walks.
    [[nodiscard]] virtual QList<QWidget*> rows() const { return {}; }

    /// In a small window: sections beside the first fold to one line that says what is chosen.
    virtual void setCompact(bool isCompact) { (void)isCompact; }

signals:
    void changed();  ///< something that the dock or the window shows of it
    void finished(); ///< run() has done it
};

} // namespace tendon::editor
