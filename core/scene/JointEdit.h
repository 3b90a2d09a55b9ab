#pragma once

#include "core/scene/RestPose.h"
#include "core/scene/Scene.h"

#include <optional>
#include <string>

namespace tendon {

/// Adds a joint as given, except that its id is drawn new. Errors: its name is taken, its parent not there.
[[nodiscard]] Result<Scene> addJoint(Scene scene, Joint joint);

/// Removes a joint and all below it, with the handles that start or end there and all static values and keys that hang
/// on any of them. A goal or pole that followed one of them stands in the world from then on, where it is in the static
/// pose. What is skinned to them is bound to the nearest joint above, as it stands in the rest pose; a root that
/// carries a mesh is refused.
[[nodiscard]] Result<Scene> removeJoint(Scene scene, JointId joint);

/// Renames a joint or handle. Error: the name is taken or not one that can be given.
[[nodiscard]] Result<Scene> rename(Scene scene, ObjectId object, const std::string& to);

/// Puts a joint of the same id in place of the one there. Its name and parent must be unchanged.
[[nodiscard]] Result<Scene> changeJoint(Scene scene, const Joint& changed);

/// Hangs a joint under another parent (none = root) so that it keeps its place in the world, in the rest pose and as
/// its static values pose it. `newFromOld` takes the old parent's space to the new one's as they are posed; none = as
/// the static values pose them. Its keys are left as they are: see core/document. Sliding ranges move along where the
/// new axes are parallel to the old. Refuses cycles, and to tear a handle's chain.
[[nodiscard]] Result<Scene> link(Scene scene, JointId joint, JointId parent,
                                 const std::optional<Affine>& newFromOld = {});

/// Puts a new joint at the pivot of `joint` between it and its parent. All places in the world stay, keyed ones too.
[[nodiscard]] Result<Scene> insertParent(Scene scene, JointId joint, const std::string& name);

/// Copies what limits and shapes a joint's motion: order and freedom of its axes, ball limits, preferred angle,
/// stiffness. With `mirrorAxis` (0 x, 1 y, 2 z of the world) as the mirror image across the plane through the origin
/// perpendicular to that axis, whatever the rest orientations of the two joints: ranges change sides where the image of
/// an axis runs the other way. Error: the rest orientations are not near enough to mirror images.
[[nodiscard]] Result<Scene> copyJointParameters(Scene scene, JointId from, JointId to, std::optional<int> mirrorAxis);

} // namespace tendon
