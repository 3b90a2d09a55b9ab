#pragma once

#include "core/base/Result.h"
#include "core/io/model/DrawnParts.h"

#include <cstdint>
#include <span>

namespace tendon::assimp {

/// Decodes the meshes and materials of a .glb in memory, in Assimp's order; Assimp can open no file. Images are not
/// looked at: a material's textures are the numbers that the images have for URIs. Call it in the import child only: on
/// some corrupt files Assimp crashes, does not return or exhausts memory.
[[nodiscard]] Result<DrawnParts> readDrawnParts(std::span<const std::uint8_t> glb);

} // namespace tendon::assimp
