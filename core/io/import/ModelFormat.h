#pragma once

#include "core/base/Result.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace tendon {

enum class ModelFormat { Unknown, Gltf, Fbx, Collada, Bvh, Md5, B3d, DirectX, Smd, Urdf, Other };

/// The usual suffix of a format that Assimp reads ("fbx", "dae", ...); empty for the others.
[[nodiscard]] std::string_view suffixOf(ModelFormat format);

/// By content first, because file names are often wrong; by suffix where the content does not tell.
[[nodiscard]] ModelFormat recogniseFormat(std::string_view fileName, std::span<const std::uint8_t> bytes);

/// The error for an unsupported format, with a list of the supported ones.
[[nodiscard]] Error unreadable(ModelFormat format, std::span<const std::uint8_t> bytes);

} // namespace tendon
