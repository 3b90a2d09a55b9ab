#pragma once

#include <cstdint>

namespace tendon {

/// Why the poses of a clip cannot go on without a jump.
enum class JumpReason : std::uint8_t {
    Branch,      ///< what leads on from before and what leads on from after are different ways to meet the goals
    Limit,       ///< what leads on from the one side ends at a limit
    Singularity, ///< what leads on from the one side ends where a small move of the goals asks for a large one
};

} // namespace tendon
