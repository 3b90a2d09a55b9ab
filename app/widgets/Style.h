#pragma once

class QApplication;

namespace tendon::editor {

/// Sets the style of the program: Fusion with our metrics, palette and style sheet. Follows changes of the theme.
void installStyle(QApplication& application);

} // namespace tendon::editor
