#include "app/widgets/ErrorGraph.h"

#include "app/editor/Theme.h"
#include "app/widgets/Texts.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace tendon::editor {

ErrorGraph::ErrorGraph(std::vector<ReadBack::Sample> samples, double tolerance, QWidget* parent)
    : QWidget(parent), m_samples(std::move(samples)), m_tolerance(tolerance)
{
    setObjectName(QStringLiteral("report.graph"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    double worst = 0;
    for (const ReadBack::Sample& sample : m_samples)
        if (std::isfinite(sample.jointError)) worst = std::max(worst, sample.jointError);
    // The errors fill the height; the tolerance is shown if it is not much larger.
    m_top = worst * 6 > m_tolerance ? std::max(worst, m_tolerance) * 1.2 : worst * 1.25;
    if (m_top <= 0) m_top = m_tolerance * 1.2;
    setAccessibleName(tr("Joint error per frame, at most %1").arg(lengthOf(worst)));
}

QSize ErrorGraph::sizeHint() const { return {Theme::instance().px(400), Theme::instance().px(96)}; }

void ErrorGraph::paintEvent(QPaintEvent*)
{
    const Theme& theme = Theme::instance();
    QPainter painter(this);
    painter.fillRect(rect(), theme.color("surface.well"));
    const QRectF plot = QRectF(rect()).adjusted(theme.px(66), theme.px(8), -theme.px(10), -theme.px(18));
    painter.setFont(theme.font(11));
    paintScale(painter, plot);
    const double width = plot.width() / static_cast<double>(std::max<std::size_t>(1, m_samples.size()));
    for (std::size_t i = 0; i < m_samples.size(); ++i) {
        const double error = std::min(m_samples[i].jointError, m_top); // an infinite error reaches the top
        const double height = std::max(1.0, error / m_top * plot.height());
        const QRectF bar(plot.left() + width * static_cast<double>(i), plot.bottom() - height,
                         std::max(1.0, width - (width > 4 ? 1 : 0)), height);
        painter.fillRect(bar, theme.color(m_samples[i].jointError <= m_tolerance ? "accent.fill" : "status.error"));
    }
    if (m_tolerance <= m_top) {
        const double y = std::round(plot.bottom() - m_tolerance / m_top * plot.height()) + 0.5;
        painter.setPen(QPen(theme.color("status.warn"), 1, Qt::DashLine));
        painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
    }
    paintFrames(painter, plot);
}

void ErrorGraph::paintScale(QPainter& painter, const QRectF& plot) const
{
    const Theme& theme = Theme::instance();
    // Zero, and the largest round number in the upper half.
    const double power = std::pow(10.0, std::floor(std::log10(m_top)));
    const double round = m_top / power >= 5 ? 5 * power : m_top / power >= 2 ? 2 * power : power;
    for (const double value : {0.0, round}) {
        const double y = std::round(plot.bottom() - value / m_top * plot.height()) + 0.5;
        painter.setPen(theme.color("line.soft"));
        painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
        painter.setPen(theme.color("text.secondary"));
        painter.drawText(QRectF(0, y - 10, plot.left() - theme.px(8), 20), Qt::AlignRight | Qt::AlignVCenter,
                         value == 0 ? QStringLiteral("0") : lengthOf(value));
    }
}

void ErrorGraph::paintFrames(QPainter& painter, const QRectF& plot) const
{
    if (m_samples.empty()) return;
    const Theme& theme = Theme::instance();
    painter.setPen(theme.color("text.secondary"));
    const double width = plot.width() / static_cast<double>(m_samples.size());
    double free = -1e9; // end of the last label: labels do not overlap
    for (std::size_t i = 0; i < m_samples.size(); ++i) {
        const double frame = m_samples[i].frame;
        const bool begins = i == 0 || m_samples[i].clip != m_samples[i - 1].clip;
        const bool isRound = std::abs(frame - std::round(frame)) < 1e-6 && std::fmod(std::round(frame), 10) == 0;
        const double x = plot.left() + width * (static_cast<double>(i) + 0.5);
        if ((!begins && !isRound) || x < free || x > plot.right()) continue;
        painter.drawText(QRectF(x - 40, plot.bottom() + 1, 80, theme.px(16)), Qt::AlignHCenter | Qt::AlignVCenter,
                         QString::number(frame, 'g', 6));
        free = x + theme.px(44);
    }
}

} // namespace tendon::editor
