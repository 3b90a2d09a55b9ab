#pragma once

#include "core/runtime/CompiledRig.h"
#include "core/scene/ModelAsset.h"

namespace tendon::viewport {

/// The drawn segments of all joints as one mesh, each rigidly on its joint: in mesh space every segment stands as in
/// its joint's. Spheres are darker, which tells joints from limbs. Empty when no joint has a segment.
[[nodiscard]] Mesh segmentBodies(const CompiledRig& rig);

/// What segments are made of.
[[nodiscard]] Material segmentMaterial();

} // namespace tendon::viewport
