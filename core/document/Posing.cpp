#include "core/document/Posing.h"

#include "core/document/FirstKeys.h"
#include "core/document/FollowSpaces.h"
#include "core/document/KeyInsertion.h"
#include "core/document/LayeredPosing.h"
#include "core/document/Reparent.h"
#include "core/runtime/CurveSlope.h"
#include "core/runtime/KeySampling.h"
#include "core/scene/Check.h"
#include "core/scene/ClipEdit.h"
#include "core/scene/HandleChannels.h"
#include "core/scene/KeyEdit.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace tendon {
namespace {

const PendingValues kNothingPending;

/// What counts as pending at `time`: values are pending at the current frame only.
const PendingValues& pendingAt(const Draft& draft, Time time)
{
    return time == draft.time() ? draft.edit.pending : kNothingPending;
}

Error noSuchJoint() { return {ErrorCode::NotFound, "there is no such joint", ""}; }

bool isKeyedNow(const Draft& draft, ChannelId channel)
{
    return draft.clip() != nullptr && draft.clip()->find(channel) != nullptr;
}

/// True if what is posed becomes a key, now or later, and no static value.
bool isPosedByKeys(const Draft& draft, ChannelId channel)
{
    return isKeyedNow(draft, channel) || (draft.clip() != nullptr && keysCorrections(draft, channel));
}

bool isRotationKind(Property p) { return p == Property::Rotation || (p >= Property::Rx && p <= Property::Rz); }

/// Corrections of a place have the directions of the space that it is in.
Result<void> turnCorrections(Draft& draft, ClipId clipId, ChannelId channel, const ChangeOfSpace& change)
{
    const ChannelId corrections = inLayer(channel, Layer::Corrections);
    const KeyList* keys = isQuaternion(channel.property) ? nullptr : draft.scene.find(clipId)->find(corrections);
    if (keys == nullptr) return {};
    std::vector<Key> turned = keys->toVector();
    for (Key& key : turned)
        for (ChannelValue* value : {&key.value, &key.in, &key.out})
            *value = slopeInSpace(channel.property, *value, change);
    return draft.take(replaceKeys(std::move(draft.scene), clipId, corrections, std::move(turned)));
}

/// The first key of a goal or pole is in the space that is keyed, where one is; without keys it was in that of the
/// handle.
Result<void> intoKeyedSpace(Draft& draft, ClipId clipId, ChannelId channel, Key& key)
{
    const Clip& clip = *draft.scene.find(clipId);
    const KeyList* spaces = clip.find({channel.target, spaceOf(channel.property)});
    if (spaces == nullptr) return {};
    const ObjectId from = spaceOfValue(draft.scene, nullptr, *draft.scene.find(HandleId{channel.target}),
                                       channel.property, key.time);
    const ObjectId to = spaceAt(*spaces, key.time);
    const auto worldFromOld = worldOfSpace(draft, draft.scene, &clip, pendingAt(draft, key.time), key.time, from);
    const auto worldFromNew = worldOfSpace(draft, draft.scene, &clip, pendingAt(draft, key.time), key.time, to);
    if (!worldFromOld || !worldFromNew) return worldFromOld ? worldFromNew.error() : worldFromOld.error();
    if (from == to) return {};
    const ChangeOfSpace change = changeOfSpace(*worldFromNew, *worldFromOld);
    key.value = valueInSpace(channel.property, key.value, change);
    return turnCorrections(draft, clipId, channel, change);
}

/// Says so where moving the first point of a handle's curve moves nothing.
void warnOfHeldPoint(Draft& draft, ChannelId channel)
{
    const Handle* handle = draft.scene.find(HandleId{channel.target});
    const Joint* start = handle == nullptr ? nullptr : draft.scene.find(handle->start);
    if (channel.property != curvePoint(0) || start == nullptr || !beginsAtStart(*handle, *start)) return;
    const bool isFree = handle->parameters.contains("root") && handle->parameters.at("root") >= 1;
    draft.say(
        Severity::Warning,
        "the first point of its curve moves nothing: the curve begins at " + start->name +
            (isFree ? ", as the handle's Root is free. Set Root to “On curve” and turn on sliding axes of the joint, "
                      "or move the joint"
                    : ", which does not slide. Turn on its sliding axes, or move the joint"),
        handle->name, handle->id.value);
}

/// Puts a key that changes nothing at its time so that it changes nothing beside it either: on the curve, as it is
/// seen. False: it changes something, or no key leaves the curve as it is.
Result<bool> keyOnShownCurve(Draft& draft, ClipId clipId, ChannelId channel, Time time, const ChannelValue& value)
{
    const Clip& clip = *draft.scene.find(clipId);
    const KeyList& keys = *clip.find(channel);
    const Property property = channel.property;
    if (isInfinite(keys, time) || isSpace(property)) return false;
    if (const KeyList* spaces = isPlace(property) ? clip.find({channel.target, spaceOf(property)}) : nullptr)
        if (channel.layer == Layer::Keys && isBetweenSpaces(keys, *spaces, time)) return false;
    const KeyList shown = shownKeys(clip, channel);
    const ChannelValue now = sampleKeys(shown, property, time);
    const ChannelValue wanted = withSignOf(now, value, property);
    constexpr double kSameValue = 1e-9; // a pose goes through the world and back
    if (!areNear(now, wanted, kSameValue)) return false;
    // What changes is at the key and beside it; the signs of a rotation's numbers follow along the whole curve.
    const KeyList with = withKeyOnCurve(shown, property, time);
    const std::size_t at = with.countUpTo(time) - 1;
    const bool isAll = isQuaternion(property);
    const std::size_t first = isAll || at == 0 ? 0 : at - 1, last = isAll ? with.size() : std::min(at + 2, with.size());
    for (std::size_t i = first; i < last; ++i) {
        const Key& key = with[i];
        if (const Key* was = shown.at(key.time); was != nullptr && *was == key) continue;
        if (const auto taken = draft.take(setKey(std::move(draft.scene), clipId, channel, key)); !taken)
            return taken.error();
    }
    return true;
}

} // namespace

