#pragma once

#include "core/scene/ModelAsset.h"

#include <vector>

namespace tendon {

/// Meshes and materials of a file, without what binds meshes to joints.
struct DrawnParts
{
    std::vector<Mesh> meshes; ///< skins are not filled in
    std::vector<Material> materials;
};

} // namespace tendon
