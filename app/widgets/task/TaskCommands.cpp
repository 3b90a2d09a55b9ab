#include "app/widgets/MainWindow.h"
#include "app/widgets/task/Tasks.h"

namespace tendon::editor {

void addTaskCommands(MainWindow& window)
{
    Tasks* tasks = &window.tasks();
    window.commands().add({.id = "task.run",
                           .text = Command::tr("Finish task"),
                           .tip = Command::tr("Apply the choices of the open task, as one undo step"),
                           .icon = "ok",
                           .keys = {"Ctrl+Return; Ctrl+Enter", "Ctrl+Return; Ctrl+Enter", "Ctrl+Return; Ctrl+Enter"},
                           // The task says why it cannot, when the keys are pressed: whether it can changes in other
                           // threads, and an action that is found disabled a moment too long would lose the keys.
                           .run =
                               [w = &window, tasks] {
                                   const UserText reason = tasks->current()->whyNot();
                                   if (!reason.isEmpty()) return w->showRefusal(reason);
                                   tasks->current()->run();
                               },
                           .whyNot = [tasks]() -> UserText {
                               return tasks->current() != nullptr ? QString() : Command::tr("No task is open");
                           }});
}

} // namespace tendon::editor
