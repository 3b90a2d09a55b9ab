#include "app/widgets/time/TimeRuler.h"

#include "app/editor/Theme.h"
#include "core/scene/FrameNumber.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace tendon::editor {

QString frameText(double frame)
{
    const auto whole = wholeFrame(frame);
    return whole ? QString::number(*whole) : QString::number(frame, 'f', 2);
}

void paintRuler(QPainter& painter, const TimeAxis& axis, const QRect& band)
{
    const Theme& theme = Theme::instance();
    const int bottom = band.bottom() + 1;
    painter.save();
    painter.setClipRect(band.adjusted(static_cast<int>(axis.left) - band.left() - theme.px(20), 0, 0, 0));
    constexpr double kRoomForTicks = 5; // [px] between those of single frames
    if (axis.pixelsPerFrame() >= kRoomForTicks)
        for (double frame = std::ceil(axis.first); frame <= axis.last; ++frame)
            painter.fillRect(QRectF(std::round(axis.x(frame)), bottom - theme.px(3), 1, theme.px(3)),
                             theme.color("line.control"));
    painter.setFont(theme.font(10));
    const auto label = [&](double frame) {
        const double x = std::round(axis.x(frame));
        painter.setPen(theme.color("text.secondary"));
        painter.drawText(QRectF(x - 40, band.top(), 80, band.height() - theme.px(6)), Qt::AlignCenter,
                         QString::number(static_cast<qint64>(frame)));
        painter.fillRect(QRectF(x, bottom - theme.px(5), 1, theme.px(5)), theme.color("line.strong"));
    };
    const int step = axis.labelStep(theme.px(64));
    const double begin = std::ceil(axis.first / step) * step;
    const bool beginsWithFrame = axis.first == std::floor(axis.first);
    if (beginsWithFrame) label(axis.first);
    for (double frame = begin; frame <= axis.last; frame += step)
        if (!beginsWithFrame || axis.x(frame) - axis.x(axis.first) > theme.px(28)) label(frame);
    painter.restore();
}

void paintPlayhead(QPainter& painter, const TimeAxis& axis, int frame, int height, bool hasCap)
{
    const Theme& theme = Theme::instance();
    if (frame < axis.first || frame > axis.last) return;
    const int x = static_cast<int>(std::lround(axis.x(frame)));
    const QColor color = theme.color("time.playhead");
    painter.fillRect(x - 1, 0, 2, height, color);
    if (!hasCap) return;
    painter.setFont(theme.font(11, 600));
    const QString text = QString::number(frame);
    const int width = std::max(theme.px(26), painter.fontMetrics().horizontalAdvance(text) + theme.px(10));
    const QRect cap(x - width / 2, 1, width, theme.size("height.ruler") - theme.px(5));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawRoundedRect(cap, 3, 3);
    painter.setPen(theme.color("text.on-accent"));
    painter.drawText(cap, Qt::AlignCenter, text);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

QColor colorOf(MarkerColor color)
{
    static constexpr const char* kTokens[] = {"marker.blue",   "marker.green", "marker.yellow",
                                              "marker.orange", "marker.red",   "marker.violet"};
    return Theme::instance().color(QLatin1StringView(kTokens[static_cast<std::size_t>(color)]));
}

void paintMarkerLines(QPainter& painter, const TimeAxis& axis, const Clip* clip, FrameRate fps, const QRect& band)
{
    if (clip == nullptr) return;
    for (const Marker& marker : clip->markers) {
        const double frame = fps.frameAt(marker.time);
        if (frame < axis.first || frame > axis.last) continue;
        QColor color = colorOf(marker.color);
        color.setAlphaF(0.7F);
        painter.fillRect(QRectF(std::round(axis.x(frame)), band.top(), 1, band.height()), color);
    }
}

void paintDragLabel(QPainter& painter, QPoint mouse, const QString& text, const QRect& room)
{
    if (text.isEmpty()) return;
    const Theme& theme = Theme::instance();
    painter.setFont(theme.font(11));
    QRect box = painter.fontMetrics().boundingRect(text).adjusted(-theme.px(7), -theme.px(4), theme.px(7), theme.px(4));
    box.moveCenter(mouse - QPoint(0, theme.px(24)));
    box.moveLeft(std::clamp(box.left(), room.left(), std::max(room.left(), room.right() - box.width())));
    if (box.top() < room.top()) { // beside the mouse, if there is no room below it either
        box.moveTop(std::min(mouse.y() + theme.px(14), std::max(room.top(), room.bottom() - box.height())));
        if (box.contains(mouse)) box.moveLeft(mouse.x() + theme.px(14));
        if (box.right() > room.right()) box.moveRight(mouse.x() - theme.px(14));
    }
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(theme.color("line.control"));
    painter.setBrush(theme.color("surface.popup"));
    painter.drawRoundedRect(box, 3, 3);
    painter.setPen(theme.color("text.primary"));
    painter.drawText(box, Qt::AlignCenter, text);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

} // namespace tendon::editor
