#pragma once

class QRect;
class QWidget;

namespace tendon::editor {

/// Makes a dialog no larger than its screen and puts it wholly on it. Where it needs more room than that, it scrolls.
void keepOnScreen(QWidget& dialog);

/// Maximises a window for which a screen has no room, with the frame that the window manager puts around it. `room`:
/// what the screen has for windows.
void fitOnScreen(QWidget& window, const QRect& room);

} // namespace tendon::editor
