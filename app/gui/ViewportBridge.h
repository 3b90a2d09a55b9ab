#pragma once

#include "app/widgets/ViewportPort.h"

namespace tendon {
class SolverRegistry;
}
namespace tendon::viewport {
class Viewport;
}

namespace tendon::editor {

class MainWindow;

/// Implements the main window's port with the viewport. `view` and `solvers` must outlive it.
[[nodiscard]] ViewportPort portOf(viewport::Viewport& view, const SolverRegistry& solvers);

/// Connects the viewport's signals to the main window.
void join(viewport::Viewport& view, MainWindow& window);

} // namespace tendon::editor
