#include "core/scene/KeyEdit.h"

#include "core/scene/Check.h"

#include <algorithm>
#include <cmath>

namespace tendon {
namespace {

ChannelValue normalised(Property property, ChannelValue value)
{
    if (isQuaternion(property)) {
        const Quaternion q = toQuaternion(value);
        // A unit quaternion keeps its bits: what was written must be what is read.
        if (std::abs(q.squaredNorm() - 1) > 1e-14) value = toValue(q.normalized());
    }
    for (std::size_t i = static_cast<std::size_t>(componentCount(property)); i < 4; ++i) value[i] = 0;
    for (double& number : value) number += 0.0; // no negative zero: files cannot tell it from zero
    return value;
}

bool isAngleOfJoint(Property property)
{
    return property == Property::Rx || property == Property::Ry || property == Property::Rz;
}

Result<void> checkKey(const Scene& scene, ChannelId channel, const Key& key)
{
    if (const auto fits = checkChannel(scene, channel); !fits) return fits;
    if (const auto fits = checkValue(scene, channel, key.value); !fits) return fits;
    if (const auto fits = checkSpace(scene, channel, key.value); !fits) return fits;
    if (!(key.inWeight >= 0 && key.inWeight <= 1 && key.outWeight >= 0 && key.outWeight <= 1))
        return Error{ErrorCode::InvalidArgument, "weights of tangents must be from 0 to 1",
                     std::string(propertyName(channel.property))};
    for (const ChannelValue& slope : {key.in, key.out})
        if (!std::all_of(slope.begin(), slope.end(), [](double s) { return std::isfinite(s); }))
            return Error{ErrorCode::InvalidArgument, "tangents must be finite",
                         std::string(propertyName(channel.property))};
    return {};
}

Result<void> checkRotationKind(const Clip& clip, ChannelId channel)
{
    const auto has = [&](Property p) { return clip.find({channel.target, p, channel.layer}) != nullptr; };
    const bool isOtherThere = channel.property == Property::Rotation ? std::any_of(kAngles.begin(), kAngles.end(), has)
                              : isAngleOfJoint(channel.property)     ? has(Property::Rotation)
                                                                     : false;
    if (isOtherThere)
        return Error{ErrorCode::InvalidArgument,
                     "the joint has keys of the other kind of rotation (angles or quaternion); convert them first", ""};
    return {};
}

Key normalised(Property property, Key key)
{
    key.value = normalised(property, key.value);
    if (isSpace(property)) key.interpolation = Interpolation::Step;
    for (std::size_t i = static_cast<std::size_t>(componentCount(property)); i < 4; ++i) key.in[i] = key.out[i] = 0;
    return key;
}

} // namespace

Clip* editableClip(Scene& scene, ClipId clip)
{
    for (auto& candidate : scene.clips)
        if (candidate->id == clip) return &candidate.edit();
    return nullptr;
}

Result<Scene> setStatic(Scene scene, ChannelId channel, const ChannelValue& value)
{
    if (const auto fits = checkChannel(scene, channel); !fits) return fits.error();
    if (const auto fits = checkValue(scene, channel, value); !fits) return fits.error();
    if (isSpace(channel.property))
        return Error{ErrorCode::InvalidArgument,
                     "without keys, what a handle follows is set by setHandle, in its field follow", ""};
    if (channel.layer == Layer::Corrections)
        return Error{ErrorCode::InvalidArgument, "corrections are keys; they have no static values", ""};
    const ObjectId target = channel.target;
    if (channel.property == Property::Rotation) {
        for (const Property angle : kAngles)
            if (scene.statics->count({target, angle}) != 0) scene.statics.edit().erase({target, angle});
    } else if (isAngleOfJoint(channel.property) && scene.statics->count({target, Property::Rotation}) != 0) {
        const Vector3 angles = staticPose(scene, *scene.find(JointId{target})).angles;
        StaticValues& statics = scene.statics.edit();
        statics.erase({target, Property::Rotation});
        for (std::size_t axis = 0; axis < 3; ++axis)
            statics[{target, kAngles[axis]}] = {angles[static_cast<Eigen::Index>(axis)] + 0.0};
    }
    const ChannelValue wanted = normalised(channel.property, value);
    if (const auto stored = scene.statics->find(channel); stored == scene.statics->end() || stored->second != wanted)
        scene.statics.edit()[channel] = wanted;
    return scene;
}

Result<Scene> clearStatic(Scene scene, ChannelId channel)
{
    if (const auto fits = checkChannel(scene, channel); !fits) return fits.error();
    const Property p = channel.property;
    if (!isPlace(p) && scene.statics->count(channel) != 0) scene.statics.edit().erase(channel);
    return scene;
}

Result<Key> soundKey(const Scene& scene, ChannelId channel, Key key)
{
    if (const auto fits = checkKey(scene, channel, key); !fits) return fits.error();
    return normalised(channel.property, key);
}

Result<Scene> setKey(Scene scene, ClipId clip, ChannelId channel, Key key)
{
    if (const auto fits = checkKey(scene, channel, key); !fits) return fits.error();
    const Clip* found = scene.find(clip);
    if (found == nullptr) return noSuchClip();
    if (const auto fits = checkRotationKind(*found, channel); !fits) return fits.error();
    editableClip(scene, clip)->channels[channel].edit().insertOrReplace(normalised(channel.property, key));
    return scene;
}

Result<Scene> removeKey(Scene scene, ClipId clip, ChannelId channel, Time time)
{
    const Clip* found = scene.find(clip);
    if (found == nullptr) return noSuchClip();
    const KeyList* keys = found->find(channel);
    if (keys == nullptr || keys->at(time) == nullptr)
        return Error{ErrorCode::NotFound, "there is no key at that time", ""};
    Clip& edited = *editableClip(scene, clip);
    if (keys->size() == 1)
        edited.channels.erase(channel);
    else
        edited.channels[channel].edit().erase(time);
    return scene;
}

Result<Scene> replaceKeys(Scene scene, ClipId clip, ChannelId channel, std::vector<Key> keys)
{
    const Clip* found = scene.find(clip);
    if (found == nullptr) return noSuchClip();
    if (keys.empty()) {
        if (found->find(channel) != nullptr) editableClip(scene, clip)->channels.erase(channel);
        return scene;
    }
    if (const auto fits = checkRotationKind(*found, channel); !fits) return fits.error();
    for (Key& key : keys) {
        if (const auto fits = checkKey(scene, channel, key); !fits) return fits.error();
        key = normalised(channel.property, key);
    }
    const KeyList* former = found->find(channel);
    KeyList list = former == nullptr ? KeyList(std::move(keys)) : KeyList(std::move(keys), *former);
    editableClip(scene, clip)->channels.insert_or_assign(channel, std::move(list));
    return scene;
}

Result<Scene> setInfinity(Scene scene, ClipId clip, ChannelId channel, Infinity before, Infinity after)
{
    const Clip* found = scene.find(clip);
    if (found == nullptr) return noSuchClip();
    const KeyList* keys = found->find(channel);
    if (keys == nullptr) return Error{ErrorCode::NotFound, "the channel has no keys", ""};
    const auto goesOn = [](Infinity infinity) {
        return infinity == Infinity::Linear || infinity == Infinity::CycleOffset;
    };
    if (isSpace(channel.property) && (goesOn(before) || goesOn(after)))
        return Error{
            ErrorCode::InvalidArgument,
            "what a handle follows is not a number, so it cannot continue linearly; use constant, cycle or oscillate",
            ""};
    if (isQuaternion(channel.property) && (before == Infinity::Linear || after == Infinity::Linear))
        return Error{ErrorCode::InvalidArgument,
                     "quaternion keys cannot continue linearly; use a cycle with offset, or convert them to Euler", ""};
    if (keys->before() != before || keys->after() != after)
        editableClip(scene, clip)->channels[channel].edit().setInfinity(before, after);
    return scene;
}

void poseStatically(Scene& scene, const Joint& joint, const LocalTransform& local)
{
    constexpr double kSame = 1e-12; // what rounding leaves between two ways to the same pose
    const ObjectId id = joint.id.value;
    StaticValues statics = *scene.statics;
    const auto write = [&](Property property, double value, double rest) {
        if (std::abs(value - rest) <= kSame * std::max(1.0, std::abs(rest)))
            statics.erase({id, property});
        else
            statics[{id, property}] = {value + 0.0};
    };
    for (int axis = 0; axis < 3; ++axis) {
        write(static_cast<Property>(axis), local.translation[axis], joint.rest.translation[axis]);
        write(static_cast<Property>(static_cast<int>(Property::Sx) + axis), local.scale[axis], joint.rest.scale[axis]);
    }
    if (statics.count({id, Property::Rotation}) != 0) {
        if (local.rotation.angularDistance(joint.rest.rotation) <= kSame)
            statics.erase({id, Property::Rotation});
        else
            statics[{id, Property::Rotation}] = normalised(Property::Rotation, toValue(local.rotation));
    } else {
        const Vector3 angles = anglesOf(joint, local.rotation, staticPose(scene, joint).angles);
        for (int axis = 0; axis < 3; ++axis) write(kAngles[static_cast<std::size_t>(axis)], angles[axis], 0);
    }
    if (statics != *scene.statics) scene.statics = std::move(statics);
}

void shiftTranslations(Scene& scene, JointId joint, const Vector3& offset)
{
    for (int axis = 0; axis < 3; ++axis) {
        const ChannelId channel{joint.value, static_cast<Property>(axis)};
        if (offset[axis] == 0) continue;
        if (scene.statics->count(channel) != 0) scene.statics.edit()[channel][0] += offset[axis];
        for (auto& clip : scene.clips) {
            const KeyList* keys = clip->find(channel);
            if (keys == nullptr) continue;
            std::vector<Key> moved = keys->toVector();
            for (Key& key : moved) key.value[0] += offset[axis];
            KeyList list(std::move(moved), *keys);
            clip.edit().channels.insert_or_assign(channel, std::move(list));
        }
    }
}

ChannelValue valueInSpace(Property property, const ChannelValue& value, const ChangeOfSpace& change)
{
    if (isQuaternion(property)) return normalised(property, toValue((change.turn * toQuaternion(value)).normalized()));
    return toValue(Vector3(change.newFromOld * toVector(value)));
}

ChannelValue slopeInSpace(Property property, const ChannelValue& slope, const ChangeOfSpace& change)
{
    if (isQuaternion(property)) return toValue(change.turn * toQuaternion(slope));
    return toValue(Vector3(change.newFromOld.linear() * toVector(slope)));
}

void moveToSpace(Scene& scene, ChannelId channel, const SpaceChange& changeAt)
{
    const auto moved = [&](const ChannelValue& value, const ChangeOfSpace& change) {
        return valueInSpace(channel.property, value, change);
    };
    const auto turned = [&](const ChannelValue& slope, const ChangeOfSpace& change) {
        return slopeInSpace(channel.property, slope, change);
    };
    if (const auto stored = scene.statics->find(channel); stored != scene.statics->end()) {
        const ChannelValue value = moved(stored->second, changeAt(nullptr, Time{}));
        scene.statics.edit()[channel] = value;
    }
    for (auto& clip : scene.clips) {
        const bool isKeyed = clip->find(channel) != nullptr;
        for (const Layer layer : {Layer::Keys, Layer::Corrections}) {
            const KeyList* keys = clip->find(inLayer(channel, layer));
            const bool isTurn = layer == Layer::Corrections && isQuaternion(channel.property);
            if (keys == nullptr || isTurn) continue; // a turn on the right is the same in every space
            std::vector<Key> edited = keys->toVector();
            for (Key& key : edited) {
                // Corrections are in the space of what they correct, and have a direction but no place.
                const ChangeOfSpace change = isKeyed || layer == Layer::Keys ? changeAt(&*clip, key.time)
                                                                             : changeAt(nullptr, Time{});
                key.value = layer == Layer::Keys ? moved(key.value, change) : turned(key.value, change);
                key.in = turned(key.in, change);
                key.out = turned(key.out, change);
            }
            KeyList list(std::move(edited), *keys);
            clip.edit().channels.insert_or_assign(inLayer(channel, layer), std::move(list));
        }
    }
}

void removeChannelsOf(Scene& scene, const std::set<ObjectId>& objects)
{
    const auto theirs = [&](const auto& map) {
        std::vector<ChannelId> channels;
        for (const ObjectId object : objects)
            for (auto entry = map.lower_bound(ChannelId{object, Property{}});
                 entry != map.end() && entry->first.target == object; ++entry)
                channels.push_back(entry->first);
        return channels;
    };
    for (const ChannelId& channel : theirs(*scene.statics)) scene.statics.edit().erase(channel);
    for (auto& clip : scene.clips)
        for (const ChannelId& channel : theirs(clip->channels)) clip.edit().channels.erase(channel);
}

} // namespace tendon
