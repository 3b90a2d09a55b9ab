#pragma once

#include "app/gui/Options.h"

namespace tendon {
class SolverRegistry;
}

namespace tendon::editor {

/// Draws one frame of a project according to `options` and writes it as PNG, completely or not at all. Needs a
/// QApplication with OpenGL; shows no window.
[[nodiscard]] Result<void> renderPicture(const SolverRegistry& solvers, const Options& options);

} // namespace tendon::editor
