#include "app/widgets/DriverWord.h"

#include "app/editor/Theme.h"
#include "core/scene/Constraint.h"

#include <QCoreApplication>
#include <QFontMetrics>
#include <QPainter>

namespace tendon::editor {
namespace {

struct DriverWords
{
    Q_DECLARE_TR_FUNCTIONS(DriverWords)
};

} // namespace

QString driverWord(const Handle& handle, bool isOn)
{
    const Constraint constraint = constraintOf(handle);
    if (constraint == Constraint::None) return isOn ? DriverWords::tr("IK") : DriverWords::tr("FK");
    if (!isOn) return DriverWords::tr("Off");
    switch (constraint) {
    case Constraint::Parent: return DriverWords::tr("Parent");
    case Constraint::Aim: return DriverWords::tr("Aim");
    default: return DriverWords::tr("Copy");
    }
}

int driverBadgeWidth(const QString& word)
{
    const Theme& theme = Theme::instance();
    return QFontMetrics(theme.font(10, 600)).horizontalAdvance(word) + theme.px(8);
}

int paintDriverBadge(QPainter& painter, const QString& word, bool isOn, int right, int middle)
{
    const Theme& theme = Theme::instance();
    const int width = driverBadgeWidth(word);
    painter.save();
    painter.setFont(theme.font(10, 600));
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF badge(right - width + 0.5, middle - theme.px(7) + 0.5, width, theme.px(14));
    const QColor color = theme.color(isOn ? "rig.ik" : "rig.fk");
    painter.setPen(QPen(color, 1, isOn ? Qt::SolidLine : Qt::DashLine));
    painter.setBrush(isOn ? QBrush(color) : QBrush(Qt::NoBrush));
    painter.drawRoundedRect(badge, theme.px(3), theme.px(3));
    painter.setPen(isOn ? theme.color("surface.well") : color);
    painter.drawText(badge, Qt::AlignCenter, word);
    painter.restore();
    return right - width;
}

} // namespace tendon::editor
