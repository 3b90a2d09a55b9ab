#include "app/widgets/ConvergencePlot.h"

#include "app/editor/CompareLook.h"
#include "app/editor/Theme.h"
#include "app/widgets/CompareMarks.h"
#include "app/widgets/Texts.h"
#include "core/math/Degrees.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace tendon::editor {
namespace {

constexpr double kSmallest = 1e-15; ///< what 0 counts as on the logarithmic scale
constexpr int kMostDecades = 10;
constexpr int kBelowTolerance = 3; ///< decades below the tolerance, where differences no longer matter

/// What misses are plotted in: degrees or metres.
double missUnitOf(const SolverRecording& recording) { return isMissAnAngle(recording) ? kDegrees : 1; }

} // namespace

bool isMissAnAngle(const SolverRecording& recording)
{
    if (recording.goal < 0) return false;
    const sdk::GoalKind kind = recording.goals[static_cast<std::size_t>(recording.goal)].kind;
    return kind == sdk::GoalKind::Aim || kind == sdk::GoalKind::Orientation;
}

double missOf(const SolverRecording& recording, const SolveStep& step)
{
    const auto goal = static_cast<std::size_t>(recording.goal);
    if (recording.goal < 0 || goal >= step.misses.size()) return 0;
    return isMissAnAngle(recording) ? step.misses[goal].rotation : step.misses[goal].position;
}

ConvergencePlot::ConvergencePlot(Editor& editor, QWidget* parent) : QWidget(parent), m_editor(editor)
{
    setObjectName(QStringLiteral("compare.plot"));
    setAccessibleName(tr("Convergence"));
    setToolTip(tr("Drag to show an iteration (← and → step)"));
    setFocusPolicy(Qt::StrongFocus);
    setMinimumSize(Theme::instance().px(220), Theme::instance().px(90));
    connect(&editor.comparison(), &Comparison::recorded, this, qOverload<>(&QWidget::update));
    connect(&editor.steps(), &StepPlayer::changed, this, qOverload<>(&QWidget::update));
}

QSize ConvergencePlot::sizeHint() const { return {Theme::instance().px(420), Theme::instance().px(180)}; }

void ConvergencePlot::setQuantity(Quantity quantity)
{
    m_quantity = quantity;
    update();
}

void ConvergencePlot::setSolver(std::size_t index)
{
    m_solver = index;
    update();
}

std::vector<ConvergencePlot::Curve> ConvergencePlot::curves() const
{
    std::vector<Curve> made;
    const RecordingPtr recording = m_editor.comparison().recording();
    if (recording == nullptr) return made;
    for (std::size_t i = 0; i < recording->solvers.size(); ++i) {
        const SolverRecording& solver = recording->solvers[i];
        if (solver.steps.empty()) continue;
        if (m_quantity == Quantity::Error && solver.goal < 0) continue; // a curve
        if (m_quantity == Quantity::Error) {
            Curve& curve = made.emplace_back(Curve{i, {}});
            for (const SolveStep& step : solver.steps)
                curve.points.emplace_back(step.iteration, missOf(solver, step) * missUnitOf(solver));
            continue;
        }
        if (i != m_solver) continue;
        for (std::size_t k = 0; k < solver.steps.front().singularValues.size(); ++k) {
            Curve& curve = made.emplace_back(Curve{i, {}});
            for (const SolveStep& step : solver.steps)
                if (k < step.singularValues.size()) curve.points.emplace_back(step.iteration, step.singularValues[k]);
        }
    }
    return made;
}

double ConvergencePlot::tolerance() const
{
    const RecordingPtr recording = m_editor.comparison().recording();
    if (recording == nullptr || m_quantity != Quantity::Error) return 0;
    for (const SolverRecording& solver : recording->solvers) {
        if (solver.goal < 0) continue;
        const RecordedGoal& goal = solver.goals[static_cast<std::size_t>(solver.goal)];
        return (isMissAnAngle(solver) ? goal.rotationTolerance : goal.positionTolerance) * missUnitOf(solver);
    }
    return 0;
}

void ConvergencePlot::fitScale(const std::vector<Curve>& curves)
{
    double low = tolerance() > 0 ? tolerance() : 1e300, high = 0;
    m_lastIteration = 1;
    for (const Curve& curve : curves)
        for (const auto& [iteration, value] : curve.points) {
            m_lastIteration = std::max(m_lastIteration, iteration);
            low = std::min(low, std::max(value, kSmallest));
            high = std::max(high, value);
        }
    high = std::max(high, tolerance()); // where all errors are next to nothing, the tolerance is what to compare with
    if (high <= 0) high = 1;
    m_high = std::ceil(std::log10(high) + 0.05);
    m_low = std::clamp(std::floor(std::log10(std::min(low, high))), m_high - kMostDecades, m_high - 2);
    if (tolerance() > 0)
        m_low = std::min(m_high - 2, std::max(m_low, std::floor(std::log10(tolerance())) - kBelowTolerance));
}

