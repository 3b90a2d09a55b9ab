#pragma once

#include "app/widgets/ViewportPort.h"

namespace tendon::viewport { class Viewport; }

namespace tendon::editor {

class MainWindow;

/// What the main window asks of the view. `view` outlives it.
[[nodiscard]] ViewportPort portOf(viewport::Viewport& view);

/// What the view tells the main window.
void join(viewport::Viewport& view, MainWindow& window);

} // namespace tendon::editor
