#pragma once

#include "core/base/Result.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace tendon {

enum class ModelFormat { Unknown, Gltf, Fbx, Collada, Bvh, Md5, B3d, DirectX, Smd, Urdf, Other };

/// The usual suffix of files of a format that Assimp reads whole ("fbx", "dae", ...); empty for the others.
[[nodiscard]] std::string_view suffixOf(ModelFormat format);

/// By content first, then by suffix where content says nothing: what a file is called is often wrong.
[[nodiscard]] ModelFormat recogniseFormat(std::string_view fileName, std::span<const std::uint8_t> bytes);

/// The one line for a format that is not read, with a list of those that are.
[[nodiscard]] Error unreadable(ModelFormat format, std::span<const std::uint8_t> bytes);

} // namespace tendon
