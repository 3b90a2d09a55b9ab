#include "app/widgets/dope/DopeSheet.h"

#include "app/editor/Theme.h"
#include "app/widgets/ChannelTitles.h"
#include "app/widgets/dope/SheetDrag.h"
#include "app/widgets/graph/GraphEdits.h"
#include "app/widgets/graph/KeyClipboard.h"
#include "app/widgets/time/TimeRuler.h"
#include "core/scene/Check.h"

#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

#include <cmath>

namespace tendon::editor {

DopeSheet::DopeSheet(GraphState& state, TimeView& time, QWidget* parent)
    : QWidget(parent), m_state(state), m_time(time), m_scroll(new QScrollBar(Qt::Vertical, this))
{
    setObjectName(QStringLiteral("dopeSheet"));
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Dope sheet"));
    setMouseTracking(true);
    setMinimumSize(Theme::instance().px(200), Theme::instance().px(60));
    m_scroll->setObjectName(QStringLiteral("dopeSheet.scroll"));
    m_scroll->setAccessibleName(tr("Rows"));
    m_scroll->setFocusPolicy(Qt::NoFocus);
    const auto repaint = [this] { update(); };
    connect(m_scroll, &QScrollBar::valueChanged, this, repaint);
    connect(&time, &TimeView::changed, this, repaint);
    connect(&state, &GraphState::changed, this, [this] {
        if (m_revision != m_state.curvesRevision() || m_layer != m_state.editor().document().edit().layer) rebuild();
        update();
    });
    connect(&state.editor().document(), &EditorDocument::changed, this, [this](const ChangeSet& changes) {
        if (std::any_of(changes.objects.begin(), changes.objects.end(),
                        [](const auto& each) { return each.second.has(Aspect::Name); }))
            rebuild();
    });
    connect(&state.editor().document(), &EditorDocument::replaced, this, [this] {
        m_rows.clear();
        m_row = 0;
        rebuild();
    });
    connect(&state.editor().selection(), &Selection::changed, this, [this] {
        if (m_rows.onlySelected()) rebuild();
        update();
    });
    connect(&state.editor(), &Editor::shownFrameChanged, this, repaint);
    connect(&Theme::instance(), &Theme::changed, this, [this] { scrollTo(m_scroll->value()); });
    rebuild();
}

int DopeSheet::labelWidth() { return Theme::instance().px(200); }
int DopeSheet::rulerHeight() const { return Theme::instance().size("height.ruler"); }
int DopeSheet::rowHeight() const { return Theme::instance().size("height.dope-row"); }

int DopeSheet::rowAt(int y) const
{
    return y < rulerHeight() ? -1 : (y - rulerHeight() + m_scroll->value()) / rowHeight();
}

TimeAxis DopeSheet::axis() const
{
    return m_time.axis(labelWidth(), width() - labelWidth() - Theme::instance().px(14));
}

QRect DopeSheet::bandOf(int row) const
{
    return {0, rulerHeight() + row * rowHeight() - m_scroll->value(), width(), rowHeight()};
}

QPoint DopeSheet::placeOf(int row, double frame) const { return {qRound(axis().x(frame)), bandOf(row).center().y()}; }

std::set<DopeSheet::KeyRef> DopeSheet::selected() const
{
    std::set<KeyRef> keys;
    for (const auto& [id, list] : m_state.selected())
        for (const std::int64_t ticks : list) keys.insert({id.channel.target, m_state.fps().frameAt(Time{ticks})});
    return keys;
}

void DopeSheet::setFrameKeys(std::function<QList<QKeySequence>()> all, std::function<QList<QKeySequence>()> selected)
{
    m_frameAllKeys = std::move(all);
    m_frameSelectedKeys = std::move(selected);
}

void DopeSheet::rebuild()
{
    m_revision = m_state.curvesRevision();
    m_layer = m_state.editor().document().edit().layer;
    m_rows.rebuild(m_state);
    m_selected.clear();
    m_row = std::clamp(m_row, 0, std::max(0, m_rows.count() - 1));
    scrollTo(m_scroll->value());
}

void DopeSheet::scrollTo(int y)
{
    const int room = std::max(1, height() - rulerHeight()), needed = m_rows.count() * rowHeight();
    m_scroll->setRange(0, std::max(0, needed - room));
    m_scroll->setPageStep(room);
    m_scroll->setSingleStep(rowHeight());
    m_scroll->setValue(y);
    const int wide = Theme::instance().px(10);
    m_scroll->setGeometry(width() - wide, rulerHeight(), wide, room);
    m_scroll->setVisible(needed > room);
    update();
}

void DopeSheet::resizeEvent(QResizeEvent*) { scrollTo(m_scroll->value()); }

void DopeSheet::setFilter(const QString& text)
{
    m_rows.setFilter(text.trimmed());
    rebuild();
}

void DopeSheet::setOnlySelected(bool isOn)
{
    m_rows.setOnlySelected(isOn);
    rebuild();
}

void DopeSheet::foldAll(bool isOut)
{
    m_rows.foldAll(m_state, isOut);
    rebuild();
}

const KeyTimes::Ticks& DopeSheet::selectedIn(int row) const
{
    if (m_selectedRevision != m_state.selectionRevision()) m_selected.clear();
    m_selectedRevision = m_state.selectionRevision();
    m_selected.resize(static_cast<std::size_t>(m_rows.count()));
    std::optional<KeyTimes::Ticks>& known = m_selected[static_cast<std::size_t>(row)];
    if (known) return *known;
    KeyTimes::Ticks& ticks = known.emplace();
    if (m_state.selected().empty()) return ticks;
    std::size_t lists = 0;
    for (const CurveId& id : m_rows[row].curves)
        if (const auto list = m_state.selected().find(id); list != m_state.selected().end()) {
            ticks.insert(ticks.end(), list->second.begin(), list->second.end());
            ++lists;
        }
    if (lists > 1) {
        std::sort(ticks.begin(), ticks.end());
        ticks.erase(std::unique(ticks.begin(), ticks.end()), ticks.end());
    }
    return ticks;
}

std::optional<DopeSheet::Hit> DopeSheet::keyAt(QPoint at, bool isOfEitherLayer) const
{
    const int row = rowAt(at.y());
    if (!isRow(row) || m_rows[row].ticks == nullptr) return std::nullopt;
    const double grab = Theme::instance().px(7);
    const TimeAxis axis = this->axis();
    const KeyTimes::Ticks& ticks = isOfEitherLayer ? *m_rows[row].ticks : *m_rows[row].picked();
    std::optional<Hit> hit;
    double nearest = grab;
    const std::int64_t end = ticksAt(m_state.fps(), axis.frame(at.x() + grab));
    auto each = std::lower_bound(ticks.begin(), ticks.end(), ticksAt(m_state.fps(), axis.frame(at.x() - grab)));
    constexpr int kMostKeys = 2000; // that are looked at: more share a few pixels
    for (int n = 0; each != ticks.end() && *each <= end && n < kMostKeys; ++each, ++n) {
        const double distance = std::abs(axis.x(m_state.fps().frameAt(Time{*each})) - at.x());
        if (distance > nearest) continue;
        nearest = distance;
        hit = Hit{row, *each};
    }
    return hit;
}

GraphKeys DopeSheet::keysAt(const Hit& hit) const
{
    return DopeRows::keysOf(m_state, m_rows[hit.row], hit.ticks, hit.ticks);
}

std::optional<DopeSheet::Box> DopeSheet::scaleBox() const
{
    if (m_state.selected().empty()) return std::nullopt;
    int first = -1, last = -1;
    std::int64_t from = INT64_MAX, to = INT64_MIN;
    for (int row = 1; row < m_rows.count(); ++row) {
        const KeyTimes::Ticks& ticks = selectedIn(row);
        if (ticks.empty()) continue;
        if (first < 0) first = row;
        last = row;
        from = std::min(from, ticks.front());
        to = std::max(to, ticks.back());
    }
    if (first < 0 || from >= to) return std::nullopt;
    const double firstFrame = m_state.fps().frameAt(Time{from}), lastFrame = m_state.fps().frameAt(Time{to});
    const TimeAxis axis = this->axis();
    const int margin = Theme::instance().px(10);
    constexpr double kFar = 1e6;
    const int left = qRound(std::clamp(axis.x(firstFrame), -kFar, kFar)) - margin,
              right = qRound(std::clamp(axis.x(lastFrame), -kFar, kFar)) + margin;
    return Box{QRect(QPoint(left, bandOf(first).top() + 1), QPoint(right, bandOf(last).bottom() - 1)), firstFrame,
               lastFrame};
}

int DopeSheet::sideAt(QPoint at) const
{
    const auto box = scaleBox();
    const int grab = Theme::instance().px(5);
    if (!box || at.y() < box->rect.top() || at.y() > box->rect.bottom()) return 0;
    if (std::abs(at.x() - box->rect.left()) <= grab) return -1;
    return std::abs(at.x() - box->rect.right()) <= grab ? 1 : 0;
}

void DopeSheet::selectObject(const DopeRow& row, Qt::KeyboardModifiers modifiers)
{
    if (row.target == 0 || m_state.editor().document().scene().find(ClipId{row.target}) != nullptr) return;
    const bool isHandle = m_state.editor().document().scene().find(HandleId{row.target}) != nullptr;
    const SelectionItem item = isHandle ? SelectionItem::of(HandleId{row.target})
                                        : SelectionItem::of(JointId{row.target});
    m_state.editor().selection().select(item, modifiers & Qt::ControlModifier ? Selection::How::Toggle
                                              : modifiers & Qt::ShiftModifier ? Selection::How::Add
                                                                              : Selection::How::Replace);
}

void DopeSheet::selectRow(int row)
{
    if (isRow(row)) m_state.select(DopeRows::keysOf(m_state, m_rows[row], INT64_MIN, INT64_MAX));
}

void DopeSheet::deleteSelected()
{
    endDrag(false);
    if (!m_state.selected().empty())
        (void)m_state.editor().document().applyAsOne(deleteKeys(m_state, m_state.selected()));
}

void DopeSheet::frameSelected()
{
    const auto extent = m_state.extentOf(m_state.selected());
    if (!extent) return m_time.showAll();
    const double margin = std::max(1.0, 0.08 * (extent->lastFrame - extent->firstFrame));
    m_time.show(extent->firstFrame - margin, extent->lastFrame + margin);
}

void DopeSheet::goToRow(int row)
{
    if (m_rows.count() == 0) return;
    m_row = std::clamp(row, 0, m_rows.count() - 1);
    m_frame.reset();
    const int top = m_row * rowHeight(), room = height() - rulerHeight();
    scrollTo(std::clamp(m_scroll->value(), std::max(0, top + rowHeight() - room), top));
    selectObject(m_rows[m_row], {});
}

void DopeSheet::goToKey(int direction, bool isAdded)
{
    if (!isRow(m_row) || m_rows[m_row].ticks == nullptr) return;
    const KeyTimes::Ticks& ticks = *m_rows[m_row].picked();
    // A key at the playhead counts.
    const double from = m_frame.value_or(m_state.editor().shownFrame() - direction);
    const std::int64_t now = m_state.fps().timeOf(from).ticks;
    auto found = direction > 0 ? std::upper_bound(ticks.begin(), ticks.end(), now)
                               : std::lower_bound(ticks.begin(), ticks.end(), now);
    if (direction < 0 && found == ticks.begin()) return;
    if (direction < 0) --found;
    if (found == ticks.end()) return;
    m_frame = m_state.fps().frameAt(Time{*found});
    m_time.reveal(*m_frame);
    m_state.select(keysAt({m_row, *found}), isAdded);
}

void DopeSheet::nudge(double frames)
{
    const GraphKeys keys = m_state.selected();
    if (keys.empty()) return;
    m_state.holdSelection(true);
    if (m_state.editor().document().applyAsOne(KeyMove(m_state, keys).operations(frames, 0))) {
        m_state.select(movedKeys(m_state, keys, frames));
        if (m_frame) *m_frame += frames;
    }
    m_state.holdSelection(false);
}

void DopeSheet::endDrag(bool isKept)
{
    m_box.reset();
    editor::endDrag(m_drag, isKept);
    update();
}

void DopeSheet::scrub(double x)
{
    const Scene& scene = m_state.editor().document().scene();
    const int frame = std::clamp(static_cast<int>(std::lround(axis().frame(x))), scene.firstFrame, scene.lastFrame);
    if (frame != m_state.editor().shownFrame() || m_state.editor().playback().isPlaying())
        m_state.editor().goToFrame(frame);
}

void DopeSheet::pressName(QPoint at, Qt::KeyboardModifiers modifiers)
{
    const int index = rowAt(at.y());
    if (!isRow(index)) return;
    m_row = index;
    m_frame.reset();
    const DopeRow row = m_rows[index];
    if (!row.isChannel && row.target != 0 && at.x() < Theme::instance().px(24)) {
        m_rows.fold(row.target);
        rebuild();
    } else {
        selectObject(row, modifiers);
    }
    update();
}

void DopeSheet::press(QPoint at, Qt::KeyboardModifiers modifiers)
{
    const bool isAdded = modifiers & (Qt::ShiftModifier | Qt::ControlModifier);
    if (const int side = sideAt(at); side != 0) {
        const auto box = scaleBox();
        m_drag = stretchSheetKeys(m_state, axis(), box->first, box->last, side > 0, at);
        return;
    }
    if (const auto hit = keyAt(at)) {
        m_row = hit->row;
        m_frame = m_state.fps().frameAt(Time{hit->ticks});
        const KeyTimes::Ticks& selected = selectedIn(hit->row);
        const bool wasSelected = std::binary_search(selected.begin(), selected.end(), hit->ticks);
        GraphKeys keys = keysAt(*hit);
        if (wasSelected && (modifiers & Qt::ControlModifier)) {
            GraphKeys rest = m_state.selected();
            for (const auto& [id, list] : keys)
                if (const auto found = rest.find(id); found != rest.end())
                    for (const std::int64_t ticks : list) found->second.erase(ticks);
            m_state.select(std::move(rest));
            return;
        }
        if (!wasSelected) m_state.select(std::move(keys), isAdded);
        m_drag = dragSheetKeys(m_state, axis(), hit->ticks, at);
        return;
    }
    m_boxBefore = m_state.selected();
    if (!isAdded) m_state.select({});
    m_box = QRect(at, QSize(1, 1));
}

/// A box over the summary alone takes the keys of all rows.
void DopeSheet::selectBox(bool isAdded)
{
    const QRect box = m_box->normalized();
    const TimeAxis axis = this->axis();
    const std::int64_t from = ticksAt(m_state.fps(), axis.frame(box.left())),
                       to = ticksAt(m_state.fps(), axis.frame(box.right()));
    const int half = rowHeight() / 2;
    int first = std::max(0, rowAt(std::max(rulerHeight(), box.top() + half - 1))),
        last = rowAt(box.bottom() - half + 1);
    last = std::min(last, m_rows.count() - 1);
    if (last > 0) first = std::max(1, first);
    GraphKeys keys;
    for (int row = first; row <= last; ++row)
        for (auto& [id, list] : DopeRows::keysOf(m_state, m_rows[row], from, to)) keys[id].merge(list);
    m_state.select(std::move(keys), isAdded);
}

void DopeSheet::mousePressEvent(QMouseEvent* event)
{
    m_mouse = event->pos();
    if (m_drag != nullptr || m_box) return;
    if (event->button() == Qt::MiddleButton) m_panFrom = event->pos();
    if (event->button() != Qt::LeftButton) return;
    if (event->pos().x() < labelWidth() - Theme::instance().px(10)) {
        pressName(event->pos(), event->modifiers());
    } else if (event->pos().y() < rulerHeight()) {
        m_isScrubbing = true;
        scrub(event->position().x());
    } else {
        press(event->pos(), event->modifiers());
    }
    update();
}

void DopeSheet::mouseMoveEvent(QMouseEvent* event)
{
    const QPoint by = event->pos() - m_mouse;
    m_mouse = event->pos();
    if (m_panFrom && (event->buttons() & Qt::MiddleButton)) {
        m_time.pan(-by.x() / axis().pixelsPerFrame());
        scrollTo(m_scroll->value() - by.y());
    } else if (m_isScrubbing) {
        scrub(event->position().x());
    } else if (m_drag != nullptr) {
        m_drag->move(event->position(), event->modifiers());
        update();
    } else if (m_box) {
        m_box->setBottomRight(event->pos());
        update();
    } else {
        setCursor(sideAt(event->pos()) != 0 ? Qt::SizeHorCursor : Qt::ArrowCursor);
    }
}

void DopeSheet::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() == Qt::MiddleButton) m_panFrom.reset();
    if (event->button() != Qt::LeftButton) return;
    m_isScrubbing = false;
    if (m_box && (m_box->width() > 2 || m_box->height() > 2))
        selectBox(event->modifiers() & (Qt::ShiftModifier | Qt::ControlModifier));
    endDrag(true);
}

