#include "app/widgets/graph/KeyPicture.h"

#include <QPainter>
#include <QPixmapCache>

#include <cmath>

namespace tendon::editor {
namespace {

void drawKeyShape(QPainter& painter, QPointF at, double r, Interpolation interpolation)
{
    if (interpolation == Interpolation::Step) {
        painter.drawRect(QRectF(at.x() - r * 0.8, at.y() - r * 0.8, r * 1.6, r * 1.6));
    } else if (interpolation == Interpolation::Linear) {
        painter.drawEllipse(at, r * 0.85, r * 0.85);
    } else {
        const QPointF corners[] = {
            {at.x(), at.y() - r}, {at.x() + r, at.y()}, {at.x(), at.y() + r}, {at.x() - r, at.y()}};
        painter.drawConvexPolygon(corners, 4);
    }
}

} // namespace

QPixmap keyPicture(const QColor& fill, const QColor& rim, double r, Interpolation interpolation, qreal dpr)
{
    const QString name = QStringLiteral("key-%1-%2-%3-%4-%5")
                             .arg(fill.name(), rim.name())
                             .arg(r)
                             .arg(static_cast<int>(interpolation))
                             .arg(dpr);
    QPixmap picture;
    if (QPixmapCache::find(name, &picture)) return picture;
    const int side = 2 * static_cast<int>(std::ceil(r)) + 3;
    picture = QPixmap(QSize(side, side) * dpr);
    picture.setDevicePixelRatio(dpr);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(fill);
    constexpr double kRim = 1.2;
    painter.setPen(QPen(rim, kRim));
    drawKeyShape(painter, QPointF(side / 2.0, side / 2.0), r, interpolation);
    painter.end();
    QPixmapCache::insert(name, picture);
    return picture;
}

} // namespace tendon::editor
