#include "app/widgets/TimelineView.h"

#include "app/editor/ShownKeys.h"
#include "app/editor/Theme.h"
#include "app/widgets/HandleReasons.h"
#include "core/math/Degrees.h"
#include "core/scene/Check.h"
#include "core/solve/StatusNames.h"

#include <QApplication>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <functional>
#include <set>

namespace tendon::editor {

int TimelineView::labelWidth() { return Theme::instance().px(64); }

void TimelineView::setLabelWidth(int width)
{
    m_labelWidth = width;
    update();
}

TimelineView::TimelineView(Editor& editor, QWidget* parent) : QWidget(parent), m_editor(editor)
{
    setObjectName(QStringLiteral("timeline"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setToolTip(tr("Drag to scrub. The strip shows how each frame is solved, faint until it has been solved again after "
                  "an edit: red = goal missed, hatched = limit "
                  "reached, amber = the knee snaps (soft reach helps). A triangle marks a jump of the pose, a bar "
                  "above the strip a joint that is faster "
                  "than its speed limits; a dotted line means that the clip is still being solved"));
    setAccessibleName(tr("Timeline"));
    const auto repaint = [this] { update(); };
    connect(&editor, &Editor::shownFrameChanged, this, repaint);
    connect(&editor.selection(), &Selection::changed, this, repaint);
    connect(&editor.document(), &EditorDocument::editChanged, this, repaint);
    connect(&editor.document(), &EditorDocument::changed, this, repaint);
    connect(&editor.document(), &EditorDocument::replaced, this, repaint);
    connect(&editor.settlement(), &ClipSettlement::stateChanged, this, repaint);
    connect(&editor.range(), &SolvedRange::changed, this, repaint);
    editor.range().setActive(true);
    connect(&Theme::instance(), &Theme::changed, this, [this] { updateGeometry(); });
}

QSize TimelineView::sizeHint() const
{
    const Theme& theme = Theme::instance();
    return {theme.px(600), theme.size("height.ruler") + theme.size("height.key-lane") +
                               theme.size("height.quality-strip") + theme.px(10)};
}

TimeAxis TimelineView::axis() const
{
    const Scene& scene = m_editor.document().scene();
    const double margin = Theme::instance().px(14);
    return {.first = static_cast<double>(scene.firstFrame),
            .last = std::max(scene.firstFrame + 1.0, static_cast<double>(scene.lastFrame)),
            .left = static_cast<double>(m_labelWidth),
            .width = width() - m_labelWidth - margin};
}

void TimelineView::paintEvent(QPaintEvent*)
{
    const Theme& theme = Theme::instance();
    QPainter painter(this);
    const bool isRecording = m_editor.document().edit().isAutoKeyOn;
    painter.fillRect(rect(), theme.color("surface.well"));
    painter.fillRect(0, 0, width(), theme.size("height.ruler"),
                     theme.color(isRecording ? "time.record-tint" : "surface.panel"));
    const TimeAxis axis = this->axis();
    paintRuler(painter, axis);
    paintKeys(painter, axis);
    paintQuality(painter, axis);
    paintPlayhead(painter, axis, m_editor.shownFrame(), height(), true);
    painter.setFont(theme.font(11));
    painter.setPen(theme.color("text.secondary"));
    const int ruler = theme.size("height.ruler"), lane = theme.size("height.key-lane");
    const int pad = theme.px(8);
    painter.drawText(QRect(pad, 0, m_labelWidth, ruler), Qt::AlignVCenter, tr("Frames"));
    painter.drawText(QRect(pad, ruler, m_labelWidth, lane), Qt::AlignVCenter, tr("Keys"));
    painter.drawText(QRect(pad, ruler + lane, m_labelWidth, theme.size("height.quality-strip") + theme.px(4)),
                     Qt::AlignVCenter, tr("Quality"));
}

void TimelineView::paintRuler(QPainter& painter, const TimeAxis& axis) const
{
    const Theme& theme = Theme::instance();
    const int ruler = theme.size("height.ruler");
    const int step = axis.labelStep(theme.px(64));
    painter.setFont(theme.font(10));
    const auto label = [&](int frame) {
        const double x = std::round(axis.x(frame)) + 0.5;
        painter.setPen(theme.color("text.secondary"));
        painter.drawText(QRectF(x - 40, 0, 80, ruler - theme.px(6)), Qt::AlignCenter, QString::number(frame));
        painter.setPen(theme.color("line.strong"));
        painter.drawLine(QPointF(x, ruler - theme.px(5)), QPointF(x, ruler - 1));
    };
    const int first = static_cast<int>(axis.first), last = static_cast<int>(axis.last);
    painter.setPen(theme.color("line.control"));
    if (axis.pixelsPerFrame() >= 5)
        for (int frame = first; frame <= last; ++frame) {
            const double x = std::round(axis.x(frame)) + 0.5;
            painter.drawLine(QPointF(x, ruler - theme.px(3)), QPointF(x, ruler - 1));
        }
    label(first);
    const int begin = (first / step + 1) * step;
    for (int frame = begin; frame <= last; frame += step)
        if (axis.x(frame) - axis.x(first) > theme.px(28)) label(frame);
}

void TimelineView::paintKeys(QPainter& painter, const TimeAxis& axis) const
{
    const Theme& theme = Theme::instance();
    const int top = theme.size("height.ruler"), lane = theme.size("height.key-lane");
    painter.setPen(theme.color("line.soft"));
    painter.drawLine(0, top + lane, width(), top + lane);
    const Clip* clip = m_editor.document().clip();
    // At most one tick per pixel; ticks of the selection on top.
    std::set<int> selected, others;
    const Scene& scene = m_editor.document().scene();
    if (clip != nullptr)
        for (const auto& [channel, keys] : clip->channels) {
            if (!isShown(scene, channel)) continue;
            std::set<int>& ticks = m_editor.selection().containsObject(channel.target) ? selected : others;
            for (std::size_t i = 0; i < keys->size(); ++i)
                ticks.insert(static_cast<int>(std::lround(axis.x(scene.fps.frameAt((*keys)[i].time)))));
        }
    if (selected.empty() && others.empty()) {
        painter.setPen(theme.color("text.hint"));
        painter.setFont(theme.font(11));
        painter.drawText(QRectF(axis.left + theme.px(18), top, axis.width, lane), Qt::AlignVCenter,
                         tr("No keys yet. Press S to set one"));
        return;
    }
    // Clear of the ruler, whose ticks are no keys; and right of the labels.
    const auto isSeen = [&](int x) { return x >= axis.left - 1 && x <= axis.left + axis.width + 1; };
    std::erase_if(others, std::not_fn(isSeen));
    std::erase_if(selected, std::not_fn(isSeen));
    for (const int x : others)
        painter.fillRect(x - 1, top + theme.px(7), theme.px(2), lane - theme.px(9), theme.color("time.key-other"));
    for (const int x : selected)
        painter.fillRect(x - 1, top + theme.px(3), 3, lane - theme.px(4), theme.color("time.key-selected"));
}

namespace {

/// What a column of the strip says: of several frames the worst.
struct QualityCell
{
    double error = 0;
    enum class Kind { Ok, Soft, AtLimit, Warned, Missed } kind = Kind::Ok;
    bool isAged = false;

    void add(const FrameQuality& quality, bool isSnapping, bool isOld)
    {
        const Kind of = quality.error > 0                  ? Kind::Missed
                        : isSnapping || quality.isCautious ? Kind::Warned
                        : quality.isAtLimit                ? Kind::AtLimit
                        : quality.isSoft                   ? Kind::Soft
                                                           : Kind::Ok;
        kind = std::max(kind, of);
        error = std::max(error, quality.error);
        isAged = isAged || isOld;
    }
};

void paintCell(QPainter& painter, const QRectF& cell, const QualityCell& quality, double worst)
{
    constexpr double kFaded = 0.35;
    const Theme& theme = Theme::instance();
    painter.setOpacity(quality.isAged ? kFaded : 1);
    switch (quality.kind) {
    case QualityCell::Kind::Missed: {
        const double bar = std::max(4.0, quality.error / worst * cell.height()); // height = error
        painter.fillRect(QRectF(cell.left(), cell.bottom() - bar, std::max(1.0, cell.width() - 1), bar),
                         theme.color("status.error"));
        break;
    }
    case QualityCell::Kind::Warned: painter.fillRect(cell, theme.color("status.warn")); break;
    case QualityCell::Kind::AtLimit: painter.fillRect(cell, QBrush(theme.color("rig.limit"), Qt::BDiagPattern)); break;
    case QualityCell::Kind::Soft: // held back by soft reach: a dashed line
        painter.fillRect(QRectF(cell.left(), cell.bottom() - 3, std::max(1.0, cell.width() / 2), 2),
                         theme.color("status.warn"));
        break;
    case QualityCell::Kind::Ok:
        painter.fillRect(QRectF(cell.left(), cell.bottom() - 3, cell.width(), 2), theme.color("status.ok"));
        break;
    }
}

} // namespace

void TimelineView::paintQuality(QPainter& painter, const TimeAxis& axis) const
{
    const Theme& theme = Theme::instance();
    const int top = theme.size("height.ruler") + theme.size("height.key-lane") + theme.px(3);
    const int height = theme.size("height.quality-strip");
    const double frameWidth = std::max(1.0, axis.pixelsPerFrame());
    const SolvedRange& range = m_editor.range();
    const std::set<int>& snaps = range.snapping();
    double worst = 0.01;
    for (const auto& [frame, entry] : range.frames()) worst = std::max(worst, entry.frame->quality.error);
    // Frames that share a column of pixels are drawn as one.
    const QRectF strip(axis.left - 2, top, width(), height); // right of the labels
    QualityCell cell;
    double left = -1e9;
    const auto flush = [&] {
        if (left > -1e8) paintCell(painter, QRectF(left, top, frameWidth, height).intersected(strip), cell, worst);
        cell = {};
    };
    const auto first = range.frames().lower_bound(static_cast<int>(std::ceil(axis.first))),
               last = range.frames().upper_bound(static_cast<int>(std::floor(axis.last)));
    for (auto entry = first; entry != last; ++entry) {
        const double x = axis.x(entry->first) - frameWidth / 2;
        if (x - left >= 1) {
            flush();
            left = x;
        }
        cell.add(entry->second.frame->quality, snaps.count(entry->first) != 0, entry->second.isAged);
    }
    flush();
    painter.setOpacity(1);
    paintJumps(painter, QRectF(axis.left, top, axis.width, height), axis);
}

/// Frames at which the clip has no continuous solution, and whether it is solved as it is now.
void TimelineView::paintJumps(QPainter& painter, const QRectF& strip, const TimeAxis& axis) const
{
    const Theme& theme = Theme::instance();
    if (!m_editor.settlement().isSettled()) {
        painter.setPen(QPen(theme.color("text.hint"), theme.px(2), Qt::DotLine));
        painter.drawLine(strip.bottomLeft(), strip.bottomRight());
    }
    const ClipSolution* solution = this->solution();
    if (solution == nullptr) return;
    for (const PoseHaste& haste : solution->hastes) { // a bar with its ends turned down
        const double left = std::max(axis.left, axis.x(haste.first) - theme.px(2)),
                     right = std::min(axis.left + axis.width, axis.x(haste.last) + theme.px(2));
        if (right <= left) continue;
        painter.fillRect(QRectF(left, strip.top() - theme.px(1), right - left, theme.px(2)),
                         theme.color("status.warn"));
        for (const double end : {left, right - theme.px(1)})
            painter.fillRect(QRectF(end, strip.top() - theme.px(1), theme.px(1), theme.px(5)),
                             theme.color("status.warn"));
    }
    painter.setRenderHint(QPainter::Antialiasing);
    for (const PoseJump& jump : solution->jumps) {
        if (jump.frame < axis.first || jump.frame > axis.last) continue;
        const double x = axis.x(jump.frame), half = theme.px(5);
        const QPolygonF mark({{x - half, strip.top() - 2}, {x + half, strip.top() - 2}, {x, strip.bottom()}});
        // A wide rim in the colour of the ground: it is seen on amber, too.
        painter.setPen(QPen(theme.color("surface.well"), theme.px(4), Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter.setBrush(theme.color("surface.well"));
        painter.drawPolygon(mark);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.color("status.warn"));
        painter.drawPolygon(mark);
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

const ClipSolution* TimelineView::solution() const
{
    const Clip* clip = m_editor.document().clip();
    const SettledClipPtr& settled = m_editor.settlement().latest();
    if (clip == nullptr || settled == nullptr || settled->clip() != clip->id) return nullptr;
    return settled->solution().get();
}

QString TimelineView::textAt(int frame) const
{
    QStringList lines;
    const ClipSolution* solution = this->solution();
    if (solution == nullptr) return {};
    for (const PoseJump& jump : solution->jumps) {
        const Handle* handle = m_editor.document().scene().find(jump.handle);
        if (frame < jump.frame || frame > jump.last || handle == nullptr) continue;
        const std::string joint = nameOf(m_editor.document().scene(), jump.joint.value);
        lines << tr("Frame %1: %2 jumps, %3 by %4\u00b0: %5")
                     .arg(jump.frame)
                     .arg(QString::fromStdString(handle->name), QString::fromStdString(joint))
                     .arg(std::lround(jump.size * kDegrees))
                     .arg(jumpText(*handle, jump.reason, m_editor.document().solvers()));
    }
    for (const PoseHaste& haste : solution->hastes) {
        if (frame < haste.first || frame > haste.last) continue;
        const std::string joint = nameOf(m_editor.document().scene(), haste.joint.value);
        lines << (haste.first == haste.last ? tr("Frame %1: ").arg(haste.first)
                                            : tr("Frames %1 to %2: ").arg(haste.first).arg(haste.last)) +
                     QString::fromStdString(reasonOfHaste(joint, haste.kind, haste.stretch));
    }
    return lines.join(QLatin1Char('\n'));
}

bool TimelineView::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const TimeAxis axis = this->axis();
        const double slack = std::max(0.5, Theme::instance().px(4) / axis.pixelsPerFrame()); // of the mouse [frames]
        const double at = axis.frame(help->pos().x());
        for (int frame = static_cast<int>(std::ceil(at - slack)); frame <= at + slack; ++frame)
            if (const QString text = textAt(frame); !text.isEmpty()) {
                showTip(help->pos(), text);
                return true;
            }
    }
    return QWidget::event(event);
}

void TimelineView::showTip(const QPoint& at, const QString& text)
{
    QToolTip::showText(mapToGlobal(at), text, this);
    for (QWidget* tip : QApplication::topLevelWidgets())
        if (tip->inherits("QTipLabel") && tip->isVisible())
            tip->move(tip->x(), mapToGlobal(QPoint(0, 0)).y() - tip->height() - Theme::instance().px(2));
}

void paintPlayhead(QPainter& painter, const TimeAxis& axis, int frame, int height, bool hasCap)
{
    const Theme& theme = Theme::instance();
    if (frame < axis.first || frame > axis.last) return;
    const int x = static_cast<int>(std::lround(axis.x(frame)));
    const QColor color = theme.color("time.playhead");
    painter.fillRect(x - 1, 0, 2, height, color);
    if (!hasCap) return;
    painter.setFont(theme.font(11, 600));
    const QString text = QString::number(frame);
    const int width = std::max(theme.px(26), painter.fontMetrics().horizontalAdvance(text) + theme.px(10));
    const QRect cap(x - width / 2, 1, width, theme.size("height.ruler") - theme.px(5));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawRoundedRect(cap, 3, 3);
    painter.setPen(theme.color("text.on-accent"));
    painter.drawText(cap, Qt::AlignCenter, text);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void TimelineView::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton) mouseMoveEvent(event);
}

void TimelineView::mouseMoveEvent(QMouseEvent* event)
{
    if (!(event->buttons() & Qt::LeftButton)) return;
    const TimeAxis axis = this->axis();
    const Scene& scene = m_editor.document().scene();
    const int frame = std::clamp(static_cast<int>(std::lround(axis.frame(event->position().x()))), scene.firstFrame,
                                 scene.lastFrame);
    if (frame != m_editor.shownFrame() || m_editor.playback().isPlaying()) m_editor.goToFrame(frame);
}

} // namespace tendon::editor
