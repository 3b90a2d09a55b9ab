#pragma once

#include "core/scene/ModelAsset.h"

#include <functional>

struct aiMaterial;
struct aiMesh;
struct aiTexture;

namespace tendon::assimp {

/// Vertices, triangles and morph targets, without a skin. [mesh space, file units]
[[nodiscard]] Mesh convert(const aiMesh& from);

/// The number of the texture that a material refers to by this path; -1 = not available.
using TextureIndex = std::function<std::int32_t(const char* path)>;

[[nodiscard]] Material convert(const aiMaterial& from, const TextureIndex& textureAt);

/// The encoded bytes of an embedded texture; empty if it has decoded pixels.
[[nodiscard]] Texture convert(const aiTexture& from);

} // namespace tendon::assimp
