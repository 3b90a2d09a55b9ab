#include "app/widgets/FitOnScreen.h"

#include <QFontMetrics>
#include <QScreen>
#include <QWidget>

#include <algorithm>

namespace tendon::editor {

void keepOnScreen(QWidget& dialog)
{
    const int title = 2 * dialog.fontMetrics().height(); // the frame is known only once it is there
    const QRect room = dialog.screen()->availableGeometry().adjusted(0, title, 0, 0);
    const QSize fitting = dialog.size().boundedTo(room.size());
    if (fitting != dialog.size()) dialog.resize(fitting);
    if (room.contains(dialog.geometry())) return;
    dialog.move(std::clamp(dialog.x(), room.left(), std::max(room.left(), room.right() + 1 - dialog.width())),
                std::clamp(dialog.y(), room.top(), std::max(room.top(), room.bottom() + 1 - dialog.height())));
}

void fitOnScreen(QWidget& window, const QRect& room)
{
    const int title = 2 * window.fontMetrics().height(); // the frame is known only once it is there
    if (window.width() <= room.width() && window.height() + title <= room.height()) return;
    window.setGeometry({room.topLeft(), window.size().boundedTo(room.size())}); // where there is no window manager
    window.setWindowState(window.windowState() | Qt::WindowMaximized);
}

} // namespace tendon::editor