QRectF ConvergencePlot::plotArea() const
{
    const Theme& theme = Theme::instance();
    return QRectF(rect()).adjusted(theme.px(74), theme.px(8), -theme.px(14), -theme.px(20));
}

/// Iterations stand closer the later they are, so that the first ones can be told apart.
double ConvergencePlot::xOf(double iteration) const
{
    const QRectF plot = plotArea();
    return plot.left() + std::log1p(iteration) / std::log1p(m_lastIteration) * plot.width();
}

double ConvergencePlot::yOf(double value) const
{
    const QRectF plot = plotArea();
    const double power = std::clamp(std::log10(std::max(value, kSmallest)), m_low, m_high);
    return plot.bottom() - (power - m_low) / (m_high - m_low) * plot.height();
}

void ConvergencePlot::paintGrid(QPainter& painter) const
{
    const Theme& theme = Theme::instance();
    const QRectF plot = plotArea();
    const RecordingPtr recording = m_editor.comparison().recording();
    const bool isAngle = !recording->solvers.empty() && isMissAnAngle(recording->solvers.front());
    painter.setFont(theme.font(11));
    double freeAbove = 1e9;
    for (int power = static_cast<int>(m_low); power <= static_cast<int>(m_high); ++power) {
        const double y = std::round(yOf(std::pow(10.0, power))) + 0.5;
        painter.setPen(theme.color("line.soft"));
        painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
        if (y > freeAbove) continue;
        const double value = std::pow(10.0, power);
        const QString text = m_quantity == Quantity::SingularValues ? QString::number(value, 'g', 3)
                             : isAngle ? QString::number(value, 'g', 3) + QStringLiteral("°")
                                       : lengthOf(value);
        painter.setPen(theme.color("text.secondary"));
        painter.drawText(QRectF(0, y - 10, plot.left() - theme.px(8), 20), Qt::AlignRight | Qt::AlignVCenter, text);
        freeAbove = y - theme.px(18);
    }
    double free = -1e9;
    for (int decade = 0; decade <= 5; ++decade)
        for (const int digit : {0, 1, 2, 5}) {
            if (digit == 0 && decade > 0) continue;
            const int iteration = digit * static_cast<int>(std::pow(10, decade));
            if (iteration > m_lastIteration) continue;
            const double x = std::round(xOf(iteration)) + 0.5;
            painter.setPen(theme.color("line.soft"));
            painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
            if (x < free) continue;
            painter.setPen(theme.color("text.secondary"));
            painter.drawText(QRectF(x - 30, plot.bottom() + 2, 60, theme.px(16)), Qt::AlignHCenter | Qt::AlignVCenter,
                             QString::number(iteration));
            free = x + theme.px(28);
        }
}

void ConvergencePlot::paintTolerance(QPainter& painter) const
{
    if (tolerance() <= 0) return;
    const Theme& theme = Theme::instance();
    const QRectF plot = plotArea();
    const double y = std::round(yOf(tolerance())) + 0.5;
    painter.fillRect(QRectF(plot.left(), y, plot.width(), plot.bottom() - y), theme.color("status.ok-tint"));
    painter.setPen(QPen(theme.color("status.ok"), 1, Qt::DashLine));
    painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
    if (plot.bottom() - y < theme.px(18)) return;
    painter.setFont(theme.font(11));
    painter.drawText(QRectF(plot.left() + theme.px(6), y + 2, plot.width(), theme.px(16)),
                     Qt::AlignLeft | Qt::AlignVCenter, tr("within tolerance"));
}

/// The corner of the plot for something of `size`, in which it covers least of the curves.
QPointF ConvergencePlot::placeOfLegend(const std::vector<Curve>& curves, const QSizeF& size) const
{
    const QRectF plot = plotArea();
    const double right = plot.right() - size.width(), below = plot.bottom() - size.height();
    const auto covered = [&](const QPointF& corner) {
        const QRectF box(corner, size);
        double length = 0; // [px]
        for (const Curve& curve : curves)
            for (std::size_t i = 1; i < curve.points.size(); ++i) {
                const QLineF part(xOf(curve.points[i - 1].first), yOf(curve.points[i - 1].second),
                                  xOf(curve.points[i].first), yOf(curve.points[i].second));
                const int pieces = 1 + static_cast<int>(part.length() / 4);
                for (int k = 0; k < pieces; ++k)
                    if (box.contains(part.pointAt((k + 0.5) / pieces))) length += part.length() / pieces;
            }
        return length;
    };
    const QPointF corners[] = {{right, plot.top()}, {plot.left(), below}, {right, below}, plot.topLeft()};
    return *std::min_element(std::begin(corners), std::end(corners),
                             [&](const QPointF& a, const QPointF& b) { return covered(a) < covered(b); });
}

