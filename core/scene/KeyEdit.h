#pragma once

#include "core/scene/GoalPose.h"
#include "core/scene/RestPose.h"
#include "core/scene/Scene.h"

#include <set>

namespace tendon {

// Static values and keys. A joint has either a whole rotation or angles, in its static values and in each clip. Writing
// a static value of one kind replaces the other kind. Writing a key of one kind is an error if there are keys of the
// other kind: core/document converts them, because that needs sampling.

/// Writes the static value of a channel. Quaternions are made unit.
[[nodiscard]] Result<Scene> setStatic(Scene scene, ChannelId channel, const ChannelValue& value);

/// Resets a channel to its default: for a joint, the rest pose. Goals, poles and points of curves have no default and
/// stay.
[[nodiscard]] Result<Scene> clearStatic(Scene scene, ChannelId channel);

/// The key as a channel stores it: quaternions unit, numbers that the channel does not have 0. Error: the channel
/// cannot have the key.
[[nodiscard]] Result<Key> soundKey(const Scene& scene, ChannelId channel, Key key);

/// Adds or replaces the key at key.time. Quaternions are made unit.
[[nodiscard]] Result<Scene> setKey(Scene scene, ClipId clip, ChannelId channel, Key key);

/// Removes the key at exactly `time`, and the channel with its last key. Error: there is no such key.
[[nodiscard]] Result<Scene> removeKey(Scene scene, ClipId clip, ChannelId channel, Time time);

/// Replaces all keys of a channel; an empty list removes the channel. What comes before and after the keys stays.
[[nodiscard]] Result<Scene> replaceKeys(Scene scene, ClipId clip, ChannelId channel, std::vector<Key> keys);

/// Sets what comes before the first and after the last key of a channel. Errors: no keys, and Linear for a quaternion.
[[nodiscard]] Result<Scene> setInfinity(Scene scene, ClipId clip, ChannelId channel, Infinity before, Infinity after);

// The following change a scene in place. Precondition: the ids exist.

/// Writes the static values that pose `joint` as `local`; none for what is as in the rest pose.
void poseStatically(Scene& scene, const Joint& joint, const LocalTransform& local);

/// Adds `offset` to all static and keyed translations of a joint.
void shiftTranslations(Scene& scene, JointId joint, const Vector3& offset);

/// A value of a handle's goal, pole or curve in another space.
[[nodiscard]] ChannelValue valueInSpace(Property property, const ChannelValue& value, const ChangeOfSpace& change);

/// The slope of such a value, per second, as seen in another space that stands still.
[[nodiscard]] ChannelValue slopeInSpace(Property property, const ChannelValue& slope, const ChangeOfSpace& change);

/// Converts static and keyed values of a handle's goal, pole or curve to another space, each key as at its own time,
/// and turns their corrections along.
void moveToSpace(Scene& scene, ChannelId channel, const SpaceChange& changeAt);

/// Removes the static values and keys of the objects.
void removeChannelsOf(Scene& scene, const std::set<ObjectId>& objects);

/// The clip to edit, copied first if other scenes share it; null if it does not exist.
[[nodiscard]] Clip* editableClip(Scene& scene, ClipId clip);

} // namespace tendon
