#include "app/widgets/EllipsePlot.h"

#include "app/editor/Theme.h"
#include "core/math/Degrees.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
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

QSize EllipsePlot::sizeHint() const { return {Theme::instance().px(170), Theme::instance().px(170)}; }

void EllipsePlot::refresh()
{
    setVisible(shown().has_value());
    update();
}

std::optional<StageEllipse> EllipsePlot::shown() const
{
    const int step = m_editor.steps().step();
    const SolverRecording* solver = m_editor.comparison().stagedAt(step);
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
    const auto [joint, letters] = limited(*now);
    std::array<double, 4> semi{}; // half a turn is as far as a swing goes
    for (std::size_t i = 0; i < semi.size(); ++i) semi[i] = std::min(now->semiAxes[i], std::numbers::pi);
    const double widest = widestSwing(*now);
    const QPointF centre = QRectF(rect()).center();
    const double unit = (0.5 * std::min(width(), height()) - theme.px(34)) / std::max(widest, 1e-6);
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
    painter.setBrush(theme.color(now->isInside ? "status.ok" : "status.error"));
    painter.drawEllipse(asked, dot, dot);
    if (now->isMoved) {
        painter.setBrush(theme.color("status.ok"));
        painter.drawEllipse(kept, dot, dot);
    }
    painter.setPen(theme.color("text.secondary"));
    painter.setFont(theme.font(11));
    const QRect inner = rect().adjusted(theme.px(3), theme.px(2), -theme.px(3), -theme.px(2));
    const QString title = painter.fontMetrics().elidedText(joint, Qt::ElideRight, inner.width());
    painter.drawText(inner, Qt::AlignHCenter | Qt::AlignTop, title);
    const auto name = [&](std::size_t i) {
        const QString sign = i % 2 == 0 ? QStringLiteral("+") : QString(QChar(0x2212));
        const double angle = now->semiAxes[i];
        return sign + letters[i / 2] +
               (angle >= std::numbers::pi ? tr(" \u221e") : tr(" %1\u00b0").arg(angle * kDegrees, 0, 'g', 3));
    };
    const int line = painter.fontMetrics().height();
    painter.drawText(inner.translated(0, -line / 2 - theme.px(1)), Qt::AlignRight | Qt::AlignVCenter, name(0));
    painter.drawText(inner.translated(0, -line / 2 - theme.px(1)), Qt::AlignLeft | Qt::AlignVCenter, name(1));
    painter.drawText(inner.adjusted(0, line, 0, 0), Qt::AlignHCenter | Qt::AlignTop, name(2));
    painter.drawText(inner, Qt::AlignHCenter | Qt::AlignBottom, name(3));
}

/// The limited joint's name, and the axes that a and b swing about.
std::pair<QString, std::array<QString, 2>> EllipsePlot::limited(const StageEllipse& ellipse) const
{
    const FramePtr frame = m_editor.frame();
    const SolverRecording* solver = m_editor.comparison().staged();
    if (solver == nullptr || frame == nullptr || frame->rig == nullptr) return {};
    const JointIndex index = limitedJoint(*solver, ellipse, *frame->rig);
    if (index < 0) return {};
    const Joint& joint = frame->rig->authored[tendon::at(index)];
    return {QString::fromStdString(joint.name),
            {QString(QLatin1Char(axisOfSwing(joint, 0))), QString(QLatin1Char(axisOfSwing(joint, 1)))}};
}

/// [rad] The farthest that the joint swings before limits or may swing, in the whole recording: the scale stays the
/// same from stage to stage.
double EllipsePlot::widestSwing(const StageEllipse& ellipse) const
{
    const std::vector<RecordedStage>& stages = m_editor.comparison().staged()->stages;
    double widest = 0;
    for (const RecordedStage& stage : stages) {
        if (stage.row.stage != sdk::Stage::Ellipse || stage.row.other != stages[ellipse.row].row.other) continue;
        for (const double swing : stage.row.swing) widest = std::max(widest, std::abs(swing));
        for (const double semi : stage.row.semiAxes) widest = std::max(widest, std::min(semi, std::numbers::pi));
    }
    return widest;
}

} // namespace tendon::editor
