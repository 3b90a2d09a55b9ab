#pragma once

class QApplication;

namespace tendon::editor {

/// Rings round buttons and boxes that got the focus by keyboard; not where the mouse gave it. Fields and lists show
/// their focus themselves.
void installFocusRing(QApplication& application);

} // namespace tendon::editor
