#include "app/editor/ShownKeys.h"
#include "app/widgets/MainWindow.h"
#include "app/widgets/RigNames.h"
#include "app/widgets/graph/GraphEdits.h"
#include "app/widgets/graph/KeyClipboard.h"
#include "app/widgets/time/TimeCommands.h"
#include "core/scene/Check.h"

#include <QInputDialog>
#include <QJsonArray>
#include <QLineEdit>

#include <cmath>
#include <set>

namespace tendon::editor {
namespace {

void addOnce(std::vector<ObjectId>& objects, ObjectId object)
{
    if (std::find(objects.begin(), objects.end(), object) == objects.end()) objects.push_back(object);
}

/// The objects whose keys a command works on, without duplicates.
std::vector<ObjectId> targets(Editor& editor)
{
    std::vector<ObjectId> objects;
    for (const SelectionItem& item : editor.selection().items()) addOnce(objects, item.object);
    return objects;
}

/// Those, and what is posed and not keyed: dragging a joint poses its handle.
std::vector<ObjectId> targetsOrPosed(Editor& editor)
{
    std::vector<ObjectId> objects = targets(editor);
    for (const auto& [channel, value] : editor.document().edit().pending) addOnce(objects, channel.target);
    return objects;
}

/// The frame of the next key of the selection, or of the whole rig if nothing is selected, in the layer that is edited;
/// empty = there is none.
std::optional<int> nextKey(const GraphState& keys, int direction)
{
    Editor& editor = keys.editor();
    const EditorDocument& document = editor.document();
    if (document.clip() == nullptr) return std::nullopt;
    const int now = editor.shownFrame();
    std::optional<int> best;
    for (const auto& [channel, list] : document.clip()->channels) {
        if (!editor.selection().isEmpty() && !editor.selection().containsObject(channel.target)) continue;
        if (!isShown(document.scene(), channel) || !keys.isEdited(channel)) continue;
        for (std::size_t i = 0; i < list->size(); ++i) {
            const int frame = static_cast<int>(std::lround(document.scene().fps.frameAt((*list)[i].time)));
            if ((frame - now) * direction > 0 && (!best || (frame - *best) * direction < 0)) best = frame;
        }
    }
    return best;
}

} // namespace

void addAnimateCommands(MainWindow& window)
{
    CommandTable& table = window.commands();
    Editor* editor = &window.editor();
    EditorDocument* document = &editor->document();
    const auto needsSelection = [editor] {
        return editor->selection().isEmpty() ? Command::tr("Select a joint or a handle first") : QString();
    };
    const auto needsClip = [document] {
        return document->clip() == nullptr ? Command::tr("There is no clip yet. Set a key first") : QString();
    };
    const auto forObjects = [document](const std::vector<ObjectId>& objects, const QJsonObject& base) {
        std::vector<QJsonObject> operations;
        for (const ObjectId object : objects) {
            QJsonObject operation = base;
            operation.insert("target", nameIn(*document, object));
            operations.push_back(operation);
        }
        (void)document->applyAsOne(operations);
    };
    const auto forTargets = [editor, forObjects](const QJsonObject& base) { forObjects(targets(*editor), base); };

    table.add({.id = "key.set",
               .menu = {Command::tr("Animate")},
               .text = Command::tr("Key"),
               .tip = Command::tr("Key the selection, and what is posed but not keyed"),
               .icon = "key-add",
               .keys = {"S", "I", "K"},
               .run =
                   [editor, forObjects] {
                       forObjects(targetsOrPosed(*editor), {{"op", "key"}});
                   },
               .whyNot = [editor,
                          needsSelection] { return targetsOrPosed(*editor).empty() ? needsSelection() : QString(); }});
    table.add({.id = "key.translation",
               .menu = {Command::tr("Animate")},
               .text = Command::tr("Key translation"),
               .tip = Command::tr("Key the translation of the selected joints"),
               .keys = {"Shift+W", "", ""},
               .run =
                   [forTargets] {
                       forTargets({{"op", "key"}, {"channels", QJsonArray{"translation"}}});
                   },
               .whyNot = needsSelection});
    table.add({.id = "key.rotation",
               .menu = {Command::tr("Animate")},
               .text = Command::tr("Key rotation"),
               .tip = Command::tr("Key the rotation of the selected joints"),
               .keys = {"Shift+E", "", ""},
               .run =
                   [forTargets] {
                       forTargets({{"op", "key"}, {"channels", QJsonArray{"angles"}}});
                   },
               .whyNot = needsSelection});
    const auto needsKeysHere = [w = &window, needsClip, needsSelection]() -> UserText {
        if (const UserText reason = needsClip(); !reason.isEmpty()) return reason;
        const bool isMarked = w->editor().playback().part().has_value();
        if (const UserText reason = needsSelection(); !isMarked && !reason.isEmpty()) return reason;
        if (hasKeysHere(*w)) return {};
        return isMarked ? Command::tr("The marked frames have no keys")
                        : Command::tr("The selection has no key at this frame");
    };
    table.add({.id = "key.delete",
               .menu = {Command::tr("Animate")},
               .text = Command::tr("Delete key"),
               .tip = Command::tr("Delete the keys of the selection at this frame, or those of the marked frames"),
               .icon = "key-remove",
               .keys = {"Alt+S", "Alt+I", ""},
               .run = [document, w = &window] { (void)document->applyAsOne(deleteKeys(w->keys(), keysHere(*w))); },
               .whyNot = needsKeysHere});
    table.add({.id = "key.auto",
               .menu = {Command::tr("Animate")},
               .text = Command::tr("Auto Key"),
               .tip = Command::tr("Set keys at the current frame while you pose; the first key of a channel also keys "
                                  "its former value at the first frame of the range"),
               .icon = "auto-key",
               .keys = {"", "", "N"},
               .run =
                   [document] {
                       (void)document->apply({{"op", "autoKey"}, {"on", !document->edit().isAutoKeyOn}});
                   },
               .isOn = [document] { return document->edit().isAutoKeyOn; }});
    table.add({.id = "key.cut",
               .menu = {Command::tr("Animate")},
               .text = Command::tr("Cut keys"),
               .tip = Command::tr("Cut the keys of the selection at this frame, or those of the marked frames"),
               .run =
                   [w = &window] {
                       w->keys().select(keysHere(*w));
                       cutKeys(w->keys());
                   },
               .whyNot = needsKeysHere,
               .beginsGroup = true});
    table.add({.id = "key.copy",
               .menu = {Command::tr("Animate")},
               .text = Command::tr("Copy keys"),
               .tip = Command::tr("Copy the keys of the selection at this frame, or those of the marked frames"),
               .icon = "copy",
               .keys = {"Ctrl+Alt+C", "Ctrl+Alt+C", "Ctrl+Alt+C"},
               .run = [w = &window] { (void)copyKeys(w->keys(), keysHere(*w)); },
               .whyNot = needsKeysHere});
    table.add({.id = "key.paste",
               .menu = {Command::tr("Animate")},
               .text = Command::tr("Paste keys"),
               .tip = Command::tr("Paste the copied keys, the first of them at this frame"),
               .icon = "paste",
               .keys = {"Ctrl+Alt+V", "Ctrl+Alt+V", "Ctrl+Alt+V"},
               .run = [w = &window] { pasteKeys(w->keys()); },
               .whyNot = [w = &window]() -> UserText { return whyNoPaste(w->keys()); }});
    const std::pair<const char*, QString> kinds[] = {
        {"step", Command::tr("Step")}, {"linear", Command::tr("Linear")}, {"bezier", Command::tr("Bezier")}};
    for (const auto& [kind, title] : kinds)
        table.add(
            {.id = QStringLiteral("key.%1").arg(kind),
             .menu = {Command::tr("Animate"), Command::tr("Interpolation")},
             .text = title,
             .tip = Command::tr("Set the interpolation of the selected keys, else of those of the marked frames, else "
                                "of the selection's keys at this frame"),
             .run =
                 [document, w = &window, kind = kind] {
                     const GraphState& keys = w->shownKeys();
                     const GraphKeys meant = keys.selected().empty() ? keysHere(*w) : keys.selected();
                     (void)document->applyAsOne(setTangents(keys, meant, {{"interpolation", kind}}, false));
                 },
             .whyNot = [w = &window, needsKeysHere]() -> UserText {
                 return w->shownKeys().selected().empty() ? needsKeysHere() : UserText();
             }});

    table.add({.id = "time.play",
               .menu = {Command::tr("Animate")},
               .text = Command::tr("Play"),
               .tip = Command::tr("Play the range, or the frames marked on the timeline, in real time, or stop"),
               .icon = "play",
               .keys = {"Space; Alt+V", "Space; Shift+Space", "/"},
               .run = [editor] { editor->togglePlayback(); },
               .isOn = [editor] { return editor->playback().isPlaying(); },
               .beginsGroup = true});
    const auto go = [editor](int frame) {
        const Scene& shown = editor->shown().now();
        editor->goToFrame(std::clamp(frame, shown.firstFrame, shown.lastFrame));
    };
    table.add({.id = "time.first",
               .menu = {Command::tr("Animate")},
               .text = Command::tr("First frame"),
               .tip = Command::tr("Go to the first frame of the range"),
               .icon = "to-start",
               .keys = {"Alt+Shift+V; Ctrl+Left", "Shift+Left", "Home"},
               .run = [go, editor] { go(editor->shown().now().firstFrame); }});
    table.add({.id = "time.last",
               .menu = {Command::tr("Animate")},
               .text = Command::tr("Last frame"),
               .tip = Command::tr("Go to the last frame of the range"),
               .icon = "to-end",
               .keys = {"Ctrl+Right", "Shift+Right", "End"},
               .run = [go, editor] { go(editor->shown().now().lastFrame); }});
    table.add({.id = "time.previousFrame",
               .menu = {Command::tr("Animate")},
               .text = Command::tr("Previous frame"),
               .tip = Command::tr("Go to the previous frame"),
               .icon = "step-back",
               .keys = {"Alt+,; Left", "Left", ",; Left"},
               .run = [go, editor] { go(editor->shownFrame() - 1); }});
    table.add({.id = "time.nextFrame",
               .menu = {Command::tr("Animate")},
               .text = Command::tr("Next frame"),
               .tip = Command::tr("Go to the next frame"),
               .icon = "step-forward",
               .keys = {"Alt+.; Right", "Right", ".; Right"},
               .run = [go, editor] { go(editor->shownFrame() + 1); }});
    table.add({.id = "time.previousKey",
               .menu = {Command::tr("Animate")},
               .text = Command::tr("Previous key"),
               .tip = Command::tr("Go to the previous key of the selection, or of the whole rig"),
               .icon = "key-prev",
               .keys = {",", "Down", ""},
               .run = [editor, w = &window] {
                   if (const auto frame = nextKey(w->keys(), -1)) editor->goToFrame(*frame);
               }});
    table.add({.id = "time.nextKey",
               .menu = {Command::tr("Animate")},
               .text = Command::tr("Next key"),
               .tip = Command::tr("Go to the next key of the selection, or of the whole rig"),
               .icon = "key-next",
               .keys = {".", "Up", ""},
               .run = [editor, w = &window] {
                   if (const auto frame = nextKey(w->keys(), 1)) editor->goToFrame(*frame);
               }});
    table.add({.id = "time.loop",
               .menu = {Command::tr("Animate")},
               .text = Command::tr("Loop"),
               .tip = Command::tr("Start again at the end of the range"),
               .icon = "loop",
               .run = [editor] { editor->playback().setLooping(!editor->playback().isLooping()); },
               .isOn = [editor] { return editor->playback().isLooping(); }});

    const auto ask = [w = &window](const QString& title, const QString& usual) {
        bool isOk = false;
        const QString name = QInputDialog::getText(w, title, Command::tr("Name"), QLineEdit::Normal, usual, &isOk);
        return isOk ? name : QString();
    };
    const auto current = [document] { return QString::fromStdString(document->clip()->name); };
    table.add({.id = "clip.add",
               .menu = {Command::tr("Animate"), Command::tr("Clips")},
               .text = Command::tr("New clip…"),
               .tip = Command::tr("Create an empty clip"),
               .icon = "add",
               .run = [document, ask] {
                   if (const QString name = ask(Command::tr("New clip"), Command::tr("Clip")); !name.isEmpty())
                       (void)document->apply({{"op", "addClip"}, {"name", name}});
               }});
    table.add({.id = "clip.rename",
               .menu = {Command::tr("Animate"), Command::tr("Clips")},
               .text = Command::tr("Rename clip…"),
               .tip = Command::tr("Rename the current clip"),
               .run =
                   [document, ask, current] {
                       if (const QString name = ask(Command::tr("Rename clip"), current()); !name.isEmpty())
                           (void)document->apply({{"op", "renameClip"}, {"name", current()}, {"to", name}});
                   },
               .whyNot = needsClip});
    table.add({.id = "clip.duplicate",
               .menu = {Command::tr("Animate"), Command::tr("Clips")},
               .text = Command::tr("Duplicate clip"),
               .tip = Command::tr("Duplicate the current clip"),
               .run =
                   [document, current] {
                       (void)document->apply({{"op", "duplicateClip"}, {"name", current()}});
                   },
               .whyNot = needsClip});
    table.add({.id = "clip.remove",
               .menu = {Command::tr("Animate"), Command::tr("Clips")},
               .text = Command::tr("Delete clip"),
               .tip = Command::tr("Delete the current clip and its keys"),
               .run =
                   [document, current] {
                       (void)document->apply({{"op", "removeClip"}, {"name", current()}});
                   },
               .whyNot = needsClip});
    table.add(
        {.id = "clip.bake",
         .menu = {Command::tr("Animate"), Command::tr("Clips")},
         .text = Command::tr("Bake to joints…"),
         .tip = Command::tr("Bake the current clip to a new clip with a joint key on every frame"),
         .run =
             [document, ask, current] {
                 if (const QString name = ask(Command::tr("Bake to joints"), Command::tr("%1 baked").arg(current()));
                     !name.isEmpty())
                     (void)document->apply({{"op", "bakeClip"}, {"clip", current()}, {"into", name}});
             },
         .whyNot = needsClip});
}

} // namespace tendon::editor
