#include "core/document/LayeredPosing.h"

#include "core/document/FollowSpaces.h"
#include "core/document/Posing.h"
#include "core/math/Convert.h"
#include "core/math/Interpolate.h"
#include "core/runtime/CorrectionMerge.h"
#include "core/runtime/KeySampling.h"
#include "core/scene/Check.h"
#include "core/scene/Corrections.h"
#include "core/scene/KeyEdit.h"

#include <QString>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <numbers>
#include <set>

namespace tendon {
namespace {

using Writes = std::vector<LayerWrite>;

bool isTurning(Property p) { return p == Property::Rotation || (p >= Property::Rx && p <= Property::Rz); }

/// Pending values hold at the current frame only.
PendingValues pendingAtTime(const Draft& draft, Time time)
{
    return time == draft.time() ? draft.edit.pending : PendingValues{};
}

std::string formatted(double number) { return QString::number(number, 'g', 6).toStdString(); }

/// Why no correction shows what was posed.
Error noCorrectionShows(const Draft& draft, Time time, double weight, ChannelId channel)
{
    const Clip& clip = *draft.clip();
    const std::string corrections = "the corrections of " + inQuotes(clip.name);
    if (!clip.hasCorrectionsOn)
        return {ErrorCode::InvalidArgument,
                corrections + " are off, so a key in them would not be seen; turn them on, or edit the "
                              "clip's own keys",
                ""};
    const std::string frame = formatted(draft.scene.fps.frameAt(time));
    if (weight == 0)
        return {ErrorCode::InvalidArgument,
                corrections + " have weight 0 at frame " + frame +
                    ", so a key in them would not be seen; raise the weight, or edit the clip's "
                    "own keys",
                ""};
    return {ErrorCode::InvalidArgument,
            nameOf(draft.scene, channel.target) + " is too far from where the clip has it: with weight " +
                formatted(weight) + " at frame " + frame + ", corrections turn by at most " + formatted(weight * 180) +
                " degrees; raise the weight, or turn it less",
            ""};
}

Result<Writes> correctionWrite(const Draft& draft, ChannelId channel, Time time, const ChannelValue& base,
                               const ChannelValue& shown, double weight)
{
    const auto correction = correctionFor(channel.property, base, shown, weight);
    if (!correction) return noCorrectionShows(draft, time, weight, channel);
    return Writes{{inLayer(channel, Layer::Corrections), *correction}};
}

/// All but the rotation of joints.
Result<Writes> numberWrites(const Draft& draft, ChannelId channel, Time time, const ChannelValue& shown, Layer into)
{
    const Property p = channel.property;
    const ChannelLayers layers = sampleLayers(draft.scene, draft.clip(), pendingAtTime(draft, time), channel, time);
    if (into == Layer::Keys && (!layers.hasCorrection || layers.weight == 0)) return Writes{{channel, shown}};
    // Both in the space of the base: without keys that of what carries the handle.
    const auto carrier = worldFromCarrier(draft, channel, time);
    const bool isCarried = carrier && draft.clip()->find(channel) == nullptr;
    const ChannelValue wanted = isCarried ? valueInSpace(p, shown, outOfWorld(*carrier)) : shown;
    if (into == Layer::Keys) {
        const ChannelValue base = withoutCorrection(p, wanted, layers.correction, layers.weight);
        if (const auto fits = checkValue(draft.scene, channel, base); !fits)
            return Error{fits.error().code,
                         fits.error().message + " without its correction; edit the corrections instead",
                         std::string(propertyName(p))};
        return Writes{{channel, isCarried ? valueInSpace(p, base, intoWorld(*carrier)) : base}};
    }
    ChannelValue base = layers.base;
    Draft unposed = draft;
    unposed.edit.pending.clear();
    if (const auto between = valueBetweenSpaces(unposed, channel, time)) {
        const auto moved = isQuaternion(p) || !(layers.weight > 0) ? std::nullopt
                                                                   : correctionBetweenSpaces(unposed, channel, time);
        if (moved) {
            const Vector3 way = moved->inverse() * (toVector(wanted) - toVector(*between)) / layers.weight;
            return Writes{{inLayer(channel, Layer::Corrections), toValue(Vector3(toVector(layers.correction) + way))}};
        }
        base = withoutCorrection(p, *between, layers.correction, layers.weight);
    }
    return correctionWrite(draft, channel, time, base, wanted, layers.weight);
}

/// The rotation of a joint, whole or one angle of it.
Result<Writes> turnWrites(const Draft& draft, const Joint& joint, ChannelId channel, Time time,
                          const ChannelValue& shown, Layer into)
{
    const JointLayers layers = sampleLayers(draft.scene, draft.clip(), pendingAtTime(draft, time), joint, time);
    const JointChannels& corrections = layers.corrections;
    const bool isWhole = channel.property == Property::Rotation;
    const int axis = isWhole ? 0 : static_cast<int>(channel.property) - static_cast<int>(Property::Rx);
    const auto isGiven = [&](Property p) { return corrections.isGiven[static_cast<std::size_t>(p)]; };
    const bool isCorrected = corrections.rotation || std::any_of(kAngles.begin(), kAngles.end(), isGiven);
    if (into == Layer::Keys && (!isCorrected || layers.weight == 0)) return Writes{{channel, shown}};

    const JointPose now = jointPose(draft, joint, time);
    Vector3 angles = now.angles;
    if (!isWhole) angles[axis] = shown[0];
    const Quaternion turned = isWhole ? unitQuaternion(toQuaternion(shown)) : localRotation(joint, angles);
    const ChannelId whole{joint.id.value, Property::Rotation};
    const auto angle = [&](int of) { return ChannelId{joint.id.value, offsetBy(Property::Rx, of)}; };

    if (into == Layer::Corrections) {
        if (layers.base.isReadOff)
            return correctionWrite(draft, whole, time, toValue(layers.base.local.rotation), toValue(turned),
                                   layers.weight);
        if (!isWhole) return correctionWrite(draft, channel, time, {layers.base.angles[axis]}, shown, layers.weight);
        Writes writes;
        angles = anglesOf(joint, turned, now.angles);
        for (int of = 0; of < 3; ++of) {
            const auto one = correctionWrite(draft, angle(of), time, {layers.base.angles[of]}, {angles[of]},
                                             layers.weight);
            if (!one) return one.error();
            writes.push_back(one->front());
        }
        return writes;
    }
    JointPose base = layers.base;
    base.isReadOff = base.isReadOff || isWhole; // as it will be
    const auto turn = correctingTurn(base, corrections, layers.weight, joint.rotationOrder);
    if (!turn) {
        const double correction = corrections.numbers[static_cast<std::size_t>(channel.property)];
        return Writes{{channel, withoutCorrection(channel.property, shown, {correction}, layers.weight)}};
    }
    const Quaternion below = unitQuaternion(turned * turn->conjugate());
    if (base.isReadOff) return Writes{{whole, toValue(below)}};
    angles = anglesOf(joint, below, base.angles);
    return Writes{{angle(0), {angles[0]}}, {angle(1), {angles[1]}}, {angle(2), {angles[2]}}};
}

} // namespace

bool keysCorrections(const Draft& draft, ChannelId channel)
{
    return draft.edit.layer == Layer::Corrections && isCorrectable(channel.property) &&
           draft.scene.find(ClipId{channel.target}) == nullptr;
}

ChannelId inEditedLayer(const Draft& draft, ChannelId channel)
{
    return inLayer(channel, keysCorrections(draft, channel) ? Layer::Corrections : Layer::Keys);
}

Result<Writes> writesFor(const Draft& draft, ChannelId channel, Time time, const ChannelValue& shown, Layer into)
{
    const bool isOfClip = draft.scene.find(ClipId{channel.target}) != nullptr;
    if (draft.clip() == nullptr || isOfClip || !isCorrectable(channel.property)) return Writes{{channel, shown}};
    const Joint* joint = draft.scene.find(JointId{channel.target});
    return joint != nullptr && isTurning(channel.property) ? turnWrites(draft, *joint, channel, time, shown, into)
                                                           : numberWrites(draft, channel, time, shown, into);
}

Result<void> keyShown(Draft& draft, ChannelId channel, double frame, const ChannelValue& shown,
                      std::optional<Interpolation> interpolation, bool isFirstToo)
{
    if (const auto fits = checkChannel(draft.scene, channel); !fits) return fits;
    const Layer into = channel.layer;
    const ChannelId posed = inLayer(channel, Layer::Keys);
    const auto writes = writesFor(draft, posed, draft.scene.fps.timeOf(frame), shown, into);
    if (!writes) return writes.error();
    const ClipId clip = draft.edit.currentClip;
    for (const LayerWrite& write : *writes) {
        const bool isFirst = into == Layer::Corrections && draft.clip()->find(write.channel) == nullptr;
        if (isFirst && isFirstToo && frame != draft.scene.firstFrame)
            if (const auto keyed = keyChannel(draft, clip, write.channel, draft.scene.firstFrame,
                                              noCorrection(write.channel.property));
                !keyed)
                return keyed;
        if (const auto keyed = keyChannel(draft, clip, write.channel, frame, write.value, interpolation); !keyed)
            return keyed;
    }
    if (frame == draft.edit.frame) draft.edit.pending.erase(posed);
    return {};
}

namespace {

/// The times of the clip's own keys that turn the joint.
std::set<Time> timesOfTurns(const Clip& clip, JointId joint)
{
    std::set<Time> times;
    for (const Property p : {Property::Rotation, Property::Rx, Property::Ry, Property::Rz})
        if (const KeyList* own = clip.find({joint.value, p}))
            for (const Key& key : own->toVector()) times.insert(key.time);
    return times;
}

/// What a turn comes to at `times`, and at those of the others at which it would be seen to be off without a key.
std::map<Time, ChannelValue> neededValues(const std::set<Time>& times, const std::set<Time>& others, bool isWhole,
                                          Interpolation interpolation, const std::function<ChannelValue(Time)>& valueAt)
{
    constexpr double kSeen = 2 * std::numbers::pi / 180; // [rad]
    std::vector<std::pair<Time, ChannelValue>> all;      // of the others
    for (const Time time : others) all.emplace_back(time, valueAt(time));
    std::map<Time, ChannelValue> values;
    for (const Time time : times) values[time] = valueAt(time);
    const Property property = isWhole ? Property::Rotation : Property::GoalPosition; // three numbers
    const auto off = [&](const KeyList& keys, Time time, const ChannelValue& is) {
        const ChannelValue shown = sampleKeys(keys, property, time);
        return isWhole ? toQuaternion(shown).angularDistance(toQuaternion(is))
                       : (toVector(shown) - toVector(is)).cwiseAbs().maxCoeff();
    };
    // From one key to the next, and then to and from the one between them that is farthest off.
    std::vector<std::pair<std::size_t, std::size_t>> open;
    std::size_t begin = 0;
    for (const auto& [time, value] : values) {
        const auto isBefore = [](const auto& each, Time at) { return each.first < at; };
        const auto end = static_cast<std::size_t>(std::lower_bound(all.begin(), all.end(), time, isBefore) -
                                                  all.begin());
        open.emplace_back(begin, end);
        begin = end;
    }
    open.emplace_back(begin, all.size());
    while (!open.empty()) {
        const auto [first, last] = open.back();
        open.pop_back();
        if (first >= last) continue;
        const auto after = values.upper_bound(all[first].first);
        const auto right = after == values.end() ? std::prev(after) : after; // held before the first, after the last
        const auto left = after == values.begin() ? after : std::prev(after);
        std::vector<Key> around; // tangents look at the neighbours of both
        for (auto at = left == values.begin() ? left : std::prev(left); at != values.end(); ++at) {
            around.push_back({.time = at->first, .value = at->second, .interpolation = interpolation});
            if (at->first > right->first) break;
        }
        const KeyList keys(std::move(around));
        double worst = kSeen;
        std::size_t split = last;
        for (std::size_t i = first; i < last; ++i) {
            const double by = off(keys, all[i].first, all[i].second);
            if (by > worst) worst = by, split = i;
        }
        if (split == last) continue;
        values.insert(all[split]);
        open.emplace_back(first, split);
        open.emplace_back(split + 1, last);
    }
    return values;
}

} // namespace

Result<void> convertCorrections(Draft& draft, ClipId clipId, const Joint& joint, bool toWhole, const Scene& base)
{
    const Clip& clip = *draft.scene.find(clipId);
    std::set<Time> times;
    std::optional<Interpolation> interpolation;
    std::vector<ChannelId> former;
    for (const Property p :
         toWhole ? std::vector<Property>(kAngles.begin(), kAngles.end()) : std::vector<Property>{Property::Rotation}) {
        const ChannelId channel{joint.id.value, p, Layer::Corrections};
        const KeyList* keys = clip.find(channel);
        if (keys == nullptr) continue;
        former.push_back(channel);
        for (const Key& key : keys->toVector()) {
            times.insert(key.time);
            if (!interpolation || key.interpolation == Interpolation::Step) interpolation = key.interpolation;
        }
    }
    if (former.empty()) return {};

    std::map<ChannelId, std::vector<Key>> keys;
    const Clip& counted = *base.find(clipId);
    const auto valueAt = [&](Time time) -> ChannelValue { // a quaternion, or three angles
        const JointLayers layers = sampleLayers(base, &counted, {}, joint, time);
        const Quaternion rest = unitQuaternion(joint.rest.rotation);
        const JointPose shown = corrected(layers.base, layers.corrections, 1, rest, joint.rotationOrder);
        if (toWhole) return toValue(unitQuaternion(layers.base.local.rotation.conjugate() * shown.local.rotation));
        return toValue(Vector3(anglesOf(joint, shown.local.rotation, layers.base.angles) - layers.base.angles));
    };
    const std::map<Time, ChannelValue> values = neededValues(times, timesOfTurns(counted, joint.id), toWhole,
                                                             *interpolation, valueAt);
    for (const auto& [time, value] : values) {
        const auto add = [&, at = time](Property p, const ChannelValue& number) {
            keys[{joint.id.value, p, Layer::Corrections}].push_back(
                {.time = at, .value = number, .interpolation = *interpolation});
        };
        if (toWhole) add(Property::Rotation, value);
        for (int axis = 0; axis < 3 && !toWhole; ++axis)
            add(offsetBy(Property::Rx, axis), {value[static_cast<std::size_t>(axis)]});
    }
    for (const ChannelId channel : former)
        if (const auto gone = draft.take(replaceKeys(std::move(draft.scene), clipId, channel, {})); !gone) return gone;
    for (auto& [channel, list] : keys)
        if (const auto put = draft.take(replaceKeys(std::move(draft.scene), clipId, channel, std::move(list))); !put)
            return put;
    return {};
}

Result<void> mergeCorrectionsOf(Draft& draft, ObjectId object)
{
    std::vector<ClipId> clips;
    for (const auto& clip : draft.scene.clips)
        if (std::any_of(clip->channels.begin(), clip->channels.end(), [&](const auto& entry) {
                return entry.first.target == object && entry.first.layer == Layer::Corrections;
            }))
            clips.push_back(clip->id);
    for (const ClipId id : clips) {
        auto merged = mergedCorrections(draft.scene, *draft.scene.find(id), object);
        if (!merged) return merged.error();
        draft.say(Severity::Info,
                  "its corrections in the clip " + inQuotes(merged->name) + " were merged into its keys",
                  nameOf(draft.scene, object), object);
        *editableClip(draft.scene, id) = std::move(*merged);
    }
    return {};
}

} // namespace tendon
