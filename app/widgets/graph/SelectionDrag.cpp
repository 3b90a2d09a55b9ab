#include "app/editor/Theme.h"
#include "app/widgets/graph/CurveTrace.h"
#include "app/widgets/graph/GraphDrag.h"

#include <QPainter>

namespace tendon::editor {
namespace {

class SelectionDrag : public GraphDrag
{
public:
    SelectionDrag(GraphState& state, const GraphCanvas& canvas, QPointF from, bool isAdded)
        : m_state(state), m_time(canvas.time), m_value(canvas.value), m_isLasso(state.hasLasso()), m_isAdded(isAdded),
          m_before(state.selected())
    {
        m_line << from << from;
    }

    void move(QPointF at, Qt::KeyboardModifiers) override
    {
        if (m_isLasso)
            m_line << at;
        else
            m_line.back() = at;
    }

    void release() override { m_state.select(inside(), m_isAdded); }
    void cancel() override { m_state.select(m_before); }

    void paint(QPainter& painter) const override
    {
        const Theme& theme = Theme::instance();
        painter.setPen(QPen(theme.color("accent.fill"), 1, Qt::DashLine));
        QColor tint = theme.color("accent.tint");
        tint.setAlpha(80);
        painter.setBrush(tint);
        if (m_isLasso)
            painter.drawPolygon(m_line);
        else
            painter.drawRect(box());
    }

private:
    [[nodiscard]] QRectF box() const { return QRectF(m_line.front(), m_line.back()).normalized(); }

    [[nodiscard]] GraphKeys inside() const
    {
        const QRectF bounds = m_isLasso ? m_line.boundingRect() : box();
        const FrameRate fps = m_state.fps();
        GraphKeys keys;
        for (const GraphCurve* curve : m_state.shown()) {
            const CurveSummary& summary = *curve->summary;
            const std::size_t first = summary.countBefore(ticksAt(fps, m_time.frame(bounds.left()))),
                              last = summary.countBefore(ticksAt(fps, m_time.frame(bounds.right())) + 1);
            for (std::size_t key = first; key < last; ++key) {
                const QPointF at(m_time.x(fps.frameAt(Time{summary.ticks(key)})),
                                 m_value.y(m_state.shownValue(*curve, summary.value(key, curve->id.component))));
                if (m_isLasso ? m_line.containsPoint(at, Qt::OddEvenFill) : bounds.contains(at))
                    keys[curve->id].insert(summary.ticks(key));
            }
        }
        return keys;
    }

    GraphState& m_state;
    const TimeAxis m_time;
    const ValueAxis m_value;
    const bool m_isLasso, m_isAdded;
    const GraphKeys m_before;
    QPolygonF m_line; ///< opposite corners of the box, or the lasso
};

} // namespace

std::unique_ptr<GraphDrag> dragSelection(GraphState& state, const GraphCanvas& canvas, QPointF from, bool isAdded)
{
    return std::make_unique<SelectionDrag>(state, canvas, from, isAdded);
}

} // namespace tendon::editor
