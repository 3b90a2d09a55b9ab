#include "app/editor/Theme.h"
#include "app/widgets/MainWindow.h"

#include <QDialog>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace tendon::editor {

void addHelpCommands(MainWindow& window)
{
    CommandTable& table = window.commands();
    MainWindow* w = &window;
    const auto showPage = [w](const QString& title, const QString& markdown) {
        auto* dialog = new QDialog(w);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->setWindowTitle(title);
        dialog->resize(Theme::instance().px(760), Theme::instance().px(600));
        auto* column = new QVBoxLayout(dialog);
        auto* page = new QTextBrowser;
        page->setMarkdown(markdown);
        column->addWidget(page);
        dialog->show();
    };
    table.add({.id = "help.search", .menu = "Help", .text = "Search commands…", .tip = "Finds any command by name; Tab in the viewport does too", .icon = "search", .keys = {"F3", "F3", "X"}, .run = [w] { w->openSearch(); }});
    table.add({.id = "help.tour", .menu = "Help", .text = "Tour", .tip = "Two minutes with a mannequin", .icon = "help", .run = [w] { w->showTour(); }});
    table.add({.id = "help.keys", .menu = "Help", .text = "Keys and commands", .tip = "Every command with its keys", .run = [w, showPage] { showPage("Keys and commands", w->commands().asMarkdown()); }});
    table.add({.id = "help.operations", .menu = "Help", .text = "Operations", .tip = "What scripts are made of", .run = [showPage] { showPage("Operations", QString::fromStdString(operationsAsMarkdown())); }});
}

} // namespace tendon::editor
