#include "core/document/Families.h"
#include "core/document/FileStage.h"
#include "core/document/Lookup.h"
#include "core/document/Posing.h"
#include "core/scene/ClipEdit.h"

#include <cmath>

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

/// After the history has moved: nothing may name what is not there, and nothing posed outlives what it was posed on.
void settle(Document& document)
{
    const Scene& scene = document.scene();
    document.edit.pending.clear();
    if (scene.find(document.edit.currentClip) == nullptr)
        document.edit.currentClip = scene.clips.empty() ? ClipId{} : scene.clips.front()->id;
    std::erase_if(document.edit.copiedPose.joints,
                  [&](const auto& entry) { return scene.find(entry.first) == nullptr; });
    std::erase_if(document.edit.copiedPose.goals,
                  [&](const auto& entry) { return scene.find(entry.first) == nullptr; });
}

Result<void> move(Document& document, const Arguments& arguments, bool (History::*step)(), std::size_t available,
                  const char* what)
{
    const int count = arguments.integer("count", 1);
    if (count < 1) return Error{ErrorCode::InvalidArgument, "must be 1 or more", "count"};
    if (available == 0) return Error{ErrorCode::NotFound, std::string("there is nothing to ") + what, ""};
    if (static_cast<std::size_t>(count) > available)
        return Error{ErrorCode::NotFound, "there are only " + std::to_string(available) + " steps to " + what, "count"};
    for (int i = 0; i < count; ++i) (document.history.*step)();
    settle(document);
    return {};
}

Result<void> undoOperation(Document& document, const Arguments& arguments, FileStage&)
{
    return move(document, arguments, &History::undo, document.history.undoCount(), "undo");
}

Result<void> redoOperation(Document& document, const Arguments& arguments, FileStage&)
{
    return move(document, arguments, &History::redo, document.history.redoCount(), "redo");
}

constexpr Field kSetFrame[] = {{"value", Type::Integer, kRequired,
                                "Frame to go to. Pending values (posed on keyed channels, not keyed) are dropped"}};
constexpr Field kAutoKey[] = {{"on", Type::Bool, kRequired, "True: posing sets keys at the current frame"}};
constexpr Field kSelectClip[] = {{"name", Type::String, kRequired, "Clip to play and key from now on"}};
constexpr Field kUndo[] = {{"count", Type::Integer, kOptional, "Number of steps. Left out: 1"}};

constexpr Operation kEditingOperations[] = {
    {"setFrame", kSetFrame, false, "Goes to a frame.", setFrameOperation},
    {"autoKey", kAutoKey, false, "Turns Auto Key on or off.", autoKeyOperation},
    {"selectClip", kSelectClip, false, "Chooses the current clip.", selectClipOperation},
    {"undo", kUndo, false, "Undoes the last steps.", nullptr, undoOperation},
    {"redo", kUndo, false, "Redoes the last undone steps.", nullptr, redoOperation},
};

} // namespace

std::span<const Operation> editingOperations() { return kEditingOperations; }

} // namespace tendon
