#pragma once

#include "core/document/Draft.h"
#include "core/scene/FrameNumber.h"

#include <optional>

namespace tendon {

/// A joint as its own channels pose it, before handles, at `time` of the draft's current clip. Pending values count at
/// the current frame only.
[[nodiscard]] JointPose jointPose(const Draft& draft, const Joint& joint, Time time);

/// The value of a channel there, angles read off a whole rotation and the other way round. A goal, pole or curve is in
/// the space that keys have it in, also where a joint carries it.
[[nodiscard]] ChannelValue channelValue(const Draft& draft, ChannelId channel, Time time);

/// What the static values of a handle are converted by to be where operations and keys have them, at `time`: those of a
/// carried goal or pole are in the space of the joint that carries them. None: they are there.
[[nodiscard]] std::optional<Affine> worldFromCarrier(const Draft& draft, ChannelId channel, Time time);

/// Writes a static value so that it is seen as given, in the space that keys have it in, as things stand at the current
/// frame: below the corrections of the current clip.
[[nodiscard]] Result<void> setStaticNow(Draft& draft, ChannelId channel, const ChannelValue& value);

// Posing: on a channel without keys the static value is written; on a keyed one, or while corrections are edited, a
// value that is pending at the current frame; with Auto Key on, a key at the current frame, before which the first key
// of a channel also keys the former value at the range's first frame. A joint is posed by whole rotations or by angles:
// by that which is keyed, else by that which its static values hold, else by angles, or whole rotations for a ball
// joint.

[[nodiscard]] Result<void> poseChannel(Draft& draft, ChannelId channel, const ChannelValue& value);
[[nodiscard]] Result<void> poseAngles(Draft& draft, JointId joint, const Vector3& angles);
[[nodiscard]] Result<void> poseRotation(Draft& draft, JointId joint, const Quaternion& local);
[[nodiscard]] Result<void> poseTranslation(Draft& draft, JointId joint, const Vector3& translation);
[[nodiscard]] Result<void> poseScale(Draft& draft, JointId joint, const Vector3& scale);
[[nodiscard]] Result<void> poseLocal(Draft& draft, JointId joint, const LocalTransform& local);

/// Back to rest: static values go; keyed channels are posed with the rest values.
[[nodiscard]] Result<void> poseRest(Draft& draft, JointId joint);

/// "Hips tx, Hips ty": the channels of `values`, the first few by name.
[[nodiscard]] std::string channelNames(const Scene& scene, const PendingValues& values);

/// Keys every pending value at the current frame, in the layer that is being edited.
[[nodiscard]] Result<void> keyPending(Draft& draft);

/// Discards the pending values, with a warning that names them.
void dropPending(Draft& draft);

/// Makes a clip the current one (none = no clip). What is pending belongs to the former and is dropped.
void selectClip(Draft& draft, ClipId clip);

// Keys

/// The clip that gets keyed: the current one, or a new one called "Clip" that becomes current.
[[nodiscard]] Result<ClipId> clipToKey(Draft& draft);

/// How new keys of a channel run on: whole rotations of a clip's own keys along the great arc, all else along a curve.
[[nodiscard]] constexpr Interpolation usualInterpolation(ChannelId channel)
{
    return isQuaternion(channel.property) && channel.layer == Layer::Keys ? Interpolation::Linear
                                                                          : Interpolation::Bezier;
}

/// Keys closer than this to a frame count as on it.
inline constexpr double kSameFrame = kNearWholeFrame; // [frames]

/// Time of the key of `keys` that stands on a frame, or exactly the frame's.
[[nodiscard]] Time keyTime(const KeyList* keys, FrameRate fps, double frame);

/// Adds or replaces one key of the clip, in the layer of `channel`, with the value that it holds there: keyShown()
/// finds it. One that is replaced keeps its interpolation and tangents unless another interpolation is given. A pending
/// value of the channel is done with when `frame` is the current one. Keys of the joint's other kind of rotation are
/// converted first.
[[nodiscard]] Result<void> keyChannel(Draft& draft, ClipId clip, ChannelId channel, double frame,
                                      const ChannelValue& value,
                                      std::optional<Interpolation> interpolation = std::nullopt);

/// Converts a joint's rotation keys in a clip: whole rotations to angles, or angles to whole rotations. Says so.
[[nodiscard]] Result<void> useAngleKeys(Draft& draft, ClipId clip, JointId joint);
[[nodiscard]] Result<void> useRotationKeys(Draft& draft, ClipId clip, JointId joint);

/// Converts the joint's keys of its other kind of rotation, so that the channel may have keys.
[[nodiscard]] Result<void> useKindOf(Draft& draft, ClipId clip, ChannelId channel);

/// True when the clip has keys of one of the joint's angles.
[[nodiscard]] bool hasAngleKeys(const Clip* clip, ObjectId joint);

} // namespace tendon
