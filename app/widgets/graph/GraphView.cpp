#include "app/widgets/graph/GraphView.h"

#include "app/editor/Theme.h"
#include "app/widgets/graph/CurveTrace.h"
#include "app/widgets/graph/GraphEdits.h"
#include "app/widgets/graph/KeyClipboard.h"
#include "app/widgets/graph/Tangents.h"
#include "app/widgets/graph/TransformBox.h"
#include "app/widgets/time/TimeRuler.h"
#include "core/runtime/KeySampling.h"
#include "core/scene/Check.h"

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScopedValueRollback>

#include <cmath>

namespace tendon::editor {

GraphView::GraphView(GraphState& state, TimeView& time, QWidget* parent) : QWidget(parent), m_state(state), m_time(time)
{
    setObjectName(QStringLiteral("graph.view"));
    setAccessibleName(tr("Graph"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setMinimumSize(Theme::instance().px(200), Theme::instance().px(60));
    connect(&state, &GraphState::changed, this, &GraphView::redraw);
    connect(&state, &GraphState::curvesReplaced, this, [this] {
        m_isFitPending = true;
        m_traces.clear();
    });
    connect(&state, &GraphState::scaleChanged, this, [this] { m_isFitPending = true; });
    connect(&time, &TimeView::changed, this, [this] {
        if (!m_isPanning) redraw();
    });
    connect(&state.editor(), &Editor::shownFrameChanged, this, [this] { update(); });
    connect(&Theme::instance(), &Theme::changed, this, &GraphView::redraw);
}

int GraphView::leftMargin() { return Theme::instance().px(44); }

void GraphView::setFrameKeys(std::function<QList<QKeySequence>()> all, std::function<QList<QKeySequence>()> selected)
{
    m_frameAllKeys = std::move(all);
    m_frameSelectedKeys = std::move(selected);
}

QRect GraphView::plot() const
{
    const int ruler = Theme::instance().size("height.ruler");
    return {0, ruler, width(), std::max(1, height() - ruler)};
}

GraphCanvas GraphView::canvas() const
{
    const QRect plot = this->plot();
    return {m_state,
            m_time.axis(leftMargin(), width() - leftMargin() - Theme::instance().px(14)),
            {.low = m_low,
             .high = m_high,
             .top = static_cast<double>(plot.top()),
             .height = static_cast<double>(plot.height())},
            plot,
            &m_traces};
}

QPoint GraphView::placeOf(const CurveId& id, double frame) const
{
    const GraphCurve* curve = m_state.find(id);
    if (curve == nullptr) return {};
    const Time time = m_state.fps().timeOf(frame);
    const double value = sampleKeys(*curve->keys, curve->property(), time)[static_cast<std::size_t>(id.component)];
    return canvas().place(*curve, time.ticks, value).toPoint();
}

void GraphView::fitValues(double low, double high)
{
    const double margin = std::max(0.12 * (high - low), high > low ? 0.0 : std::max(1.0, std::abs(high) * 0.1));
    m_low = low - margin;
    m_high = high + margin;
}

void GraphView::frameAll()
{
    m_time.showAll();
    if (const auto extent = m_state.extentOfShown(false)) fitValues(extent->low, extent->high);
    redraw();
}

void GraphView::frameSelected()
{
    const bool hasKeys = m_state.selectedCount() > 1;
    const auto extent = hasKeys ? m_state.extentOf(m_state.selected()) : m_state.extentOfShown(true);
    if (!extent) return;
    fitValues(extent->low, extent->high);
    const double margin = std::max(1.0, 0.08 * (extent->lastFrame - extent->firstFrame));
    m_time.show(extent->firstFrame - margin, extent->lastFrame + margin);
    redraw();
}

void GraphView::redraw()
{
    m_isLayerOld = true;
    update();
}

void GraphView::pan(QPoint by)
{
    const GraphCanvas before = canvas();
    const double frames = by.x() / before.time.pixelsPerFrame(), values = by.y() / before.value.pixelsPerUnit();
    const QScopedValueRollback panning(m_isPanning, true);
    m_time.pan(-frames);
    m_low += values;
    m_high += values;
    const qreal dpr = devicePixelRatioF();
    const QPointF moved = QPointF(by) * dpr;
    const bool isWhole = moved == QPointF(moved.toPoint());
    if (isWhole && !m_isLayerOld && !m_layer.isNull()) {
        QRegion exposed;
        m_layer.scroll(qRound(moved.x()), qRound(moved.y()), m_layer.rect(), &exposed);
        const int slack = Theme::instance().px(14); // keys and wide lines reach in from outside
        for (const QRect& part : exposed) {
            const QRect logical = QRectF(QPointF(part.topLeft()) / dpr, QSizeF(part.size()) / dpr).toAlignedRect();
            paintLayer(logical.translated(plot().topLeft()).adjusted(-slack, -slack, slack, slack) & plot());
        }
    } else {
        m_isLayerOld = true;
    }
    update();
}

void GraphView::zoom(QPointF at, double timeFactor, double valueFactor)
{
    constexpr double kMaxValues = 1e9;
    const GraphCanvas before = canvas();
    const double frame = before.time.frame(at.x()), value = before.value.value(at.y());
    if (timeFactor != 1) m_time.zoom(frame, timeFactor);
    const double low = value + (m_low - value) * valueFactor, high = value + (m_high - value) * valueFactor;
    if (high - low > 100 * ValueAxis::kMinSpan && high - low < kMaxValues) {
        m_low = low;
        m_high = high;
    }
    redraw();
}

void GraphView::scrub(double x)
{
    const Scene& scene = m_state.editor().document().scene();
    const int frame = std::clamp(static_cast<int>(std::lround(canvas().time.frame(x))), scene.firstFrame,
                                 scene.lastFrame);
    if (frame != m_state.editor().shownFrame()) m_state.editor().goToFrame(frame);
}

std::optional<GraphView::Hit> GraphView::keyAt(QPointF at) const
{
    const double grab = Theme::instance().px(7);
    const GraphCanvas canvas = this->canvas();
    std::optional<Hit> hit;
    double nearest = grab;
    bool isNearestFirst = false; // selected and active ones win
    for (const GraphCurve* curve : m_state.shown()) {
        if (!m_state.isEdited(curve->id.channel)) continue;
        const CurveSummary& summary = *curve->summary;
        const std::size_t first = summary.countBefore(ticksAt(m_state.fps(), canvas.time.frame(at.x() - grab))),
                          last = summary.countBefore(ticksAt(m_state.fps(), canvas.time.frame(at.x() + grab)) + 1);
        for (std::size_t key = first; key < last; ++key) {
            const std::int64_t ticks = summary.ticks(key);
            const QPointF off = canvas.place(*curve, ticks, summary.value(key, curve->id.component)) - at;
            const double distance = std::hypot(off.x(), off.y());
            const bool isFirst = m_state.isSelected(curve->id, ticks) || m_state.isActive(curve->id);
            if (distance > grab || (isNearestFirst && !isFirst) || (distance > nearest && isFirst == isNearestFirst))
                continue;
            nearest = distance;
            isNearestFirst = isFirst;
            hit = Hit{curve->id, ticks};
        }
    }
    return hit;
}

std::optional<CurveId> GraphView::curveAt(QPointF at) const
{
    const GraphCanvas canvas = this->canvas();
    std::optional<CurveId> hit;
    double nearest = Theme::instance().px(6);
    const Time time{ticksAt(m_state.fps(), canvas.time.frame(at.x()))};
    for (const GraphCurve* curve : m_state.shown()) {
        if (!m_state.isEdited(curve->id.channel)) continue;
        const double value = sampleKeys(*curve->keys, curve->property(),
                                        time)[static_cast<std::size_t>(curve->id.component)];
        const double distance = std::abs(canvas.value.y(m_state.shownValue(*curve, value)) - at.y());
        if (distance > nearest) continue;
        nearest = distance;
        hit = curve->id;
    }
    return hit;
}

void GraphView::press(QPointF at, Qt::KeyboardModifiers modifiers)
{
    const bool isAdded = modifiers & (Qt::ShiftModifier | Qt::ControlModifier);
    const GraphCanvas canvas = this->canvas();
    if (const auto handle = tangentAt(canvas, at)) {
        m_drag = dragTangent(m_state, canvas, *handle, at, modifiers);
        return;
    }
    if (const auto box = transformBox(canvas); box && box->edgesAt(at)) {
        m_drag = dragTransformBox(m_state, canvas, *box, box->edgesAt(at));
        return;
    }
    if (const auto hit = keyAt(at)) {
        const bool wasSelected = m_state.isSelected(hit->curve, hit->ticks);
        if (modifiers & Qt::ControlModifier)
            m_state.toggle(hit->curve, hit->ticks);
        else if (!wasSelected)
            m_state.select({{hit->curve, {hit->ticks}}}, isAdded);
        if (m_state.isSelected(hit->curve, hit->ticks)) m_drag = dragKeys(m_state, canvas, hit->curve, hit->ticks, at);
        return;
    }
    if (const auto curve = curveAt(at)) {
        if (!isAdded) m_state.select({});
        m_state.setActive({*curve}, isAdded);
        return;
    }
    m_drag = dragSelection(m_state, canvas, at, isAdded);
}

void GraphView::endDrag(bool isKept)
{
    if (m_drag == nullptr) return;
    editor::endDrag(m_drag, isKept);
    redraw();
}

void GraphView::deleteSelected()
{
    endDrag(false);
    (void)m_state.editor().document().applyAsOne(deleteKeys(m_state, m_state.selected()));
}

void GraphView::goToKey(int direction, bool isAdded)
{
    // From the last selected key in that direction, on its curve; else from the playhead, on the first curve shown.
    const GraphCurve* curve = nullptr;
    std::int64_t from = m_state.fps().timeOf(m_state.editor().shownFrame() - direction).ticks;
    if (!m_state.selected().empty()) {
        const auto& [id, ticks] = *m_state.selected().begin();
        curve = m_state.find(id);
        from = direction > 0 ? *ticks.rbegin() : *ticks.begin();
    }
    for (const GraphCurve* each : m_state.shown()) {
        if (curve == nullptr && m_state.isEdited(each->id.channel) &&
            (m_state.active().empty() || m_state.isActive(each->id)))
            curve = each;
    }
    if (curve == nullptr) return;
    const CurveSummary& summary = *curve->summary;
    const std::size_t index = direction > 0 ? summary.countBefore(from + 1) : summary.countBefore(from);
    if (direction < 0 ? index == 0 : index == summary.size()) return;
    m_state.select({{curve->id, {summary.ticks(direction > 0 ? index : index - 1)}}}, isAdded);
}

void GraphView::nudge(double frames, double shown)
{
    if (m_state.selected().empty()) return;
    const GraphKeys keys = m_state.selected();
    m_state.holdSelection(true);
    const bool isDone = bool(m_state.editor().document().applyAsOne(KeyMove(m_state, keys).operations(frames, shown)));
    if (isDone) m_state.select(movedKeys(m_state, keys, frames));
    m_state.holdSelection(false);
}

double GraphView::nudgeStep(Qt::KeyboardModifiers modifiers) const
{
    constexpr double kPlain = 0.01, kNormalised = 0.05; // of what has no unit, and of curves from -1 to 1
    const bool hasUnit = !m_state.selected().empty() &&
                         *unitOf(m_state.selected().begin()->first.channel.property).text;
    const double step = m_state.isNormalised() ? kNormalised : hasUnit ? 1 : kPlain;
    return step * (modifiers & Qt::ShiftModifier ? 10 : modifiers & Qt::ControlModifier ? 0.1 : 1);
}

bool GraphView::matches(const QKeyEvent& event, const std::function<QList<QKeySequence>()>& keys)
{
    return keys && keys().contains(QKeySequence(event.keyCombination()));
}

bool GraphView::event(QEvent* event)
{
    if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut) update();
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        static const std::set<int> ours = {Qt::Key_Delete, Qt::Key_Backspace, Qt::Key_Left, Qt::Key_Right};
        const bool isUpOrDown = key->key() == Qt::Key_Up || key->key() == Qt::Key_Down;
        const bool isOurs = (isUpOrDown && !m_state.selected().empty() && !(key->modifiers() & Qt::AltModifier)) ||
                            (ours.count(key->key()) != 0 && !(key->modifiers() & Qt::AltModifier)) ||
                            key->matches(QKeySequence::SelectAll) || key->matches(QKeySequence::Copy) ||
                            key->matches(QKeySequence::Cut) || key->matches(QKeySequence::Paste) ||
                            matches(*key, m_frameAllKeys) || matches(*key, m_frameSelectedKeys) ||
                            (key->key() == Qt::Key_Escape && m_drag != nullptr);
        if (isOurs) {
            event->accept();
            return true;
        }
    }
    return QWidget::event(event);
}

void GraphView::keyPressEvent(QKeyEvent* event)
{
    const int direction = event->key() == Qt::Key_Left ? -1 : 1;
    const bool isLeftOrRight = event->key() == Qt::Key_Left || event->key() == Qt::Key_Right;
    if (event->key() == Qt::Key_Escape && m_drag != nullptr)
        endDrag(false);
    else if (m_drag != nullptr)
        event->ignore();
    else if (event->key() == Qt::Key_Delete || event->key() == Qt::Key_Backspace)
        deleteSelected();
    else if (isLeftOrRight && (event->modifiers() & Qt::ControlModifier))
        nudge(direction, 0);
    else if (isLeftOrRight)
        goToKey(direction, event->modifiers() & Qt::ShiftModifier);
    else if ((event->key() == Qt::Key_Up || event->key() == Qt::Key_Down) && !m_state.selected().empty())
        nudge(0, (event->key() == Qt::Key_Up ? 1 : -1) * nudgeStep(event->modifiers()));
    else if (event->matches(QKeySequence::SelectAll))
        m_state.selectAll();
    else if (handleClipboardKey(*event, m_state))
        event->accept();
    else if (matches(*event, m_frameAllKeys))
        frameAll();
    else if (matches(*event, m_frameSelectedKeys))
        frameSelected();
    else
        QWidget::keyPressEvent(event);
}

void GraphView::mousePressEvent(QMouseEvent* event)
{
    m_mouse = event->pos();
    if (event->button() == Qt::MiddleButton && m_drag == nullptr) {
        m_panFrom = event->pos();
    } else if (event->button() == Qt::LeftButton && event->pos().y() < plot().top()) {
        m_isScrubbing = true;
        scrub(event->position().x());
    } else if (event->button() == Qt::LeftButton) {
        press(event->position(), event->modifiers());
        update();
    }
}

void GraphView::mouseMoveEvent(QMouseEvent* event)
{
    m_mouse = event->pos();
    if (m_panFrom && (event->buttons() & Qt::MiddleButton)) {
        pan(event->pos() - *m_panFrom);
        m_panFrom = event->pos();
    } else if (m_isScrubbing) {
        scrub(event->position().x());
    } else if (m_drag != nullptr) {
        m_drag->move(event->position(), event->modifiers());
        update();
    }
}

void GraphView::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() == Qt::MiddleButton) m_panFrom.reset();
    if (event->button() != Qt::LeftButton) return;
    m_isScrubbing = false;
    endDrag(true);
}

