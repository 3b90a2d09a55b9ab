#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tendon {

/// "1 clip", "2 clips": for messages that are not translated.
[[nodiscard]] inline std::string counted(std::size_t count, std::string_view one, std::string_view many)
{
    return std::to_string(count) + " " + std::string(count == 1 ? one : many);
}

} // namespace tendon
