#include "app/widgets/time/MarkedRange.h"

#include "app/editor/Theme.h"
#include "app/widgets/graph/CurveTrace.h"
#include "app/widgets/graph/GestureDrag.h"
#include "app/widgets/graph/GraphEdits.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <set>

namespace tendon::editor {
namespace {

struct RangeWords
{
    Q_DECLARE_TR_FUNCTIONS(Timeline)
};

QString rangeText(const std::pair<int, int>& part)
{
    return part.first == part.second ? QString::number(part.first)
                                     : RangeWords::tr("%1 to %2").arg(part.first).arg(part.second);
}

class NewMark : public GraphDrag
{
public:
    NewMark(GraphState& state, const TimeAxis& axis, QPointF from)
        : m_state(state), m_axis(axis), m_before(state.editor().playback().part()), m_from(frameAt(from))
    {
        set(m_from);
    }

    void move(QPointF at, Qt::KeyboardModifiers) override { set(frameAt(at)); }
    void release() override
    {
        const auto& part = m_state.editor().playback().part();
        m_state.select(keysBetween(m_state, part->first, part->second));
    }
    void cancel() override { m_state.editor().playback().setPart(m_before); }
    [[nodiscard]] QString label() const override { return rangeText(*m_state.editor().playback().part()); }

private:
    [[nodiscard]] int frameAt(QPointF at) const
    {
        constexpr double kFar = 1e7;
        return static_cast<int>(std::lround(std::clamp(m_axis.frame(at.x()), -kFar, kFar)));
    }
    void set(int frame) { m_state.editor().playback().setPart({{std::min(m_from, frame), std::max(m_from, frame)}}); }

    GraphState& m_state;
    const TimeAxis m_axis;
    const Playback::Part m_before;
    const int m_from;
};

class MarkedDrag : public GestureDrag
{
public:
    MarkedDrag(GraphState& state, const GraphKeys& keys, const TimeAxis& axis, RangeGrip grip, QPointF from)
        : GestureDrag(state, keys), m_axis(axis), m_grip(grip), m_from(from),
          m_before(*state.editor().playback().part()), m_move(state, keys),
          m_scale(state, keys, grip == RangeGrip::First ? m_before.second : m_before.first, 0)
    {
    }

    void move(QPointF at, Qt::KeyboardModifiers) override
    {
        const auto frames = static_cast<int>(std::lround((at.x() - m_from.x()) / m_axis.pixelsPerFrame()));
        std::pair<int, int> part = m_before;
        if (m_grip != RangeGrip::Last) part.first += frames;
        if (m_grip != RangeGrip::First) part.second += frames;
        const bool isScale = m_grip != RangeGrip::Middle;
        if (isScale && part.second - part.first < 1) return; // nothing is turned round
        if (part == *now()) return;
        if (!keys().empty()) {
            const double factor = static_cast<double>(part.second - part.first) / (m_before.second - m_before.first);
            const bool snaps = state().snaps();
            const bool isDone = isScale ? apply(m_scale.operations(factor, 1, snaps), m_scale.scaled(factor, snaps))
                                        : apply(m_move.operations(frames, 0), movedKeys(state(), keys(), frames));
            if (!isDone) return;
        }
        state().editor().playback().setPart(part);
    }

    void cancel() override
    {
        GestureDrag::cancel();
        state().editor().playback().setPart(m_before);
    }

    [[nodiscard]] QString label() const override
    {
        const std::pair<int, int> part = *now();
        if (part == m_before) return {};
        const int by = part.first - m_before.first;
        const QString change = m_grip == RangeGrip::Middle
                                   ? (by < 0 ? QString(QChar(0x2212)) : QStringLiteral("+")) +
                                         QString::number(std::abs(by))
                                   : QStringLiteral("%1 %").arg(std::lround(100.0 * (part.second - part.first) /
                                                                            (m_before.second - m_before.first)));
        return RangeWords::tr("%1 (%2)").arg(rangeText(part), change);
    }

private:
    [[nodiscard]] const Playback::Part& now() const { return state().editor().playback().part(); }

