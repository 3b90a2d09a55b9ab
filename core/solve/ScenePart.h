#pragma once

#include "core/scene/Scene.h"

namespace tendon {

/// What the place of a joint depends on: the joint and all above it, the handles that move one of these, and again all
/// that those handles depend on. The rest of the scene is as it was, so that the joint is posed as in the whole scene,
/// to the bit. Costs what the part does, however large the scene. Precondition: the scene has the joint.
[[nodiscard]] Scene partThatPoses(const Scene& scene, JointId joint);

/// What a handle runs through and looks at, with all above that, and no other handle. Precondition: it is the scene's.
[[nodiscard]] Scene partOfHandle(const Scene& scene, const Handle& handle);

} // namespace tendon
