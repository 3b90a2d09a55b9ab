#include "app/widgets/KeyDiamond.h"

#include "app/editor/Theme.h"

#include <QPainter>
#include <QPainterPath>

namespace tendon::editor {

void paintKeyDiamond(QPainter& painter, const QPointF& centre, Keyed keyed)
{
    const Theme& theme = Theme::instance();
    const double r = theme.px(3);
    QPainterPath diamond;
    diamond.moveTo(centre.x(), centre.y() - r);
    diamond.lineTo(centre.x() + r, centre.y());
    diamond.lineTo(centre.x(), centre.y() + r);
    diamond.lineTo(centre.x() - r, centre.y());
    diamond.closeSubpath();
    const QColor color = theme.color(keyed == Keyed::Here    ? "time.key-selected"
                                     : keyed == Keyed::Posed ? "status.warn"
                                                             : "text.secondary");
    if (keyed == Keyed::Here) painter.fillPath(diamond, color);
    painter.setPen(QPen(color, 1));
    painter.drawPath(diamond);
}

KeyDiamond::KeyDiamond(QWidget* parent) : QAbstractButton(parent)
{
    setFocusPolicy(Qt::TabFocus);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setAttribute(Qt::WA_Hover);
}

void KeyDiamond::setKeyed(Keyed keyed)
{
    if (keyed == m_keyed) return;
    m_keyed = keyed;
    update();
}

QSize KeyDiamond::sizeHint() const
{
    const Theme& theme = Theme::instance();
    return {theme.px(18), theme.px(22)};
}

void KeyDiamond::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& theme = Theme::instance();
    if (underMouse() || hasFocus()) {
        painter.setPen(QPen(theme.color(hasFocus() ? "focus.ring" : "line.strong"), 1));
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), theme.px(3), theme.px(3));
    }
    paintKeyDiamond(painter, QRectF(rect()).center(), m_keyed);
}

} // namespace tendon::editor
