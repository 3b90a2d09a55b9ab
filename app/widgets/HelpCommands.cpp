#include "app/widgets/MainWindow.h"
#include "app/widgets/ManualDialog.h"

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
               .menu = "Help",
               .text = "Manual",
               .tip = "Contents, search and pages, beside the work",
               .icon = "help",
               .keys = {"F1", "F1", "F1"},
               .run = [openManual] { openManual({}); }});
    table.add({.id = "help.editor",
               .menu = "Help",
               .text = "The editor",
               .tip = "The manual's page on this window",
               .run = [openManual] { openManual("editor"); }});
    table.add({.id = "help.keys",
               .menu = "Help",
               .text = "Keys and commands",
               .tip = "Every command with its keys",
               .run = [openManual] { openManual("keys"); }});
    table.add({.id = "help.operations",
               .menu = "Help",
               .text = "Operations",
               .tip = "What scripts are made of",
               .run = [openManual] { openManual("operations"); }});
    table.add({.id = "help.search",
               .menu = "Help",
               .text = "Search commands…",
               .tip = "Finds any command by name; Tab in the viewport does too",
               .icon = "search",
               .keys = {"F3", "F3", "X"},
               .run = [w] { w->openSearch(); },
               .beginsGroup = true});
    table.add({.id = "help.tour", .menu = "Help", .text = "Tour", .tip = "Two minutes with a mannequin", .run = [w] {
                   w->showTour();
               }});
}

} // namespace tendon::editor
