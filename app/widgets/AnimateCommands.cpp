#include "app/widgets/MainWindow.h"
#include "app/widgets/RigNames.h"
#include "core/scene/Check.h"

#include <QInputDialog>
#include <QJsonArray>
#include <QLineEdit>

#include <cmath>
#include <set>

namespace tendon::editor {
namespace {

/// Objects whose keys a command works on, each once.
std::vector<ObjectId> targets(Editor& editor)
{
    std::vector<ObjectId> objects;
    for (const SelectionItem& item : editor.selection().items())
        if (std::find(objects.begin(), objects.end(), item.object) == objects.end()) objects.push_back(item.object);
    return objects;
}

bool hasKeys(const Clip* clip, ObjectId object)
{
    return clip != nullptr && std::any_of(clip->channels.begin(), clip->channels.end(),
                                          [&](const auto& channel) { return channel.first.target == object; });
}

/// The frame of the next key of what is selected (of anything, without a selection); none = there is no further one.
std::optional<int> nextKey(Editor& editor, int direction)
{
    const EditorDocument& document = editor.document();
    if (document.clip() == nullptr) return std::nullopt;
    const int now = editor.shownFrame();
    std::optional<int> best;
    for (const auto& [channel, keys] : document.clip()->channels) {
        if (!editor.selection().isEmpty() && !editor.selection().containsObject(channel.target)) continue;
        for (std::size_t i = 0; i < keys->size(); ++i) {
            const int frame = static_cast<int>(std::lround(document.scene().fps.frameAt((*keys)[i].time)));
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
        return editor->selection().isEmpty() ? QString("Select a joint or a handle first") : QString();
    };
    const auto needsClip = [document] {
        return document->clip() == nullptr ? QString("There is no clip yet: set a key first") : QString();
    };
    const auto forTargets = [editor, document](const QJsonObject& base, bool onlyKeyed) {
        std::vector<QJsonObject> operations;
        for (const ObjectId object : targets(*editor)) {
            if (onlyKeyed && !hasKeys(document->clip(), object)) continue;
            QJsonObject operation = base;
            operation.insert("target", nameIn(*document, object));
            operations.push_back(operation);
        }
        (void)document->applyAsOne(operations);
    };

    table.add({.id = "key.set",
               .menu = "Animate",
               .text = "Key",
               .tip = "Keys what is selected as it is posed",
               .icon = "key-add",
               .keys = {"S", "I", "K"},
               .run =
                   [forTargets] {
                       forTargets({{"op", "key"}}, false);
                   },
               .whyNot = needsSelection});
    table.add({.id = "key.translation",
               .menu = "Animate",
               .text = "Key translation",
               .tip = "Keys the selected joints' translations",
               .keys = {"Shift+W", "", ""},
               .run =
                   [forTargets] {
                       forTargets({{"op", "key"}, {"channels", QJsonArray{"translation"}}}, false);
                   },
               .whyNot = needsSelection});
    table.add({.id = "key.rotation",
               .menu = "Animate",
               .text = "Key rotation",
               .tip = "Keys the selected joints' rotations",
               .keys = {"Shift+E", "", ""},
               .run =
                   [forTargets] {
                       forTargets({{"op", "key"}, {"channels", QJsonArray{"angles"}}}, false);
                   },
               .whyNot = needsSelection});
    table.add(
        {.id = "key.delete",
         .menu = "Animate",
         .text = "Delete key",
         .tip = "Deletes the selection's keys at this frame",
         .icon = "key-remove",
         .keys = {"Alt+S", "Alt+I", ""},
         .run =
             [forTargets] {
                 forTargets({{"op", "deleteKey"}}, true);
             },
         .whyNot = [needsSelection, needsClip] { return needsClip().isEmpty() ? needsSelection() : needsClip(); }});
    table.add({.id = "key.auto",
               .menu = "Animate",
               .text = "Auto Key",
               .tip = "While it is on, posing sets keys at the current frame; a channel's first key also keys what "
                      "was, at the first frame",
               .icon = "auto-key",
               .keys = {"", "", "N"},
               .run =
                   [document] {
                       (void)document->apply({{"op", "autoKey"}, {"on", !document->edit().isAutoKeyOn}});
                   },
               .isOn = [document] { return document->edit().isAutoKeyOn; }});
    const auto copied = std::make_shared<std::pair<int, std::vector<ObjectId>>>();
    table.add({.id = "key.copy",
               .menu = "Animate",
               .text = "Copy keys of this frame",
               .tip = "Remembers the selection's keys at this frame",
               .icon = "copy",
               .keys = {"Ctrl+Alt+C", "Ctrl+Alt+C", "Ctrl+Alt+C"},
               .run =
                   [editor, copied] {
                       *copied = {editor->shownFrame(), targets(*editor)};
                   },
               .whyNot = [needsSelection, needsClip] { return needsClip().isEmpty() ? needsSelection() : needsClip(); },
               .beginsGroup = true});
    table.add({.id = "key.paste",
               .menu = "Animate",
               .text = "Paste keys here",
               .tip = "Copies the remembered keys to this frame",
               .icon = "paste",
               .keys = {"Ctrl+Alt+V", "Ctrl+Alt+V", "Ctrl+Alt+V"},
               .run =
                   [editor, document, copied] {
                       std::vector<QJsonObject> operations;
                       for (const ObjectId object : copied->second)
                           if (hasKeys(document->clip(), object))
                               operations.push_back({{"op", "copyKeys"},
                                                     {"target", nameIn(*document, object)},
                                                     {"frame", copied->first},
                                                     {"to", editor->shownFrame()}});
                       (void)document->applyAsOne(operations);
                   },
               .whyNot = [copied] { return copied->second.empty() ? QString("Copy keys first") : QString(); }});
    for (const char* kind : {"step", "linear", "bezier"})
        table.add(
            {.id = QStringLiteral("key.%1").arg(kind),
             .menu = "Animate|Interpolation",
             .text = QString(kind).replace(0, 1, QChar(*kind).toUpper()),
             .tip = "How the selection's keys at this frame run on",
             .run =
                 [forTargets, editor, kind] {
                     forTargets({{"op", "setTangent"}, {"frame", editor->shownFrame()}, {"interpolation", kind}}, true);
                 },
             .whyNot = needsClip});

    table.add({.id = "time.play",
               .menu = "Animate",
               .text = "Play",
               .tip = "Plays the range at true speed, or stops",
               .icon = "play",
               .keys = {"Space; Alt+V", "Space; Shift+Space", "/"},
               .run = [editor] { editor->togglePlayback(); },
               .isOn = [editor] { return editor->playback().isPlaying(); },
               .beginsGroup = true});
    const auto go = [editor, document](int frame) {
        editor->goToFrame(std::clamp(frame, document->scene().firstFrame, document->scene().lastFrame));
    };
    table.add({.id = "time.first",
               .menu = "Animate",
               .text = "First frame",
               .tip = "Goes to the range's first frame",
               .icon = "to-start",
               .keys = {"Alt+Shift+V; Ctrl+Left", "Shift+Left", "Home"},
               .run = [go, document] { go(document->scene().firstFrame); }});
    table.add({.id = "time.last",
               .menu = "Animate",
               .text = "Last frame",
               .tip = "Goes to the range's last frame",
               .icon = "to-end",
               .keys = {"Ctrl+Right", "Shift+Right", "End"},
               .run = [go, document] { go(document->scene().lastFrame); }});
    table.add({.id = "time.previousFrame",
               .menu = "Animate",
               .text = "Previous frame",
               .tip = "One frame back",
               .icon = "step-back",
               .keys = {"Alt+,; Left", "Left", ",; Left"},
               .run = [go, editor] { go(editor->shownFrame() - 1); }});
    table.add({.id = "time.nextFrame",
               .menu = "Animate",
               .text = "Next frame",
               .tip = "One frame on",
               .icon = "step-forward",
               .keys = {"Alt+.; Right", "Right", ".; Right"},
               .run = [go, editor] { go(editor->shownFrame() + 1); }});
    table.add({.id = "time.previousKey",
               .menu = "Animate",
               .text = "Previous key",
               .tip = "Back to a key of what is selected, or of anything",
               .icon = "key-prev",
               .keys = {",", "Down", ""},
               .run = [editor] {
                   if (const auto frame = nextKey(*editor, -1)) editor->goToFrame(*frame);
               }});
    table.add({.id = "time.nextKey",
               .menu = "Animate",
               .text = "Next key",
               .tip = "On to a key of what is selected, or of anything",
               .icon = "key-next",
               .keys = {".", "Up", ""},
               .run = [editor] {
                   if (const auto frame = nextKey(*editor, 1)) editor->goToFrame(*frame);
               }});
    table.add({.id = "time.loop",
               .menu = "Animate",
               .text = "Loop",
               .tip = "Begins again at the end",
               .icon = "loop",
               .run = [editor] { editor->playback().setLooping(!editor->playback().isLooping()); },
               .isOn = [editor] { return editor->playback().isLooping(); }});

    const auto ask = [w = &window](const QString& title, const QString& usual) {
        bool isOk = false;
        const QString name = QInputDialog::getText(w, title, "Name", QLineEdit::Normal, usual, &isOk);
        return isOk ? name : QString();
    };
    const auto current = [document] { return QString::fromStdString(document->clip()->name); };
    table.add({.id = "clip.add",
               .menu = "Animate|Clips",
               .text = "New clip…",
               .tip = "Adds an empty clip",
               .icon = "add",
               .run = [document, ask] {
                   if (const QString name = ask("New clip", "Clip"); !name.isEmpty())
                       (void)document->apply({{"op", "addClip"}, {"name", name}});
               }});
    table.add({.id = "clip.rename",
               .menu = "Animate|Clips",
               .text = "Rename clip…",
               .tip = "Gives the current clip another name",
               .run =
                   [document, ask, current] {
                       if (const QString name = ask("Rename clip", current()); !name.isEmpty())
                           (void)document->apply({{"op", "renameClip"}, {"name", current()}, {"to", name}});
                   },
               .whyNot = needsClip});
    table.add({.id = "clip.duplicate",
               .menu = "Animate|Clips",
               .text = "Duplicate clip",
               .tip = "Copies the current clip",
               .run =
                   [document, current] {
                       (void)document->apply({{"op", "duplicateClip"}, {"name", current()}});
                   },
               .whyNot = needsClip});
    table.add({.id = "clip.remove",
               .menu = "Animate|Clips",
               .text = "Remove clip",
               .tip = "Removes the current clip and its keys",
               .run =
                   [document, current] {
                       (void)document->apply({{"op", "removeClip"}, {"name", current()}});
                   },
               .whyNot = needsClip});
    table.add({.id = "clip.bake",
               .menu = "Animate|Clips",
               .text = "Bake to joints…",
               .tip = "Makes a clip of joint keys, one a frame, out of the current one",
               .run =
                   [document, ask, current] {
                       if (const QString name = ask("Bake to joints", current() + " baked"); !name.isEmpty())
                           (void)document->apply({{"op", "bakeClip"}, {"clip", current()}, {"into", name}});
                   },
               .whyNot = needsClip});
}

} // namespace tendon::editor
