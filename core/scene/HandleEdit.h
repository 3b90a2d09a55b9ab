#pragma once

#include "core/scene/RestPose.h"
#include "core/scene/Scene.h"

namespace tendon {

/// Adds a handle as given, except that its id is drawn new. Its goal is written as a static value: where the effector
/// is and how the end joint is turned when `worldFromEnd` is the end joint's pose, in the space of what it follows.
/// With a pole that follows no joint, `pole` [m, world] is written too. Errors: name taken, chain that does not fit,
/// following in a circle.
[[nodiscard]] Result<Scene> addHandle(Scene scene, Handle handle, const Affine& worldFromEnd,
                                      const Affine& worldFromFollow, const Vector3& pole = Vector3::Zero());

/// The same with the end and the followed joint as they stand in the static pose.
[[nodiscard]] Result<Scene> addHandle(Scene scene, Handle handle);

/// Puts a handle of the same id in place of the one there; its name must be unchanged. When it follows another joint
/// than before, `newFromOld` takes its goal along so that it keeps its place (none: in the static pose).
[[nodiscard]] Result<Scene> changeHandle(Scene scene, const Handle& changed, const SpaceChange& newFromOld = {});

/// Removes a handle with its static values and keys.
[[nodiscard]] Result<Scene> removeHandle(Scene scene, HandleId handle);

} // namespace tendon
