#pragma once

class QApplication;

namespace tendon::editor {

/// Gives the program its style: Fusion with our metrics, palette and style sheet; once more whenever the theme changes.
void installStyle(QApplication& application);

} // namespace tendon::editor
