#include "app/widgets/time/TimeCommands.h"
#include "app/widgets/MainWindow.h"
#include "app/widgets/graph/GraphEdits.h"
#include "app/widgets/time/MarkedRange.h"
#include "app/widgets/time/TimeView.h"

#include <QInputDialog>
#include <QLineEdit>

#include <algorithm>
#include <cmath>
#include <optional>

namespace tendon::editor {
namespace {

/// The frame of the next or previous marker; none = there is none.
std::optional<int> markerFrom(Editor& editor, int direction)
{
    const Clip* clip = editor.document().clip();
    if (clip == nullptr) return std::nullopt;
    const FrameRate fps = editor.document().scene().fps;
    std::optional<int> best;
    for (const Marker& marker : clip->markers) {
        const auto frame = static_cast<int>(std::lround(fps.frameAt(marker.time)));
        if ((frame - editor.shownFrame()) * direction > 0 && (!best || (frame - *best) * direction < 0)) best = frame;
    }
    return best;
}

bool hasMarkerHere(Editor& editor)
{
    const Clip* clip = editor.document().clip();
    if (clip == nullptr) return false;
    const FrameRate fps = editor.document().scene().fps;
    return std::any_of(clip->markers.begin(), clip->markers.end(), [&](const Marker& marker) {
        constexpr double kNear = 1e-3; // [frames]
        return std::abs(fps.frameAt(marker.time) - editor.shownFrame()) < kNear;
    });
}

void addMarkerCommands(CommandTable& table, MainWindow& window)
{
    Editor* editor = &window.editor();
    const QStringList menu{Command::tr("Animate"), Command::tr("Markers")};
    table.add({.id = "marker.add",
               .menu = menu,
               .text = Command::tr("Add marker…"),
               .tip = Command::tr("Name the current frame of the clip, such as a contact"),
               .keys = {"Alt+M", "M", "Alt+M"},
               .run =
                   [editor, w = &window] {
                       bool isOk = false;
                       const QString name = QInputDialog::getText(w, Command::tr("Add marker"), Command::tr("Name"),
                                                                  QLineEdit::Normal, Command::tr("Marker"), &isOk);
                       if (isOk && !name.isEmpty())
                           (void)editor->document().apply({{"op", "addMarker"}, {"name", name}});
                   },
               .whyNot = [editor]() -> UserText {
                   return hasMarkerHere(*editor) ? Command::tr("This frame already has a marker") : QString();
               }});
    const auto needsMarker = [editor]() -> UserText {
        return hasMarkerHere(*editor) ? QString() : Command::tr("Go to the frame of a marker first");
    };
    table.add({.id = "marker.remove",
               .menu = menu,
               .text = Command::tr("Delete marker"),
               .tip = Command::tr("Delete the marker at this frame"),
               .run =
                   [editor] {
                       (void)editor->document().apply({{"op", "removeMarker"}});
                   },
               .whyNot = needsMarker});
    for (const int direction : {-1, 1})
        table.add({.id = direction < 0 ? "marker.previous" : "marker.next",
                   .menu = menu,
                   .text = direction < 0 ? Command::tr("Previous marker") : Command::tr("Next marker"),
                   .tip = direction < 0 ? Command::tr("Go to the marker before this frame")
                                        : Command::tr("Go to the marker after this frame"),
                   .run =
                       [editor, direction] {
                           if (const auto frame = markerFrom(*editor, direction)) editor->goToFrame(*frame);
                       },
                   .whyNot = [editor, direction]() -> UserText {
                       return markerFrom(*editor, direction) ? QString()
                                                             : Command::tr("There is no marker on that side");
                   }});
}

void addMarkCommands(CommandTable& table, MainWindow& window)
{
    Editor* editor = &window.editor();
    MainWindow* w = &window;
    const QStringList menu{Command::tr("Animate"), Command::tr("Time")};
    const auto needsMark = [editor]() -> UserText {
        return editor->playback().part() ? QString() : Command::tr("Mark frames with Shift on the timeline first");
    };
    const auto needsKeys = [w]() -> UserText {
        return w->shownKeys().selected().empty() ? Command::tr("Select keys in the dope sheet or in the graph first")
                                                 : QString();
    };
    const auto extent = [w] { return w->shownKeys().extentOf(w->shownKeys().selected()); };
    table.add({.id = "time.markKeys",
               .menu = menu,
               .text = Command::tr("Mark the frames of the selected keys"),
               .tip = Command::tr("Mark the frames from the first to the last selected key, to play and retime them"),
               .run =
                   [editor, extent] {
                       if (const auto keys = extent())
                           editor->playback().setPart({{static_cast<int>(std::floor(keys->firstFrame)),
                                                        static_cast<int>(std::ceil(keys->lastFrame))}});
                   },
               .whyNot = needsKeys});
    table.add({.id = "time.rangeFromMark",
               .menu = menu,
               .text = Command::tr("Set range to marked frames"),
               .tip = Command::tr("Set the first and last frame of the range to those of the marked frames"),
               .run =
                   [editor] {
                       const auto part = *editor->playback().part();
                       (void)editor->document().apply({{"op", "setRange"}, {"from", part.first}, {"to", part.second}});
                   },
               .whyNot = needsMark});
    table.add({.id = "time.unmark",
               .menu = menu,
               .text = Command::tr("Unmark frames"),
               .tip = Command::tr("Clear the marked frames; Play plays the whole range again"),
               .run = [editor] { editor->playback().setPart({}); },
               .whyNot = needsMark});
    const auto show = [w](double first, double last) {
        const double margin = std::max(1.0, 0.05 * (last - first));
        w->time().show(first - margin, last + margin);
    };
    table.add({.id = "time.frameMark",
               .menu = menu,
               .text = Command::tr("Zoom to the marked frames"),
               .tip = Command::tr("Zoom timeline, dope sheet and graph to the marked frames"),
               .run =
                   [editor, show] {
                       const auto part = *editor->playback().part();
                       show(part.first, part.second);
                   },
               .whyNot = needsMark,
               .beginsGroup = true});
    table.add({.id = "time.frameKeys",
               .menu = menu,
               .text = Command::tr("Zoom to the selected keys"),
               .tip = Command::tr("Zoom timeline, dope sheet and graph to the frames of the selected keys"),
               .run =
                   [extent, show] {
                       if (const auto keys = extent()) show(keys->firstFrame, keys->lastFrame);
                   },
               .whyNot = needsKeys});
    table.add({.id = "time.frameAll",
               .menu = menu,
               .text = Command::tr("Show all frames"),
               .tip = Command::tr("Show the whole range in timeline, dope sheet and graph"),
               .run = [w] { w->time().showAll(); }});
}

} // namespace

GraphKeys keysHere(MainWindow& window)
{
    Editor& editor = window.editor();
    if (const auto& part = editor.playback().part()) return keysBetween(window.keys(), part->first, part->second);
    if (editor.selection().isEmpty()) return {};
    return keysBetween(window.keys(), editor.shownFrame(), editor.shownFrame());
}

bool hasKeysHere(MainWindow& window)
{
    Editor& editor = window.editor();
    if (const auto& part = editor.playback().part()) return hasKeysBetween(window.keys(), part->first, part->second);
    return !editor.selection().isEmpty() && hasKeysBetween(window.keys(), editor.shownFrame(), editor.shownFrame());
}

void addTimeCommands(MainWindow& window)
{
    CommandTable& table = window.commands();
    MainWindow* w = &window;
    for (const bool isResampled : {false, true})
        table.add({.id = isResampled ? "key.resample" : "key.snap",
                   .menu = {Command::tr("Animate")},
                   .text = isResampled ? Command::tr("Resample keys on frames") : Command::tr("Snap keys to frames"),
                   .tip = isResampled
                              ? Command::tr("Replace the selected keys, else those of the marked frames, by keys "
                                            "at whole frames, with the values that the curves have there")
                              : Command::tr("Move the selected keys, else those of the marked frames, to whole frames"),
                   .run =
                       [w, isResampled] {
                           GraphState& keys = w->shownKeys();
                           (void)keys.editor().document().applyAsOne(
                               forKeys(keys, keys.selected().empty() ? keysHere(*w) : keys.selected(), "snapKeys",
                                       isResampled ? QJsonObject{{"resample", true}} : QJsonObject{}));
                       },
                   .whyNot = [w]() -> UserText {
                       return w->shownKeys().selected().empty() && !hasKeysHere(*w)
                                  ? Command::tr("Select keys, or mark frames with keys, first")
                                  : QString();
                   }});
    table.add({.id = "key.breakdown",
               .menu = {Command::tr("Animate")},
               .text = Command::tr("Breakdown"),
               .tip = Command::tr("Key the current frame halfway between the keys before and after it"),
               .keys = {"", "Shift+E", ""},
               .run = [w] { (void)w->editor().document().applyAsOne(breakdowns(w->shownKeys(), 0.5)); },
               .whyNot = [w]() -> UserText {
                   return !hasBreakdowns(w->shownKeys())
                              ? Command::tr("Go to a frame that has keys before and after it")
                              : QString();
               }});
    addMarkerCommands(table, window);
    addMarkCommands(table, window);
}

} // namespace tendon::editor
