#include "core/document/Families.h"
#include "core/document/FollowSpaces.h"
#include "core/document/KeyReduction.h"
#include "core/document/KeySelection.h"
#include "core/document/KeyShaping.h"
#include "core/document/Lookup.h"
#include "core/math/Degrees.h"
#include "core/scene/Check.h"
#include "core/scene/KeyEdit.h"

#include <algorithm>

namespace tendon {
namespace {

using Type = Field::Type;

bool haveSameTimes(const std::vector<Key>& a, const std::vector<Key>& b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const Key& left, const Key& right) { return left.time == right.time; });
}

Result<void> eulerFilterOperation(Draft& draft, const Arguments& arguments)
{
    const auto channels = keyedChannelsIn(draft, arguments);
    if (!channels) return channels.error();
    const ObjectId target = channels->front().target;
    const std::string name = nameOf(draft.scene, target);
    std::vector<ChannelId> chosen;
    std::array<std::vector<Key>, 3> angles;
    for (std::size_t axis = 0; axis < kAngles.size(); ++axis) {
        const ChannelId channel{target, kAngles[axis], channels->front().layer};
        if (std::find(channels->begin(), channels->end(), channel) == channels->end()) continue;
        chosen.push_back(channel);
        angles[axis] = draft.clip()->find(channel)->toVector();
    }
    if (chosen.empty())
        return Error{ErrorCode::NotFound,
                     inQuotes(name) + " has no keys of rx, ry or rz there" +
                         (draft.clip()->find({target, Property::Rotation}) != nullptr
                              ? "; its keys are whole rotations, which need no filter"
                              : ""),
                     "channels"};
    if (arguments.has("channels") && chosen.size() != channels->size())
        return Error{ErrorCode::InvalidArgument, "filters rx, ry and rz only", "channels"};
    draft.text = "Euler filter";
    if (haveSameTimes(angles[0], angles[1]) && haveSameTimes(angles[1], angles[2])) {
        angles = nearestTriples(std::move(angles), draft.scene.find(JointId{target})->rotationOrder);
    } else {
        for (std::vector<Key>& keys : angles) keys = withoutTurns(std::move(keys));
        draft.say(Severity::Info,
                  chosen.size() == 3 ? "rx, ry and rz have keys at different times, so only whole turns were taken out"
                                     : "not all of rx, ry and rz were filtered, so only whole turns were taken out",
                  name, target);
    }
    for (const ChannelId channel : chosen) {
        const auto axis = static_cast<std::size_t>(std::find(kAngles.begin(), kAngles.end(), channel.property) -
                                                   kAngles.begin());
        if (const auto put = draft.take(
                replaceKeys(std::move(draft.scene), draft.edit.currentClip, channel, std::move(angles[axis])));
            !put)
            return put;
    }
    // Beside filtered keys of the other angles a posed angle would be another rotation.
    std::size_t dropped = 0;
    for (const Property angle : kAngles) dropped += draft.edit.pending.erase({target, angle});
    if (dropped != 0) draft.say(Severity::Info, "a posed rotation that was not keyed was dropped", name, target);
    return {};
}

/// Which keys of a channel an operation has selected.
std::vector<bool> chosenOf(const KeyList& keys, const std::vector<Key>& selected)
{
    std::vector<bool> chosen(keys.size());
    for (const Key& key : selected) chosen[keys.countUpTo(key.time) - 1] = true;
    return chosen;
}

Result<void> reduceKeysOperation(Draft& draft, const Arguments& arguments)
{
    const auto selection = selectKeys(draft, arguments, false);
    if (!selection) return selection.error();
    const double error = arguments.number("error");
    if (!(error >= 0)) return Error{ErrorCode::InvalidArgument, "must not be below 0", "error"};
    draft.text = "Reduce keys";
    std::size_t removed = 0;
    for (const auto& [channel, selected] : selection->keys) {
        const KeyList keys = *draft.clip()->find(channel);
        const bool isTurn = isAngle(channel.property) || isQuaternion(channel.property);
        std::vector<Key> kept = reducedKeys(keys, channel.property, chosenOf(keys, selected),
                                            isTurn ? radians(error) : error, draft.scene.fps);
        if (kept.size() == keys.size()) continue;
        removed += keys.size() - kept.size();
        const auto put = draft.take(replaceKeys(std::move(draft.scene), selection->clip, channel, std::move(kept)));
        if (!put) return put;
    }
    draft.say(Severity::Info,
              removed == 0 ? "no key can be left out"
                           : std::to_string(removed) + " of " + std::to_string(selection->count()) +
                                 (removed == 1 ? " keys was left out" : " keys were left out"),
              nameOf(draft.scene, selection->target), selection->target);
    return {};
}

