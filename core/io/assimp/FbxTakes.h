#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tendon::assimp {

struct FbxTake
{
    std::string name;
    double start = 0; ///< [s]
};

/// The animation stacks of an FBX file, binary or text, with the moments that they start at: Assimp counts a take's time
/// from there and does not tell it. Stacks that state no start are left out. Reads nothing else of the file; of a damaged
/// one it finds what is whole.
[[nodiscard]] std::vector<FbxTake> takesOf(std::span<const std::uint8_t> file);

} // namespace tendon::assimp
