#include "app/editor/Theme.h"
#include "app/widgets/graph/GestureDrag.h"
#include "app/widgets/graph/GraphEdits.h"

#include <cmath>

namespace tendon::editor {
namespace {

class KeyDrag : public GestureDrag
{
public:
    KeyDrag(GraphState& state, const GraphCanvas& canvas, const CurveId& curve, std::int64_t ticks, QPointF from)
        : GestureDrag(state, state.selected()), m_time(canvas.time), m_value(canvas.value), m_curve(curve),
          m_ticks(ticks), m_from(from), m_move(state, state.selected())
    {
    }

    void move(QPointF at, Qt::KeyboardModifiers modifiers) override
    {
        QPointF by = at - m_from;
        // An axis stays as it is until the mouse has left the key along it.
        const int slack = Theme::instance().px(4);
        m_isTimed = m_isTimed || std::abs(by.x()) >= slack;
        m_isValued = m_isValued || std::abs(by.y()) >= slack;
        const bool isTimeOnly = (modifiers & Qt::ShiftModifier) && std::abs(by.x()) >= std::abs(by.y());
        const bool isValueOnly = (modifiers & Qt::ShiftModifier) && !isTimeOnly;
        if (!m_isTimed || isValueOnly) by.setX(0);
        if (!m_isValued || isTimeOnly) by.setY(0);
        if (!isOpen() && by.isNull()) return;

        const double start = state().fps().frameAt(Time{m_ticks});
        double frames = by.x() / m_time.pixelsPerFrame();
        if (state().snaps() != bool(modifiers & Qt::ControlModifier) && by.x() != 0)
            frames = std::round(start + frames) - start;
        if (apply(m_move.operations(frames, -by.y() / m_value.pixelsPerUnit()), movedKeys(state(), keys(), frames)))
            m_frames = frames;
    }

    [[nodiscard]] QString label() const override
    {
        return isOpen() ? labelOf(m_curve, m_ticks + state().fps().timeOf(m_frames).ticks) : QString();
    }

private:
    const TimeAxis m_time;
    const ValueAxis m_value;
    const CurveId m_curve; ///< of the key under the mouse
    const std::int64_t m_ticks;
    const QPointF m_from;
    const KeyMove m_move;
    double m_frames = 0;
    bool m_isTimed = false, m_isValued = false;
};

} // namespace

std::unique_ptr<GraphDrag> dragKeys(GraphState& state, const GraphCanvas& canvas, const CurveId& curve,
                                    std::int64_t ticks, QPointF from)
{
    return std::make_unique<KeyDrag>(state, canvas, curve, ticks, from);
}

} // namespace tendon::editor
