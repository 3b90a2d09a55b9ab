#include "app/widgets/ProblemView.h"

#include "app/editor/LengthText.h"
#include "app/editor/Theme.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace tendon::editor {
namespace {

constexpr double kTurn = 0.01;    // [rad] for a pixel of a drag
constexpr double kKeyTurn = 0.1;  // [rad] for an arrow key
constexpr double kSteepest = 1.5; // [rad] of the camera
constexpr double kUnseen = 1e-6;  // [m] a miss that is not drawn

} // namespace

ProblemView::ProblemView(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("conformance.view"));
    setAccessibleName(tr("The failing problem"));
    setToolTip(tr("Drag or use the arrow keys to look from another side; turn the wheel to come closer"));
    setFocusPolicy(Qt::StrongFocus);
    setMinimumSize(Theme::instance().px(200), Theme::instance().px(140));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

QSize ProblemView::sizeHint() const { return {Theme::instance().px(340), Theme::instance().px(260)}; }

void ProblemView::setProblem(const conformance::PosedProblem* problem)
{
    m_problem = problem == nullptr ? std::nullopt : std::optional(*problem);
    m_zoom = 1;
    fit();
    setAccessibleDescription(m_problem ? QString::fromStdString(m_problem->label + ": " + m_problem->outcome)
                                       : QString());
    update();
}

/// Goals a world away would make a point of the rig: what is near it decides.
void ProblemView::fit()
{
    if (!m_problem || m_problem->start.empty()) return;
    std::vector<Vector3> points = m_problem->start;
    points.insert(points.end(), m_problem->answer.begin(), m_problem->answer.end());
    Vector3 low = points.front(), high = points.front();
    for (const Vector3& point : points) {
        low = low.cwiseMin(point);
        high = high.cwiseMax(point);
    }
    const double size = std::max(0.05, (high - low).norm());
    for (const conformance::PosedProblem::Goal& goal : m_problem->goals)
        if ((goal.target - 0.5 * (low + high)).norm() < 2 * size) {
            low = low.cwiseMin(goal.target);
            high = high.cwiseMax(goal.target);
        }
    m_centre = 0.5 * (low + high);
    m_radius = std::max(0.05, 0.5 * (high - low).norm());
}

QPointF ProblemView::placeOf(const Vector3& point) const
{
    const Vector3 from = point - m_centre;
    const double right = from.x() * std::cos(m_yaw) - from.z() * std::sin(m_yaw);
    const double ahead = from.x() * std::sin(m_yaw) + from.z() * std::cos(m_yaw);
    const double up = from.y() * std::cos(m_pitch) - ahead * std::sin(m_pitch);
    const double unit = m_zoom * 0.42 * std::min(width(), height()) / m_radius;
    return QRectF(rect()).center() + unit * QPointF(right, -up);
}

void ProblemView::paintBodies(QPainter& painter, const std::vector<Vector3>& places, const QColor& colour,
                              bool isAnswer) const
{
    const Theme& theme = Theme::instance();
    const double dot = 3 * theme.scale();
    painter.setPen(QPen(colour, (isAnswer ? 2.5 : 1.5) * theme.scale(), isAnswer ? Qt::SolidLine : Qt::DashLine));
    for (std::size_t i = 0; i < places.size(); ++i)
        if (const std::int32_t parent = m_problem->parents[i]; parent >= 0)
            painter.drawLine(placeOf(places[static_cast<std::size_t>(parent)]), placeOf(places[i]));
    painter.setPen(Qt::NoPen);
    for (std::size_t i = 0; i < places.size(); ++i) {
        const bool isBeyond = isAnswer && m_problem->isBeyond[i] != 0;
        painter.setBrush(isBeyond ? theme.color("status.error") : colour);
        const double radius = isBeyond ? 2 * dot : dot;
        painter.drawEllipse(placeOf(places[i]), radius, radius);
    }
}

void ProblemView::paintGoals(QPainter& painter) const
{
    const Theme& theme = Theme::instance();
    const double arm = 7 * theme.scale();
    for (const conformance::PosedProblem::Goal& goal : m_problem->goals) {
        const QColor colour = theme.color(goal.kind == "pole" ? "rig.pole" : "rig.goal");
        const QPointF at = placeOf(goal.target);
        painter.setPen(QPen(colour, 2 * theme.scale()));
        painter.drawLine(at - QPointF(arm, 0), at + QPointF(arm, 0));
        painter.drawLine(at - QPointF(0, arm), at + QPointF(0, arm));
        if (!goal.answer || goal.positionError < kUnseen) continue;
        painter.setPen(QPen(theme.color("rig.error-line"), 1.5 * theme.scale(), Qt::DotLine));
        painter.drawLine(placeOf(*goal.answer), at);
        painter.setPen(theme.color("rig.error-line"));
        painter.drawText(QPointF(0.5 * (placeOf(*goal.answer) + at) + QPointF(arm, -arm)),
                         lengthText(goal.positionError));
    }
}

void ProblemView::paintEvent(QPaintEvent*)
{
    const Theme& theme = Theme::instance();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(theme.font());
    painter.fillRect(rect(), theme.color("surface.well"));
    if (!m_problem) {
        painter.setPen(theme.color("text.hint"));
        painter.drawText(rect().adjusted(theme.px(12), 0, -theme.px(12), 0), Qt::AlignCenter | Qt::TextWordWrap,
                         tr("Choose a failed check and press Show me"));
        return;
    }
    painter.setPen(QPen(theme.color("rig.wire"), theme.scale()));
    for (std::size_t i = 1; i < m_problem->curve.size(); ++i)
        painter.drawLine(placeOf(m_problem->curve[i - 1]), placeOf(m_problem->curve[i]));
    paintBodies(painter, m_problem->start, theme.color("text.hint"), false);
    paintBodies(painter, m_problem->answer, theme.color("accent.fill"), true);
    paintGoals(painter);
    if (hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme.color("focus.ring"), theme.px(2)));
        painter.drawRect(rect().adjusted(1, 1, -1, -1));
    }
}

void ProblemView::turn(double yaw, double pitch)
{
    m_yaw += yaw;
    m_pitch = std::clamp(m_pitch + pitch, -kSteepest, kSteepest);
    update();
}

void ProblemView::mousePressEvent(QMouseEvent* event) { m_last = event->position(); }

void ProblemView::mouseMoveEvent(QMouseEvent* event)
{
    const QPointF way = event->position() - m_last;
    m_last = event->position();
    turn(-kTurn * way.x(), kTurn * way.y());
}

void ProblemView::wheelEvent(QWheelEvent* event)
{
    m_zoom = std::clamp(m_zoom * std::pow(1.001, event->angleDelta().y()), 0.1, 50.0);
    update();
}

void ProblemView::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Left: return turn(-kKeyTurn, 0);
    case Qt::Key_Right: return turn(kKeyTurn, 0);
    case Qt::Key_Up: return turn(0, kKeyTurn);
    case Qt::Key_Down: return turn(0, -kKeyTurn);
    default: QWidget::keyPressEvent(event);
    }
}

} // namespace tendon::editor