void DopeSheet::mouseDoubleClickEvent(QMouseEvent* event)
{
    const int row = rowAt(event->pos().y());
    const bool isName = event->pos().x() < labelWidth() - Theme::instance().px(10) &&
                        event->pos().x() >= Theme::instance().px(24);
    if (event->button() == Qt::LeftButton && isName && isRow(row))
        selectRow(row);
    else
        mousePressEvent(event);
}

void DopeSheet::wheelEvent(QWheelEvent* event)
{
    if (m_drag != nullptr) return;
    event->accept();
    const QPoint delta = event->angleDelta();
    const bool isOverNames = event->position().x() < labelWidth() - Theme::instance().px(10);
    const bool isScroll = (isOverNames || (event->modifiers() & Qt::ShiftModifier)) &&
                          !(event->modifiers() & Qt::ControlModifier);
    if (isScroll) {
        const int by = delta.y() != 0 ? delta.y() : delta.x(); // Shift turns the wheel sideways on some desktops
        scrollTo(m_scroll->value() - by * 3 * rowHeight() / 120);
    } else if (delta.y() != 0) {
        m_time.zoom(axis().frame(event->position().x()), std::pow(1.15, -delta.y() / 120.0));
    } else {
        m_time.pan(-delta.x() / axis().pixelsPerFrame());
    }
}

