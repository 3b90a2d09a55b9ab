#pragma once

#include "core/scene/GoalPose.h"
#include "core/scene/RestPose.h"
#include "core/scene/Scene.h"

#include <optional>
#include <span>

namespace tendon {

/// Adds a handle as given, with a new id. Writes its goal as static values: the effector's position and the end joint's
/// rotation when the end joint is at `worldFromEnd`, in the goal's space (`worldFromFollow`). If the handle has a pole
/// that follows no joint, also writes `pole` [m, world]. Errors: the name is taken, the chain does not fit, handles
/// follow each other in a circle.
[[nodiscard]] Result<Scene> addHandle(Scene scene, Handle handle, const Affine& worldFromEnd,
                                      const Affine& worldFromFollow, const Vector3& pole = Vector3::Zero());

/// The same, with the end and the followed joint in the static pose.
[[nodiscard]] Result<Scene> addHandle(Scene scene, Handle handle);

/// The joint above a handle's start, if it carries the handle's goal and pole (Handle::isCarried()); else none.
[[nodiscard]] JointId carrierOf(const Scene& scene, const Handle& handle);

/// How a value of `channel` goes from one space into another (joints, handles' goals, 0 = the world): at a time of a
/// clip; where the clip is null, for the static value.
using SpaceBetween =
    std::function<ChangeOfSpace(ObjectId from, ObjectId to, ChannelId channel, const Clip* clip, Time time)>;

/// Replaces the handle that has the same id; the name must be unchanged. Where its goal or pole now follows another
/// object or is carried by another joint, `spaces` converts them so that they stay where they are (none: in the static
/// pose).
[[nodiscard]] Result<Scene> changeHandle(Scene scene, const Handle& changed, const SpaceBetween& spaces = {});

/// Converts a handle's goal and pole from the spaces that `before` has them in to those of `after`, static values and
/// keys, each key as at its own time. Keys of a clip that keys the space itself stay as they are.
void moveGoalToSpace(Scene& scene, const Handle& before, const Handle& after, const SpaceBetween& spaces);

/// Converts the static values of a carried goal and pole: the joint that carries them is another from now on.
void moveCarried(Scene& scene, const Handle& handle, const ChangeOfSpace& change);

/// Gives a handle the curve through these control points [m, in the goal's space], or takes its curve away (none).
/// Keys of the former curve are gone. Errors: there is no such handle; too few or too many points, or one is not
/// finite.
[[nodiscard]] Result<Scene> setCurve(Scene scene, HandleId handle, std::span<const Vector3> points);

/// Inserts a control point before `index` (0 ... the number of points), or removes one. The points behind it keep their
/// static values and keys under their new numbers; a new point has no keys, those of a removed one are gone.
[[nodiscard]] Result<Scene> insertCurvePoint(Scene scene, HandleId handle, int index, const Vector3& position);
[[nodiscard]] Result<Scene> removeCurvePoint(Scene scene, HandleId handle, int index);

[[nodiscard]] bool isOfCurve(ChannelId channel, HandleId handle);

/// The number that point `index` has when the points from `from` on have moved by `by` (1 or -1); none = it is gone.
[[nodiscard]] std::optional<int> shiftedCurvePoint(int index, int from, int by);

/// Removes a handle, its static values and its keys.
[[nodiscard]] Result<Scene> removeHandle(Scene scene, HandleId handle);

} // namespace tendon
