#pragma once

#include "app/gui/Options.h"

namespace tendon {
class SolverRegistry;
}

namespace tendon::editor {

/// Draws one frame of a project as `options` says and writes it as PNG, whole or not at all. Needs a QApplication with
/// OpenGL and shows no window.
[[nodiscard]] Result<void> renderPicture(const SolverRegistry& solvers, const Options& options);

} // namespace tendon::editor