void DopeSheet::contextMenuEvent(QContextMenuEvent* event)
{
    if (m_drag != nullptr) return;
    const QPoint at = event->pos();
    const bool isMouse = event->reason() == QContextMenuEvent::Mouse;
    const bool isName = isMouse && at.x() < labelWidth() - Theme::instance().px(10);
    const int row = rowAt(at.y());
    if (isName && isRow(row)) {
        m_row = row;
        if (const DopeRow& named = m_rows[row];
            named.target != 0 && !m_state.editor().selection().containsObject(named.target))
            selectObject(named, {});
        emit menuRequested(event->globalPos(), row);
        return;
    }
    if (const auto hit = isMouse ? keyAt(at) : std::nullopt) {
        const KeyTimes::Ticks& selected = selectedIn(hit->row);
        if (!std::binary_search(selected.begin(), selected.end(), hit->ticks)) m_state.select(keysAt(*hit));
    }
    emit menuRequested(event->globalPos(), -1);
}

QString DopeSheet::tipAt(QPoint at) const
{
    const int row = rowAt(at.y());
    if (!isRow(row)) return {};
    if (at.x() < labelWidth() - Theme::instance().px(10)) return m_rows[row].text;
    const auto hit = keyAt(at, true);
    if (!hit) return {};
    constexpr int kMostLines = 10;
    QStringList lines{tr("Frame %1").arg(frameText(m_state.fps().frameAt(Time{hit->ticks})))};
    for (const auto& [id, list] : keysAt(*hit)) {
        const GraphCurve* curve = m_state.find(id);
        const auto key = curve != nullptr ? curve->summary->find(hit->ticks) : std::nullopt;
        if (!key) continue;
        if (lines.size() > kMostLines) {
            lines << QStringLiteral("…");
            break;
        }
        const CurveUnit unit = unitOf(id.channel.property);
        const QString name = m_rows[hit->row].target == 0
                                 ? ownerTitle(m_state.editor().document().scene(), id.channel.target) + ' '
                                 : QString();
        const QString component = componentTitle(id);
        lines << name + channelTitle(id.channel) + (component.isEmpty() ? QString() : ' ' + component) + ' ' +
                     QString::number(curve->summary->value(*key, id.component) * unit.factor, 'f', unit.decimals) +
                     QString::fromUtf8(unit.text);
    }
    return lines.join('\n');
}

