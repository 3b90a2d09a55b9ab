#include "app/widgets/TimelineView.h"

#include "app/editor/Theme.h"
#include "app/widgets/CommandTable.h"
#include "app/widgets/HandleReasons.h"
#include "app/widgets/graph/GraphEdits.h"
#include "app/widgets/graph/KeyClipboard.h"
#include "app/widgets/time/MarkedRange.h"
#include "app/widgets/time/TimeRuler.h"
#include "core/math/Degrees.h"
#include "core/scene/Check.h"
#include "core/solve/StatusNames.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <cmath>
#include <set>
#include <utility>

namespace tendon::editor {

int TimelineView::labelWidth() { return Theme::instance().px(64); }

void TimelineView::setLabelWidth(int width)
{
    m_labelWidth = width;
    update();
}

TimelineView::TimelineView(Editor& editor, GraphState& keys, TimeView& time, CommandTable& commands, QWidget* parent)
    : QWidget(parent), m_editor(editor), m_keys(keys), m_time(time), m_commands(commands), m_markers(editor, *this)
{
    setObjectName(QStringLiteral("timeline"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setToolTip(
        tr("Drag to scrub; with Shift, mark frames to retime and play. The strip shows how each frame is solved, "
           "faint until it has been solved again after an edit: red = goal missed, hatched = limit "
           "reached, amber = the knee snaps (soft reach helps). A triangle marks a jump of the pose, a bar "
           "above the strip a joint that is faster "
           "than its speed limits; a dotted line means that the clip is still being solved"));
    setAccessibleName(tr("Timeline"));
    setMouseTracking(true);
    const auto repaint = [this] { update(); };
    connect(&editor, &Editor::shownFrameChanged, this, repaint);
    connect(&editor.selection(), &Selection::changed, this, repaint);
    connect(&editor.document(), &EditorDocument::editChanged, this, repaint);
    connect(&editor.document(), &EditorDocument::changed, this, repaint);
    connect(&keys, &GraphState::changed, this, repaint);
    connect(&time, &TimeView::changed, this, repaint);
    connect(&editor.playback(), &Playback::partChanged, this, repaint);
    connect(&editor.document(), &EditorDocument::replaced, this, [this] {
        m_editor.playback().setPart({});
        update();
    });
    connect(&editor.settlement(), &ClipSettlement::stateChanged, this, repaint);
    connect(&editor.range(), &SolvedRange::changed, this, repaint);
    editor.range().setActive(true);
    connect(&Theme::instance(), &Theme::changed, this, [this] { updateGeometry(); });
}

TimelineView::~TimelineView() = default;

QSize TimelineView::sizeHint() const
{
    const Theme& theme = Theme::instance();
    const int lane = m_isBrief ? m_markers.height() : theme.size("height.key-lane");
    return {theme.px(600),
            theme.size("height.ruler") + lane + theme.size("height.quality-strip") + theme.px(m_isBrief ? 6 : 10)};
}

void TimelineView::setBrief(bool isBrief)
{
    if (std::exchange(m_isBrief, isBrief) == isBrief) return;
    updateGeometry();
    update();
}

/// With markers it is lower by what they take: the timeline is as high as without, and the tabs above it stand still.
int TimelineView::keyLane() const
{
    const Theme& theme = Theme::instance();
    if (m_isBrief) return 0;
    const int lane = theme.size("height.key-lane"), markers = m_markers.height();
    return markers == 0 ? lane : lane - markers + theme.px(5); // which is free below the strip
}

int TimelineView::keyLaneTop() const { return m_markers.height() + Theme::instance().size("height.ruler"); }

TimeAxis TimelineView::axis() const
{
    return m_time.axis(m_labelWidth, width() - m_labelWidth - Theme::instance().px(14));
}

void TimelineView::paintEvent(QPaintEvent*)
{
    const Theme& theme = Theme::instance();
    QPainter painter(this);
    const bool isRecording = m_editor.document().edit().isAutoKeyOn;
    const TimeAxis axis = this->axis();
    const int markers = m_markers.height(), top = keyLaneTop(), lane = keyLane();
    const QRect ruler(0, markers, width(), top - markers);
    painter.fillRect(rect(), theme.color("surface.well"));
    m_markers.paint(painter, axis, QRect(0, 0, width(), markers));
    painter.fillRect(ruler, theme.color(isRecording ? "time.record-tint" : "surface.panel"));
    paintRuler(painter, axis, ruler);
    painter.setClipRect(m_labelWidth - theme.px(12), 0, width(), height());
    if (const auto band = markedBand()) paintMarkedBand(painter, *band);
    if (const Scene& scene = m_editor.document().scene(); scene.handles->empty() && !scene.joints->empty()) {
        painter.setPen(theme.color("text.hint"));
        painter.setFont(theme.font(11));
        painter.drawText(
            QRectF(axis.left + theme.px(18), top + lane, axis.width, theme.size("height.quality-strip") + theme.px(4)),
            Qt::AlignVCenter, tr("No handles yet. Rig it makes them."));
    } else {
        paintQuality(painter, axis);
    }
    paintMarkerLines(painter, axis, m_editor.document().clip(), m_keys.fps(),
                     rect().adjusted(0, top - theme.px(5), 0, 0));
    painter.translate(0, markers);
    paintPlayhead(painter, axis, m_editor.shownFrame(), height() - markers, true);
    painter.translate(0, -markers);
    paintKeys(painter, axis); // over the playhead, so that the key at it is seen
    painter.setClipping(false);
    painter.setFont(theme.font(11));
    painter.setPen(theme.color("text.secondary"));
    const int pad = theme.px(8);
    if (markers > 0) painter.drawText(QRect(pad, 0, m_labelWidth, markers), Qt::AlignVCenter, tr("Markers"));
    painter.drawText(QRect(pad, markers, m_labelWidth, top - markers), Qt::AlignVCenter, tr("Frames"));
    if (lane > 0) painter.drawText(QRect(pad, top, m_labelWidth, lane), Qt::AlignVCenter, tr("Keys"));
    painter.drawText(QRect(pad, top + lane, m_labelWidth, theme.size("height.quality-strip") + theme.px(4)),
                     Qt::AlignVCenter, tr("Quality"));
    if (m_drag != nullptr)
        paintDragLabel(painter, m_mouse, m_drag->label(), rect().adjusted(m_labelWidth, 0, -theme.px(4), 0));
}

void TimelineView::paintKeys(QPainter& painter, const TimeAxis& axis) const
{
    const Theme& theme = Theme::instance();
    const int top = keyLaneTop(), lane = keyLane();
    painter.fillRect(0, top + lane, width(), 1, theme.color("line.soft"));
    if (lane == 0) return;
    if (!m_editor.shown().isDocument()) return paintShownFrames(painter, axis);
    KeyTimes::Sources all, selected, allCorrections, selectedCorrections;
    ObjectId target = 0;
    bool isSelected = false;
    for (const GraphCurve& curve : m_keys.curves()) {
        if (curve.id.channel.target != target)
            isSelected = m_editor.selection().containsObject(curve.id.channel.target);
        target = curve.id.channel.target;
        const bool isCorrection = m_keys.layerOf(curve.id.channel) == Layer::Corrections;
        const auto addTo = [&](KeyTimes::Sources& sources) {
            if (sources.empty() || sources.back() != curve.summary) sources.push_back(curve.summary);
        };
        addTo(isCorrection ? allCorrections : all);
        if (isSelected) addTo(isCorrection ? selectedCorrections : selected);
    }
    if (all.empty() && allCorrections.empty()) {
        painter.setPen(theme.color("text.hint"));
        painter.setFont(theme.font(11));
        painter.drawText(QRectF(axis.left + theme.px(18), top, axis.width, lane), Qt::AlignVCenter,
                         m_commands.noKeysText());
        return;
    }
    // Clear of the ruler, whose ticks are no keys; those of the selection on top; that at the playhead wider. Where
    // there are corrections, each layer has half of the lane: a capture has a key at every frame.
    const FrameRate fps = m_keys.fps();
    const int middle = top + (allCorrections.empty() ? lane - theme.px(2) : lane / 2);
    const auto draw = [&](const KeyTimes::Ticks& ticks, int wide, int from, int to, const QColor& color) {
        const auto tick = [&](double x, int width) {
            painter.fillRect(QRectF(x - width / 2, from, width, to - from), color);
        };
        forEachColumn(ticks, fps, axis, axis.first, axis.last,
                      [&](std::size_t index) { tick(std::round(axis.x(fps.frameAt(Time{ticks[index]}))), wide); });
        const int now = m_editor.shownFrame();
        constexpr double kNear = 1e-3; // [frames]
        const auto here = std::lower_bound(ticks.begin(), ticks.end(), ticksAt(fps, now - kNear));
        const bool isHere = here != ticks.end() && *here <= ticksAt(fps, now + kNear);
        if (isHere && now >= axis.first && now <= axis.last) tick(std::round(axis.x(now)), theme.px(5));
    };
    // Those of the layer that is not edited are fainter.
    const auto colorOf = [&](const char* name, Layer layer) {
        QColor color = theme.color(QLatin1StringView(name));
        if (layer != m_editor.document().edit().layer) color.setAlphaF(0.4F);
        return color;
    };
    const auto paint = [&](const KeyTimes::Sources& sources, bool isMarked, Layer layer) {
        if (sources.empty()) return;
        const bool isOwn = layer == Layer::Keys;
        draw(*m_times.of(sources), isMarked ? 3 : theme.px(2),
             isOwn ? top + theme.px(isMarked ? 3 : 6) : middle + theme.px(1), isOwn ? middle : top + lane - theme.px(2),
             colorOf(isMarked ? "time.key-selected" : "time.key-other", layer));
    };
    paint(allCorrections, false, Layer::Corrections);
    paint(all, false, Layer::Keys);
    paint(selectedCorrections, true, Layer::Corrections);
    paint(selected, true, Layer::Keys);
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
    const int top = keyLaneTop() + keyLane() + theme.px(3);
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
    if (m_editor.shown().isDocument() || range.isComplete()) return;
    const auto done = std::count_if(range.frames().begin(), range.frames().end(),
                                    [](const auto& entry) { return !entry.second.isAged; });
    const Scene& scene = m_editor.shown().now();
    painter.setPen(theme.color("text.hint"));
    painter.setFont(theme.font(10));
    painter.drawText(QRectF(axis.left + theme.px(18), top - theme.px(5), axis.width, height + theme.px(10)),
                     Qt::AlignVCenter,
                     tr("previewing, %1 of %2").arg(done).arg(scene.lastFrame - scene.firstFrame + 1));
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
                     .arg(jumpText(*handle, jump.reason, jump.cause, m_editor.document().solvers()));
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
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool isMarked = m_editor.playback().part().has_value();
        const bool isOurs = (key->key() == Qt::Key_Escape && (m_drag != nullptr || isMarked)) ||
                            (isMarked && (key->key() == Qt::Key_Delete || key->matches(QKeySequence::Copy) ||
                                          key->matches(QKeySequence::Cut) || key->matches(QKeySequence::Paste)));
        if (isOurs) {
            event->accept();
            return true;
        }
    }
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const TimeAxis axis = this->axis();
        if (const auto marker = m_markers.at(axis, help->pos())) {
            showTip(help->pos(), tr("Frame %1: %2")
                                     .arg(frameText(m_markers.frameOf(*marker)),
                                          QString::fromStdString(m_markers.marker(*marker).name)));
            return true;
        }
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

/// The frames of the clip that is shown in place of the document's, which are no keys to be edited.
void TimelineView::paintShownFrames(QPainter& painter, const TimeAxis& axis) const
{
    const Theme& theme = Theme::instance();
    const Clip* clip = m_editor.shown().clip();
    if (clip == nullptr || !clip->hasKeys()) return;
    const FrameRate fps = m_editor.shown().now().fps;
    const int top = keyLaneTop(), lane = keyLane();
    double last = -1e9;
    for (int frame = static_cast<int>(std::ceil(std::max(axis.first, fps.frameAt(clip->begin()) - 1e-6)));
         frame <= std::min(axis.last, fps.frameAt(clip->end()) + 1e-6); ++frame) {
        const double x = axis.x(frame);
        if (x - last < theme.px(3)) continue;
        painter.fillRect(QRectF(x, top + lane / 4.0, 1, lane / 2.0), theme.color("text.hint"));
        last = x;
    }
}

std::optional<QRectF> TimelineView::markedBand() const
{
    return editor::markedBand(m_editor, axis(), m_markers.height(), keyLaneTop() + keyLane());
}

void TimelineView::scrub(double x)
{
    const Scene& scene = m_editor.shown().now();
    const int frame = std::clamp(static_cast<int>(std::lround(axis().frame(x))), scene.firstFrame, scene.lastFrame);
    if (frame != m_editor.shownFrame() || m_editor.playback().isPlaying()) m_editor.goToFrame(frame);
}

void TimelineView::press(QPointF at, Qt::KeyboardModifiers modifiers)
{
    const TimeAxis axis = this->axis();
    if (const auto marker = m_markers.at(axis, at.toPoint())) {
        m_drag = m_markers.drag(axis, *marker, at);
    } else if (modifiers & Qt::ShiftModifier) {
        m_drag = dragNewMark(m_keys, axis, at);
    } else {
        const auto band = markedBand();
        const bool isInLane = at.y() >= keyLaneTop(); // on the ruler one scrubs within the mark
        const RangeGrip grip = band && isInLane ? gripAt(*band, at) : RangeGrip::None;
        if (grip != RangeGrip::None) {
            m_drag = dragMarkedKeys(m_keys, axis, grip, at);
        } else {
            if (isInLane) m_editor.playback().setPart({});
            m_isScrubbing = true;
            scrub(at.x());
            return;
        }
    }
    setFocus(Qt::MouseFocusReason); // for Esc, Delete and the clipboard, on what is marked
    update();
}

void TimelineView::endDrag(bool isKept)
{
    m_isScrubbing = false;
    if (m_drag == nullptr) return;
    editor::endDrag(m_drag, isKept);
    update();
}

void TimelineView::mousePressEvent(QMouseEvent* event)
{
    m_mouse = event->pos();
    if (m_drag != nullptr) return;
    if (event->button() == Qt::MiddleButton) m_panFrom = event->pos();
    if (event->button() == Qt::LeftButton) press(event->position(), event->modifiers());
}

void TimelineView::mouseMoveEvent(QMouseEvent* event)
{
    const int by = event->pos().x() - m_mouse.x();
    m_mouse = event->pos();
    if (m_panFrom && (event->buttons() & Qt::MiddleButton)) {
        m_time.pan(-by / axis().pixelsPerFrame());
    } else if (m_drag != nullptr) {
        m_drag->move(event->position(), event->modifiers());
        update();
    } else if (m_isScrubbing && (event->buttons() & Qt::LeftButton)) {
        scrub(event->position().x());
    } else {
        const auto band = markedBand();
        const RangeGrip grip = band && event->pos().y() >= keyLaneTop() ? gripAt(*band, event->position())
                                                                        : RangeGrip::None;
        setCursor(grip == RangeGrip::None     ? Qt::ArrowCursor
                  : grip == RangeGrip::Middle ? Qt::SizeAllCursor
                                              : Qt::SizeHorCursor);
    }
}

void TimelineView::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() == Qt::MiddleButton) m_panFrom.reset();
    if (event->button() == Qt::LeftButton) endDrag(true);
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (const auto marker = m_markers.at(axis(), event->pos()); marker && event->button() == Qt::LeftButton)
        m_markers.rename(*marker);
    else
        mousePressEvent(event);
}

void TimelineView::wheelEvent(QWheelEvent* event)
{
    event->accept();
    if (m_drag != nullptr) return;
    const QPoint delta = event->angleDelta();
    if (delta.y() != 0 && !(event->modifiers() & Qt::ShiftModifier))
        m_time.zoom(axis().frame(event->position().x()), std::pow(1.15, -delta.y() / 120.0));
    else
        m_time.pan(-(delta.x() != 0 ? delta.x() : delta.y()) / axis().pixelsPerFrame());
}

void TimelineView::contextMenuEvent(QContextMenuEvent* event)
{
    if (m_drag != nullptr) return;
    m_commands.refresh();
    QMenu menu(this);
    menu.setObjectName(QStringLiteral("timelineMenu"));
    menu.setToolTipsVisible(true);
    if (const auto marker = m_markers.at(axis(), event->pos())) {
        m_markers.fillMenu(menu, *marker);
        menu.addSeparator();
    }
    fillMenu(menu);
    menu.exec(event->globalPos());
}

void TimelineView::fillMenu(QMenu& menu)
{
    const auto add = [&](QMenu& to, std::initializer_list<const char*> ids) {
        for (const char* id : ids) to.addAction(m_commands.action(QLatin1StringView(id)));
    };
    add(menu, {"key.set", "key.delete"});
    menu.addSeparator();
    add(menu, {"key.cut", "key.copy", "key.paste"});
    add(*menu.addMenu(tr("Interpolation")), {"key.step", "key.linear", "key.bezier"});
    add(menu, {"key.breakdown", "key.snap"});
    menu.addSeparator();
    add(menu, {"marker.add"});
    menu.addSeparator();
    add(menu, {"time.play", "time.rangeFromMark", "time.unmark"});
    menu.addSeparator();
    add(menu, {"time.frameMark", "time.frameAll"});
}

void TimelineView::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape && m_drag != nullptr)
        endDrag(false);
    else if (m_drag != nullptr)
        event->ignore();
    else if (event->key() == Qt::Key_Escape)
        m_editor.playback().setPart({});
    else if (event->key() == Qt::Key_Delete && m_editor.playback().part())
        (void)m_editor.document().applyAsOne(deleteKeys(m_keys, m_keys.selected()));
    else if (m_editor.playback().part() && handleClipboardKey(*event, m_keys))
        event->accept();
    else
        QWidget::keyPressEvent(event);
}

} // namespace tendon::editor
