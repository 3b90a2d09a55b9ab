#include "app/widgets/MainWindow.h"
#include "app/widgets/task/Tasks.h"

namespace tendon::editor {

void addTaskCommands(MainWindow& window)
{
    Tasks* tasks = &window.tasks();
    window.commands().add({.id = "task.run",
                           .text = Command::tr("Carry the task out"),
                           .tip = Command::tr("Do what the open task has decided, as one step of undo"),
                           .icon = "ok",
                           .keys = {"Ctrl+Return; Ctrl+Enter", "Ctrl+Return; Ctrl+Enter", "Ctrl+Return; Ctrl+Enter"},
                           .run = [tasks] { tasks->current()->run(); },
                           .whyNot = [tasks]() -> UserText {
                               return tasks->current() != nullptr ? tasks->current()->whyNot()
                                                                  : UserText(Command::tr("No task is open"));
                           }});
}

} // namespace tendon::editor
