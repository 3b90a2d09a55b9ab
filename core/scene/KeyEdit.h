#pragma once

#include "core/scene/RestPose.h"
#include "core/scene/Scene.h"

#include <set>

namespace tendon {

// Static values and keys. For one joint either the whole rotation or angles are there, among the static values and
// among the keys of one clip: writing a static value of one kind takes the place of the other; keys of the other kind
// are an error (core/document converts them, which takes sampling).

/// Writes the static value of a channel. Quaternions are made unit.
[[nodiscard]] Result<Scene> setStatic(Scene scene, ChannelId channel, const ChannelValue& value);

/// Back to the default: for a joint the rest pose. Goals and poles, which have none, stay.
[[nodiscard]] Result<Scene> clearStatic(Scene scene, ChannelId channel);

/// Adds or replaces the key at key.time. Quaternions are made unit.
[[nodiscard]] Result<Scene> setKey(Scene scene, ClipId clip, ChannelId channel, Key key);

/// Removes the key at exactly `time`; a channel without keys is no channel. Error: there is none.
[[nodiscard]] Result<Scene> removeKey(Scene scene, ClipId clip, ChannelId channel, Time time);

/// Puts other keys in the place of all of a channel's; none removes the channel.
[[nodiscard]] Result<Scene> replaceKeys(Scene scene, ClipId clip, ChannelId channel, std::vector<Key> keys);

// The following work on a scene that is being edited; the ids must be there.

/// Writes into the static values what poses `joint` as `local`, and nothing where that is its rest pose.
void poseStatically(Scene& scene, const Joint& joint, const LocalTransform& local);

/// Adds `offset` to all static and keyed translations of a joint.
void shiftTranslations(Scene& scene, JointId joint, const Vector3& offset);

/// Takes static and keyed values of a handle's goal or pole from one space to another: each key as at its own time.
void moveToSpace(Scene& scene, ChannelId channel, const SpaceChange& newFromOld);

/// Removes static values and keys of objects that are gone.
void removeChannelsOf(Scene& scene, const std::set<ObjectId>& objects);

/// The clip to edit, copied first where other scenes share it; null when it is not there.
[[nodiscard]] Clip* editableClip(Scene& scene, ClipId clip);

} // namespace tendon
