#pragma once

#include <cstdint>
#include <vector>

namespace tendon {

/// An image as plain pixels: rows from the top, each pixel red, green, blue, alpha. Empty if it could not be decoded.
struct Picture
{
    std::uint32_t width = 0, height = 0;
    std::vector<std::uint8_t> rgba;
};

} // namespace tendon
