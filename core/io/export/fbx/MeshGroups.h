#pragma once

#include "core/scene/ModelAsset.h"

#include <vector>

namespace tendon::fbx {

/// What FBX writes as one mesh with several materials: the parts that an importer split by material, joined again.
struct MeshGroup
{
    Mesh mesh;                           ///< skin: the union of the parts' joints
    std::vector<std::int32_t> materials; ///< a slot each, index into ModelAsset::materials or -1
    std::vector<std::int32_t> slotOfTriangle;
    std::size_t firstPart = 0;            ///< index of the mesh that came first
    std::vector<std::size_t> begins = {}; ///< first vertex of each part
};

/// Parts join when they share a name, the way they are bound and the attributes they have. Readers such as three.js
/// make copies of a joint for every further mesh that is bound to it. Order is that of the first parts.
[[nodiscard]] std::vector<MeshGroup> groupMeshes(const std::vector<Mesh>& meshes);

} // namespace tendon::fbx
