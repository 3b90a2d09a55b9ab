#pragma once

#include <cstdint>

namespace tendon {

/// Why the poses of a clip cannot go on without a jump.
enum class JumpReason : std::uint8_t {
    Branch,      ///< what leads on from before and what leads on from after are different ways to meet the goals
    Limit,       ///< what leads on from the one side ends at a limit
    Singularity, ///< what leads on from the one side ends where a small move of the goals asks for a large one
    Asked,       ///< none of these: what is asked leaps itself, as where a held key ends
};

/// What makes a pose jump beside the reason itself.
enum class JumpCause : std::uint8_t {
    Motion, ///< the goals and the chain alone
    Pole,   ///< the pole chooses the side to which the chain bends
    Solver, ///< the solver finds the answer of each frame anew, and does not go on from the one before
};

} // namespace tendon
