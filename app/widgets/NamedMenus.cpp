#include "app/widgets/NamedMenus.h"

#include "app/widgets/MainWindow.h"

#include <QJsonObject>
#include <QMenu>

#include <functional>
#include <memory>

namespace tendon::editor {
namespace {

/// Keeps the actions that the menu has, and adds one for each name below them whenever it opens.
void followNames(QMenu& menu, MainWindow& window, std::function<QStringList()> names,
                 std::function<void(const QString&)> choose, const QString& removing, const char* removal)
{
    const auto added = std::make_shared<QList<QAction*>>();
    const auto fill = [&menu, &window, added, names = std::move(names), choose = std::move(choose), removing, removal] {
        qDeleteAll(*added);
        added->clear();
        const QStringList all = names();
        if (all.isEmpty()) return;
        *added << menu.addSeparator();
        for (const QString& name : all) {
            QAction* action = menu.addAction(name, &window, [choose, name] { choose(name); });
            action->setObjectName(name);
            *added << action;
        }
        QMenu* removed = new QMenu(removing, &menu);
        for (const QString& name : all)
            removed->addAction(name, &window, [&window, name, removal] {
                (void)window.editor().document().apply({{"op", QLatin1StringView(removal)}, {"name", name}});
            });
        QObject::connect(removed->menuAction(), &QObject::destroyed, removed, &QObject::deleteLater);
        menu.addMenu(removed);
        *added << removed->menuAction();
    };
    QObject::connect(&menu, &QMenu::aboutToShow, &window, fill);
    fill();
}

} // namespace

void followSelectionSets(QMenu& menu, MainWindow& window)
{
    Editor* editor = &window.editor();
    const auto names = [editor] {
        QStringList all;
        for (const SelectionSet& set : editor->document().scene().view->sets) all << QString::fromStdString(set.name);
        return all;
    };
    const auto choose = [editor](const QString& name) {
        const Scene& scene = editor->document().scene();
        const SelectionSet* set = scene.view->setNamed(name.toStdString());
        if (set == nullptr) return;
        std::vector<SelectionItem> items;
        for (const ObjectId object : set->objects)
            items.push_back(scene.find(JointId{object}) != nullptr ? SelectionItem::of(JointId{object})
                                                                   : SelectionItem::of(HandleId{object}));
        editor->selection().select(std::move(items));
    };
    followNames(menu, window, names, choose, MainWindow::tr("Delete selection set"), "removeSelectionSet");
}

void followCameraBookmarks(QMenu& menu, MainWindow& window)
{
    MainWindow* w = &window;
    const auto names = [w] {
        QStringList all;
        for (const CameraBookmark& bookmark : w->editor().document().scene().view->bookmarks)
            all << QString::fromStdString(bookmark.name);
        return all;
    };
    const auto choose = [w](const QString& name) {
        const CameraBookmark* bookmark = w->editor().document().scene().view->bookmarkNamed(name.toStdString());
        if (bookmark != nullptr && w->viewport().setCamera) w->viewport().setCamera(bookmark->camera);
    };
    followNames(menu, window, names, choose, MainWindow::tr("Delete camera bookmark"), "removeCameraBookmark");
}

} // namespace tendon::editor
