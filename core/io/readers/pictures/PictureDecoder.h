#pragma once

#include "core/io/model/Picture.h"

#include <cstdint>
#include <span>

namespace tendon {

/// Decodes a PNG or JPEG file. Larger pictures are scaled down until no side is longer than `maxSide`. Empty for other
/// formats, for broken files and for more than 64 million pixels. May throw std::bad_alloc.
[[nodiscard]] Picture decodePicture(std::span<const std::uint8_t> encoded, std::uint32_t maxSide);

} // namespace tendon
