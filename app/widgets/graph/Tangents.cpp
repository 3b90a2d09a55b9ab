#include "app/widgets/graph/Tangents.h"

#include "app/editor/Theme.h"
#include "app/widgets/graph/CurveTrace.h"
#include "app/widgets/graph/GestureDrag.h"
#include "app/widgets/graph/GraphEdits.h"
#include "core/math/Degrees.h"
#include "core/runtime/KeySampling.h"

#include <QPainter>

#include <cmath>

namespace tendon::editor {
namespace {

constexpr std::size_t kMostKeys = 200;

/// Shown units for one of the channel.
double scaleOf(const GraphState& state, const GraphCurve& curve)
{
    return state.shownValue(curve, 1) - state.shownValue(curve, 0);
}

class TangentDrag : public GestureDrag
{
public:
    TangentDrag(GraphState& state, const GraphCanvas& canvas, const TangentHandle& handle, bool isBroken)
        : GestureDrag(state, {{handle.curve, {handle.ticks}}}), m_handle(handle), m_isBroken(isBroken),
          m_selected(state.selected())
    {
        const GraphCurve* curve = state.find(handle.curve);
        const double perFrame = canvas.time.pixelsPerFrame() * state.fps().perSecond();
        const double perValue = canvas.value.pixelsPerUnit() * (curve == nullptr ? 1 : scaleOf(state, *curve));
        m_slopePerPixel = perFrame / perValue * (isAngle(handle.curve.channel.property) ? kDegrees : 1);
    }

    void move(QPointF at, Qt::KeyboardModifiers modifiers) override
    {
        QPointF arm = m_handle.isOut ? at - m_handle.key : m_handle.key - at;
        if (!isOpen() && (at - m_handle.end).manhattanLength() < 2) return;
        arm.setX(std::max(arm.x(), 1.0)); // a tangent does not turn back in time
        const double slope = modifiers & Qt::ShiftModifier ? 0 : -arm.y() / arm.x() * m_slopePerPixel;
        QJsonObject fields{{QLatin1StringView(m_handle.isOut ? "out" : "in"), slope}};
        if (m_isBroken)
            fields.insert(QStringLiteral("mode"), QStringLiteral("free"));
        else
            fields.insert(QLatin1StringView(m_handle.isOut ? "in" : "out"), slope);
        apply(setTangents(state(), keys(), fields, true), m_selected);
    }

private:
    const TangentHandle m_handle;
    const bool m_isBroken;
    const GraphKeys m_selected;
    double m_slopePerPixel = 1; ///< an operation's slope for a rise of one pixel in one
};

} // namespace

std::vector<TangentHandle> tangentHandles(const GraphCanvas& canvas)
{
    std::vector<TangentHandle> handles;
    if (!isKnown("setTangent", "components")) return handles;
    const FrameRate fps = canvas.state.fps();
    const std::int64_t begin = ticksAt(fps, canvas.time.frame(canvas.plot.left())),
                       end = ticksAt(fps, canvas.time.frame(canvas.plot.right()));
    const double length = Theme::instance().px(44);
    for (const auto& [id, ticks] : canvas.state.selected()) {
        const GraphCurve* curve = canvas.state.find(id);
        if (curve == nullptr || !canvas.state.isShown(id)) continue;
        const KeyList& keys = *curve->keys;
        const auto c = static_cast<std::size_t>(id.component);
        std::size_t count = 0;
        for (auto at = ticks.lower_bound(begin); at != ticks.end() && *at <= end; ++at) {
            if (++count > kMostKeys) return {};
            const auto key = curve->summary->find(*at);
            if (!key) continue;
            const Tangents slopes = tangentsAt(keys, id.channel.property, *key);
            const QPointF place = canvas.place(*curve, *at, keys[*key].value[c]);
            const auto add = [&](double slope, bool isOut) {
                QPointF arm(canvas.time.pixelsPerFrame() * fps.perSecond(),
                            -slope * scaleOf(canvas.state, *curve) * canvas.value.pixelsPerUnit());
                arm *= (isOut ? length : -length) / std::hypot(arm.x(), arm.y());
                handles.push_back({id, *at, isOut, place, place + arm});
            };
            if (*key > 0 && keys[*key - 1].interpolation == Interpolation::Bezier) add(slopes.in[c], false);
            if (*key + 1 < keys.size() && keys[*key].interpolation == Interpolation::Bezier) add(slopes.out[c], true);
        }
    }
    return handles;
}

std::optional<TangentHandle> tangentAt(const GraphCanvas& canvas, QPointF at)
{
    std::optional<TangentHandle> nearest;
    double distance = Theme::instance().px(7);
    for (const TangentHandle& handle : tangentHandles(canvas)) {
        const QPointF off = handle.end - at;
        if (std::hypot(off.x(), off.y()) > distance) continue;
        distance = std::hypot(off.x(), off.y());
        nearest = handle;
    }
    return nearest;
}

void paintTangents(QPainter& painter, const GraphCanvas& canvas)
{
    const Theme& theme = Theme::instance();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.color("text.primary"), 1.2));
    painter.setBrush(theme.color("surface.well"));
    const double gap = theme.px(5), radius = theme.px(3.5);
    for (const TangentHandle& handle : tangentHandles(canvas)) {
        const QPointF arm = handle.end - handle.key;
        painter.drawLine(handle.key + arm * (gap / std::hypot(arm.x(), arm.y())), handle.end);
        painter.drawEllipse(handle.end, radius, radius);
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

std::unique_ptr<GraphDrag> dragTangent(GraphState& state, const GraphCanvas& canvas, const TangentHandle& handle,
                                       bool isBroken)
{
    return std::make_unique<TangentDrag>(state, canvas, handle, isBroken);
}

} // namespace tendon::editor
