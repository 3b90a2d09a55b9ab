#include "app/widgets/AboutDialog.h"
#include "app/widgets/MainWindow.h"
#include "app/widgets/ManualDialog.h"
#include "app/widgets/task/Tasks.h"

namespace tendon::editor {

void addHelpCommands(MainWindow& window)
{
    CommandTable& table = window.commands();
    MainWindow* w = &window;
    const auto openManual = [w](const QString& page) {
        auto* manual = w->findChild<ManualDialog*>(QStringLiteral("manual"));
        if (manual == nullptr) manual = new ManualDialog(w);
        manual->open(page);
    };
    table.add({.id = "help.manual",
               .menu = {Command::tr("Help")},
               .text = Command::tr("Manual"),
               .tip = Command::tr("Open the manual in its own window; in a task, at the page about it"),
               .icon = "help",
               .keys = {"F1", "F1", "F1"},
               .run = [w, openManual] {
                   const TaskBody* task = w->tasks().current();
                   openManual(task == nullptr ? QString() : task->helpPage());
               }});
    table.add({.id = "help.editor",
               .menu = {Command::tr("Help")},
               .text = Command::tr("The editor"),
               .tip = Command::tr("Open the manual's page about this window"),
               .run = [openManual] { openManual("editor"); }});
    table.add({.id = "help.keys",
               .menu = {Command::tr("Help")},
               .text = Command::tr("Keys and commands"),
               .tip = Command::tr("List every command with its keys"),
               .run = [openManual] { openManual("keys"); }});
    table.add({.id = "help.operations",
               .menu = {Command::tr("Help")},
               .text = Command::tr("Operations"),
               .tip = Command::tr("List the operations that scripts are made of"),
               .run = [openManual] { openManual("operations"); }});
    table.add({.id = "help.search",
               .menu = {Command::tr("Help")},
               .text = Command::tr("Search commands…"),
               .tip = Command::tr("Search for a command by name and run it (or press Tab in the viewport)"),
               .icon = "search",
               .keys = {"F3", "F3", "X"},
               .run = [w] { w->openSearch(); },
               .beginsGroup = true});
    table.add({.id = "help.tour",
               .menu = {Command::tr("Help")},
               .text = Command::tr("Tour"),
               .tip = Command::tr("Take a two-minute tour with the mannequin"),
               .run = [w] { w->showTour(); }});
    table.add({.id = "help.about",
               .menu = {Command::tr("Help")},
               .text = Command::tr("About Tendon"),
               .tip = Command::tr("Show the version, the licence and what Tendon is built on"),
               .icon = "tendon",
               .run =
                   [w] {
                       auto* dialog = new AboutDialog(w->editor().document().solvers(), w);
                       dialog->setAttribute(Qt::WA_DeleteOnClose);
                       dialog->open();
                   },
               .beginsGroup = true});
}

} // namespace tendon::editor
