#pragma once

#include "core/scene/GoalPose.h"
#include "core/scene/RestPose.h"
#include "core/scene/Scene.h"

#include <optional>
#include <string>

namespace tendon {

/// Adds a joint as given, with a new id. Errors: the name is taken, the parent does not exist.
[[nodiscard]] Result<Scene> addJoint(Scene scene, Joint joint);

/// Removes a joint and all joints below it, the handles that start or end there, and the roles, static values and keys
/// of all of these. A goal or pole that followed one of them stays in the world where it is in the static pose. Meshes
/// skinned to them are bound to the nearest joint above, at its rest pose. Error: no joint is left above to which a
/// mesh could be bound.
[[nodiscard]] Result<Scene> removeJoint(Scene scene, JointId joint);

/// Renames a joint or handle. Error: the name is taken or not allowed.
[[nodiscard]] Result<Scene> rename(Scene scene, ObjectId object, const std::string& to);

/// Replaces the joint that has the same id. Its name and parent must be unchanged.
[[nodiscard]] Result<Scene> changeJoint(Scene scene, const Joint& changed);

/// Links a joint to another parent (none = root). The joint stays where it is in the world, in the rest pose and in the
/// static pose. `change` is that from the old parent's space into the new one's as they are posed; none: as in the
/// static pose. Keys are not converted: see core/document. Sliding ranges are converted if the new axes are parallel to
/// the old ones. Errors: a cycle, a handle's chain that would be interrupted.
[[nodiscard]] Result<Scene> link(Scene scene, JointId joint, JointId parent,
                                 const std::optional<ChangeOfSpace>& change = {});

/// Adds a joint at the pivot of `joint`, between it and its parent. Nothing moves in the world, at no key either.
[[nodiscard]] Result<Scene> insertParent(Scene scene, JointId joint, const std::string& name);

/// Copies a joint's motion parameters: rotation order, axis freedoms, ball limits, preferred angle, stiffness and
/// rate limits. With `mirrorAxis` (0 x, 1 y, 2 z of the world), copies their mirror image across the plane through the
/// origin that is perpendicular to that axis, for any rest orientations of the two joints: ranges change sign where the
/// image of an axis points the other way. Error: the rest orientations are too far from mirror images of each other.
[[nodiscard]] Result<Scene> copyJointParameters(Scene scene, JointId from, JointId to, std::optional<int> mirrorAxis);

} // namespace tendon
