#pragma once

#include "core/base/Result.h"
#include "core/io/formats/gltf/GltfJson.h"

#include <nlohmann/json.hpp>

#include <span>

namespace tendon::gltf {

/// Deeper JSON is refused, so that nothing that recurses over it can exhaust the stack. glTF itself needs about 10
/// levels; extras may hold more.
inline constexpr int kMaxNesting = 256;

/// The container of a glTF file: its JSON and, of a .glb, the BIN chunk.
struct GltfFile
{
    Json json;
    Bytes bin;           ///< the BIN chunk with its padding
    bool hasBin = false; ///< a .glb with a BIN chunk, even an empty one
};

/// True if the bytes begin like a .glb.
[[nodiscard]] bool isGlb(std::span<const std::uint8_t> bytes);

/// Takes a .glb or a .gltf apart; import and export both begin here, so a file that one accepts passes the other.
/// Errors: not glTF, corrupt framing, JSON that cannot be parsed, is nested deeper than kMaxNesting or is not an
/// object, a version other than 2. The contents of the JSON are not checked any further.
[[nodiscard]] Result<GltfFile> readGltfFile(std::span<const std::uint8_t> bytes);

/// The bytes of a .glb. The same input gives the same bytes. Precondition: with hasBin, buffers[0].byteLength is the
/// size of `bin`. Error: more than 4 GiB.
[[nodiscard]] Result<Bytes> glbBytes(const GltfFile& file);

/// The bytes of a .gltf (JSON only).
[[nodiscard]] Result<Bytes> gltfBytes(const Json& json);

} // namespace tendon::gltf