    const TimeAxis m_axis;
    const RangeGrip m_grip;
    const QPointF m_from;
    const std::pair<int, int> m_before;
    const KeyMove m_move;
    const KeyScale m_scale;
};

/// Calls `visit` with each curve of the selected objects, or of all, in the layer that is edited, and its keys from one
/// frame to another, as long as it returns true.
template <typename Visit>
void visitKeys(const GraphState& state, double first, double last, Visit visit)
{
    constexpr double kNear = 1e-3; // [frames]
    const std::int64_t from = ticksAt(state.fps(), first - kNear), to = ticksAt(state.fps(), last + kNear);
    std::set<ObjectId> selected;
    for (const SelectionItem& item : state.editor().selection().items()) selected.insert(item.object);
    for (const GraphCurve& curve : state.curves()) {
        if (!selected.empty() && selected.count(curve.id.channel.target) == 0) continue;
        if (!state.isEdited(curve.id.channel)) continue;
        const auto& ticks = curve.summary->allTicks();
        const auto begin = std::lower_bound(ticks.begin(), ticks.end(), from),
                   end = std::upper_bound(begin, ticks.end(), to);
        if (begin != end && !visit(curve, begin, end)) return;
    }
}

} // namespace

std::optional<QRectF> markedBand(Editor& editor, const TimeAxis& axis, double top, double bottom)
{
    const auto& part = editor.playback().part();
    if (!part) return std::nullopt;
    const double half = std::max<double>(Theme::instance().px(3), std::min(axis.pixelsPerFrame() / 2, 8.0));
    constexpr double kFar = 1e6;
    const double left = std::clamp(axis.x(part->first), -kFar, kFar) - half,
                 right = std::clamp(axis.x(part->second), -kFar, kFar) + half;
    return QRectF(left, top, right - left, bottom - top);
}

RangeGrip gripAt(const QRectF& band, QPointF at)
{
    const double grip = Theme::instance().px(6);
    if (at.y() < band.top() || at.y() > band.bottom() || at.x() < band.left() - grip || at.x() > band.right() + grip)
        return RangeGrip::None;
    const bool hasEnds = band.width() > 3 * grip; // else all of it moves
    if (hasEnds && at.x() < band.left() + grip) return RangeGrip::First;
    if (hasEnds && at.x() > band.right() - grip) return RangeGrip::Last;
    return RangeGrip::Middle;
}

void paintMarkedBand(QPainter& painter, const QRectF& band)
{
    const Theme& theme = Theme::instance();
    QColor tint = theme.color("time.key-selected");
    tint.setAlphaF(0.22F);
    painter.fillRect(band, tint);
    const QColor edge = theme.color("time.key-selected");
    for (const double x : {band.left(), band.right() - theme.px(2)})
        painter.fillRect(QRectF(x, band.top(), theme.px(2), band.height()), edge);
    if (band.width() < theme.px(40)) return;
    // Arrows: outward at the ends, both ways in the middle.
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.color("text.primary"));
    const double r = theme.px(4), y = band.bottom() - r - theme.px(3);
    const auto arrow = [&](double x, int direction) {
        const QPointF points[] = {{x + direction * r, y}, {x, y - r}, {x, y + r}};
        painter.drawConvexPolygon(points, 3);
    };
    arrow(band.left() + theme.px(8), -1);
    arrow(band.right() - theme.px(8), 1);
    arrow(band.center().x() - theme.px(2), -1);
    arrow(band.center().x() + theme.px(2), 1);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

GraphKeys keysBetween(const GraphState& state, double first, double last)
{
    GraphKeys keys;
    visitKeys(state, first, last, [&](const GraphCurve& curve, auto begin, auto end) {
        keys[curve.id].insert(begin, end);
        return true;
    });
    return keys;
}

bool hasKeysBetween(const GraphState& state, double first, double last)
{
    bool isAny = false;
    visitKeys(state, first, last, [&](const GraphCurve&, auto, auto) {
        isAny = true;
        return false;
    });
    return isAny;
}

std::unique_ptr<GraphDrag> dragNewMark(GraphState& state, const TimeAxis& axis, QPointF from)
{
    return std::make_unique<NewMark>(state, axis, from);
}

std::unique_ptr<GraphDrag> dragMarkedKeys(GraphState& state, const TimeAxis& axis, RangeGrip grip, QPointF from)
{
    const auto& part = state.editor().playback().part();
    return std::make_unique<MarkedDrag>(state, keysBetween(state, part->first, part->second), axis, grip, from);
}

} // namespace tendon::editor