std::optional<Affine> worldFromCarrier(const Draft& draft, ChannelId channel, Time time)
{
    const Handle* handle = isPlace(channel.property) ? draft.scene.find(HandleId{channel.target}) : nullptr;
    const JointId carrier = handle == nullptr ? JointId{} : carrierOf(draft.scene, *handle);
    if (!carrier.isValid()) return std::nullopt;
    const auto world = worldOf(draft, draft.scene, draft.clip(), pendingAt(draft, time), time, carrier);
    return world ? std::optional(*world) : std::nullopt;
}

JointPose jointPose(const Draft& draft, const Joint& joint, Time time)
{
    return sampleJoint(draft.scene, draft.clip(), pendingAt(draft, time), joint, time);
}

ChannelValue channelValue(const Draft& draft, ChannelId channel, Time time)
{
    const Joint* joint = draft.scene.find(JointId{channel.target});
    if (joint != nullptr && isRotationKind(channel.property)) {
        const JointPose pose = jointPose(draft, *joint, time);
        if (channel.property == Property::Rotation) return toValue(pose.local.rotation);
        return {pose.angles[static_cast<int>(channel.property) - static_cast<int>(Property::Rx)]};
    }
    const PendingValues& pending = pendingAt(draft, time);
    if (pending.count(channel) == 0)
        if (const auto value = valueBetweenSpaces(draft, channel, time)) return *value;
    const ChannelValue value = sampleChannel(draft.scene, draft.clip(), pending, channel, time);
    if (isKeyedNow(draft, channel) || pending.count(channel) != 0) return value;
    const auto world = worldFromCarrier(draft, channel, time);
    return world ? valueInSpace(channel.property, value, intoWorld(*world)) : value;
}

