#pragma once

#include "core/scene/Scene.h"

#include <set>
#include <vector>

namespace tendon {

// What goals and poles follow: the world (0), a joint, or the goal of another handle, which may itself follow
// something.

/// The handles whose goals the handle's goal or pole follows, now or at some key, directly or through others; each
/// once. Also where they follow each other in a circle, which checkFollowing() refuses.
[[nodiscard]] std::vector<HandleId> followedHandles(const Scene& scene, const Handle& handle);

/// The joints that the handle's goal, pole and ups depend on, also through the goals that it follows; each once.
[[nodiscard]] std::vector<JointId> followedJoints(const Scene& scene, const Handle& handle);

/// Error: the goal of a handle follows itself, through others.
[[nodiscard]] Result<void> checkGoalsEnd(const Scene& scene);

/// worldFromSpace in the static pose; the identity for the world.
[[nodiscard]] Affine spaceInStaticPose(const Scene& scene, ObjectId space);

/// The handle no longer follows what goes: its goal and pole stay where they are in the static pose, and keys of their
/// spaces name the world. Keys of goal and pole keep their numbers: core/document converts those that should stay.
void releaseFollowers(Scene& scene, const std::set<ObjectId>& gone);

} // namespace tendon
