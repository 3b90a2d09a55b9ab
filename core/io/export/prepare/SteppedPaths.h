#pragma once

#include "core/runtime/BakedClip.h"
#include "core/scene/Scene.h"

#include <array>

namespace tendon {

/// Whether the translation, rotation and scale of a joint hold their values between keys: no handle drives the joint,
/// and all its keys in the scene's clip of that name are stepped. Their samples are written as steps, which is exact at
/// every moment because a bake has a sample at every key.
[[nodiscard]] std::array<bool, 3> steppedPaths(const Scene& scene, const BakedClip& clip, JointId joint);

} // namespace tendon
