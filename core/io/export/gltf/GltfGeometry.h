#pragma once

#include "core/base/Issue.h"
#include "core/io/export/gltf/GltfData.h"
#include "core/scene/ModelAsset.h"

namespace tendon::gltf {

/// How a mesh is bound when it is written: influences per vertex, at most 4 (JOINTS_0) or 8 (JOINTS_0 and _1).
struct SkinningOptions
{
    int maxInfluences = 4; ///< 4 or 8; several readers, three.js among them, look at the first four only
};

/// Writes a mesh's vertices, indices and morph targets into `data` and returns the primitive (without its material).
/// Weights are merged per joint, sorted by size, capped and made to sum to 1.
[[nodiscard]] Json writePrimitive(DataWriter& data, const Mesh& mesh, const SkinningOptions& options);

/// Adds all materials with their textures and images to `json`; what glTF cannot hold (other image formats than PNG and
/// JPEG) is left out with an issue.
void writeMaterials(Json& json, DataWriter& data, const ModelAsset& model, Issues& issues);

} // namespace tendon::gltf
