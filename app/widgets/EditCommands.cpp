#include "app/widgets/Icons.h"
#include "app/widgets/MainWindow.h"
#include "app/widgets/PreferencesDialog.h"
#include "app/widgets/UndoHistoryDialog.h"
#include "app/widgets/poses/PosesPanel.h"
#include "app/widgets/task/Tasks.h"
#include "core/scene/Check.h"

#include <QCursor>
#include <QDockWidget>
#include <QInputDialog>
#include <QJsonArray>
#include <QLineEdit>
#include <QMenu>

#include <algorithm>

namespace tendon::editor {
namespace {

QString nameOfObject(const EditorDocument& document, ObjectId object)
{
    return QString::fromStdString(nameOf(document.scene(), object));
}

/// The joints that a pose command works on: the selected joints and the ends of the selected handles; empty = all.
QJsonArray poseJoints(Editor& editor)
{
    QJsonArray names;
    for (const SelectionItem& item : editor.selection().items()) {
        const Handle* handle = editor.document().scene().find(item.handle());
        names.append(nameOfObject(editor.document(), handle != nullptr ? handle->end.value : item.object));
    }
    return names;
}

void applyToPose(Editor& editor, QJsonObject operation)
{
    if (const QJsonArray names = poseJoints(editor); !names.isEmpty()) operation.insert("joints", names);
    (void)editor.document().apply(operation);
}

void walk(Editor& editor, bool up)
{
    const Scene& scene = editor.document().scene();
    const SelectionItem active = editor.selection().active();
    if (const Handle* handle = scene.find(active.handle())) {
        editor.selection().select(SelectionItem::of(up ? handle->start : handle->end));
        return;
    }
    const Joint* joint = scene.find(active.joint());
    if (joint == nullptr) return;
    if (up) {
        if (joint->parent.isValid()) editor.selection().select(SelectionItem::of(joint->parent));
        return;
    }
    const auto child = std::find_if(scene.joints->begin(), scene.joints->end(),
                                    [&](const Joint& j) { return j.parent == joint->id; });
    if (child != scene.joints->end()) editor.selection().select(SelectionItem::of(child->id));
}

void openPreferences(MainWindow& window, bool showsKeys)
{
    auto* dialog = new PreferencesDialog(window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    if (showsKeys) dialog->showKeys();
    dialog->open();
}

/// As one step.
void deleteSelected(Editor* editor)
{
    EditorDocument* document = &editor->document();
    std::vector<QJsonObject> operations;
    std::vector<SelectionItem> points;
    for (const SelectionItem& item : editor->selection().items()) {
        const QString name = nameOfObject(*document, item.object);
        if (item.kind == SelectionItem::Kind::Handle) operations.push_back({{"op", "removeHandle"}, {"name", name}});
        if (item.kind == SelectionItem::Kind::Pole)
            operations.push_back({{"op", "setHandle"}, {"name", name}, {"pole", QJsonValue::Null}});
        const QJsonArray none{0, 0, 0};
        if (item.kind == SelectionItem::Kind::Effector)
            operations.push_back({{"op", "setHandle"}, {"name", name}, {"offset", none}});
        if (item.kind == SelectionItem::Kind::CurvePoint) points.push_back(item);
        if (item.kind != SelectionItem::Kind::Joint) continue;
        // A joint below another selected joint is deleted with it.
        const bool goesAlong = std::any_of(editor->selection().items().begin(), editor->selection().items().end(),
                                           [&](const SelectionItem& other) {
                                               return other.kind == SelectionItem::Kind::Joint &&
                                                      isAncestor(document->scene(), other.joint(), item.joint());
                                           });
        if (!goesAlong) operations.push_back({{"op", "removeJoint"}, {"joint", name}});
    }
    // From the last point on, so that the numbers of those before stay.
    std::sort(points.begin(), points.end(),
              [](const SelectionItem& a, const SelectionItem& b) { return a.index > b.index; });
    for (const SelectionItem& point : points)
        operations.push_back(
            {{"op", "removeCurvePoint"}, {"handle", nameOfObject(*document, point.object)}, {"index", point.index}});
    // A neighbour is selected then, so that Delete again does not delete the handle.
    if (document->applyAsOne(operations) && !points.empty()) {
        const SelectionItem& first = points.back();
        const int last = document->scene().find(first.handle())->curvePoints - 1;
        editor->selection().select(SelectionItem::curvePointOf(first.handle(), std::min(first.index, last)));
    }
}

} // namespace

void addEditCommands(MainWindow& window)
{
    CommandTable& table = window.commands();
    Editor* editor = &window.editor();
    EditorDocument* document = &editor->document();
    Tasks* tasks = &window.tasks();
    const auto same = [](const char* keys) { return std::array<QString, 3>{keys, keys, keys}; };
    const auto needsSelection = [editor] {
        return editor->selection().isEmpty() ? Command::tr("Select a joint or a handle first") : QString();
    };

    table.add({.id = "edit.undo",
               .menu = {Command::tr("Edit")},
               .text = Command::tr("Undo"),
               .tip = Command::tr("Undo the last step; in a task, the last choice made there first"),
               .icon = "undo",
               .keys = same("Ctrl+Z"),
               .run =
                   [document, tasks] {
                       if (TaskBody* task = tasks->current(); task != nullptr && task->canUndo())
                           task->undo();
                       else
                           document->undo();
                   },
               .whyNot =
                   [document, tasks] {
                       const bool isAny = document->canUndo() || document->gesture().isOpen() ||
                                          (tasks->current() != nullptr && tasks->current()->canUndo());
                       return isAny ? QString() : Command::tr("Nothing to undo");
                   },
               .object = [document, tasks]() -> QString {
                   if (tasks->current() != nullptr && tasks->current()->canUndo()) return Command::tr("choice");
                   return QString::fromStdString(document->history().undoText());
               }});
    table.add({.id = "edit.redo",
               .menu = {Command::tr("Edit")},
               .text = Command::tr("Redo"),
               .tip = Command::tr("Redo the last undone step"),
               .icon = "redo",
               .keys = {"Ctrl+Shift+Z; Ctrl+Y", "Ctrl+Shift+Z; Ctrl+Y", "Ctrl+Y; Ctrl+Shift+Z"},
               .run =
                   [document, tasks] {
                       if (TaskBody* task = tasks->current(); task != nullptr && task->canRedo())
                           task->redo();
                       else
                           document->redo();
                   },
               .whyNot =
                   [document, tasks] {
                       const bool isAny = document->canRedo() ||
                                          (tasks->current() != nullptr && tasks->current()->canRedo());
                       return isAny ? QString() : Command::tr("Nothing to redo");
                   },
               .object = [document, tasks]() -> QString {
                   if (tasks->current() != nullptr && tasks->current()->canRedo()) return Command::tr("choice");
                   return QString::fromStdString(document->history().redoText());
               }});
    table.add({.id = "edit.history",
               .menu = {Command::tr("Edit")},
               .text = Command::tr("Undo history…"),
               .tip = Command::tr("List the steps that can be undone and redone, and go to one of them"),
               .icon = "undo",
               .keys = same("Ctrl+Alt+Z"),
               .run = [document, w = &window] {
                   auto* dialog = w->findChild<UndoHistoryDialog*>();
                   if (dialog == nullptr) dialog = new UndoHistoryDialog(*document, w);
                   dialog->show();
                   dialog->activateWindow();
               }});
    table.add({.id = "edit.copyPose",
               .menu = {Command::tr("Edit")},
               .text = Command::tr("Copy pose"),
               .tip = Command::tr("Copy the pose of the selection, or of the whole rig"),
               .icon = "copy",
               .keys = same("Ctrl+C"),
               .run =
                   [editor] {
                       applyToPose(*editor, {{"op", "copyPose"}});
                   },
               .beginsGroup = true});
    const auto hasPose = [document] {
        return document->edit().copiedPose.joints.empty() ? Command::tr("Copy a pose first") : QString();
    };
    table.add({.id = "edit.pastePose",
               .menu = {Command::tr("Edit")},
               .text = Command::tr("Paste pose"),
               .tip = Command::tr("Paste the copied pose"),
               .icon = "paste",
               .keys = same("Ctrl+V"),
               .run =
                   [document] {
                       (void)document->apply({{"op", "pastePose"}});
                   },
               .whyNot = hasPose});
    table.add({.id = "edit.pasteMirrored",
               .menu = {Command::tr("Edit")},
               .text = Command::tr("Paste mirrored pose"),
               .tip = Command::tr("Paste the copied pose with left and right swapped, about the root"),
               .icon = "paste-mirror",
               .keys = same("Ctrl+Shift+V"),
               .run =
                   [document] {
                       (void)document->apply({{"op", "pastePose"}, {"mirror", "x"}, {"about", "root"}});
                   },
               .whyNot = hasPose});
    table.add({.id = "edit.savePose",
               .menu = {Command::tr("Edit")},
               .text = Command::tr("Save pose…"),
               .tip = Command::tr("Save the pose in the pose library, which opens"),
               .icon = "save",
               .run =
                   [w = &window] {
                       auto* dock = w->findChild<QDockWidget*>(QStringLiteral("dock.poses"));
                       dock->show();
                       dock->raise();
                       dock->findChild<PosesPanel*>()->beginSaving();
                   },
               .whyNot = [document]() -> UserText {
                   return document->scene().joints->empty() ? Command::tr("There is no character yet") : QString();
               }});
    table.add({.id = "edit.rename",
               .menu = {Command::tr("Edit")},
               .text = Command::tr("Rename…"),
               .tip = Command::tr("Rename the active joint or handle"),
               .keys = {"", "F2", "F2"},
               .run =
                   [editor, document, w = &window] {
                       const QString former = nameOfObject(*document, editor->selection().active().object);
                       bool isOk = false;
                       const QString name = QInputDialog::getText(w, Command::tr("Rename"), Command::tr("Name"),
                                                                  QLineEdit::Normal, former, &isOk);
                       if (isOk && name != former)
                           (void)document->apply({{"op", "rename"}, {"target", former}, {"to", name}});
                   },
               .whyNot = needsSelection,
               .beginsGroup = true});
    table.add({.id = "edit.delete",
               .menu = {Command::tr("Edit")},
               .text = Command::tr("Delete"),
               .tip = Command::tr("Delete the selected handles, poles, points of curves and joints; reset effectors"),
               .icon = "trash",
               .keys = same("Delete"),
               .run = [editor] { deleteSelected(editor); },
               .whyNot = needsSelection});
    table.add({.id = "edit.deleteAsk",
               .menu = {Command::tr("Edit")},
               .text = Command::tr("Delete after asking"),
               .tip = Command::tr("Ask, then delete what is selected"),
               .icon = "trash",
               .keys = {"", "X", ""},
               .run =
                   [editor, w = &window] {
                       QMenu menu(w);
                       menu.setObjectName(QStringLiteral("deleteMenu"));
                       const auto count = static_cast<int>(editor->selection().items().size());
                       QAction* yes = menu.addAction(
                           icon(QStringLiteral("trash")),
                           count == 1 ? Command::tr("Delete %1")
                                            .arg(nameOfObject(editor->document(), editor->selection().active().object))
                                      : Command::tr("Delete %n objects", nullptr, count));
                       menu.setActiveAction(yes); // Return deletes, Esc does not
                       if (menu.exec(QCursor::pos()) == yes) deleteSelected(editor);
                   },
               .whyNot = needsSelection});
    table.add({.id = "edit.selectHandles",
               .menu = {Command::tr("Edit")},
               .text = Command::tr("Select all handles"),
               .tip = Command::tr("Select every handle"),
               .keys = same("Ctrl+A"),
               .run =
                   [editor, document] {
                       std::vector<SelectionItem> items;
                       for (const Handle& handle : *document->scene().handles)
                           items.push_back(SelectionItem::of(handle.id));
                       editor->selection().select(std::move(items));
                   },
               .beginsGroup = true});
    table.add({.id = "edit.selectNone",
               .menu = {Command::tr("Edit")},
               .text = Command::tr("Deselect all"),
               .tip = Command::tr("Clear the selection"),
               .keys = same("Ctrl+Shift+A"),
               .run = [editor] { editor->selection().clear(); }});
    table.add({.id = "edit.preferences",
               .menu = {Command::tr("Edit")},
               .text = Command::tr("Preferences…"),
               .tip = Command::tr("Set units, theme, scale, keys, autosave, backups, undo and playback"),
               .icon = "settings",
               .keys = same("Ctrl+,"),
               .run = [w = &window] { openPreferences(*w, false); },
               .beginsGroup = true});
    table.add({.id = "edit.shortcuts",
               .menu = {Command::tr("Edit")},
               .text = Command::tr("Keyboard shortcuts…"),
               .tip = Command::tr("Show all commands with their keys, and change them"),
               .run = [w = &window] { openPreferences(*w, true); }});
    table.add({.id = "edit.parent",
               .menu = {Command::tr("Edit")},
               .text = Command::tr("Select parent"),
               .tip = Command::tr("Select the parent joint, or the start of a handle"),
               .keys = {"Up", "[", "PgUp"},
               .run = [editor] { walk(*editor, true); },
               .whyNot = needsSelection});
    table.add({.id = "edit.child",
               .menu = {Command::tr("Edit")},
               .text = Command::tr("Select child"),
               .tip = Command::tr("Select the first child joint, or the end of a handle"),
               .keys = {"Down", "]", "PgDown"},
               .run = [editor] { walk(*editor, false); },
               .whyNot = needsSelection});
}

} // namespace tendon::editor
