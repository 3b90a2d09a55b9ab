#include "app/widgets/MainWindow.h"
#include "core/scene/Check.h"

#include <QInputDialog>
#include <QJsonArray>
#include <QLineEdit>

#include <algorithm>

namespace tendon::editor {
namespace {

QString nameOfObject(const EditorDocument& document, ObjectId object)
{
    return QString::fromStdString(nameOf(document.scene(), object));
}

/// Joints that a pose command works on: the selected ones with the ends of selected handles; none selected = all of
/// them.
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

} // namespace

void addEditCommands(MainWindow& window)
{
    CommandTable& table = window.commands();
    Editor* editor = &window.editor();
    EditorDocument* document = &editor->document();
    const auto same = [](const char* keys) { return std::array<QString, 3>{keys, keys, keys}; };
    const auto needsSelection = [editor] {
        return editor->selection().isEmpty() ? QString("Select a joint or a handle first") : QString();
    };

    table.add({.id = "edit.undo",
               .menu = "Edit",
               .text = "Undo",
               .tip = "Takes the last step back",
               .icon = "undo",
               .keys = same("Ctrl+Z"),
               .run = [document] { document->undo(); },
               .whyNot =
                   [document] {
                       return !document->canUndo() && !document->gesture().isOpen() ? QString("Nothing to undo")
                                                                                    : QString();
                   }});
    table.add({.id = "edit.redo",
               .menu = "Edit",
               .text = "Redo",
               .tip = "Takes an undone step again",
               .icon = "redo",
               .keys = {"Ctrl+Shift+Z; Ctrl+Y", "Ctrl+Shift+Z; Ctrl+Y", "Ctrl+Y; Ctrl+Shift+Z"},
               .run = [document] { document->redo(); },
               .whyNot = [document] { return !document->canRedo() ? QString("Nothing to redo") : QString(); }});
    table.add({.id = "edit.copyPose",
               .menu = "Edit",
               .text = "Copy pose",
               .tip = "Copies the pose of what is selected, or of everything",
               .icon = "copy",
               .keys = same("Ctrl+C"),
               .run =
                   [editor] {
                       applyToPose(*editor, {{"op", "copyPose"}});
                   },
               .beginsGroup = true});
    const auto hasPose = [document] {
        return document->edit().copiedPose.joints.empty() ? QString("Copy a pose first") : QString();
    };
    table.add({.id = "edit.pastePose",
               .menu = "Edit",
               .text = "Paste pose",
               .tip = "Poses as copied",
               .icon = "paste",
               .keys = same("Ctrl+V"),
               .run =
                   [document] {
                       (void)document->apply({{"op", "pastePose"}});
                   },
               .whyNot = hasPose});
    table.add({.id = "edit.pasteMirrored",
               .menu = "Edit",
               .text = "Paste mirrored pose",
               .tip = "Poses as copied, left and right changed",
               .icon = "paste-mirror",
               .keys = same("Ctrl+Shift+V"),
               .run =
                   [document] {
                       (void)document->apply({{"op", "pastePose"}, {"mirror", "x"}});
                   },
               .whyNot = hasPose});
    table.add({.id = "edit.rename",
               .menu = "Edit",
               .text = "Rename…",
               .tip = "Gives the active joint or handle another name",
               .keys = {"", "F2", "F2"},
               .run =
                   [editor, document, w = &window] {
                       const QString former = nameOfObject(*document, editor->selection().active().object);
                       bool isOk = false;
                       const QString name = QInputDialog::getText(w, "Rename", "Name", QLineEdit::Normal, former,
                                                                  &isOk);
                       if (isOk && name != former)
                           (void)document->apply({{"op", "rename"}, {"target", former}, {"to", name}});
                   },
               .whyNot = needsSelection,
               .beginsGroup = true});
    table.add({.id = "edit.delete",
               .menu = "Edit",
               .text = "Delete",
               .tip = "Removes the selected handles, poles and joints",
               .icon = "trash",
               .keys = same("Delete"),
               .run =
                   [editor, document] {
                       std::vector<QJsonObject> operations;
                       for (const SelectionItem& item : editor->selection().items()) {
                           const QString name = nameOfObject(*document, item.object);
                           if (item.kind == SelectionItem::Kind::Handle)
                               operations.push_back({{"op", "removeHandle"}, {"name", name}});
                           if (item.kind == SelectionItem::Kind::Pole)
                               operations.push_back({{"op", "setHandle"}, {"name", name}, {"pole", QJsonValue::Null}});
                           if (item.kind != SelectionItem::Kind::Joint) continue;
                           // One below another selected joint goes with it.
                           const bool goesAlong = std::any_of(
                               editor->selection().items().begin(), editor->selection().items().end(),
                               [&](const SelectionItem& other) {
                                   return other.kind == SelectionItem::Kind::Joint &&
                                          isAncestor(document->scene(), other.joint(), item.joint());
                               });
                           if (!goesAlong) operations.push_back({{"op", "removeJoint"}, {"joint", name}});
                       }
                       (void)document->applyAsOne(operations);
                   },
               .whyNot = needsSelection});
    table.add({.id = "edit.selectHandles",
               .menu = "Edit",
               .text = "Select all handles",
               .tip = "Selects every handle",
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
               .menu = "Edit",
               .text = "Select nothing",
               .tip = "Clears the selection",
               .keys = same("Ctrl+Shift+A"),
               .run = [editor] { editor->selection().clear(); }});
    table.add({.id = "edit.parent",
               .menu = "Edit",
               .text = "Select parent",
               .tip = "The joint above; of a handle its start",
               .keys = {"Up", "[", "PgUp"},
               .run = [editor] { walk(*editor, true); },
               .whyNot = needsSelection});
    table.add({.id = "edit.child",
               .menu = "Edit",
               .text = "Select child",
               .tip = "The first joint below; of a handle its end",
               .keys = {"Down", "]", "PgDown"},
               .run = [editor] { walk(*editor, false); },
               .whyNot = needsSelection});
}

} // namespace tendon::editor
