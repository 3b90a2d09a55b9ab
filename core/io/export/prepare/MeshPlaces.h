#pragma once

#include "core/scene/Scene.h"

namespace tendon {

/// The scene with every skinned mesh, and its binding, moved to where its joints are at rest. Bind poses are then rest
/// poses where the model allows it, and meshes that share joints agree on their bind poses. Vertices follow their
/// joints as before, so nothing moves on screen. Files may bind a mesh anywhere, but Blender builds its bones from bind
/// poses.
[[nodiscard]] Scene withMeshesAtRest(Scene scene);

} // namespace tendon
