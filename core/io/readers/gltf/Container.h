#pragma once

#include "core/base/Result.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace tendon::gltf {

using Json =
    nlohmann::ordered_json; ///< keeps the order of members, so that what is not touched is written back as it was
using Bytes = std::vector<std::uint8_t>;

/// A glTF file taken apart and nothing more: its JSON and, of a .glb, its binary chunk.
struct Container
{
    Json json;
    Bytes binary;
    bool isBinary = false;  ///< a .glb
    bool hasBinary = false; ///< a .glb with a BIN chunk, be it empty
};

/// Tells a .glb from JSON by content. Errors: no glTF, damaged framing, JSON that does not parse, is nested too deep or
/// is no object, a version other than 2. The content of the JSON is not looked at any further.
[[nodiscard]] Result<Container> parseContainer(std::span<const std::uint8_t> file);

/// The bytes of a .glb. The BIN chunk is left out when `binary` is empty. The same input gives the same bytes.
[[nodiscard]] Bytes writeGlb(const Json& json, std::span<const std::uint8_t> binary);

/// True when the bytes begin as a .glb does.
[[nodiscard]] bool looksLikeGlb(std::span<const std::uint8_t> file);

} // namespace tendon::gltf
