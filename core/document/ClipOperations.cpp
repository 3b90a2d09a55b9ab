#include "core/document/Families.h"
#include "core/document/Lookup.h"
#include "core/document/Posing.h"
#include "core/scene/Check.h"
#include "core/scene/ClipEdit.h"

#include <algorithm>
#include <cmath>

namespace tendon {
namespace {

using Type = Field::Type;

Result<void> addClipOperation(Draft& draft, const Arguments& arguments)
{
    draft.text = "Add clip " + arguments.text("name");
    if (const auto added = draft.take(addClip(std::move(draft.scene), arguments.text("name"))); !added) return added;
    selectClip(draft, draft.scene.clips.back()->id);
    return {};
}

Result<void> renameClipOperation(Draft& draft, const Arguments& arguments)
{
    const auto clip = clipIn(draft.scene, arguments, "name");
    if (!clip) return clip.error();
    draft.text = "Rename clip " + arguments.text("name");
    return draft.take(renameClip(std::move(draft.scene), *clip, arguments.text("to")));
}

Result<void> duplicateClipOperation(Draft& draft, const Arguments& arguments)
{
    const auto clip = clipIn(draft.scene, arguments, "name");
    if (!clip) return clip.error();
    const std::string to = arguments.has("to") ? arguments.text("to")
                                               : freeClipName(draft.scene, arguments.text("name"));
    draft.text = "Duplicate clip " + arguments.text("name");
    if (const auto copied = draft.take(duplicateClip(std::move(draft.scene), *clip, to)); !copied) return copied;
    selectClip(draft, draft.scene.clips.back()->id);
    return {};
}

Result<void> removeClipOperation(Draft& draft, const Arguments& arguments)
{
    const auto clip = clipIn(draft.scene, arguments, "name");
    if (!clip) return clip.error();
    draft.text = "Remove clip " + arguments.text("name");
    const auto& clips = draft.scene.clips;
    const auto at = std::find_if(clips.begin(), clips.end(), [&](const auto& c) { return c->id == *clip; }) -
                    clips.begin();
    if (const auto removed = draft.take(removeClip(std::move(draft.scene), *clip)); !removed) return removed;
    if (draft.edit.currentClip == *clip) {
        // The one that comes to stand in its place, else the last.
        const auto next = std::min<std::ptrdiff_t>(at, std::ssize(draft.scene.clips) - 1);
        selectClip(draft, next < 0 ? ClipId{} : draft.scene.clips[static_cast<std::size_t>(next)]->id);
    }
    return {};
}

Result<void> setFpsOperation(Draft& draft, const Arguments& arguments)
{
    const double value = arguments.number("value");
    if (!(value >= 0.01 && value <= 10'000))
        return Error{ErrorCode::InvalidArgument, "must be from 0.01 to 10000", "value"};
    draft.text = "Set frame rate";
    const Time before = draft.time();
    if (const auto set = draft.take(setFrameRate(std::move(draft.scene), FrameRate::fromValue(value))); !set)
        return set;
    if (draft.time() != before) dropPending(draft);
    return {};
}

Result<void> setRangeOperation(Draft& draft, const Arguments& arguments)
{
    draft.text = "Set range";
    return draft.take(setRange(std::move(draft.scene), arguments.integer("from"), arguments.integer("to")));
}

constexpr Field kAddClip[] = {
    {"name", Type::String, kRequired, "Name of the new clip, which becomes the current clip"}};
constexpr Field kRenameClip[] = {{"name", Type::String, kRequired, "Clip to rename"},
                                 {"to", Type::String, kRequired, "New name"}};
constexpr Field kDuplicateClip[] = {
    {"name", Type::String, kRequired, "Clip to duplicate"},
    {"to", Type::String, kOptional,
     "Name of the duplicate, which becomes the current clip. Left out: the name with a number"}};
constexpr Field kRemoveClip[] = {{"name", Type::String, kRequired, "Clip to remove, with its keys"}};
constexpr Field kSetFps[] = {
    {"value", Type::Number, kRequired, "Frames per second; 23.976, 29.97 and 59.94 mean the exact NTSC fractions"}};
constexpr Field kSetRange[] = {{"from", Type::Frame, kRequired, "First frame"},
                               {"to", Type::Frame, kRequired, "Last frame"}};

constexpr Operation kClipOperations[] = {
    {"setFps", kSetFps, true,
     "Sets the frame rate. Keys keep their times; if there are keys, the range keeps its times, too.", setFpsOperation},
    {"setRange", kSetRange, true, "Sets the first and the last frame of the timeline.", setRangeOperation},
    {"addClip", kAddClip, true, "Adds an empty clip.", addClipOperation},
    {"renameClip", kRenameClip, true, "Renames a clip.", renameClipOperation},
    {"duplicateClip", kDuplicateClip, true, "Duplicates a clip.", duplicateClipOperation},
    {"removeClip", kRemoveClip, true, "Removes a clip and its keys.", removeClipOperation},
};

} // namespace

std::span<const Operation> clipOperations() { return kClipOperations; }

} // namespace tendon