Result<void> setStaticNow(Draft& draft, ChannelId channel, const ChannelValue& value)
{
    const auto writes = writesFor(draft, channel, draft.time(), value, Layer::Keys);
    if (!writes) return writes.error();
    const auto world = worldFromCarrier(draft, channel, draft.time());
    for (const LayerWrite& write : *writes)
        if (const auto set = draft.take(
                setStatic(std::move(draft.scene), write.channel,
                          world ? valueInSpace(channel.property, write.value, outOfWorld(*world)) : write.value));
            !set)
            return set;
    return {};
}

bool hasAngleKeys(const Clip* clip, ObjectId joint)
{
    return clip != nullptr && std::any_of(kAngles.begin(), kAngles.end(), [&](Property p) {
               return clip->find({joint, p}) != nullptr;
           });
}

Result<void> poseChannel(Draft& draft, ChannelId channel, const ChannelValue& value)
{
    if (const auto fits = checkChannel(draft.scene, channel); !fits) return fits;
    if (const auto fits = checkValue(draft.scene, channel, value); !fits) return fits;
    warnOfHeldPoint(draft, channel);
    if (draft.scene.find(JointId{channel.target}) != nullptr) draft.posed.insert(channel);
    const bool isKeyed = isPosedByKeys(draft, channel);
    if (!draft.edit.isAutoKeyOn) {
        if (!isKeyed) return setStaticNow(draft, channel, value);
        ChannelValue whole = value;
        if (isQuaternion(channel.property)) whole = toValue(toQuaternion(value).normalized());
        draft.edit.pending[channel] = whole;
        return {};
    }
    const auto keyed = clipToKey(draft);
    if (!keyed) return keyed.error();
    return keyPosed(draft, inEditedLayer(draft, channel), draft.edit.frame, value,
                    isKeyed ? KeysBeside() : keysBeside(draft, channel.target, draft.time()), std::nullopt,
                    draft.scene.firstFrame);
}

Result<void> poseAngles(Draft& draft, JointId id, const Vector3& angles)
{
    const Joint* found = draft.scene.find(id);
    if (found == nullptr) return noSuchJoint();
    const Joint joint = *found;
    const bool isByRotation = draft.clip() != nullptr && draft.clip()->find({id.value, Property::Rotation}) != nullptr;
    if (isByRotation) return poseChannel(draft, {id.value, Property::Rotation}, toValue(localRotation(joint, angles)));

    // Only what changes is written, so that posing one axis keys one axis.
    const Vector3 now = jointPose(draft, joint, draft.time()).angles;
    for (int axis = 0; axis < 3; ++axis)
        if (angles[axis] != now[axis])
            if (const auto posed = poseChannel(draft, {id.value, kAngles[static_cast<std::size_t>(axis)]},
                                               {angles[axis]});
                !posed)
                return posed;
    return {};
}

Result<void> poseRotation(Draft& draft, JointId id, const Quaternion& local)
{
    const Joint* found = draft.scene.find(id);
    if (found == nullptr) return noSuchJoint();
    const Joint joint = *found;
    const bool isKeyedWhole = draft.clip() != nullptr && draft.clip()->find({id.value, Property::Rotation}) != nullptr;
    const bool isWhole = joint.ball || draft.scene.statics->count({id.value, Property::Rotation}) != 0;
    const JointPose now = jointPose(draft, joint, draft.time());
    if (now.local.rotation.coeffs() == local.coeffs()) return {};
    if (isKeyedWhole || (isWhole && !hasAngleKeys(draft.clip(), id.value)))
        return poseChannel(draft, {id.value, Property::Rotation}, toValue(local));
    return poseAngles(draft, id, anglesOf(joint, local, now.angles));
}

Result<void> poseTranslation(Draft& draft, JointId id, const Vector3& translation)
{
    const Joint* joint = draft.scene.find(id);
    if (joint == nullptr) return noSuchJoint();
    const Vector3 now = jointPose(draft, *joint, draft.time()).local.translation;
    for (int axis = 0; axis < 3; ++axis)
        if (translation[axis] != now[axis])
            if (const auto posed = poseChannel(draft, {id.value, kTranslations[static_cast<std::size_t>(axis)]},
                                               {translation[axis]});
                !posed)
                return posed;
    return {};
}

