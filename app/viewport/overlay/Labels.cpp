#include "app/viewport/overlay/Labels.h"

#include "app/editor/Theme.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace tendon::viewport {

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
    const double pad = label.hasPlate ? theme.px(7) : 1;
    const QSizeF size(std::ceil(metrics.horizontalAdvance(label.text)) + 2 * pad,
                      label.hasPlate ? theme.px(20) : std::ceil(metrics.height()));
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
    painter.setPen(toQColor(label.colour));
    painter.drawText(area, Qt::AlignCenter, label.text);
    painter.end();
    m_pictures.insert(key, image);
    return *image;
}

void LabelPainter::paint(QPainter& painter, const std::vector<Label>& labels, const OverlayColours& colours,
                         double pixelRatio, const QSizeF& size)
{
    std::vector<QRectF> plates;
    for (const Label& label : labels) {
        if (label.text.isEmpty()) continue;
        const QImage& shown = picture(label, colours, pixelRatio);
        const QSizeF extent = shown.deviceIndependentSize();
        const double left = label.anchor == Label::Anchor::Left    ? 0
                            : label.anchor == Label::Anchor::Right ? extent.width()
                                                                   : extent.width() / 2;
        // Whole pixels keep letters sharp; labels that would leave the view stay at its edge.
        const double x = std::clamp(label.at.x() - left, 0.0, std::max(0.0, size.width() - extent.width()));
        const double y = std::clamp(label.at.y() - extent.height() / 2, 0.0,
                                    std::max(0.0, size.height() - extent.height()));
        QRectF area(QPointF(x, y), extent);
        if (label.hasPlate) {
            // Below a plate that is already there: two at one place could not be read.
            for (std::size_t tries = 0; tries < plates.size(); ++tries) {
                const auto under = std::find_if(plates.begin(), plates.end(),
                                                [&](const QRectF& plate) { return plate.intersects(area); });
                if (under == plates.end()) break;
                area.moveTop(under->bottom() + 1);
            }
            if (area.bottom() > size.height()) area.moveTop(y);
            plates.push_back(area);
        }
        const auto whole = [&](double v) { return std::round(v * pixelRatio) / pixelRatio; };
        painter.drawImage(QPointF(whole(area.x()), whole(area.y())), shown);
    }
}

} // namespace tendon::viewport