/// As smoothedKeys(). Keys of a goal or pole that follow something else than their neighbours are smoothed beside the
/// places that those have in the keys' own space, which do not move with each pass.
Result<std::vector<Key>> smoothedInSpaces(const Draft& draft, ChannelId channel, const std::vector<bool>& chosen,
                                          double amount, int passes)
{
    const KeyList& keys = *draft.clip()->find(channel);
    const bool isOfPlace = isPlace(channel.property) && channel.layer == Layer::Keys;
    const Handle* handle = isOfPlace ? draft.scene.find(HandleId{channel.target}) : nullptr;
    const auto spaceOfKey = [&](std::size_t i) {
        return handle == nullptr ? 0 : spaceOfValue(draft.scene, draft.clip(), *handle, channel.property, keys[i].time);
    };
    std::vector<Key> smooth;
    for (std::size_t begin = 0, end = 0; begin < keys.size(); begin = end) {
        for (end = begin + 1; end < keys.size() && spaceOfKey(end) == spaceOfKey(begin);) ++end;
        std::vector<Key> run;
        std::vector<bool> isChosen;
        for (std::size_t i = begin == 0 ? 0 : begin - 1; i < std::min(end + 1, keys.size()); ++i) {
            const bool isOwn = i >= begin && i < end;
            const auto key = isOwn ? Result<Key>(keys[i])
                                   : keyInSpace(draft, *handle, channel.property, keys[i], spaceOfKey(begin));
            if (!key) return key.error();
            run.push_back(*key);
            isChosen.push_back(isOwn && chosen[i]);
        }
        const std::vector<Key> made = smoothedKeys(KeyList(run), channel.property, isChosen, amount, passes);
        const auto first = made.begin() + (begin == 0 ? 0 : 1);
        smooth.insert(smooth.end(), first, first + static_cast<std::ptrdiff_t>(end - begin));
    }
    return smooth;
}

Result<void> smoothKeysOperation(Draft& draft, const Arguments& arguments)
{
    const auto selection = selectKeys(draft, arguments, false);
    if (!selection) return selection.error();
    const double amount = arguments.number("amount");
    if (!(amount >= 0 && amount <= 1)) return Error{ErrorCode::InvalidArgument, "must be from 0 to 1", "amount"};
    constexpr int kMostPasses = 100;
    const double passes = arguments.number("passes", 1);
    if (!(passes >= 1 && passes <= kMostPasses))
        return Error{ErrorCode::InvalidArgument, "must be from 1 to " + std::to_string(kMostPasses), "passes"};
    draft.text = "Smooth keys";
    bool hasInner = false;
    for (const auto& [channel, selected] : selection->keys) {
        if (isSpace(channel.property)) continue; // not a number
        const KeyList& keys = *draft.clip()->find(channel);
        hasInner = hasInner || std::any_of(selected.begin(), selected.end(), [&](const Key& key) {
                       return key.time != keys.front().time && key.time != keys.back().time;
                   });
        auto smooth = smoothedInSpaces(draft, channel, chosenOf(keys, selected), amount, static_cast<int>(passes));
        if (!smooth) return smooth.error();
        const auto put = draft.take(replaceKeys(std::move(draft.scene), selection->clip, channel, *std::move(smooth)));
        if (!put) return put;
    }
    if (hasInner) return {};
    return Error{ErrorCode::NotFound, "the first and the last key of a channel stay, and there are no others there",
                 ""};
}

constexpr Field kEulerFilter[] = {
    {"target", Type::Target, kRequired, "Joint whose keys are filtered"},
    {"channels", Type::Names, kOptional,
     "Which of rx, ry and rz. Left out: all that have keys. Only with keys of all three at the same times may a key "
     "change to the other three angles of its rotation; else whole turns are taken out of each channel by itself"},
};

constexpr Field kReduceKeys[] = {
    TENDON_KEY_SELECTION(TENDON_KEYS_ALL),
    {"error", Type::Number, kRequired,
     "How far the curve may move, in metres or degrees, at every frame and at every key that was there"},
};
constexpr Field kSmoothKeys[] = {
    TENDON_KEY_SELECTION(TENDON_KEYS_ALL),
    {"amount", Type::Number, kRequired,
     "0: not at all. 1: each value becomes the mean of itself and of the line between the neighbouring keys"},
    {"passes", Type::Integer, kOptional, "How often, 1 to 100. Left out: once"},
};

constexpr Operation kKeyShapingOperations[] = {
    {"eulerFilter", kEulerFilter, true,
     "Makes the keys of a joint's angles follow from each other: each takes the angles of its rotation that are "
     "nearest to those of the key before. The rotations at the keys stay.",
     eulerFilterOperation},
    {"reduceKeys", kReduceKeys, true,
     "Leaves out all keys that a curve does not need: the first and the last stay, and from each key the next one is "
     "the furthest that keeps the curve. The keys beside those left out get tangents of their own (aligned), with the "
     "slopes that the curve had.",
     reduceKeysOperation},
    {"smoothKeys", kSmoothKeys, true,
     "Evens out the values of keys. The first and the last key of a channel stay; so does a motion that is even "
     "already.",
     smoothKeysOperation},
};

} // namespace

std::span<const Operation> keyShapingOperations() { return kKeyShapingOperations; }

} // namespace tendon
