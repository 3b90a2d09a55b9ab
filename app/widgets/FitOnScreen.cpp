#include "app/widgets/FitOnScreen.h"

#include <QFontMetrics>
#include <QLayout>
#include <QScreen>
#include <QScrollArea>
#include <QVBoxLayout>
#include <QWidget>

#include <algorithm>

namespace tendon::editor {
namespace {

void scrollAll(QWidget& dialog)
{
    auto* inside = new QWidget;
    inside->setLayout(dialog.layout()); // takes it from the dialog, with all that is in it
    auto* area = new QScrollArea;
    area->setFrameShape(QFrame::NoFrame);
    area->setFocusPolicy(Qt::NoFocus);
    area->setWidgetResizable(true);
    area->setWidget(inside);
    auto* whole = new QVBoxLayout(&dialog);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->addWidget(area);
}

} // namespace

void keepOnScreen(QWidget& dialog)
{
    const int title = 2 * dialog.fontMetrics().height(); // the frame is known only once it is there
    const QRect room = dialog.screen()->availableGeometry().adjusted(0, title, 0, 0);
    if (dialog.layout() != nullptr) {
        const QSize least = dialog.layout()->totalMinimumSize();
        if (least.width() > room.width() || least.height() > room.height()) scrollAll(dialog);
    }
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
