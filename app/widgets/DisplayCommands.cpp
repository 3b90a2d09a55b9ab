#include "app/editor/GhostFrames.h"
#include "app/editor/Visibility.h"
#include "app/widgets/MainWindow.h"
#include "core/document/MakeOperation.h"
#include "core/scene/Check.h"

#include <QInputDialog>
#include <QJsonArray>

#include <algorithm>

// What of the scene the views show, and how: hidden, locked and isolated objects, selection sets, cameras, ghosts,
// trails, one view or four.

namespace tendon::editor {
namespace {

QJsonArray selectedNames(Editor& editor)
{
    QJsonArray names;
    for (const SelectionItem& item : editor.selection().items())
        names.append(QString::fromStdString(nameOf(editor.document().scene(), item.object)));
    return names;
}

UserText whyNothing(Editor& editor)
{
    return editor.selection().isEmpty() ? Command::tr("Select a joint or a handle first") : QString();
}

/// "" = cancelled, or no name.
QString askForName(MainWindow& window, const QString& title, const QString& label, const QString& usual)
{
    return QInputDialog::getText(&window, title, label, QLineEdit::Normal, usual).trimmed();
}

void keepAsSet(MainWindow& window)
{
    EditorDocument& document = window.editor().document();
    const QString usual = Command::tr("Set %1").arg(document.scene().view->sets.size() + 1);
    const QString name = askForName(window, Command::tr("Save selection as set"), Command::tr("Name"), usual);
    if (name.isEmpty()) return;
    (void)document.apply({{"op", "setSelectionSet"}, {"name", name}, {"objects", selectedNames(window.editor())}});
}

void keepCamera(MainWindow& window)
{
    EditorDocument& document = window.editor().document();
    const QString usual = Command::tr("Camera %1").arg(document.scene().view->bookmarks.size() + 1);
    const QString name = askForName(window, Command::tr("Bookmark camera"), Command::tr("Name"), usual);
    if (name.isEmpty() || !window.viewport().camera) return;
    (void)document.apply(ops::setCameraBookmark(name.toStdString(), window.viewport().camera()));
}

void addVisibilityCommands(MainWindow& window)
{
    CommandTable& table = window.commands();
    Editor* editor = &window.editor();
    EditorDocument* document = &editor->document();
    const QStringList show = {Command::tr("View"), Command::tr("Show")};
    const auto needsSelection = [editor] { return whyNothing(*editor); };
    const auto mark = [editor, document](const char* operation, bool isOn) {
        (void)document->apply(
            {{"op", QLatin1StringView(operation)}, {"objects", selectedNames(*editor)}, {"on", isOn}});
    };
    table.add({.id = "view.hide",
               .menu = show,
               .text = Command::tr("Hide selected"),
               .tip = Command::tr("Hide the selected handles, and the selected joints with all below them"),
               .icon = "eye-off",
               .keys = {"Ctrl+H", "H", ""},
               .run = [mark] { mark("setHidden", true); },
               .whyNot = needsSelection,
               .beginsGroup = true});
    table.add({.id = "view.showAll",
               .menu = show,
               .text = Command::tr("Show all"),
               .tip = Command::tr("Show everything that is hidden, and end the isolation"),
               .icon = "eye",
               .keys = {"Ctrl+Shift+H", "Alt+H", ""},
               .run = [editor, document] {
                   editor->view().edit([](ViewState& s) { s.isolated.clear(); });
                   const ViewSetup& view = *document->scene().view;
                   if (!view.hidden.empty() || !view.hiddenMeshes.empty())
                       (void)document->apply({{"op", "setHidden"}, {"on", false}});
               }});
    table.add(
        {.id = "view.isolate",
         .menu = show,
         .text = Command::tr("Isolate selected"),
         .tip = Command::tr("Show nothing but the selection until it is switched off; nothing is saved"),
         .icon = "isolate",
         .keys = {"Ctrl+1", "Shift+H", "Alt+Q"},
         .run =
             [editor, document] {
                 const std::set<ObjectId> shown = isolatedBy(document->scene(), editor->selection());
                 editor->view().edit(
                     [&](ViewState& s) { s.isolated = s.isolated.empty() ? shown : std::set<ObjectId>{}; });
             },
         .whyNot = [editor] { return editor->view().state().isolated.empty() ? whyNothing(*editor) : UserText(); },
         .isOn = [editor] { return !editor->view().state().isolated.empty(); }});
    table.add({.id = "view.lock",
               .menu = show,
               .text = Command::tr("Lock selected"),
               .tip = Command::tr("Keep the mouse from picking and posing the selection in the view"),
               .icon = "lock",
               .run = [mark] { mark("setLocked", true); },
               .whyNot = needsSelection});
    table.add({.id = "view.unlockAll",
               .menu = show,
               .text = Command::tr("Unlock all"),
               .tip = Command::tr("Unlock everything that is locked"),
               .icon = "unlock",
               .run =
                   [document] {
                       (void)document->apply({{"op", "setLocked"}, {"on", false}});
                   },
               .whyNot =
                   [document] {
                       return document->scene().view->locked.empty() ? Command::tr("Nothing is locked") : QString();
                   }});
    table.add({.id = "edit.keepSet",
               .menu = {Command::tr("Edit"), Command::tr("Selection sets")},
               .text = Command::tr("Save selection as set…"),
               .tip = Command::tr("Save the selection under a name; this menu selects it again"),
               .icon = "layers",
               .run = [w = &window] { keepAsSet(*w); },
               .whyNot = needsSelection});
}

void addGhostCommands(MainWindow& window)
{
    CommandTable& table = window.commands();
    Editor* editor = &window.editor();
    ViewSettings* view = &editor->view();
    const QStringList menu = {Command::tr("View"), Command::tr("Ghosts and trails")};
    const auto toggle = [&](const char* id, const QString& text, const QString& tip, const char* icon,
                            bool ViewState::*flag, bool beginsGroup = false) {
        table.add({.id = id,
                   .menu = menu,
                   .text = text,
                   .tip = tip,
                   .icon = icon,
                   .run = [view, flag] { view->edit([flag](ViewState& s) { s.*flag = !(s.*flag); }); },
                   .isOn = [view, flag] { return view->state().*flag; },
                   .beginsGroup = beginsGroup});
    };
    const auto choose = [&](const QString& id, const QString& text, const QString& tip, auto ViewState::*member,
                            auto value, bool beginsGroup) {
        table.add({.id = id,
                   .menu = menu,
                   .text = text,
                   .tip = tip,
                   .run = [view, member, value] { view->edit([&](ViewState& s) { s.*member = value; }); },
                   .isOn = [view, member, value] { return view->state().*member == value; },
                   .beginsGroup = beginsGroup});
    };
    toggle("view.ghosts", Command::tr("Ghosts"),
           Command::tr("Show the model at frames before (blue) and after (orange) the current one"), "ghost",
           &ViewState::showsGhosts);
    toggle("view.trails", Command::tr("Motion trails"),
           Command::tr("Show the paths of the selection; drag a key's square to move the key"), "trail",
           &ViewState::showsTrails);
    toggle("view.ghostBones", Command::tr("Ghosts as bones"),
           Command::tr("Draw ghosts as bones, which is quicker than as meshes"), "bone", &ViewState::ghostsAreBones);
    choose("view.ghosts.steps", Command::tr("Ghosts at steps"), Command::tr("Show ghosts every few frames"),
           &ViewState::ghostPlace, GhostPlace::Steps, true);
    choose("view.ghosts.keys", Command::tr("Ghosts at keys"),
           Command::tr("Show ghosts at the keys of the selection, or of everything if nothing is selected"),
           &ViewState::ghostPlace, GhostPlace::Keys, false);
    bool isFirst = true;
    for (const int count : {1, 2, 3, 5, 8}) {
        choose(QStringLiteral("view.ghosts.count.%1").arg(count), Command::tr("%1 before and after").arg(count),
               Command::tr("Show this many ghosts on each side"), &ViewState::ghostCount, count, isFirst);
        isFirst = false;
    }
    isFirst = true;
    for (const int step : {1, 2, 5, 10}) {
        choose(QStringLiteral("view.ghosts.step.%1").arg(step),
               step == 1 ? Command::tr("Every frame") : Command::tr("Every %1 frames").arg(step),
               Command::tr("Set the number of frames between ghosts at steps"), &ViewState::ghostStep, step, isFirst);
        isFirst = false;
    }
    table.add({.id = "view.ghosts.pin",
               .menu = menu,
               .text = Command::tr("Pin a ghost of this frame"),
               .tip = Command::tr("Keep showing this frame's pose wherever the playhead goes, or stop that"),
               .icon = "pin",
               .run =
                   [editor] {
                       const int frame = editor->shownFrame();
                       editor->view().edit([frame](ViewState& s) {
                           if (s.pinnedGhosts.erase(frame) == 0) s.pinnedGhosts.insert(frame);
                       });
                   },
               .isOn = [editor] { return editor->view().state().pinnedGhosts.count(editor->shownFrame()) != 0; },
               .beginsGroup = true});
    table.add(
        {.id = "view.ghosts.unpin",
         .menu = menu,
         .text = Command::tr("Remove pinned ghosts"),
         .tip = Command::tr("Remove the ghosts of pinned frames"),
         .run = [view] { view->edit([](ViewState& s) { s.pinnedGhosts.clear(); }); },
         .whyNot =
             [view] { return view->state().pinnedGhosts.empty() ? Command::tr("No ghost is pinned") : QString(); }});
}

void addCameraCommands(MainWindow& window)
{
    CommandTable& table = window.commands();
    MainWindow* w = &window;
    ViewSettings* view = &window.editor().view();
    const QStringList camera = {Command::tr("View"), Command::tr("Camera")};
    table.add({.id = "view.previous",
               .menu = camera,
               .text = Command::tr("Previous view"),
               .tip = Command::tr("Go back to where the camera was"),
               .icon = "step-back",
               .keys = {"[", "", ""},
               .run = [w] { w->viewport().previousView(); },
               .whyNot =
                   [w] {
                       const auto& has = w->viewport().hasPreviousView;
                       return has && has() ? QString() : Command::tr("There is no previous view");
                   },
               .beginsGroup = true});
    table.add({.id = "view.next",
               .menu = camera,
               .text = Command::tr("Next view"),
               .tip = Command::tr("Return to the view that Previous view left"),
               .icon = "step-forward",
               .keys = {"]", "", ""},
               .run = [w] { w->viewport().nextView(); },
               .whyNot =
                   [w] {
                       const auto& has = w->viewport().hasNextView;
                       return has && has() ? QString() : Command::tr("There is no next view");
                   }});
    const std::tuple<const char*, QString, QString, Follow> follows[] = {
        {"view.follow.nothing", Command::tr("Stand still"),
         Command::tr("Leave the camera where it is from frame to frame"), Follow::Nothing},
        {"view.follow.root", Command::tr("Follow root"),
         Command::tr("Move the camera along with the root of the model"), Follow::Root},
        {"view.follow.selection", Command::tr("Follow selection"),
         Command::tr("Move the camera along with what is selected"), Follow::Selection}};
    for (const auto& [id, text, tip, follow] : follows)
        table.add({.id = QLatin1StringView(id),
                   .menu = camera,
                   .text = text,
                   .tip = tip,
                   .run = [view, follow = follow] { view->edit([follow](ViewState& s) { s.follow = follow; }); },
                   .isOn = [view, follow = follow] { return view->state().follow == follow; },
                   .beginsGroup = follow == Follow::Nothing});
    table.add({.id = "view.bookmark",
               .menu = {Command::tr("View"), Command::tr("Camera bookmarks")},
               .text = Command::tr("Bookmark camera…"),
               .tip = Command::tr("Save this view in the project under a name"),
               .icon = "camera",
               .run = [w] { keepCamera(*w); }});
    table.add({.id = "view.four",
               .menu = {Command::tr("View")},
               .text = Command::tr("Four views"),
               .tip = Command::tr("Show top, perspective, front and right together, or only the active view"),
               .icon = "grid",
               .keys = {"Ctrl+Space", "Ctrl+Space; Ctrl+Alt+Q", "Ctrl+Space; Alt+W"},
               .run = [w] { w->viewport().setFourViews(!w->viewport().hasFourViews()); },
               .whyNot = [w] { return w->viewport().setFourViews ? QString() : Command::tr("There is only one view"); },
               .isOn = [w] { return w->viewport().hasFourViews && w->viewport().hasFourViews(); }});
}

} // namespace

void addDisplayCommands(MainWindow& window)
{
    addVisibilityCommands(window);
    addGhostCommands(window);
    addCameraCommands(window);
    CommandTable& table = window.commands();
    ViewSettings* view = &window.editor().view();
    table.add({.id = "view.hideRig",
               .menu = {Command::tr("View")},
               .text = Command::tr("Hide the rig while playing"),
               .tip = Command::tr("Show nothing but the meshes while the clip plays"),
               .icon = "mesh",
               .run = [view] { view->edit([](ViewState& s) { s.hidesRigInPlayback = !s.hidesRigInPlayback; }); },
               .isOn = [view] { return view->state().hidesRigInPlayback; }});
}

} // namespace tendon::editor
