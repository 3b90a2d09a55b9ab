#include "core/document/FirstKeys.h"

#include "core/document/FollowSpaces.h"
#include "core/document/LayeredPosing.h"
#include "core/document/Posing.h"
#include "core/document/SwitchKeys.h"
#include "core/runtime/CurveSlope.h"
#include "core/runtime/KeySampling.h"
#include "core/scene/HandleEdit.h"
#include "core/scene/KeyEdit.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

namespace tendon {
namespace {

/// An object, and the handles that move it where it is a joint.
std::set<ObjectId> keyedWith(const Draft& draft, ObjectId object)
{
    std::set<ObjectId> objects{object};
    if (draft.scene.find(JointId{object}) == nullptr) return objects;
    for (const Handle& handle : *draft.scene.handles) {
        const std::vector<JointId> joints = chain(draft.scene, handle.start, handle.end);
        if (std::find(joints.begin(), joints.end(), JointId{object}) != joints.end()) objects.insert(handle.id.value);
    }
    return objects;
}

} // namespace

KeysBeside keysBeside(const Draft& draft, ObjectId object, Time time)
{
    KeysBeside beside;
    if (draft.clip() == nullptr) return beside;
    const std::set<ObjectId> objects = keyedWith(draft, object);
    for (const auto& [channel, keys] : draft.clip()->channels) {
        if (objects.count(channel.target) == 0 || channel.layer != Layer::Keys || isSpace(channel.property)) continue;
        std::size_t count = keys->countUpTo(time);
        if (count < keys->size())
            beside.after = std::min(beside.after.value_or((*keys)[count].time), (*keys)[count].time);
        if (count > 0 && (*keys)[count - 1].time == time) --count;
        if (count > 0)
            beside.before = std::max(beside.before.value_or((*keys)[count - 1].time), (*keys)[count - 1].time);
    }
    return beside;
}

Result<void> keepCarried(Draft& draft, ChannelId channel)
{
    const Handle* found = isPlace(channel.property) ? draft.scene.find(HandleId{channel.target}) : nullptr;
    const JointId carrier = found == nullptr ? JointId{} : carrierOf(draft.scene, *found);
    const Clip* clip = draft.clip();
    if (!carrier.isValid() || clip == nullptr) return {};
    Handle handle = *found;
    const Property space = spaceOf(channel.property);
    if (clip->find({channel.target, space}) != nullptr) return {};
    Time first = draft.scene.fps.timeOf(draft.scene.firstFrame);
    for (const auto& [other, keys] : clip->channels) {
        if (other.target != channel.target || other.layer != Layer::Keys) continue;
        if (isPlace(other.property) && spaceOf(other.property) == space) return {};
        first = std::min(first, keys->front().time);
    }
    if (!handle.mayFollow(carrier.value)) {
        handle.spaces.push_back(carrier.value);
        if (const auto taken = draft.take(changeHandle(draft.scene, handle)); !taken) return taken;
    }
    const Key key{.time = first, .value = {static_cast<double>(carrier.value)}};
    return draft.take(setKey(std::move(draft.scene), draft.edit.currentClip, {channel.target, space}, key));
}

Result<void> holdBeside(Draft& draft, ChannelId channel, Time time)
{
    if (draft.clip() == nullptr || draft.clip()->find(channel) == nullptr || keysCorrections(draft, channel)) return {};
    const KeysBeside beside = keysBeside(draft, channel.target, time);
    for (const auto& at : {beside.before, beside.after}) {
        if (!at || draft.clip()->find(channel)->at(*at) != nullptr) continue;
        const ChannelValue value = channelValue(draft, channel, *at);
        if (const auto held = keyShown(draft, channel, draft.scene.fps.frameAt(*at), value); !held) return held;
        // The key that comes between them must not turn the curve on the other side.
        const KeyList& keys = *draft.clip()->find(channel);
        const Key* put = isQuaternion(channel.property) ? nullptr : keys.at(*at);
        if (put == nullptr) continue;
        Key key = *put;
        const Tangents tangents = tangentsAt(keys, channel.property, keys.countUpTo(*at) - 1);
        key.tangents = TangentMode::Free;
        key.in = tangents.in, key.out = tangents.out;
        if (const auto kept = draft.take(setKey(std::move(draft.scene), draft.edit.currentClip, channel, key)); !kept)
            return kept;
    }
    return {};
}

Result<ChannelValue> inKeyedSpace(const Draft& draft, ChannelId channel, const ChannelValue& value, Time time)
{
    const Handle* handle = isPlace(channel.property) ? draft.scene.find(HandleId{channel.target}) : nullptr;
    const KeyList* spaces = handle == nullptr || draft.clip() == nullptr
                                ? nullptr
                                : draft.clip()->find({channel.target, spaceOf(channel.property)});
    if (spaces == nullptr) return value;
    const ObjectId from = spaceOfValue(draft.scene, nullptr, *handle, channel.property, time);
    const ObjectId to = spaceAt(*spaces, time);
    if (from == to) return value;
    const PendingValues none;
    const PendingValues& pending = time == draft.time() ? draft.edit.pending : none;
    const auto worldFromOld = worldOfSpace(draft, draft.scene, draft.clip(), pending, time, from);
    const auto worldFromNew = worldOfSpace(draft, draft.scene, draft.clip(), pending, time, to);
    if (!worldFromOld || !worldFromNew) return worldFromOld ? worldFromNew.error() : worldFromOld.error();
    return valueInSpace(channel.property, value, changeOfSpace(*worldFromNew, *worldFromOld));
}

Result<void> keyPosed(Draft& draft, ChannelId channel, double frame, const ChannelValue& shown,
                      const KeysBeside& beside, std::optional<Interpolation> interpolation,
                      std::optional<double> alsoAt)
{
    const FrameRate fps = draft.scene.fps;
    const Time at = fps.timeOf(frame);
    const bool isFirst = channel.layer == Layer::Keys && draft.clip()->find(channel) == nullptr;
    if (!isFirst) return keyShown(draft, channel, frame, shown, interpolation, alsoAt.has_value());

    struct Kept
    {
        double frame = 0;
        ChannelValue value{};
    };
    std::vector<Kept> kept; // as they are shown now
    const auto keep = [&](double where) { kept.push_back({where, channelValue(draft, channel, fps.timeOf(where))}); };
    if (beside.before)
        keep(fps.frameAt(*beside.before));
    else if (alsoAt && fps.timeOf(*alsoAt) != at)
        keep(*alsoAt);
    const bool isForced = !beside.before && !kept.empty();
    if (beside.after) keep(fps.frameAt(*beside.after));
    if (channel.property == Property::Pole && (beside.before || beside.after))
        if (const auto carried = keepCarried(draft, channel); !carried) return carried;

    bool isChanged = isForced;
    const auto value = inKeyedSpace(draft, channel, shown, at);
    if (!value) return value.error();
    std::vector<Kept> inSpace;
    for (const Kept& key : kept) {
        const auto converted = inKeyedSpace(draft, channel, key.value, fps.timeOf(key.frame));
        if (!converted) return converted.error();
        isChanged = isChanged || !areNear(*converted, *value);
        inSpace.push_back({key.frame, *converted});
    }
    // What is keyed first is converted as it is keyed; the others have been.
    if (const auto keyed = keyShown(draft, channel, frame, shown, interpolation); !keyed) return keyed;
    for (const Kept& key : inSpace)
        if (isChanged)
            if (const auto keyed = keyShown(draft, channel, key.frame, key.value); !keyed) return keyed;
    return {};
}

} // namespace tendon