Result<void> poseScale(Draft& draft, JointId id, const Vector3& scale)
{
    const Joint* joint = draft.scene.find(id);
    if (joint == nullptr) return noSuchJoint();
    const Vector3 now = jointPose(draft, *joint, draft.time()).local.scale;
    for (int axis = 0; axis < 3; ++axis)
        if (scale[axis] != now[axis])
            if (const auto posed = poseChannel(draft, {id.value, kScalings[static_cast<std::size_t>(axis)]},
                                               {scale[axis]});
                !posed)
                return posed;
    return {};
}

Result<void> poseLocal(Draft& draft, JointId id, const LocalTransform& local)
{
    if (const auto posed = poseTranslation(draft, id, local.translation); !posed) return posed;
    if (const auto posed = poseRotation(draft, id, local.rotation); !posed) return posed;
    return poseScale(draft, id, local.scale);
}

Result<void> poseRest(Draft& draft, JointId id)
{
    const Joint* found = draft.scene.find(id);
    if (found == nullptr) return noSuchJoint();
    const Joint joint = *found;
    if (draft.clip() != nullptr && keysCorrections(draft, {id.value, Property::Tx}))
        return poseLocal(draft, id, joint.rest);
    for (int p = 0; p <= static_cast<int>(Property::Rotation); ++p) {
        const ChannelId channel{id.value, static_cast<Property>(p)};
        const bool isKeyed = draft.clip() != nullptr &&
                             (draft.clip()->find(channel) != nullptr ||
                              draft.clip()->find(inLayer(channel, Layer::Corrections)) != nullptr);
        const bool isSet = draft.scene.statics->count(channel) != 0;
        draft.edit.pending.erase(channel);
        draft.posed.insert(channel);
        const bool isOverruled = channel.property != Property::Rotation && isRotationKind(channel.property) &&
                                 draft.clip() != nullptr &&
                                 draft.clip()->find({id.value, Property::Rotation}) != nullptr;
        if (isKeyed || (isSet && draft.edit.isAutoKeyOn && !isOverruled)) {
            Scene atRest = draft.scene;
            if (isSet) atRest.statics.edit().erase(channel);
            if (const auto posed = poseChannel(draft, channel, atRest.staticValue(channel)); !posed) return posed;
        } else if (isSet) {
            if (const auto cleared = draft.take(clearStatic(std::move(draft.scene), channel)); !cleared) return cleared;
        }
    }
    return {};
}

std::string channelNames(const Scene& scene, const PendingValues& values)
{
    std::string names;
    constexpr std::size_t kMaxNamed = 4;
    std::size_t count = 0;
    for (const auto& [channel, value] : values)
        if (++count <= kMaxNamed)
            names += (names.empty() ? "" : ", ") + nameOf(scene, channel.target) + " " +
                     std::string(propertyName(channel.property));
    if (count > kMaxNamed) names += " and " + std::to_string(count - kMaxNamed) + " more";
    return names;
}

Result<void> keyPending(Draft& draft)
{
    const PendingValues pending = draft.edit.pending;
    for (const auto& [channel, value] : pending)
        if (channel.property == Property::Pole && pending.count({channel.target, Property::GoalPosition}) != 0)
            if (const auto held = holdBeside(draft, channel, draft.time()); !held) return held;
    for (const auto& [channel, value] : pending)
        if (const auto keyed = keyPosed(draft, inEditedLayer(draft, channel), draft.edit.frame, value,
                                        keysBeside(draft, channel.target, draft.time()));
            !keyed)
            return keyed;
    return {};
}

void dropPending(Draft& draft)
{
    if (draft.edit.pending.empty()) return;
    draft.say(Severity::Warning,
              "the pose was not keyed and is discarded: " + channelNames(draft.scene, draft.edit.pending) +
                  "; undo brings it back, a key or Auto Key keeps it",
              "frame " + std::to_string(draft.edit.frame), draft.edit.pending.begin()->first.target);
    draft.edit.pending.clear();
}