bool DopeSheet::matches(const QKeyEvent& event, const std::function<QList<QKeySequence>()>& keys)
{
    return keys && keys().contains(QKeySequence(event.keyCombination()));
}

bool DopeSheet::event(QEvent* event)
{
    if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut) update();
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), tipAt(help->pos()), this);
        return true;
    }
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        static const std::set<int> ours = {Qt::Key_Delete, Qt::Key_Backspace, Qt::Key_Up,    Qt::Key_Down,
                                           Qt::Key_Left,   Qt::Key_Right,     Qt::Key_Return};
        const bool isDragged = m_drag != nullptr || m_box;
        const bool isOurs = (ours.count(key->key()) != 0 && !(key->modifiers() & Qt::AltModifier)) ||
                            key->matches(QKeySequence::SelectAll) || key->matches(QKeySequence::Copy) ||
                            key->matches(QKeySequence::Cut) || key->matches(QKeySequence::Paste) ||
                            matches(*key, m_frameAllKeys) || matches(*key, m_frameSelectedKeys) ||
                            (key->key() == Qt::Key_Escape && isDragged);
        if (isOurs) {
            event->accept();
            return true;
        }
    }
    return QWidget::event(event);
}

void DopeSheet::keyPressEvent(QKeyEvent* event)
{
    const bool isLeftOrRight = event->key() == Qt::Key_Left || event->key() == Qt::Key_Right;
    const int direction = event->key() == Qt::Key_Left || event->key() == Qt::Key_Up ? -1 : 1;
    if (event->key() == Qt::Key_Escape && (m_drag != nullptr || m_box)) {
        if (m_box) m_state.select(m_boxBefore);
        endDrag(false);
    } else if (m_drag != nullptr || m_box) {
        event->ignore();
    } else if (event->key() == Qt::Key_Delete || event->key() == Qt::Key_Backspace) {
        deleteSelected();
    } else if (event->key() == Qt::Key_Up || event->key() == Qt::Key_Down) {
        goToRow(m_row + direction);
    } else if (isLeftOrRight && (event->modifiers() & Qt::ControlModifier)) {
        nudge(direction);
    } else if (isLeftOrRight) {
        goToKey(direction, event->modifiers() & Qt::ShiftModifier);
    } else if (event->key() == Qt::Key_Return && isRow(m_row) && m_rows[m_row].target != 0) {
        m_rows.fold(m_rows[m_row].target);
        rebuild();
    } else if (event->matches(QKeySequence::SelectAll)) {
        selectRow(m_row);
    } else if (handleClipboardKey(*event, m_state)) {
        event->accept();
    } else if (matches(*event, m_frameAllKeys)) {
        m_time.showAll();
    } else if (matches(*event, m_frameSelectedKeys)) {
        frameSelected();
    } else {
        QWidget::keyPressEvent(event);
    }
}

