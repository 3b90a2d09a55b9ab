#include "app/widgets/BenchmarkDialog.h"
#include "app/widgets/ConformanceDialog.h"
#include "app/widgets/MainWindow.h"
#include "app/widgets/NewPluginDialog.h"

#include <QFileDialog>

namespace tendon::editor {

void addPluginCommands(MainWindow& window)
{
    CommandTable& table = window.commands();
    MainWindow* w = &window;
    table.add({.id = "help.newPlugin",
               .menu = {Command::tr("Help")},
               .text = Command::tr("New solver plugin…"),
               .tip = Command::tr("Write the files of a solver of your own, which build as they are"),
               .icon = "plugin",
               .run = [w] { NewPluginDialog(w).exec(); },
               .beginsGroup = true});
    table.add(
        {.id = "help.loadPlugin",
         .menu = {Command::tr("Help")},
         .text = Command::tr("Load solver plugin…"),
         .tip = Command::tr("Load a solver plugin from its library; dropping the library on the window does the same"),
         .run = [w] {
             const QString path = QFileDialog::getOpenFileName(w, Command::tr("Load solver plugin"), {},
                                                               Command::tr("Plugin libraries (*.so)"));
             if (!path.isEmpty()) w->loadPlugin(path);
         }});
    table.add({.id = "help.checkPlugin",
               .menu = {Command::tr("Help")},
               .text = Command::tr("Check solver plugin…"),
               .tip = Command::tr("Run the conformance suite on a solver plugin, and show what it fails on"),
               .icon = "plugin",
               .run = [w] {
                   auto* dialog = w->findChild<ConformanceDialog*>();
                   if (dialog == nullptr) dialog = new ConformanceDialog(w->editor(), w);
                   dialog->setAttribute(Qt::WA_DeleteOnClose);
                   dialog->show();
                   dialog->raise();
                   dialog->activateWindow();
               }});
    table.add({.id = "help.benchmark",
               .menu = {Command::tr("Help")},
               .text = Command::tr("Benchmark solvers…"),
               .tip = Command::tr("Measure solvers on a set of problems or over the open clip, and save the figures"),
               .icon = "compare",
               .run = [w] {
                   auto* dialog = w->findChild<BenchmarkDialog*>();
                   if (dialog == nullptr) dialog = new BenchmarkDialog(w->editor(), w);
                   dialog->setAttribute(Qt::WA_DeleteOnClose);
                   dialog->show();
                   dialog->raise();
                   dialog->activateWindow();
               }});
}

} // namespace tendon::editor
