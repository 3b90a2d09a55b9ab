#include "app/widgets/FitOnScreen.h"

#include <QFontMetrics>
#include <QWidget>

namespace tendon::editor {

void fitOnScreen(QWidget& window, const QRect& room)
{
    const int title = 2 * window.fontMetrics().height(); // the frame is known only once it is there
    if (window.width() <= room.width() && window.height() + title <= room.height()) return;
    window.setGeometry({room.topLeft(), window.size().boundedTo(room.size())}); // where there is no window manager
    window.setWindowState(window.windowState() | Qt::WindowMaximized);
}

} // namespace tendon::editor
