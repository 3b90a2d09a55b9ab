#pragma once

#include "core/scene/ModelAsset.h"

#include <vector>

namespace tendon::fbx {

/// One mesh with several materials, as FBX has them: the parts that an importer split by material, joined again.
struct MeshGroup
{
    Mesh mesh;                           ///< skin: the union of the parts' joints
    std::vector<std::int32_t> materials; ///< a slot each, index into ModelAsset::materials or -1
    std::vector<std::int32_t> slotOfTriangle;
    std::size_t firstPart = 0;            ///< index of the mesh that came first
    std::vector<std::size_t> begins = {}; ///< first vertex of each part
};

/// Joins parts that have the same name, binding and attributes, in the order of the first parts. Readers such as
/// three.js copy a joint for every further mesh that is bound to it.
[[nodiscard]] std::vector<MeshGroup> groupMeshes(const std::vector<Mesh>& meshes);

} // namespace tendon::fbx
