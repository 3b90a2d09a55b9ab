#pragma once

#include "core/scene/Scene.h"

namespace tendon {

/// The scene with every skinned mesh moved to where its joints stand at rest, its binding with it: then the bind poses
/// of joints are their rest poses wherever the model allows that, and meshes agree on those of the joints that they
/// share. Nothing moves: a vertex follows its joints as before. Files leave open where a mesh stands when it is bound;
/// readers that build their bones from bind poses (Blender) do not.
[[nodiscard]] Scene withMeshesAtRest(Scene scene);

} // namespace tendon
