#include "app/widgets/time/ZoomBar.h"

#include "app/editor/Theme.h"

#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace tendon::editor {

ZoomBar::ZoomBar(Editor& editor, TimeView& view, QWidget* parent) : QWidget(parent), m_view(view)
{
    setObjectName(QStringLiteral("timeline.zoom"));
    setAccessibleName(tr("Shown frames"));
    setToolTip(tr("Drag the ends to zoom in time and the middle to pan; double-click to show the whole range"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setMouseTracking(true);
    const auto repaint = [this] { update(); };
    connect(&view, &TimeView::changed, this, repaint);
    connect(&editor.document(), &EditorDocument::changed, this, repaint); // keys outside the range
    connect(&editor.document(), &EditorDocument::editChanged, this, repaint);
    connect(&Theme::instance(), &Theme::changed, this, [this] { updateGeometry(); });
}

QSize ZoomBar::sizeHint() const { return {200, Theme::instance().px(12)}; }

void ZoomBar::setLeft(int left)
{
    m_left = left;
    update();
}

TimeAxis ZoomBar::track() const
{
    const auto [first, last] = m_view.extent();
    return {.first = first,
            .last = last,
            .left = static_cast<double>(m_left),
            .width = static_cast<double>(width() - m_left - Theme::instance().px(14))};
}

QRectF ZoomBar::bar() const
{
    const TimeAxis track = this->track();
    const double least = Theme::instance().px(18), high = Theme::instance().px(6);
    double left = track.x(m_view.first()), right = track.x(m_view.last());
    if (right - left < least) {
        const double middle = std::clamp((left + right) / 2, track.left + least / 2,
                                         std::max(track.left + least / 2, track.left + track.width - least / 2));
        left = middle - least / 2;
        right = middle + least / 2;
    }
    return {left, (height() - high) / 2.0, right - left, high};
}

ZoomBar::Part ZoomBar::partAt(QPointF at) const
{
    const QRectF bar = this->bar();
    const double grip = std::min<double>(Theme::instance().px(8), bar.width() / 3);
    if (std::abs(at.x() - bar.left()) <= grip) return Part::First;
    if (std::abs(at.x() - bar.right()) <= grip) return Part::Last;
    return at.x() > bar.left() && at.x() < bar.right() ? Part::Middle : Part::None;
}

void ZoomBar::paintEvent(QPaintEvent*)
{
    const Theme& theme = Theme::instance();
    QPainter painter(this);
    painter.fillRect(rect(), theme.color("surface.well"));
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF bar = this->bar();
    const TimeAxis track = this->track();
    const double round = bar.height() / 2;
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.color("surface.panel"));
    painter.drawRoundedRect(QRectF(track.left, bar.top(), track.width, bar.height()), round, round);
    painter.setBrush(theme.color(m_part == Part::None ? "line.control" : "line.strong"));
    painter.drawRoundedRect(bar, round, round);
    painter.setBrush(theme.color("line.strong"));
    const double grip = theme.px(4);
    painter.drawEllipse(QPointF(bar.left() + round, bar.center().y()), grip, grip);
    painter.drawEllipse(QPointF(bar.right() - round, bar.center().y()), grip, grip);
}

void ZoomBar::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton) return;
    m_track = track();
    m_part = partAt(event->position());
    if (m_part == Part::None) { // beside the bar: it comes there
        m_view.pan(m_track.frame(event->position().x()) - (m_view.first() + m_view.last()) / 2);
        m_part = Part::Middle;
    }
    m_from = event->position();
    m_first = m_view.first();
    m_last = m_view.last();
    update();
}

void ZoomBar::mouseMoveEvent(QMouseEvent* event)
{
    if (m_part == Part::None) {
        const Part part = partAt(event->position());
        setCursor(part == Part::First || part == Part::Last ? Qt::SizeHorCursor
                  : part == Part::Middle                    ? Qt::OpenHandCursor
                                                            : Qt::ArrowCursor);
        return;
    }
    constexpr double kLeast = 1; // [frames]
    double by = (event->position().x() - m_from.x()) / m_track.pixelsPerFrame();
    if (m_part == Part::Middle) {
        by = std::clamp(by, std::min(0.0, m_track.first - m_first), std::max(0.0, m_track.last - m_last));
        m_view.show(m_first + by, m_last + by);
    } else if (m_part == Part::First) {
        m_view.show(std::clamp(m_first + by, m_track.first, std::max(m_track.first, m_last - kLeast)), m_last);
    } else {
        m_view.show(m_first, std::clamp(m_last + by, std::min(m_track.last, m_first + kLeast), m_track.last));
    }
}

void ZoomBar::mouseReleaseEvent(QMouseEvent*)
{
    m_part = Part::None;
    update();
}

void ZoomBar::mouseDoubleClickEvent(QMouseEvent*) { m_view.showAll(); }

void ZoomBar::wheelEvent(QWheelEvent* event)
{
    const QPoint delta = event->angleDelta();
    m_view.zoom((m_view.first() + m_view.last()) / 2,
                std::pow(1.15, -(delta.y() != 0 ? delta.y() : delta.x()) / 120.0));
    event->accept();
}

} // namespace tendon::editor
