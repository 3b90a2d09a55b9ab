#pragma once

#include <cstdint>
#include <vector>

namespace tendon::mannequin {

/// The bytes of a PNG file of 8-bit RGB pixels, row by row from the top. The same pixels give the same bytes.
[[nodiscard]] std::vector<std::uint8_t> pngBytes(int width, int height, const std::vector<std::uint8_t>& rgb);

} // namespace tendon::mannequin