void GraphView::mouseDoubleClickEvent(QMouseEvent* event)
{
    const auto curve = event->button() == Qt::LeftButton ? curveAt(event->position()) : std::nullopt;
    if (!curve || keyAt(event->position())) {
        mousePressEvent(event);
        return;
    }
    double frame = canvas().time.frame(event->position().x());
    if (m_state.snaps()) frame = std::round(frame);
    const Scene& scene = m_state.editor().document().scene();
    const ChannelId channel = curve->channel;
    QJsonObject add{{"op", "key"},
                    {"target", QString::fromStdString(nameOf(scene, channel.target))},
                    {"channels", QJsonArray{QString::fromStdString(std::string(propertyName(channel.property)))}},
                    {"frame", frame}};
    nameLayer(m_state, channel, add);
    if (m_state.editor().document().apply(add)) m_state.select({{*curve, {m_state.fps().timeOf(frame).ticks}}});
}

void GraphView::wheelEvent(QWheelEvent* event)
{
    if (m_drag != nullptr) return;
    const QPoint delta = event->angleDelta();
    const double factor = std::pow(1.15, -(delta.y() != 0 ? delta.y() : delta.x()) / 120.0);
    const bool isTime = !(event->modifiers() & Qt::ShiftModifier),
               isValue = !(event->modifiers() & Qt::ControlModifier);
    zoom(event->position(), isTime ? factor : 1, isValue ? factor : 1);
    event->accept();
}

