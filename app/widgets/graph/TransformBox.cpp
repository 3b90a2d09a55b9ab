#include "app/widgets/graph/TransformBox.h"

#include "app/editor/Theme.h"
#include "app/widgets/graph/GestureDrag.h"
#include "app/widgets/graph/GraphEdits.h"

#include <QPainter>

#include <cmath>

namespace tendon::editor {
namespace {

class BoxDrag : public GestureDrag
{
public:
    BoxDrag(GraphState& state, const GraphCanvas& canvas, const TransformBox& box, Qt::Edges edges)
        : GestureDrag(state, state.selected()), m_time(canvas.time), m_value(canvas.value), m_box(box), m_edges(edges),
          m_scale(state, state.selected(), edges & Qt::LeftEdge ? box.lastFrame : box.firstFrame,
                  edges & Qt::BottomEdge ? box.high : box.low)
    {
    }

    void move(QPointF at, Qt::KeyboardModifiers modifiers) override
    {
        constexpr double kLeast = 0.01;
        double time = 1, value = 1;
        const double frames = m_box.lastFrame - m_box.firstFrame, values = m_box.high - m_box.low;
        const bool isSnapped = state().snaps() != bool(modifiers & Qt::ControlModifier);
        if ((m_edges & (Qt::LeftEdge | Qt::RightEdge)) && frames > 0) {
            const bool isLeft = m_edges & Qt::LeftEdge;
            const double margin = isLeft ? m_time.x(m_box.firstFrame) - m_box.rect.left()
                                         : m_time.x(m_box.lastFrame) - m_box.rect.right();
            double frame = m_time.frame(at.x() + margin);
            if (isSnapped) frame = std::round(frame);
            time = std::max(kLeast, (isLeft ? m_box.lastFrame - frame : frame - m_box.firstFrame) / frames);
        }
        if ((m_edges & (Qt::TopEdge | Qt::BottomEdge)) && values > 0) {
            const bool isTop = m_edges & Qt::TopEdge;
            const double margin = isTop ? m_value.y(m_box.high) - m_box.rect.top()
                                        : m_value.y(m_box.low) - m_box.rect.bottom();
            const double to = m_value.value(at.y() + margin);
            value = (isTop ? to - m_box.low : m_box.high - to) / values; // below 0 it turns them over
        }
        if (!isOpen() && time == 1 && value == 1) return;
        if (!apply(m_scale.operations(time, value, isSnapped), m_scale.scaled(time, isSnapped))) return;
        m_factors = {time, value};
    }

    [[nodiscard]] QString label() const override
    {
        if (!isOpen()) return {};
        const auto percent = [](double factor) { return QStringLiteral("%1 %").arg(100 * factor, 0, 'f', 0); };
        if (!(m_edges & (Qt::TopEdge | Qt::BottomEdge))) return percent(m_factors.first);
        if (!(m_edges & (Qt::LeftEdge | Qt::RightEdge))) return percent(m_factors.second);
        return percent(m_factors.first) + QStringLiteral(" × ") + percent(m_factors.second);
    }

private:
    const TimeAxis m_time;
    const ValueAxis m_value;
    const TransformBox m_box;
    const Qt::Edges m_edges;
    const KeyScale m_scale;
    std::pair<double, double> m_factors{1, 1};
};

} // namespace

Qt::Edges TransformBox::edgesAt(QPointF at) const
{
    const double grab = Theme::instance().px(6);
    if (!rect.adjusted(-grab, -grab, grab, grab).contains(at)) return {};
    Qt::Edges edges;
    if (lastFrame > firstFrame && std::abs(at.x() - rect.left()) <= grab)
        edges |= Qt::LeftEdge;
    else if (lastFrame > firstFrame && std::abs(at.x() - rect.right()) <= grab)
        edges |= Qt::RightEdge;
    if (high > low && std::abs(at.y() - rect.top()) <= grab)
        edges |= Qt::TopEdge;
    else if (high > low && std::abs(at.y() - rect.bottom()) <= grab)
        edges |= Qt::BottomEdge;
    return edges;
}

std::optional<TransformBox> transformBox(const GraphCanvas& canvas)
{
    if (!canvas.state.hasTransformBox() || canvas.state.selectedCount() < 2) return std::nullopt;
    const auto extent = canvas.state.extentOf(canvas.state.selected());
    if (!extent) return std::nullopt;
    const double margin = Theme::instance().px(12);
    const QRectF rect(QPointF(canvas.time.x(extent->firstFrame), canvas.value.y(extent->high)),
                      QPointF(canvas.time.x(extent->lastFrame), canvas.value.y(extent->low)));
    return TransformBox{rect.adjusted(-margin, -margin, margin, margin), extent->firstFrame, extent->lastFrame,
                        extent->low, extent->high};
}

void paintTransformBox(QPainter& painter, const TransformBox& box)
{
    const Theme& theme = Theme::instance();
    painter.setPen(QPen(theme.color("accent.fill"), 1, Qt::DashLine));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(box.rect);
    const double half = theme.px(3);
    const auto knob = [&](QPointF at) {
        painter.fillRect(QRectF(at.x() - half, at.y() - half, 2 * half, 2 * half), theme.color("accent.fill"));
    };
    const QRectF& rect = box.rect;
    const bool isWide = box.lastFrame > box.firstFrame, isHigh = box.high > box.low;
    if (isWide)
        for (const double x : {rect.left(), rect.right()}) knob({x, rect.center().y()});
    if (isHigh)
        for (const double y : {rect.top(), rect.bottom()}) knob({rect.center().x(), y});
    if (isWide && isHigh)
        for (const QPointF& corner : {rect.topLeft(), rect.topRight(), rect.bottomLeft(), rect.bottomRight()})
            knob(corner);
}

std::unique_ptr<GraphDrag> dragTransformBox(GraphState& state, const GraphCanvas& canvas, const TransformBox& box,
                                            Qt::Edges edges)
{
    return std::make_unique<BoxDrag>(state, canvas, box, edges);
}

} // namespace tendon::editor