void DopeSheet::paintBoxes(QPainter& painter) const
{
    const Theme& theme = Theme::instance();
    if (const auto box = m_box ? std::nullopt : scaleBox()) {
        painter.setPen(QPen(theme.color("accent.fill"), 1, Qt::DashLine));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(box->rect);
        const double half = theme.px(3);
        for (const int x : {box->rect.left(), box->rect.right()})
            painter.fillRect(QRectF(x - half + 0.5, box->rect.center().y() - half, 2 * half, 2 * half),
                             theme.color("accent.fill"));
    }
    if (!m_box) return;
    painter.setPen(QPen(theme.color("accent.fill"), 1, Qt::DashLine));
    QColor tint = theme.color("accent.tint");
    tint.setAlpha(80);
    painter.setBrush(tint);
    painter.drawRect(m_box->normalized());
}

void DopeSheet::paintEvent(QPaintEvent*)
{
    const Theme& theme = Theme::instance();
    QPainter painter(this);
    const TimeAxis axis = this->axis();
    const DopeCanvas canvas{m_state, axis};
    const int ruler = rulerHeight(), names = static_cast<int>(axis.left) - theme.px(12);
    const Editor& editor = m_state.editor();
    painter.fillRect(rect(), theme.color("surface.well"));
    const int first = std::max(0, rowAt(ruler)), last = std::min(m_rows.count() - 1, rowAt(height()));
    const QRect keys(names + 1, ruler, width() - names, height() - ruler);
    painter.setClipRect(keys);
    for (int row = first; row <= last; ++row) {
        const QRect band = bandOf(row);
        const ObjectId target = m_rows[row].target;
        if (target != 0 && m_state.editor().selection().containsObject(target)) {
            QColor tint = theme.color("accent.tint");
            tint.setAlphaF(0.5F);
            painter.fillRect(band, tint);
        }
        painter.fillRect(band.left(), band.bottom(), band.width(), 1, theme.color("line.soft"));
        paintRowBars(painter, canvas, m_rows[row], band);
    }
    paintMarkerLines(painter, axis, editor.document().clip(), m_state.fps(), keys);
    paintPlayhead(painter, axis, m_state.editor().shownFrame(), height(), false); // below the keys at it
    for (int row = first; row <= last; ++row) paintRowKeys(painter, canvas, m_rows[row], bandOf(row), selectedIn(row));
    paintBoxes(painter);
    painter.setClipRect(rect().adjusted(0, ruler, 0, 0));
    for (int row = first; row <= last; ++row) {
        QRect band = bandOf(row);
        band.setRight(names);
        paintRowName(painter, canvas, m_rows[row], band);
        if (!hasFocus() || row != m_row) continue;
        painter.setPen(QPen(theme.color("focus.ring"), 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(band.adjusted(1, 1, -2, -2));
    }
    painter.setClipping(false);
    painter.fillRect(names, ruler, 1, height() - ruler, theme.color("line.hair"));
    const QRect top(0, 0, width(), ruler);
    painter.fillRect(top, theme.color("surface.panel"));
    paintRuler(painter, axis, top);
    painter.setPen(theme.color("text.secondary"));
    painter.setFont(theme.font(11));
    painter.drawText(QRect(theme.px(8), 0, names, ruler), Qt::AlignVCenter, tr("Channel"));
    painter.fillRect(0, ruler - 1, width(), 1, theme.color("line.hair"));
    paintMarkerLines(painter, axis, editor.document().clip(), m_state.fps(),
                     top.adjusted(0, ruler - theme.px(5), 0, 0));
    paintPlayhead(painter, axis, m_state.editor().shownFrame(), ruler, true);
    if (m_rows.count() == 0) {
        painter.setPen(theme.color("text.hint"));
        painter.setFont(theme.font());
        painter.drawText(keys, Qt::AlignCenter,
                         m_state.curves().empty() ? m_noKeysText()
                         : m_rows.onlySelected() && m_state.editor().selection().isEmpty()
                             ? tr("Nothing is selected")
                             : tr("No channel with keys matches"));
    }
    if (m_drag != nullptr) paintDragLabel(painter, m_mouse, m_drag->label(), keys);
}

} // namespace tendon::editor
