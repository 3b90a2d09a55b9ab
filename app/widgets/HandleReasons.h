#pragma once

#include "core/base/JumpReason.h"
#include "core/scene/Scene.h"
#include "core/solve/Settings.h"

#include <QString>

namespace tendon::editor {

/// reasonOfJump() with the solver's name as the window shows it.
[[nodiscard]] QString jumpText(const Handle& handle, JumpReason reason, JumpCause cause, const SolverRegistry& solvers);

} // namespace tendon::editor
