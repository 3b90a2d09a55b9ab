#pragma once

class QApplication;

namespace tendon::editor {

/// Draws a ring round buttons and combo boxes that got the focus by keyboard. Fields and lists show their focus
/// themselves.
void installFocusRing(QApplication& application);

} // namespace tendon::editor