void GraphView::contextMenuEvent(QContextMenuEvent* event)
{
    if (m_drag != nullptr) return;
    if (event->reason() == QContextMenuEvent::Mouse) {
        if (const auto hit = keyAt(event->pos())) {
            if (!m_state.isSelected(hit->curve, hit->ticks)) m_state.select({{hit->curve, {hit->ticks}}});
        } else if (const auto curve = curveAt(event->pos()); curve && !m_state.isActive(*curve)) {
            m_state.setActive({*curve});
        }
    }
    emit menuRequested(event->globalPos());
}

void GraphView::resizeEvent(QResizeEvent*) { m_isLayerOld = true; }

void GraphView::paintLayer(const QRect& exposed)
{
    QPainter painter(&m_layer);
    painter.translate(-plot().topLeft());
    painter.setClipRect(exposed);
    painter.setCompositionMode(QPainter::CompositionMode_Source);
    painter.fillRect(exposed, Qt::transparent);
    painter.setCompositionMode(QPainter::CompositionMode_SourceOver);
    const GraphCanvas canvas = this->canvas();
    paintCurves(painter, canvas, exposed);
    paintKeys(painter, canvas, exposed);
}

void GraphView::paintBefore(QPainter& painter, const GraphCanvas& canvas) const
{
    for (const GraphCurve& curve : m_state.buffer())
        if (m_state.isShown(curve.id)) paintFormer(painter, canvas, curve);
    if (m_drag != nullptr)
        for (const GraphCurve& curve : m_drag->before()) paintFormer(painter, canvas, curve);
}

