#include "app/viewport/overlay/Labels.h"

#include "app/editor/ShortNames.h"
#include "app/editor/Theme.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace tendon::viewport {
namespace {

constexpr double kMaxShare = 0.3; ///< of the view's width: a longer label hides what it is about

} // namespace

const QImage& LabelPainter::picture(const Label& label, const OverlayColours& colours, double pixelRatio)
{
    const QString key = QStringLiteral("%1|%2|%3|%4|%5|%6")
                            .arg(label.text, toQColor(label.colour).name())
                            .arg(label.hasPlate)
                            .arg(label.textSize)
                            .arg(label.weight)
                            .arg(pixelRatio);
    if (const QImage* found = m_pictures.object(key)) return *found;

    const editor::Theme& theme = editor::Theme::instance();
    const QFont font = theme.font(label.textSize, label.weight);
    const QFontMetricsF metrics(font);
    const double halo = theme.px(2); // around letters without a plate, which may lie over anything
    const double pad = label.hasPlate ? theme.px(7) : halo;
    const QSizeF size(std::ceil(metrics.horizontalAdvance(label.text)) + 2 * pad,
                      label.hasPlate ? theme.px(20) : std::ceil(metrics.height()) + 2 * halo);
    auto* image = new QImage((size * pixelRatio).toSize(), QImage::Format_ARGB32_Premultiplied);
    image->setDevicePixelRatio(pixelRatio);
    image->fill(Qt::transparent);
    QPainter painter(image);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF area(QPointF(0, 0), size);
    if (label.hasPlate) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(toQColor(colours.plate));
        painter.drawRoundedRect(area, theme.px(3), theme.px(3));
    }
    painter.setFont(font);
    if (!label.hasPlate) {
        painter.setPen(toQColor(colours.inside));
        for (double x = -halo; x <= halo; x += halo / 2)
            for (double y = -halo; y <= halo; y += halo / 2)
                if (std::hypot(x, y) <= halo) painter.drawText(area.translated(x, y), Qt::AlignCenter, label.text);
    }
    painter.setPen(toQColor(label.colour));
    painter.drawText(area, Qt::AlignCenter, label.text);
    painter.end();
    m_pictures.insert(key, image);
    return *image;
}

void LabelPainter::paint(QPainter& painter, std::vector<Label> labels, const OverlayColours& colours, double pixelRatio,
                         const QSizeF& size, std::vector<QRectF> taken)
{
    const editor::Theme& theme = editor::Theme::instance();
    const int room = std::min(std::clamp(static_cast<int>(kMaxShare * size.width()), theme.px(140), theme.px(220)),
                              static_cast<int>(size.width()) - theme.px(16));
    for (Label& label : labels)
        label.text = editor::shortened(label.text, QFontMetrics(theme.font(label.textSize, label.weight)), room);
    const auto areaOf = [&](const Label& label) {
        const QSizeF extent = picture(label, colours, pixelRatio).deviceIndependentSize();
        const double left = label.anchor == Label::Anchor::Left    ? 0
                            : label.anchor == Label::Anchor::Right ? extent.width()
                                                                   : extent.width() / 2;
        return QRectF(QPointF(label.at.x() - left, label.at.y() - extent.height() / 2), extent);
    };
    const auto whole = [&](double v) { return std::round(v * pixelRatio) / pixelRatio; }; // keeps letters sharp
    const auto draw = [&](const Label& label, const QPointF& at) {
        painter.drawImage(QPointF(whole(at.x()), whole(at.y())), picture(label, colours, pixelRatio));
    };
    std::vector<QRectF> plates = std::move(taken);
    const auto plateOn = [&](const QRectF& area) {
        return std::find_if(plates.begin(), plates.end(), [&](const QRectF& plate) { return plate.intersects(area); });
    };
    for (const Label& label : labels) {
        if (label.text.isEmpty() || !label.hasPlate) continue;
        // Plates that would leave the view stay at its edge.
        QRectF area = areaOf(label);
        const double y = std::clamp(area.top(), 0.0, std::max(0.0, size.height() - area.height()));
        area.moveTo(std::clamp(area.left(), 0.0, std::max(0.0, size.width() - area.width())), y);
        // Below a plate that is already there, or above it: two at one place could not be read.
        const auto leave = [&](auto move) {
            area.moveTop(y);
            for (std::size_t tries = 0; tries <= plates.size(); ++tries) {
                const auto under = plateOn(area);
                if (under == plates.end()) break;
                move(*under);
            }
            return plateOn(area) == plates.end() && area.top() >= 0 && area.bottom() <= size.height();
        };
        if (!leave([&](const QRectF& plate) { area.moveTop(plate.bottom() + 1); }) &&
            !leave([&](const QRectF& plate) { area.moveBottom(plate.top() - 1); }))
            area.moveTop(y);
        plates.push_back(area);
        draw(label, area.topLeft());
    }
    // Letters leave the view with what they are on, and leave plates readable.
    for (const Label& label : labels) {
        if (label.text.isEmpty() || label.hasPlate) continue;
        if (const QRectF area = areaOf(label); plateOn(area) == plates.end()) draw(label, area.topLeft());
    }
}

} // namespace tendon::viewport
