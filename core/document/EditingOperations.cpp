#include "core/document/Families.h"
#include "core/document/Lookup.h"
#include "core/document/Posing.h"
#include "core/scene/Check.h"
#include "core/scene/ClipEdit.h"

#include <cmath>
#include <cstdint>
#include <optional>

namespace tendon {
namespace {

using Type = Field::Type;

Result<void> setFrameOperation(Draft& draft, const Arguments& arguments)
{
    const int frame = arguments.integer("value");
    if (std::abs(frame) > kMaxFrame)
        return Error{ErrorCode::LimitExceeded, "frames must be within 10 000 000 of 0", "value"};
    if (frame == draft.edit.frame) return {};
    dropPending(draft);
    draft.edit.frame = frame;
    return {};
}

Result<void> autoKeyOperation(Draft& draft, const Arguments& arguments)
{
    draft.edit.isAutoKeyOn = arguments.boolean("on");
    return {};
}

Result<void> selectClipOperation(Draft& draft, const Arguments& arguments)
{
    const auto clip = clipIn(draft.scene, arguments, "name");
    if (!clip) return clip.error();
    selectClip(draft, *clip);
    return {};
}

Result<void> groupOperation(Draft& draft, const Arguments& arguments)
{
    std::string text;
    const std::vector<QJsonObject> operations = arguments.operations("operations");
    const auto movesKeys = [&](std::size_t i) {
        const Operation* operation = i < operations.size() ? findOperation(operations[i]) : nullptr;
        return operation != nullptr && operation->movesKeys;
    };
    for (std::size_t first = 0, next = 0; first < operations.size(); first = next) {
        const Operation* operation = findOperation(operations[first]);
        if (operation != nullptr && !operation->isUndoStep)
            return Error{ErrorCode::InvalidArgument,
                         inQuotes(operation->name) + " is not an undo step, so it cannot be in a group; carry it out "
                                                     "before or after",
                         placeInGroup(first)};
        for (next = first + 1; movesKeys(first) && movesKeys(next);) ++next;
        std::size_t done = 0;
        const auto together = std::span(operations).subspan(first, next - first);
        if (const auto carried = carryOutTogether(draft, together, done); !carried)
            return carried.error().within(placeInGroup(first + done));
        if (text.empty()) text = draft.text;
    }
    draft.text = arguments.text(
        "label", operations.size() == 1 ? text : text + " and " + std::to_string(operations.size() - 1) + " more");
    return {};
}

Result<void> move(Document& document, const Arguments& arguments, bool (History::*step)(),
                  std::optional<std::int32_t> (History::*frame)() const, std::size_t available, const char* what)
{
    const int count = arguments.integer("count", 1);
    if (count < 1) return Error{ErrorCode::InvalidArgument, "must be 1 or more", "count"};
    if (available == 0) return Error{ErrorCode::NotFound, std::string("there is nothing to ") + what, ""};
    if (static_cast<std::size_t>(count) > available)
        return Error{ErrorCode::NotFound,
                     "must be at most " + std::to_string(available) + ": there is no further step to " + what, "count"};
    for (int i = 0; i < count; ++i) {
        document.edit.frame = (document.history.*frame)().value_or(document.edit.frame);
        (document.history.*step)();
    }
    followHistory(document);
    return {};
}

Result<void> undoOperation(Document& document, const Arguments& arguments, FileStage&)
{
    return move(document, arguments, &History::undo, &History::undoFrame, document.history.undoCount(), "undo");
}

Result<void> redoOperation(Document& document, const Arguments& arguments, FileStage&)
{
    return move(document, arguments, &History::redo, &History::redoFrame, document.history.redoCount(), "redo");
}

constexpr Field kSetFrame[] = {{"value", Type::Frame, kRequired,
                                "Frame to go to. Pending values (posed on keyed channels, not keyed) are dropped"}};
constexpr Field kAutoKey[] = {{"on", Type::Bool, kRequired, "True: posing sets keys at the current frame"}};
constexpr Field kSelectClip[] = {{"name", Type::String, kRequired, "Clip to play and key from now on"}};
constexpr Field kGroup[] = {
    {"operations", Type::Operations, kRequired, "Operations that are undo steps, in order"},
    {"label", Type::String, kOptional, "Name of the step in the Undo menu. Left out: made from the first operation"}};
constexpr Field kUndo[] = {{"count", Type::Integer, kOptional, "Number of steps. Left out: 1"}};

constexpr Operation kEditingOperations[] = {
    {"setFrame", kSetFrame, false, "Goes to a frame.", setFrameOperation, nullptr, !kTakesTime, nullptr,
     kOnlyLastMatters},
    {"autoKey", kAutoKey, false, "Turns Auto Key on or off.", autoKeyOperation},
    {"selectClip", kSelectClip, false, "Chooses the current clip.", selectClipOperation},
    {"group", kGroup, true, "Carries out several operations as one undo step. If one fails, none has an effect.",
     groupOperation},
    {"undo", kUndo, false,
     "Undoes the last steps. Goes to the frame at which a step was made, if it changed keys or an unkeyed pose.",
     nullptr, undoOperation},
    {"redo", kUndo, false, "Redoes the last undone steps, and goes to their frames as undo does.", nullptr,
     redoOperation},
};

} // namespace

std::span<const Operation> editingOperations() { return kEditingOperations; }

} // namespace tendon
