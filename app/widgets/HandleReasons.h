#pragma once

#include "core/base/JumpReason.h"
#include "core/scene/Scene.h"
#include "core/solve/Settings.h"

#include <QString>

namespace tendon::editor {

/// What makes a pose jump beside the reason itself.
enum class JumpCause {
    Motion, ///< the goals and the chain alone
    Pole,   ///< the pole chooses the side to which the chain bends
    Solver  ///< the solver finds the answer of each frame anew, and does not go on from the one before
};
[[nodiscard]] JumpCause causeOfJump(const Handle& handle, JumpReason reason, const SolverRegistry& solvers);

/// reasonOfJump(), which names the pole or the solver where they are the cause.
[[nodiscard]] QString jumpText(const Handle& handle, JumpReason reason, const SolverRegistry& solvers);

} // namespace tendon::editor
