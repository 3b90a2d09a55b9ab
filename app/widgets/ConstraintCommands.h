#pragma once

namespace tendon::editor {

class MainWindow;

/// Create › Constraint.
void addConstraintCommands(MainWindow& window);

} // namespace tendon::editor
