#include "app/widgets/EllipsePlot.h"

#include "app/editor/Theme.h"

#include <QPainter>
#include <QPainterPath>

#include <cmath>
#include <numbers>

namespace tendon::editor {

EllipsePlot::EllipsePlot(Editor& editor, QWidget* parent) : QWidget(parent), m_editor(editor)
{
    setObjectName(QStringLiteral("compare.ellipse"));
    setAccessibleName(tr("Limiting ellipse"));
    setToolTip(tr("Show the ellipse that limits the swing, the swing asked for, and the nearest point of the ellipse"));
    setFixedWidth(sizeHint().width());
    connect(&editor.steps(), &StepPlayer::changed, this, &EllipsePlot::refresh);
    connect(&editor.comparison(), &Comparison::recorded, this, &EllipsePlot::refresh);
    connect(&editor.comparison(), &Comparison::choiceChanged, this, &EllipsePlot::refresh);
    refresh();
}

QSize EllipsePlot::sizeHint() const { return {Theme::instance().px(150), Theme::instance().px(150)}; }

void EllipsePlot::refresh()
{
    setVisible(shown().has_value());
    update();
}

std::optional<StageEllipse> EllipsePlot::shown() const
{
    const SolverRecording* solver = m_editor.comparison().staged();
    const int step = m_editor.steps().step();
    if (solver == nullptr || step < 1) return std::nullopt;
    return ellipseAtStage(*solver, static_cast<std::size_t>(step));
}

void EllipsePlot::paintEvent(QPaintEvent*)
{
    const auto now = shown();
    if (!now) return;
    const Theme& theme = Theme::instance();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), theme.color("surface.well"));
    double widest = std::max(std::abs(now->asked[0]), std::abs(now->asked[1]));
    std::array<double, 4> semi{}; // half a turn is as far as a swing goes
    for (std::size_t i = 0; i < semi.size(); ++i)
        widest = std::max(widest, semi[i] = std::min(now->semiAxes[i], std::numbers::pi));
    const QPointF centre = QRectF(rect()).center();
    const double unit = (0.5 * std::min(width(), height()) - theme.px(18)) / std::max(widest, 1e-6);
    const auto place = [&](double a, double b) { return centre + unit * QPointF(a, -b); };

    painter.setPen(theme.color("line.soft"));
    painter.drawLine(place(-widest, 0), place(widest, 0));
    painter.drawLine(place(0, -widest), place(0, widest));
    QPolygonF outline; // each quarter has axes of its own
    for (int degree = 0; degree < 360; degree += 3) {
        const double angle = degree * std::numbers::pi / 180, c = std::cos(angle), s = std::sin(angle);
        outline << place(c * semi[c >= 0 ? 0 : 1], s * semi[s >= 0 ? 2 : 3]);
    }
    painter.setPen(QPen(theme.color("rig.limit"), 1.5 * theme.scale()));
    painter.setBrush(theme.color("status.warn-tint"));
    painter.drawPolygon(outline);
    const QPointF asked = place(now->asked[0], now->asked[1]), kept = place(now->kept[0], now->kept[1]);
    const double dot = 3 * theme.scale();
    if (now->isMoved) {
        painter.setPen(QPen(theme.color("text.secondary"), theme.scale(), Qt::DashLine));
        painter.drawLine(asked, kept);
    }
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.color("status.error"));
    painter.drawEllipse(asked, dot, dot);
    if (now->isMoved) {
        painter.setBrush(theme.color("status.ok"));
        painter.drawEllipse(kept, dot, dot);
    }
    painter.setPen(theme.color("text.secondary"));
    painter.setFont(theme.font(11));
    painter.drawText(rect().adjusted(0, theme.px(2), 0, 0), Qt::AlignHCenter | Qt::AlignTop,
                     now->isMoved ? tr("nearest point") : tr("limiting ellipse"));
}

} // namespace tendon::editor
