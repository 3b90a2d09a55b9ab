#pragma once

#include "core/scene/ModelAsset.h"

#include <functional>

struct aiMaterial;
struct aiMesh;
struct aiTexture;

namespace tendon::assimp {

/// Vertices, triangles and morph targets; the skin is not filled. [mesh space, file units]
[[nodiscard]] Mesh convert(const aiMesh& from);

/// Where a texture that a material names by its path stands in the list of textures; -1 = it is not to be had.
using TextureIndex = std::function<std::int32_t(const char* path)>;

[[nodiscard]] Material convert(const aiMaterial& from, const TextureIndex& textureAt);

/// The encoded bytes of an embedded picture; none when it holds decoded pixels.
[[nodiscard]] Texture convert(const aiTexture& from);

} // namespace tendon::assimp
