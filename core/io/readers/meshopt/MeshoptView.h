#pragma once

#include "core/base/Result.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace tendon {

/// What a compressed buffer view says of itself (glTF's EXT_meshopt_compression, by its members).
struct MeshoptView
{
    std::size_t count = 0;           ///< elements
    std::size_t stride = 0;          ///< [bytes] of one
    std::string_view mode;           ///< ATTRIBUTES, TRIANGLES or INDICES
    std::string_view filter = kAsIs; ///< NONE, OCTAHEDRAL, QUATERNION or EXPONENTIAL

    static constexpr std::string_view kAsIs = "NONE";
};

/// The count * stride bytes that were compressed, at most `maxBytes`. Errors: a mode, a filter or a stride that the
/// extension does not have, damaged bytes, too many.
[[nodiscard]] Result<std::vector<std::uint8_t>> decodeMeshopt(std::span<const std::uint8_t> bytes,
                                                              const MeshoptView& view, std::size_t maxBytes);

} // namespace tendon