void selectClip(Draft& draft, ClipId clip)
{
    if (clip == draft.edit.currentClip) return;
    dropPending(draft);
    draft.edit.currentClip = clip;
}

Result<ClipId> clipToKey(Draft& draft)
{
    if (draft.clip() != nullptr) return draft.edit.currentClip;
    if (const auto added = draft.take(addClip(draft.scene, freeClipName(draft.scene, "Clip"))); !added)
        return added.error();
    draft.edit.currentClip = draft.scene.clips.back()->id;
    return draft.edit.currentClip;
}

Time keyTime(const KeyList* keys, FrameRate fps, double frame)
{
    const Time exact = fps.timeOf(frame);
    if (keys == nullptr || keys->isEmpty() || keys->at(exact) != nullptr) return exact;
    const std::size_t after = keys->countUpTo(exact);
    for (const std::size_t index : {after, after - 1}) // after - 1 wraps past the end when there is none before
        if (index < keys->size() && std::abs(fps.frameAt((*keys)[index].time) - frame) < nearWholeFrame(frame))
            return (*keys)[index].time;
    return exact;
}

Result<void> keyChannel(Draft& draft, ClipId clipId, ChannelId channel, double frame, const ChannelValue& value,
                        std::optional<Interpolation> interpolation)
{
    if (const auto converted = useKindOf(draft, clipId, channel); !converted) return converted;
    const KeyList* keys = draft.scene.find(clipId)->find(channel);
    Key key;
    key.time = keyTime(keys, draft.scene.fps, frame);
    if (const Key* former = keys == nullptr ? nullptr : keys->at(key.time))
        key = *former;
    else
        key.interpolation = usualInterpolation(channel);
    if (interpolation) key.interpolation = *interpolation;
    key.value = value;
    if (keys == nullptr && isPlace(channel.property) && channel.layer == Layer::Keys) {
        if (const auto carrier = worldFromCarrier(draft, channel, key.time))
            if (const auto turned = turnCorrections(draft, clipId, channel, intoWorld(*carrier)); !turned)
                return turned;
        if (const auto converted = intoKeyedSpace(draft, clipId, channel, key); !converted) return converted;
    }
    if (frame == draft.edit.frame && clipId == draft.edit.currentClip)
        draft.edit.pending.erase(inLayer(channel, Layer::Keys));
    keys = draft.scene.find(clipId)->find(channel);
    const std::size_t before = keys == nullptr ? 0 : keys->countUpTo(key.time);
    if (keys != nullptr && keys->at(key.time) == nullptr &&
        (!interpolation || *interpolation == (*keys)[before > 0 ? before - 1 : 0].interpolation)) {
        const auto isPut = keyOnShownCurve(draft, clipId, channel, key.time, value);
        if (!isPut || *isPut) return isPut ? Result<void>() : isPut.error();
    }
    return draft.take(setKey(std::move(draft.scene), clipId, channel, key));
}

Result<void> useKindOf(Draft& draft, ClipId clipId, ChannelId channel)
{
    const Clip* clip = draft.scene.find(clipId);
    const JointId joint{channel.target};
    if (channel.layer == Layer::Corrections) {
        const Joint* found = isRotationKind(channel.property) ? draft.scene.find(joint) : nullptr;
        if (found == nullptr) return {};
        const Joint turned = *found;
        const Scene former = draft.scene;
        return convertCorrections(draft, clipId, turned, channel.property == Property::Rotation, former);
    }
    if (channel.property == Property::Rotation && hasAngleKeys(clip, channel.target))
        return useRotationKeys(draft, clipId, joint);
    if (channel.property >= Property::Rx && channel.property <= Property::Rz &&
        clip->find({channel.target, Property::Rotation}) != nullptr)
        return useAngleKeys(draft, clipId, joint);
    return {};
}