/// What each line stands for, in the corner that curves leave free.
void ConvergencePlot::paintLegend(QPainter& painter, const std::vector<Curve>& curves) const
{
    const Theme& theme = Theme::instance();
    const QRectF plot = plotArea();
    std::vector<std::size_t> looks; // singular values are several curves of one look
    for (const Curve& curve : curves)
        if (looks.empty() || looks.back() != curve.look) looks.push_back(curve.look);
    painter.setFont(theme.font(11));
    const QFontMetricsF metrics(painter.font());
    const RecordingPtr recording = m_editor.comparison().recording();
    const auto nameOf = [&](std::size_t look) { return QString::fromStdString(recording->solvers[look].name); };
    double width = 0;
    for (const std::size_t look : looks) width = std::max(width, metrics.horizontalAdvance(nameOf(look)));
    const double row = theme.px(16), sample = theme.px(26), pad = theme.px(6);
    const QSizeF size(width + sample + 3 * pad, static_cast<double>(looks.size()) * row + pad);
    if (size.width() > 0.6 * plot.width() || size.height() > 0.8 * plot.height()) return; // it would hide the curves
    const QRectF box(placeOfLegend(curves, size + QSizeF(2 * pad, 2 * pad)) + QPointF(pad, pad), size);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    QColor plate = theme.color("surface.well");
    plate.setAlphaF(0.85f);
    painter.setBrush(plate);
    painter.drawRoundedRect(box, theme.px(3), theme.px(3));
    double y = box.top() + pad / 2 + row / 2;
    for (const std::size_t look : looks) {
        paintCompareSample(painter, look, QPointF(box.left() + pad, y), sample);
        painter.setPen(theme.color("text.primary"));
        painter.drawText(QRectF(box.left() + sample + 2 * pad, y - row / 2, width + 1, row),
                         Qt::AlignLeft | Qt::AlignVCenter, nameOf(look));
        y += row;
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void ConvergencePlot::paintCurve(QPainter& painter, const Curve& curve) const
{
    const Theme& theme = Theme::instance();
    const CompareLook look = compareLook(curve.look);
    QPolygonF line;
    for (const auto& [iteration, value] : curve.points) line << QPointF(xOf(iteration), yOf(value));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.color(QLatin1StringView(look.token)), 1.5 * theme.scale(), look.pen));
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(line);
    double free = -1e9; // marks do not overlap
    for (const QPointF& point : line) {
        if (point.x() < free && point != line.back()) continue;
        paintCompareMark(painter, curve.look, point, 3 * theme.scale());
        free = point.x() + 9 * theme.scale();
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void ConvergencePlot::paintEvent(QPaintEvent*)
{
    const Theme& theme = Theme::instance();
    QPainter painter(this);
    painter.fillRect(rect(), theme.color("surface.well"));
    const std::vector<Curve> shown = curves();
    if (shown.empty()) {
        painter.setFont(theme.font());
        painter.setPen(theme.color("text.hint"));
        const RecordingPtr recording = m_editor.comparison().recording();
        const bool isCurve = recording != nullptr && !recording->solvers.empty() &&
                             !recording->solvers.front().steps.empty() && recording->solvers.front().goal < 0;
        painter.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap,
                         isCurve ? tr("The chain follows a curve: there is no goal error to plot")
                                 : tr("No solve to show"));
        return;
    }
    fitScale(shown);
    paintTolerance(painter);
    paintGrid(painter);
    const int iteration = m_editor.comparison().iterationAt(m_editor.steps().step());
    const double x = std::round(xOf(std::min(iteration, m_lastIteration))) + 0.5;
    painter.setPen(QPen(theme.color("time.playhead"), theme.px(2)));
    painter.drawLine(QPointF(x, plotArea().top()), QPointF(x, plotArea().bottom()));
    for (const Curve& curve : shown) paintCurve(painter, curve);
    paintLegend(painter, shown);
}

void ConvergencePlot::showAt(double x)
{
    const QRectF plot = plotArea();
    const double share = std::clamp((x - plot.left()) / plot.width(), 0.0, 1.0);
    const int iteration = qRound(std::expm1(share * std::log1p(m_lastIteration)));
    m_editor.steps().goTo(m_editor.comparison().stepAt(iteration));
}

void ConvergencePlot::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton) showAt(event->position().x());
}

void ConvergencePlot::mouseMoveEvent(QMouseEvent* event)
{
    if (event->buttons() & Qt::LeftButton) showAt(event->position().x());
}

void ConvergencePlot::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Left || event->key() == Qt::Key_Right)
        m_editor.steps().goTo(m_editor.steps().step() + (event->key() == Qt::Key_Left ? -1 : 1));
    else
        QWidget::keyPressEvent(event);
}

} // namespace tendon::editor
