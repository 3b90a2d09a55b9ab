#include "app/widgets/dope/SheetDrag.h"

#include "app/editor/Theme.h"
#include "app/widgets/graph/GestureDrag.h"
#include "app/widgets/graph/GraphEdits.h"
#include "app/widgets/time/TimeRuler.h"

#include <QCoreApplication>

#include <cmath>

namespace tendon::editor {
namespace {

struct SheetWords
{
    Q_DECLARE_TR_FUNCTIONS(DopeSheet)
};

constexpr int kSlack = 3; // [px] before a press is a drag

class SheetMove : public GestureDrag
{
public:
    SheetMove(GraphState& state, const TimeAxis& axis, std::int64_t ticks, QPointF from)
        : GestureDrag(state, state.selected()), m_axis(axis), m_start(state.fps().frameAt(Time{ticks})), m_from(from),
          m_move(state, state.selected())
    {
    }

    void move(QPointF at, Qt::KeyboardModifiers modifiers) override
    {
        const double by = at.x() - m_from.x();
        if (!isOpen() && std::abs(by) < Theme::instance().px(kSlack)) return;
        double frames = by / m_axis.pixelsPerFrame();
        if (state().snaps() != bool(modifiers & Qt::ControlModifier)) frames = std::round(m_start + frames) - m_start;
        if (!isOpen() && frames == 0) return;
        if (apply(m_move.operations(frames, 0), movedKeys(state(), keys(), frames))) m_frames = frames;
    }

    [[nodiscard]] QString label() const override
    {
        if (!isOpen()) return {};
        const QString by = (m_frames < 0 ? QString(QChar(0x2212)) : QStringLiteral("+")) +
                           frameText(std::abs(m_frames));
        return SheetWords::tr("%1 to %2 (%3)").arg(frameText(m_start), frameText(m_start + m_frames), by);
    }

private:
    const TimeAxis m_axis;
    const double m_start; ///< frame of the key under the mouse
    const QPointF m_from;
    const KeyMove m_move;
    double m_frames = 0;
};

class SheetStretch : public GestureDrag
{
public:
    SheetStretch(GraphState& state, const TimeAxis& axis, double still, double moved, QPointF from)
        : GestureDrag(state, state.selected()), m_axis(axis), m_still(still), m_moved(moved),
          m_margin(axis.x(moved) - from.x()), m_scale(state, state.selected(), still, 0)
    {
    }

    void move(QPointF at, Qt::KeyboardModifiers modifiers) override
    {
        constexpr double kLeast = 0.01;
        double frame = m_axis.frame(at.x() + m_margin);
        const bool isSnapped = state().snaps() != bool(modifiers & Qt::ControlModifier);
        if (isSnapped) frame = std::round(frame);
        const double factor = std::max(kLeast, (frame - m_still) / (m_moved - m_still));
        if (!isOpen() && factor == 1) return;
        if (apply(m_scale.operations(factor, 1, isSnapped), m_scale.scaled(factor, isSnapped))) m_factor = factor;
    }

    [[nodiscard]] QString label() const override
    {
        if (!isOpen()) return {};
        const double end = m_still + m_factor * (m_moved - m_still);
        return SheetWords::tr("%1 to %2 (%3 %)")
            .arg(frameText(std::min(m_still, end)), frameText(std::max(m_still, end)))
            .arg(100 * m_factor, 0, 'f', 0);
    }

private:
    const TimeAxis m_axis;
    const double m_still, m_moved; ///< frames of the ends
    const double m_margin;         ///< [px] from the mouse to the end
    const KeyScale m_scale;
    double m_factor = 1;
};

} // namespace

std::unique_ptr<GraphDrag> dragSheetKeys(GraphState& state, const TimeAxis& axis, std::int64_t ticks, QPointF from)
{
    return std::make_unique<SheetMove>(state, axis, ticks, from);
}

std::unique_ptr<GraphDrag> stretchSheetKeys(GraphState& state, const TimeAxis& axis, double first, double last,
                                            bool isLast, QPointF from)
{
    return std::make_unique<SheetStretch>(state, axis, isLast ? first : last, isLast ? last : first, from);
}

} // namespace tendon::editor
