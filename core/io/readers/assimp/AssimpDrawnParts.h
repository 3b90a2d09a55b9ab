#pragma once

#include "core/base/Result.h"
#include "core/scene/ModelAsset.h"

#include <cstdint>
#include <span>
#include <vector>

namespace tendon::assimp {

/// What is drawn, as Assimp read it.
struct DrawnParts
{
    std::vector<Mesh> meshes; ///< in Assimp's order; skins are not filled
    std::vector<Material> materials;
    std::vector<Texture> textures;
};

/// Reads a self-contained file from memory; Assimp can open nothing else. `suffix` chooses its reader: "glb". For use
/// in the import child only: on some damaged files Assimp crashes, runs away or takes all memory.
[[nodiscard]] Result<DrawnParts> readDrawnParts(std::span<const std::uint8_t> file, const char* suffix);

} // namespace tendon::assimp
