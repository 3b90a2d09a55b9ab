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

std::optional<EllipsePlot::Shown> EllipsePlot::shown() const
{
    const SolverRecording* solver = m_editor.comparison().staged();
    const int step = m_editor.steps().step();
    if (solver == nullptr || step < 1 || step > static_cast<int>(solver->stages.size())) return std::nullopt;
    const auto now = static_cast<std::size_t>(step - 1);
    const auto stageAt = [&](std::size_t index) { return solver->stages[index].row.stage; };
    const auto valuesOf = [&](std::size_t index, Shown& made) {
        const sdk::StageRow& row = solver->stages[index].row;
        std::copy(std::begin(row.semiAxes), std::end(row.semiAxes), made.semiAxes.begin());
        std::copy(std::begin(row.swing), std::end(row.swing), made.asked.begin());
    };
    Shown made;
    if (stageAt(now) == sdk::Stage::Ellipse) {
        valuesOf(now, made);
        return made;
    }
    if (stageAt(now) != sdk::Stage::IntoEllipse || now == 0 || stageAt(now - 1) != sdk::Stage::Ellipse)
        return std::nullopt;
    valuesOf(now - 1, made);
    made.isMoved = true;
    const sdk::StageRow& row = solver->stages[now].row;
    std::copy(std::begin(row.swing), std::end(row.swing), made.kept.begin());
    return made;
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
    for (const double axis : now->semiAxes) widest = std::max(widest, axis);
    const QPointF centre = QRectF(rect()).center();
    const double unit = (0.5 * std::min(width(), height()) - theme.px(18)) / std::max(widest, 1e-6);
    const auto place = [&](double a, double b) { return centre + unit * QPointF(a, -b); };

    painter.setPen(theme.color("line.soft"));
    painter.drawLine(place(-widest, 0), place(widest, 0));
    painter.drawLine(place(0, -widest), place(0, widest));
    QPolygonF outline; // each quarter has axes of its own
    for (int degree = 0; degree < 360; degree += 3) {
        const double angle = degree * std::numbers::pi / 180, c = std::cos(angle), s = std::sin(angle);
        outline << place(c * now->semiAxes[c >= 0 ? 0 : 1], s * now->semiAxes[s >= 0 ? 2 : 3]);
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
