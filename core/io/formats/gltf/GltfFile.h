#pragma once

#include "core/base/Result.h"
#include "core/io/base/FileSet.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tendon::gltf {

/// JSON whose members keep their order, so that what is not edited is written as it was read.
using Json = nlohmann::ordered_json;
using Bytes = std::vector<std::uint8_t>;

/// A glTF document in memory: the JSON, and the binary chunk of a .glb.
struct GltfFile
{
    Json json;
    Bytes bin;           ///< the BIN chunk, without its padding beyond buffers[0].byteLength
    bool hasBin = false; ///< buffers[0] is the BIN chunk
};

/// True for the first bytes of a binary glTF file.
[[nodiscard]] bool isGlb(std::string_view bytes);

/// Reads the bytes of a .glb or a .gltf; buffers beside a .gltf are not touched. Checks the container, the nesting of
/// the JSON, and that all that an export walks through (nodes, buffers, accessors, animations, ...) is an array of
/// objects with indices in range and without cycles. Errors name the place as a JSON pointer.
[[nodiscard]] Result<GltfFile> parseGltf(std::string_view bytes);

/// The bytes of a .glb. Precondition: with hasBin, buffers[0].byteLength is bin.size().
[[nodiscard]] Result<Bytes> glbBytes(const GltfFile& file);

/// The bytes of a .gltf (JSON only).
[[nodiscard]] Result<Bytes> gltfBytes(const Json& json);

/// A member that is an array, or an empty one.
[[nodiscard]] const Json& arrayOf(const Json& object, const char* name);

/// A member that is an index (0 ... count - 1); -1 when it is absent or anything else.
[[nodiscard]] int indexOf(const Json& object, const char* name, std::size_t count);

} // namespace tendon::gltf
