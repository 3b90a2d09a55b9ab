#pragma once

#include <cstdint>

namespace tendon {

/// What of a joint's motion has a limit of its own in time.
enum class RateKind : std::uint8_t {
    Speed,
    Acceleration, ///< slowing down counts, too
};

} // namespace tendon
