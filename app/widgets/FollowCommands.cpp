#include "app/widgets/FollowCommands.h"

#include "app/widgets/MainWindow.h"
#include "app/widgets/RigNames.h"

#include <QJsonObject>

#include <algorithm>
#include <utility>
#include <vector>

namespace tendon::editor {
namespace {

/// What is selected: the joint, else the handle that was selected first, is followed by the other handles.
struct FollowParts
{
    std::vector<HandleId> handles; ///< all that are selected
    ObjectId followed = 0;         ///< 0 = nothing

    [[nodiscard]] std::vector<HandleId> followers() const
    {
        std::vector<HandleId> others = handles;
        std::erase_if(others, [this](HandleId handle) { return handle.value == followed; });
        return others;
    }
};
FollowParts partsOf(const Selection& selection)
{
    FollowParts parts;
    for (const SelectionItem& item : selection.items()) {
        if (item.joint().isValid() && parts.followed == 0) parts.followed = item.object;
        const HandleId handle = item.handle();
        if (handle.isValid() && std::find(parts.handles.begin(), parts.handles.end(), handle) == parts.handles.end())
            parts.handles.push_back(handle);
    }
    if (parts.followed == 0 && parts.handles.size() > 1) parts.followed = parts.handles.front().value;
    return parts;
}

/// In frames `from` to `to` the goal keeps its place on what it follows there; before and after, it moves as it did.
QJsonObject holdIn(const QString& handle, const QString& space, std::pair<int, int> frames)
{
    QJsonObject operation = followFromHere(handle, Property::GoalPosition, space);
    operation.insert("frame", frames.first);
    operation.insert("to", frames.second);
    return operation;
}

} // namespace

QJsonObject followFromHere(const QString& handle, Property place, const QJsonValue& space)
{
    return {{"op", "keySpace"},
            {"handle", handle},
            {"space", space},
            {"part", place == Property::Pole ? QStringLiteral("pole") : QStringLiteral("goal")}};
}

void addFollowCommands(MainWindow& window)
{
    CommandTable& table = window.commands();
    Editor* editor = &window.editor();
    EditorDocument* document = &editor->document();
    const QStringList menu = {Command::tr("Animate"), Command::tr("Follows")};
    const auto apply = [document](const std::vector<HandleId>& handles, const QJsonValue& space,
                                  bool keepsFrames = false) {
        std::vector<QJsonObject> operations;
        for (const HandleId handle : handles) {
            operations.push_back(followFromHere(nameIn(*document, handle.value), Property::GoalPosition, space));
            if (keepsFrames) operations.back().insert("keep", "frames");
        }
        (void)document->applyAsOne(operations);
    };
    const auto needsParts = [editor]() -> UserText {
        const FollowParts parts = partsOf(editor->selection());
        return parts.followed == 0 || parts.followers().empty()
                   ? Command::tr("Select what to follow first, then the handles")
                   : QString();
    };
    table.add({.id = "follow.fromHere",
               .menu = menu,
               .text = Command::tr("Follow from here"),
               .tip = Command::tr("From this frame on, let the selected handles go along with the joint or handle that "
                                  "was selected first; they stay in place at this frame"),
               .icon = "link",
               .run =
                   [editor, document, apply] {
                       const FollowParts parts = partsOf(editor->selection());
                       apply(parts.followers(), nameIn(*document, parts.followed));
                   },
               .whyNot = needsParts});
    table.add({.id = "follow.keepFrames",
               .menu = menu,
               .text = Command::tr("Follow and keep every frame"),
               .tip = Command::tr("From this frame on, let the selected handles go along with the joint or handle that "
                                  "was selected first, with keys where it takes them so that nothing moves"),
               .icon = "link",
               .run =
                   [editor, document, apply] {
                       const FollowParts parts = partsOf(editor->selection());
                       apply(parts.followers(), nameIn(*document, parts.followed), true);
                   },
               .whyNot = needsParts});
    table.add(
        {.id = "follow.hold",
         .menu = menu,
         .text = Command::tr("Hold in marked frames"),
         .tip = Command::tr("In the frames marked on the timeline, keep the selected handles in place on the joint or "
                            "handle that was selected first; before and after, they move as they did"),
         .icon = "pin",
         .run =
             [editor, document] {
                 const FollowParts parts = partsOf(editor->selection());
                 std::vector<QJsonObject> operations;
                 for (const HandleId handle : parts.followers())
                     operations.push_back(holdIn(nameIn(*document, handle.value), nameIn(*document, parts.followed),
                                                 *editor->playback().part()));
                 (void)document->applyAsOne(operations);
             },
         .whyNot = [editor, needsParts]() -> UserText {
             if (const UserText missing = needsParts(); !missing.isEmpty()) return missing;
             return editor->playback().part() ? QString() : Command::tr("Mark frames with Shift on the timeline first");
         }});
    table.add({.id = "follow.letGo",
               .menu = menu,
               .text = Command::tr("Let go from here"),
               .tip = Command::tr("From this frame on, let the selected handles follow the world; they stay in place "
                                  "at this frame"),
               .icon = "space-world",
               .run = [editor, apply] { apply(partsOf(editor->selection()).handles, QJsonValue::Null); },
               .whyNot = [editor]() -> UserText {
                   return partsOf(editor->selection()).handles.empty() ? Command::tr("Select a handle first")
                                                                       : QString();
               }});
}

} // namespace tendon::editor
