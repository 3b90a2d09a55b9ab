#include "core/document/Families.h"
#include "core/document/FollowSpaces.h"
#include "core/document/KeySelection.h"
#include "core/document/Lookup.h"
#include "core/document/Posing.h"
#include "core/scene/Check.h"
#include "core/scene/KeyEdit.h"

#include <algorithm>

namespace tendon {
namespace {

using Type = Field::Type;

Result<void> keysToClipboardOperation(Draft& draft, const Arguments& arguments)
{
    const auto selection = selectKeys(draft, arguments, true);
    if (!selection) return selection.error();
    CopiedKeys copied;
    if (arguments.boolean("add")) copied = *draft.edit.copiedKeys;
    for (const auto& [channel, keys] : selection->keys) {
        std::vector<Key>& list = copied.keys[channel];
        KeyList merged{list};
        for (const Key& key : keys) merged.insertOrReplace(key);
        list = merged.toVector();
        const Handle* handle = isPlace(channel.property) ? draft.scene.find(HandleId{channel.target}) : nullptr;
        if (handle == nullptr || channel.layer == Layer::Corrections) continue; // which have no place
        for (const Key& key : keys) {
            const ObjectId space = spaceOfValue(draft.scene, draft.clip(), *handle, channel.property, key.time);
            const auto world = keyInSpace(draft, *handle, channel.property, key, 0);
            if (!world) return world.error();
            copied.places[channel][key.time] = {space, world->value};
        }
    }
    draft.edit.copiedKeys = std::move(copied);
    return {};
}

/// Where the copied keys go: the objects that they are of, as far as those are there, or `onto`.
Result<std::map<ChannelId, std::vector<Key>>> keysToPaste(Draft& draft, const Arguments& arguments)
{
    const auto& copied = draft.edit.copiedKeys->keys;
    if (copied.empty()) return Error{ErrorCode::InvalidArgument, "there are no copied keys; copy keys first", ""};
    std::map<ChannelId, std::vector<Key>> keys;
    if (!arguments.has("onto")) {
        for (const auto& [channel, list] : copied)
            if (checkChannel(draft.scene, channel)) keys.emplace(channel, list);
        if (keys.empty())
            return Error{ErrorCode::NotFound, "the objects of the copied keys are not there any more", ""};
        return keys;
    }
    const auto onto = targetIn(draft.scene, arguments, "onto");
    if (!onto) return onto.error();
    if (copied.begin()->first.target != copied.rbegin()->first.target)
        return Error{ErrorCode::InvalidArgument, "the copied keys are of several objects; leave it out", "onto"};
    for (const auto& [channel, list] : copied) {
        const ChannelId there{*onto, channel.property, channel.layer};
        if (const auto fits = checkChannel(draft.scene, there); !fits) return fits.error().within("onto");
        keys.emplace(there, list);
    }
    return keys;
}

/// Pasted keys of goals and poles where something else is followed than where they were copied: they come to where they
/// were in the world.
Result<void> keepPastedPlaces(Draft& draft, ClipId clip, const std::map<ChannelId, std::vector<Key>>& pasted,
                              std::int64_t shift)
{
    const CopiedKeys copied = *draft.edit.copiedKeys;
    for (const auto& [channel, list] : pasted) {
        const Handle* handle = isPlace(channel.property) ? draft.scene.find(HandleId{channel.target}) : nullptr;
        if (handle == nullptr || channel.layer == Layer::Corrections) continue; // a correction is no place
        const bool isThere = copied.places.count(channel) != 0;
        const auto places = copied.places.find(
            isThere ? channel : ChannelId{copied.keys.begin()->first.target, channel.property});
        if (places == copied.places.end()) continue;
        std::vector<Key> moved;
        for (Key key : list) {
            const auto place = places->second.find(Time{key.time.ticks - shift});
            const ObjectId space = spaceOfValue(draft.scene, draft.clip(), *handle, channel.property, key.time);
            if (place == places->second.end() || place->second.space == space) continue;
            const auto world = worldOfSpace(draft, draft.scene, draft.clip(), {}, key.time, space);
            if (!world) return world.error();
            const ChangeOfSpace change = outOfWorld(*world);
            if (!change.isFinite()) continue;
            key.value = valueInSpace(channel.property, place->second.world, change);
            if (isStored(key.tangents)) key.tangents = TangentMode::Auto; // its slope was that of another space
            moved.push_back(key);
        }
        if (const auto put = putKeys(draft, clip, channel, {}, moved); !put) return put;
    }
    return {};
}

/// The keys of a channel from one time to another, both included.
std::vector<Key> keysBetween(const Clip& clip, ChannelId channel, Time from, Time to)
{
    std::vector<Key> between;
    if (const KeyList* keys = clip.find(channel))
        for (std::size_t i = keys->countUpTo({from.ticks - 1}); i < keys->size() && (*keys)[i].time <= to; ++i)
            between.push_back((*keys)[i]);
    return between;
}

Result<void> pasteKeysOperation(Draft& draft, const Arguments& arguments)
{
    auto keys = keysToPaste(draft, arguments);
    if (!keys) return keys.error();
    const double frame = arguments.number("frame", draft.edit.frame);
    if (const auto fits = checkFrame(frame); !fits) return fits.error().within("frame");
    Time first = keys->begin()->second.front().time, last = first;
    for (const auto& [channel, list] : *keys) {
        first = std::min(first, list.front().time);
        last = std::max(last, list.back().time);
    }
    const std::int64_t shift = draft.scene.fps.timeOf(frame).ticks - first.ticks;
    constexpr double kMaxSeconds = 1e9;
    if (Time{last.ticks + shift}.seconds() > kMaxSeconds)
        return Error{ErrorCode::LimitExceeded, "a key would end up far outside of time", ""};
    draft.text = "Paste keys";
    const auto clip = clipToKey(draft);
    if (!clip) return clip.error();
    for (auto& [channel, list] : *keys) {
        for (Key& key : list) key.time.ticks += shift;
        if (const auto converted = useKindOf(draft, *clip, channel); !converted) return converted;
        const std::vector<Key> replaced = arguments.boolean("replace")
                                              ? keysBetween(*draft.clip(), channel, {first.ticks + shift},
                                                            {last.ticks + shift})
                                              : std::vector<Key>{};
        const Time now = draft.time();
        if (std::any_of(list.begin(), list.end(), [now](const Key& key) { return key.time == now; }))
            draft.edit.pending.erase(inLayer(channel, Layer::Keys));
        if (const auto put = putKeys(draft, *clip, channel, replaced, list); !put) return put;
        if ((isPlace(channel.property) || isSpace(channel.property)) && channel.layer == Layer::Keys)
            for (const Key& key : list)
                draft.movedKeys.push_back({*clip, channel, {}, key.time, MovedKey::How::Pasted});
    }
    return keepPastedPlaces(draft, *clip, *keys, shift);
}

constexpr Field kKeysToClipboard[] = {
    TENDON_KEY_SELECTION(TENDON_KEYS_HERE),
    {"add", Type::Bool, kOptional, "True: added to the keys that were copied before, which else are forgotten"},
};
constexpr Field kPasteKeys[] = {
    {"frame", Type::Number, kOptional, "Frame of the first of them. Left out: the current frame"},
    {"onto", Type::Target, kOptional, "Joint or handle to paste to. Left out: the ones that they were copied from"},
    {"replace", Type::Bool, kOptional, "True: keys that are there between the first and the last pasted frame go"},
};
constexpr Operation kKeyClipboardOperations[] = {
    {"keysToClipboard", kKeysToClipboard, false, "Copies keys of the current clip, for pasteKeys.",
     keysToClipboardOperation},
    {"pasteKeys", kPasteKeys, true,
     "Pastes the copied keys into the current clip. They replace keys at the frames they come to.", pasteKeysOperation},
};

} // namespace

std::span<const Operation> keyClipboardOperations() { return kKeyClipboardOperations; }

} // namespace tendon
