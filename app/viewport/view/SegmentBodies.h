#pragma once

#include "core/runtime/CompiledRig.h"
#include "core/scene/ModelAsset.h"

namespace tendon::viewport {

/// The segments of all joints as one mesh, each rigid on its joint: mesh space is each joint's own space. Spheres are
/// darker, which distinguishes joints from limbs. Empty if no joint has a segment.
[[nodiscard]] Mesh segmentBodies(const CompiledRig& rig);

/// The material of segments.
[[nodiscard]] Material segmentMaterial();

} // namespace tendon::viewport
