#pragma once

#include "core/scene/RestPose.h"
#include "core/scene/Scene.h"

namespace tendon {

/// Adds a handle as given, with a new id. Writes its goal as static values: the effector's position and the end joint's
/// rotation when the end joint is at `worldFromEnd`, in the goal's space (`worldFromFollow`). If the handle has a pole
/// that follows no joint, also writes `pole` [m, world]. Errors: the name is taken, the chain does not fit, handles
/// follow each other in a circle.
[[nodiscard]] Result<Scene> addHandle(Scene scene, Handle handle, const Affine& worldFromEnd,
                                      const Affine& worldFromFollow, const Vector3& pole = Vector3::Zero());

/// The same, with the end and the followed joint in the static pose.
[[nodiscard]] Result<Scene> addHandle(Scene scene, Handle handle);

/// Replaces the handle that has the same id; the name must be unchanged. If the handle now follows another joint,
/// `newFromOld` converts its goal so that the goal stays where it is (none: in the static pose).
[[nodiscard]] Result<Scene> changeHandle(Scene scene, const Handle& changed, const SpaceChange& newFromOld = {});

/// Removes a handle, its static values and its keys.
[[nodiscard]] Result<Scene> removeHandle(Scene scene, HandleId handle);

} // namespace tendon
