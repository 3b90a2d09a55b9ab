#include "app/widgets/DopeSheet.h"

#include "app/editor/ShownKeys.h"
#include "app/editor/Theme.h"
#include "app/widgets/ChannelTitles.h"
#include "app/widgets/TimelineView.h"
#include "core/scene/Check.h"

#include <QContextMenuEvent>
#include <QInputDialog>
#include <QJsonArray>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>

#include <cmath>

namespace tendon::editor {
namespace {

int frameOf(FrameRate fps, const Key& key) { return static_cast<int>(std::lround(fps.frameAt(key.time))); }

/// Diamond = auto or free curve, square = step, circle = linear.
void paintKey(QPainter& painter, QPointF at, double r, Interpolation interpolation, bool isSelected)
{
    const Theme& theme = Theme::instance();
    painter.setBrush(theme.color(isSelected ? "time.key-selected" : "time.key-other"));
    painter.setPen(isSelected ? QPen(theme.color("text.primary"), 1.2) : QPen(Qt::NoPen));
    QPainterPath path;
    if (interpolation == Interpolation::Step) {
        path.addRect(QRectF(at.x() - r * 0.8, at.y() - r * 0.8, r * 1.6, r * 1.6));
    } else if (interpolation == Interpolation::Linear) {
        path.addEllipse(at, r * 0.85, r * 0.85);
    } else {
        path.moveTo(at.x(), at.y() - r);
        path.lineTo(at.x() + r, at.y());
        path.lineTo(at.x(), at.y() + r);
        path.lineTo(at.x() - r, at.y());
        path.closeSubpath();
    }
    painter.drawPath(path);
}

} // namespace

DopeSheet::DopeSheet(Editor& editor, QWidget* parent) : QWidget(parent), m_editor(editor)
{
    setObjectName(QStringLiteral("dopeSheet"));
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Dope sheet"));
    setMinimumHeight(Theme::instance().px(110));
    connect(&editor.document(), &EditorDocument::changed, this, [this](const ChangeSet&) { rebuild(); });
    connect(&editor.document(), &EditorDocument::editChanged, this, &DopeSheet::rebuild);
    connect(&editor.document(), &EditorDocument::replaced, this, [this] {
        m_selected.clear();
        m_open.clear();
        rebuild();
    });
    connect(&editor.selection(), &Selection::changed, this, [this] { update(); });
    connect(&editor, &Editor::shownFrameChanged, this, [this] { update(); });
    rebuild();
}

void DopeSheet::rebuild()
{
    m_rows.clear();
    const Scene& scene = m_editor.document().scene();
    if (const Clip* clip = m_editor.document().clip()) {
        ObjectId last = 0;
        for (const auto& [channel, keys] : clip->channels) {
            if (!isShown(scene, channel)) continue;
            if (m_rows.empty()) m_rows.push_back({tr("Summary"), 0, std::nullopt, true});
            const bool isOpen = m_open.count(channel.target) != 0;
            if (channel.target != last)
                m_rows.push_back(
                    {QString::fromStdString(nameOf(scene, channel.target)), channel.target, std::nullopt, isOpen});
            last = channel.target;
            if (isOpen) m_rows.push_back({channelTitle(channel.property), channel.target, channel.property, false});
        }
    }
    // Keys that are gone leave the selection.
    std::set<KeyRef> there;
    for (const Row& row : m_rows)
        if (row.target != 0 && !row.property)
            for (const int frame : framesOf(row)) there.insert({row.target, frame});
    if (!m_isMoving) std::erase_if(m_selected, [&](const KeyRef& key) { return there.count(key) == 0; });
    m_scroll = std::clamp(m_scroll, 0, std::max(0, static_cast<int>(m_rows.size()) * rowHeight() - height()));
    update();
}

int DopeSheet::rowHeight() const { return Theme::instance().size("height.dope-row"); }
int DopeSheet::rowAt(int y) const { return (y + m_scroll) / rowHeight(); }

int DopeSheet::labelWidth() { return Theme::instance().px(200); }

TimeAxis DopeSheet::axis() const
{
    const Scene& scene = m_editor.document().scene();
    const double left = labelWidth();
    return {.first = static_cast<double>(scene.firstFrame),
            .last = std::max(scene.firstFrame + 1.0, static_cast<double>(scene.lastFrame)),
            .left = left,
            .width = width() - left - Theme::instance().px(14)};
}

QPoint DopeSheet::placeOf(int row, int frame) const
{
    return {qRound(axis().x(frame)), row * rowHeight() + rowHeight() / 2 - m_scroll};
}

std::set<int> DopeSheet::framesOf(const Row& row) const
{
    std::set<int> frames;
    const Clip* clip = m_editor.document().clip();
    if (clip == nullptr) return frames;
    // Channels are sorted by their targets.
    auto at = row.target == 0 ? clip->channels.begin() : clip->channels.lower_bound({row.target, Property{}});
    for (; at != clip->channels.end() && (row.target == 0 || at->first.target == row.target); ++at) {
        const auto& [channel, keys] = *at;
        if ((row.property && channel.property != *row.property) || !isShown(m_editor.document().scene(), channel))
            continue;
        for (std::size_t i = 0; i < keys->size(); ++i)
            frames.insert(frameOf(m_editor.document().scene().fps, (*keys)[i]));
    }
    return frames;
}

void DopeSheet::paintEvent(QPaintEvent*)
{
    const Theme& theme = Theme::instance();
    QPainter painter(this);
    painter.fillRect(rect(), theme.color("surface.well"));
    const TimeAxis axis = this->axis();
    if (m_rows.empty()) {
        painter.setPen(theme.color("text.hint"));
        painter.setFont(theme.font());
        painter.drawText(rect(), Qt::AlignCenter, tr("No keys yet. Press S to set one"));
        return;
    }
    const int first = std::max(0, rowAt(0)), last = std::min(static_cast<int>(m_rows.size()) - 1, rowAt(height()));
    for (int i = first; i <= last; ++i) paintRow(painter, axis, i);
    if (hasFocus() && m_row < static_cast<int>(m_rows.size())) {
        painter.setPen(QPen(theme.color("focus.ring"), 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(
            QRect(1, m_row * rowHeight() - m_scroll + 1, static_cast<int>(axis.left) - theme.px(14), rowHeight() - 3));
    }
    painter.fillRect(static_cast<int>(axis.left) - theme.px(12), 0, 1, height(), theme.color("line.hair"));
    paintPlayhead(painter, axis, m_editor.shownFrame(), height(), false);
    if (m_box) {
        painter.setPen(QPen(theme.color("accent.fill"), 1, Qt::DashLine));
        QColor tint = theme.color("accent.tint");
        tint.setAlpha(80);
        painter.setBrush(tint);
        painter.drawRect(m_box->normalized());
    }
}

void DopeSheet::paintRow(QPainter& painter, const TimeAxis& axis, int index) const
{
    const Theme& theme = Theme::instance();
    const Row& row = m_rows[static_cast<std::size_t>(index)];
    const int height = rowHeight(), top = index * height - m_scroll;
    if (row.target != 0 && m_editor.selection().containsObject(row.target)) {
        painter.fillRect(0, top, width(), height, theme.color("accent.tint"));
        painter.fillRect(0, top, theme.px(3), height, theme.color("accent.fill"));
    }
    painter.fillRect(0, top + height - 1, width(), 1, theme.color("line.soft"));
    painter.setFont(theme.font(12, index == 0 ? 600 : 400));
    painter.setPen(theme.color(row.property ? "text.secondary" : "text.primary"));
    const int indent = theme.px(8) + (row.property ? theme.px(28) : row.target != 0 ? theme.px(14) : 0);
    if (row.target != 0 && !row.property) {
        painter.drawText(QRect(theme.px(8), top, theme.px(12), height), Qt::AlignVCenter,
                         row.isOpen ? QStringLiteral("▾") : QStringLiteral("▸"));
    }
    painter.drawText(QRect(indent, top, static_cast<int>(axis.left) - indent - theme.px(16), height), Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(row.text, Qt::ElideRight,
                                                      static_cast<int>(axis.left) - indent - theme.px(16)));

    painter.setRenderHint(QPainter::Antialiasing);
    const Clip* clip = m_editor.document().clip();
    std::map<int, Interpolation> keys;
    for (const auto& [channel, list] : clip->channels) {
        if ((row.target != 0 && channel.target != row.target) || (row.property && channel.property != *row.property) ||
            !isShown(m_editor.document().scene(), channel))
            continue;
        for (std::size_t i = 0; i < list->size(); ++i)
            keys.emplace(frameOf(m_editor.document().scene().fps, (*list)[i]), (*list)[i].interpolation);
    }
    for (const auto& [frame, interpolation] : keys) {
        const bool isSelected = row.target == 0 ? std::any_of(m_selected.begin(), m_selected.end(),
                                                              [f = frame](const KeyRef& k) { return k.frame == f; })
                                                : m_selected.count({row.target, frame}) != 0;
        const double x = axis.x(frame + (isSelected && m_isMoving ? m_moveBy : 0));
        if (x >= axis.left - 8 && x <= width())
            paintKey(painter, {x, top + height / 2.0}, theme.px(5), interpolation, isSelected);
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

std::set<DopeSheet::KeyRef> DopeSheet::keysAt(const QPoint& at) const
{
    std::set<KeyRef> keys;
    const int index = rowAt(at.y());
    if (index < 0 || index >= static_cast<int>(m_rows.size())) return keys;
    const Row& row = m_rows[static_cast<std::size_t>(index)];
    const double grab = Theme::instance().px(7);
    for (const int frame : framesOf(row)) {
        if (std::abs(axis().x(frame) - at.x()) > grab) continue;
        if (row.target != 0) {
            keys.insert({row.target, frame});
            continue;
        }
        for (const Row& other : m_rows)
            if (other.target != 0 && !other.property && framesOf(other).count(frame) != 0)
                keys.insert({other.target, frame});
    }
    return keys;
}

void DopeSheet::select(const Row& row)
{
    if (row.target == 0) return;
    const Scene& scene = m_editor.document().scene();
    m_editor.selection().select(scene.find(HandleId{row.target}) != nullptr ? SelectionItem::of(HandleId{row.target})
                                                                            : SelectionItem::of(JointId{row.target}));
}

void DopeSheet::fold(const Row& row)
{
    if (row.target == 0) return;
    if (!m_open.erase(row.target)) m_open.insert(row.target);
    rebuild();
}

void DopeSheet::goToRow(int index)
{
    if (m_rows.empty()) return;
    m_row = std::clamp(index, 0, static_cast<int>(m_rows.size()) - 1);
    m_frame.reset();
    const int top = m_row * rowHeight();
    m_scroll = std::clamp(m_scroll, std::max(0, top + rowHeight() - height()), top);
    select(m_rows[static_cast<std::size_t>(m_row)]);
    update();
}

void DopeSheet::goToKey(int direction, bool isAdded)
{
    if (m_row >= static_cast<int>(m_rows.size())) return;
    const std::set<int> frames = framesOf(m_rows[static_cast<std::size_t>(m_row)]);
    const int from = m_frame.value_or(m_editor.shownFrame() - direction); // a key at the playhead counts
    auto found = direction > 0 ? frames.upper_bound(from) : frames.lower_bound(from);
    if (direction < 0 && found == frames.begin()) return;
    if (direction < 0) --found;
    if (found == frames.end()) return;
    m_frame = *found;
    if (!isAdded) m_selected.clear();
    m_selected.merge(keysAt(placeOf(m_row, *found)));
    update();
}

void DopeSheet::selectAllOf(const Row& row)
{
    m_selected.clear();
    for (const Row& other : m_rows)
        if (other.target != 0 && !other.property && (row.target == 0 || other.target == row.target))
            for (const int frame : framesOf(other)) m_selected.insert({other.target, frame});
    update();
}

void DopeSheet::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton) return;
    const QPoint at = event->pos();
    const int index = rowAt(at.y());
    if (at.x() < axis().left - Theme::instance().px(10)) {
        if (index < 1 || index >= static_cast<int>(m_rows.size())) return;
        const Row row = m_rows[static_cast<std::size_t>(index)];
        m_row = index;
        if (at.x() < Theme::instance().px(22) && !row.property)
            fold(row);
        else
            select(row);
        return;
    }
    m_press = at;
    m_moveBy = 0;
    const auto hit = keysAt(at);
    if (hit.empty()) {
        if (!(event->modifiers() & (Qt::ShiftModifier | Qt::ControlModifier))) m_selected.clear();
        m_box = QRect(at, at);
    } else {
        m_isMoving = true;
        const bool isIn = std::all_of(hit.begin(), hit.end(),
                                      [&](const KeyRef& key) { return m_selected.count(key) != 0; });
        if (event->modifiers() & Qt::ControlModifier) {
            for (const KeyRef& key : hit)
                if (!m_selected.erase(key)) m_selected.insert(key);
        } else if (!isIn) {
            if (!(event->modifiers() & Qt::ShiftModifier)) m_selected.clear();
            m_selected.insert(hit.begin(), hit.end());
        }
    }
    update();
}

void DopeSheet::mouseMoveEvent(QMouseEvent* event)
{
    if (!m_press) return;
    if (m_box)
        m_box->setBottomRight(event->pos());
    else if (m_isMoving)
        m_moveBy = static_cast<int>(std::lround((event->pos().x() - m_press->x()) / axis().pixelsPerFrame()));
    update();
}

void DopeSheet::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || !m_press) return;
    m_press.reset();
    if (m_box) {
        const QRect box = m_box->normalized();
        m_box.reset();
        for (int i = 0; i < static_cast<int>(m_rows.size()); ++i) {
            const Row& row = m_rows[static_cast<std::size_t>(i)];
            if (row.target == 0) continue;
            for (const int frame : framesOf(row))
                if (box.contains(placeOf(i, frame))) m_selected.insert({row.target, frame});
        }
    }
    if (m_isMoving) {
        const int by = std::exchange(m_moveBy, 0);
        m_isMoving = false;
        if (by != 0) moveSelected(by);
    }
    update();
}

void DopeSheet::changeEach(const std::function<QJsonObject(const QString&, const QJsonArray&)>& make)
{
    std::map<ObjectId, QJsonArray> frames;
    for (const KeyRef& key : m_selected) frames[key.target].append(key.frame);
    const Scene& scene = m_editor.document().scene();
    const Clip* clip = m_editor.document().clip();
    std::vector<QJsonObject> operations;
    for (const auto& [target, list] : frames) {
        QJsonObject operation = make(QString::fromStdString(nameOf(scene, target)), list);
        QJsonArray shown; // keys that are not shown stay as they are
        bool isAnyHidden = false;
        if (clip != nullptr)
            for (auto entry = clip->channels.lower_bound({target, Property{}});
                 entry != clip->channels.end() && entry->first.target == target; ++entry) {
                isAnyHidden |= !isShown(scene, entry->first);
                if (isShown(scene, entry->first))
                    shown.append(QString::fromStdString(std::string(propertyName(entry->first.property))));
            }
        if (isAnyHidden) operation.insert(QStringLiteral("channels"), shown);
        operations.push_back(operation);
    }
    (void)m_editor.document().applyAsOne(operations);
}

void DopeSheet::moveSelected(int frames)
{
    std::set<KeyRef> moved;
    for (const KeyRef& key : m_selected) moved.insert({key.target, key.frame + frames});
    changeEach([frames](const QString& target, const QJsonArray& list) {
        return QJsonObject{{"op", "moveKeys"}, {"target", target}, {"frames", list}, {"by", frames}};
    });
    m_selected = std::move(moved);
    rebuild();
}

void DopeSheet::scaleSelected(double factor)
{
    int first = m_selected.empty() ? 0 : m_selected.begin()->frame;
    for (const KeyRef& key : m_selected) first = std::min(first, key.frame);
    changeEach([factor, first](const QString& target, const QJsonArray& list) {
        return QJsonObject{{"op", "scaleKeys"}, {"target", target}, {"frames", list}, {"by", factor}, {"about", first}};
    });
}

void DopeSheet::deleteSelected()
{
    changeEach([](const QString& target, const QJsonArray& list) {
        return QJsonObject{{"op", "deleteKey"}, {"target", target}, {"frames", list}};
    });
}

void DopeSheet::setInterpolation(const QString& kind)
{
    changeEach([&](const QString& target, const QJsonArray& list) {
        return QJsonObject{{"op", "setTangent"}, {"target", target}, {"frames", list}, {"interpolation", kind}};
    });
}

void DopeSheet::contextMenuEvent(QContextMenuEvent* event)
{
    QMenu menu(this);
    const std::pair<const char*, QString> kinds[] = {{"step", tr("Interpolation: step")},
                                                     {"linear", tr("Interpolation: linear")},
                                                     {"bezier", tr("Interpolation: bezier")}};
    for (const auto& [kind, title] : kinds)
        menu.addAction(title, this, [this, kind = kind] { setInterpolation(QLatin1StringView(kind)); });
    menu.addSeparator();
    menu.addAction(tr("Copy to the current frame"), this, [this] {
        if (m_selected.empty()) return;
        int first = m_selected.begin()->frame;
        for (const KeyRef& key : m_selected) first = std::min(first, key.frame);
        const int by = m_editor.shownFrame() - first;
        changeEach([by](const QString& target, const QJsonArray& list) {
            return QJsonObject{{"op", "copyKeys"}, {"target", target}, {"frames", list}, {"by", by}};
        });
    });
    menu.addAction(tr("Scale…"), this, [this] {
        bool isOk = false;
        const double factor = QInputDialog::getDouble(this, tr("Scale keys"), tr("Time factor"), 1, 0.01, 100, 2,
                                                      &isOk);
        if (isOk && factor != 1) scaleSelected(factor);
    });
    menu.addAction(tr("Delete"), this, [this] { deleteSelected(); });
    for (QAction* action : menu.actions()) action->setEnabled(action->isSeparator() || !m_selected.empty());
    menu.exec(event->globalPos());
}

bool DopeSheet::event(QEvent* event)
{
    if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut) update();
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        static const std::set<int> ours = {Qt::Key_Delete, Qt::Key_Backspace, Qt::Key_Up,    Qt::Key_Down,
                                           Qt::Key_Left,   Qt::Key_Right,     Qt::Key_Return};
        if (!(key->modifiers() & Qt::AltModifier) &&
            (ours.count(key->key()) != 0 || key->matches(QKeySequence::SelectAll))) {
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
    const bool isRow = m_row < static_cast<int>(m_rows.size());
    if (event->key() == Qt::Key_Delete || event->key() == Qt::Key_Backspace) {
        deleteSelected();
    } else if (event->key() == Qt::Key_Up || event->key() == Qt::Key_Down) {
        goToRow(m_row + direction);
    } else if (isLeftOrRight && (event->modifiers() & Qt::ControlModifier)) {
        if (m_selected.empty()) return;
        if (m_frame) *m_frame += direction;
        moveSelected(direction);
    } else if (isLeftOrRight) {
        goToKey(direction, event->modifiers() & Qt::ShiftModifier);
    } else if (event->key() == Qt::Key_Return && isRow) {
        fold(m_rows[static_cast<std::size_t>(m_row)]);
    } else if (event->matches(QKeySequence::SelectAll) && isRow) {
        selectAllOf(m_rows[static_cast<std::size_t>(m_row)]);
    } else if (event->key() == Qt::Key_Escape && m_press) {
        m_press.reset();
        m_box.reset();
        m_isMoving = false;
        m_moveBy = 0;
        update();
    } else {
        QWidget::keyPressEvent(event);
    }
}

void DopeSheet::wheelEvent(QWheelEvent* event)
{
    m_scroll = std::clamp(m_scroll - event->angleDelta().y() / 2, 0,
                          std::max(0, static_cast<int>(m_rows.size()) * rowHeight() - height()));
    update();
}

} // namespace tendon::editor
