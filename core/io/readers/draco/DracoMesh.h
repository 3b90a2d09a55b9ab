#pragma once

#include "core/base/Result.h"

#include <cstdint>
#include <span>
#include <vector>

namespace tendon {

/// The numbers that an attribute is wanted in.
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
    std::vector<std::uint32_t> indices;                ///< three a triangle, below `vertices`
    std::vector<std::vector<std::uint8_t>> attributes; ///< vertex by vertex, tight, in the order asked for
};

/// Decodes a compressed triangle mesh of at most `maxVertices` and `maxIndices`. Errors: no such mesh, damaged, larger,
/// or an attribute that is not there or has other components.
[[nodiscard]] Result<DracoMesh> decodeDraco(std::span<const std::uint8_t> bytes,
                                            std::span<const DracoAttribute> attributes, std::size_t maxVertices,
                                            std::size_t maxIndices);

} // namespace tendon
