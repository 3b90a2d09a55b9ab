#pragma once

class QRect;
class QWidget;

namespace tendon::editor {

/// Maximises a window for which a screen has no room, with the frame that the window manager puts around it. `room`:
/// what the screen has for windows.
void fitOnScreen(QWidget& window, const QRect& room);

} // namespace tendon::editor
