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

/// What the main window asks of the view. `view` and `solvers` outlive it.
[[nodiscard]] ViewportPort portOf(viewport::Viewport& view, const SolverRegistry& solvers);

/// What the view tells the main window.
void join(viewport::Viewport& view, MainWindow& window);

} // namespace tendon::editor