void GraphView::paintEvent(QPaintEvent*)
{
    const Theme& theme = Theme::instance();
    const qreal dpr = devicePixelRatioF();
    if (m_isFitPending) {
        m_isFitPending = false;
        if (const auto extent = m_state.extentOfShown(false)) fitValues(extent->low, extent->high);
        m_isLayerOld = true;
    }
    const QSize size = plot().size() * dpr;
    if (m_layer.size() != size || m_layer.devicePixelRatio() != dpr) {
        m_layer = QPixmap(size);
        m_layer.setDevicePixelRatio(dpr);
        m_layer.fill(Qt::transparent); // gives it an alpha channel
        m_isLayerOld = true;
    }
    if (std::exchange(m_isLayerOld, false)) paintLayer(plot());

    QPainter painter(this);
    const GraphCanvas canvas = this->canvas();
    paintGrid(painter, canvas);
    painter.setClipRect(plot());
    paintBefore(painter, canvas);
    paintMarkerLines(painter, canvas.time, m_state.editor().document().clip(), m_state.fps(), plot());
    paintPlayhead(painter, canvas.time, m_state.editor().shownFrame(), height(), false); // below the keys at it
    painter.drawPixmap(plot().topLeft(), m_layer);
    paintTangents(painter, canvas);
    if (const auto box = transformBox(canvas)) paintTransformBox(painter, *box);
    paintLetters(painter, canvas);
    paintValueLabels(painter, canvas);
    painter.setClipping(false);
    const QRect ruler(0, 0, width(), plot().top());
    painter.fillRect(ruler, theme.color("surface.panel"));
    paintRuler(painter, canvas.time, ruler);
    painter.fillRect(0, ruler.bottom(), width(), 1, theme.color("line.hair"));
    paintMarkerLines(painter, canvas.time, m_state.editor().document().clip(), m_state.fps(),
                     ruler.adjusted(0, ruler.height() - theme.px(5), 0, 0));
    paintPlayhead(painter, canvas.time, m_state.editor().shownFrame(), ruler.height(), true);
    if (m_state.curves().empty()) {
        painter.setPen(theme.color("text.hint"));
        painter.setFont(theme.font());
        painter.drawText(plot(), Qt::AlignCenter,
                         m_state.editor().selection().isEmpty() ? tr("Select a handle or a joint to see its curves")
                                                                : m_noKeysText());
    }
    if (m_drag != nullptr) {
        m_drag->paint(painter);
        paintDragLabel(painter, m_mouse, m_drag->label(), plot());
    }
}

} // namespace tendon::editor
