#pragma once

#include "core/base/Result.h"

#include <cstdint>
#include <span>
#include <vector>

namespace tendon {

/// The type to which an attribute is converted.
enum class DracoNumber { Int8, Uint8, Int16, Uint16, Uint32, Float };

struct DracoAttribute
{
    std::uint32_t id = 0; ///< Draco's unique id
    int components = 1;   ///< 1 ... 4
    DracoNumber number = DracoNumber::Float;
};

struct DracoMesh
{
    std::size_t vertices = 0;
    std::vector<std::uint32_t> indices;                ///< three per triangle, below `vertices`
    std::vector<std::vector<std::uint8_t>> attributes; ///< vertex by vertex, tightly packed, in the requested order
};

/// Decodes a compressed triangle mesh of at most `maxVertices` and `maxIndices`. Errors: not a mesh, corrupt, too
/// large, or an attribute that is missing or has other components.
[[nodiscard]] Result<DracoMesh> decodeDraco(std::span<const std::uint8_t> bytes,
                                            std::span<const DracoAttribute> attributes, std::size_t maxVertices,
                                            std::size_t maxIndices);

} // namespace tendon