Result<void> useAngleKeys(Draft& draft, ClipId clipId, JointId id)
{
    const KeyList* found = draft.scene.find(clipId)->find({id.value, Property::Rotation});
    if (found == nullptr) return {};
    const Scene former = draft.scene;
    const Joint joint = *draft.scene.find(id);
    const std::vector<Key> whole = found->toVector();
    const Infinity before = found->before(), after = found->after();
    std::array<std::vector<Key>, 3> angles;
    Vector3 near = Vector3::Zero();
    for (const Key& key : whole) {
        near = anglesOf(joint, toQuaternion(key.value),
                        near); // each nearest to the one before: no leaps of a full turn
        for (int axis = 0; axis < 3; ++axis) {
            Key turned{.time = key.time, .value = {near[axis]}, .interpolation = key.interpolation};
            angles[static_cast<std::size_t>(axis)].push_back(turned);
        }
    }
    if (const auto removed = draft.take(
            replaceKeys(std::move(draft.scene), clipId, {id.value, Property::Rotation}, {}));
        !removed)
        return removed;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const ChannelId channel{id.value, kAngles[axis]};
        if (const auto put = draft.take(replaceKeys(std::move(draft.scene), clipId, channel, std::move(angles[axis])));
            !put)
            return put;
        if (const auto set = draft.take(setInfinity(std::move(draft.scene), clipId, channel, before, after)); !set)
            return set;
    }
    if (const auto converted = convertCorrections(draft, clipId, joint, false, former); !converted) return converted;
    if (draft.edit.pending.erase({id.value, Property::Rotation}) != 0)
        draft.say(Severity::Info, "a posed rotation that was not keyed was dropped", joint.name, id.value);
    draft.say(Severity::Info, "its rotation keys are angles now; between keys the motion may differ slightly",
              joint.name, id.value);
    return {};
}

Result<void> useRotationKeys(Draft& draft, ClipId clipId, JointId id)
{
    const Clip* clip = draft.scene.find(clipId);
    const Joint joint = *draft.scene.find(id);
    std::map<Time, Interpolation> times;
    bool wasLinear = false;
    std::optional<std::pair<Infinity, Infinity>> ends; // what the angles agree on, as far as whole rotations have it
    for (const Property angle : kAngles)
        if (const KeyList* keys = clip->find({id.value, angle})) {
            wasLinear = wasLinear || keys->before() == Infinity::Linear || keys->after() == Infinity::Linear;
            const auto kept = [&](Infinity own, bool agrees) {
                return agrees && own != Infinity::Linear ? own : Infinity::Constant;
            };
            ends = std::pair{kept(keys->before(), !ends || ends->first == keys->before()),
                             kept(keys->after(), !ends || ends->second == keys->after())};
            for (const Key& key : keys->toVector())
                times.try_emplace(key.time, key.interpolation == Interpolation::Step ? Interpolation::Step
                                                                                     : Interpolation::Linear);
        }
    if (times.empty()) return {};

    const Scene former = draft.scene;
    std::vector<Key> whole;
    for (const auto& [time, interpolation] : times) {
        const JointPose pose = sampleLayers(draft.scene, clip, kNothingPending, joint, time).base;
        whole.push_back({.time = time, .value = toValue(pose.local.rotation), .interpolation = interpolation});
    }
    for (const Property angle : kAngles)
        if (const auto removed = draft.take(replaceKeys(std::move(draft.scene), clipId, {id.value, angle}, {}));
            !removed)
            return removed;
    if (const auto put = draft.take(
            replaceKeys(std::move(draft.scene), clipId, {id.value, Property::Rotation}, std::move(whole)));
        !put)
        return put;
    if (const auto set = draft.take(
            setInfinity(std::move(draft.scene), clipId, {id.value, Property::Rotation}, ends->first, ends->second));
        !set)
        return set;
    if (const auto converted = convertCorrections(draft, clipId, joint, true, former); !converted) return converted;
    for (const Property angle : kAngles) draft.edit.pending.erase({id.value, angle});
    draft.say(Severity::Info, "its angle keys are whole rotations now; between keys the motion may differ slightly",
              joint.name, id.value);
    if (wasLinear)
        draft.say(Severity::Info,
                  "whole rotations cannot go on linearly; where its angles did, beyond their keys, it is constant now",
                  joint.name, id.value);
    return {};
}

} // namespace tendon
