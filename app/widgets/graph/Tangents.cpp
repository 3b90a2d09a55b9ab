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
    TangentDrag(GraphState& state, const GraphCanvas& canvas, const TangentHandle& handle,
                const std::vector<TangentHandle>& others, QPointF from, bool isBroken)
        : GestureDrag(state, keysOf(handle, others)), m_handle(handle), m_grab(handle.end - from), m_isBroken(isBroken),
          m_selected(state.selected()), m_pixelsPerSecond(canvas.time.pixelsPerFrame() * state.fps().perSecond())
    {
        std::vector<TangentHandle> dragged{handle};
        for (const TangentHandle& other : others)
            if (other.isOut == handle.isOut && (other.curve != handle.curve || other.ticks != handle.ticks))
                dragged.push_back(other);
        for (const TangentHandle& each : dragged)
            if (const GraphCurve* curve = state.find(each.curve)) m_dragged.push_back(draggedOf(canvas, *curve, each));
    }

    void move(QPointF at, Qt::KeyboardModifiers /*modifiers*/) override
    {
        if (m_dragged.empty() || (!isOpen() && (at + m_grab - m_handle.end).manhattanLength() < 2)) return;
        QPointF arm = at + m_grab - m_handle.key;
        if (!m_handle.isOut) arm.setX(-arm.x());
        const double reach = m_pixelsPerSecond * m_handle.seconds; // of the whole interval
        arm.setX(std::max(arm.x(), kLeastWeight * reach));         // a tangent does not turn back in time
        if (state().isWeighted()) arm.setX(std::min(arm.x(), reach));
        const double rise = (m_handle.isOut ? -arm.y() : arm.y()) * m_pixelsPerSecond / arm.x(); // [px/s], upwards
        const Dragged& first = m_dragged.front();
        const double turned = rise - first.slope * first.pixelsPerValue,
                     stretched = arm.x() / reach / std::max(kLeastWeight, m_handle.weight);
        std::vector<QJsonObject> operations;
        for (const Dragged& each : m_dragged) {
            const double slope = each.slope + turned / each.pixelsPerValue;
            QJsonObject fields = each.fields;
            fields.insert(QLatin1StringView(m_handle.isOut ? "out" : "in"),
                          isAngle(each.handle.curve.channel.property) ? slope * kDegrees : slope);
            if (m_isBroken) fields.insert(QStringLiteral("mode"), QStringLiteral("free"));
            if (state().isWeighted())
                fields.insert(QLatin1StringView(m_handle.isOut ? "outWeight" : "inWeight"),
                              std::clamp(each.handle.weight * stretched, kLeastWeight, 1.0));
            const auto more = setTangents(state(), {{each.handle.curve, {each.handle.ticks}}}, fields, true);
            operations.insert(operations.end(), more.begin(), more.end());
        }
        apply(operations, m_selected);
    }

private:
    static constexpr double kLeastWeight = 0.01;

    struct Dragged
    {
        TangentHandle handle;
        double slope;          ///< of the channel, per second, as it began
        double pixelsPerValue; ///< of the channel
        QJsonObject fields;    ///< of setTangent, that stay the same
    };

    static GraphKeys keysOf(const TangentHandle& handle, const std::vector<TangentHandle>& others)
    {
        GraphKeys keys{{handle.curve, {handle.ticks}}};
        for (const TangentHandle& other : others)
            if (other.isOut == handle.isOut) keys[other.curve].insert(other.ticks);
        return keys;
    }

    static Dragged draggedOf(const GraphCanvas& canvas, const GraphCurve& curve, const TangentHandle& handle)
    {
        const Key& key = (*curve.keys)[*curve.summary->find(handle.ticks)];
        // Two tangents in one line stay in one; those that are not turn one by one.
        const bool isOneLine = key.tangents != TangentMode::Free && key.tangents != TangentMode::Linear;
        return {handle,
                handle.slope,
                canvas.value.pixelsPerUnit() * scaleOf(canvas.state, curve),
                {{"mode", fieldWord(isOneLine ? TangentMode::Aligned : TangentMode::Free)},
                 // With a slope alone a key would hold no longer.
                 {"interpolation", fieldWord(key.interpolation)}}};
    }

    const TangentHandle m_handle;
    const QPointF m_grab; ///< from the mouse to the handle's end
    const bool m_isBroken;
    const GraphKeys m_selected;
    const double m_pixelsPerSecond;
    std::vector<Dragged> m_dragged; ///< the handle under the mouse is the first
};

} // namespace

std::vector<TangentHandle> tangentHandles(const GraphCanvas& canvas)
{
    std::vector<TangentHandle> handles;
    const FrameRate fps = canvas.state.fps();
    const std::int64_t begin = ticksAt(fps, canvas.time.frame(canvas.plot.left())),
                       end = ticksAt(fps, canvas.time.frame(canvas.plot.right()));
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
            const auto add = [&](std::size_t other, double slope, double weight, bool isOut) {
                const double seconds = std::abs(keys[other].time.seconds() - keys[*key].time.seconds()),
                             reach = (isOut ? 1 : -1) * weight * seconds;
                const QPointF arm(reach * canvas.time.pixelsPerFrame() * fps.perSecond(),
                                  -reach * slope * scaleOf(canvas.state, *curve) * canvas.value.pixelsPerUnit());
                handles.push_back({id, *at, isOut, slope, weight, seconds, place, place + arm});
            };
            if (*key > 0 && keys[*key - 1].interpolation == Interpolation::Bezier)
                add(*key - 1, slopes.in[c], keys[*key].inWeight, false);
            if (*key + 1 < keys.size() && keys[*key].interpolation == Interpolation::Bezier)
                add(*key + 1, slopes.out[c], keys[*key].outWeight, true);
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
        // Nearer to its key it is the key that is meant.
        const QPointF offKey = handle.key - at;
        if (std::hypot(off.x(), off.y()) > std::min(distance, std::hypot(offKey.x(), offKey.y()))) continue;
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
        const double length = std::hypot(arm.x(), arm.y());
        if (length <= gap) continue; // under its key
        painter.drawLine(handle.key + arm * (gap / length), handle.end);
        painter.drawEllipse(handle.end, radius, radius);
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

std::unique_ptr<GraphDrag> dragTangent(GraphState& state, const GraphCanvas& canvas, const TangentHandle& handle,
                                       QPointF from, Qt::KeyboardModifiers modifiers)
{
    const auto others = modifiers & Qt::ShiftModifier ? tangentHandles(canvas) : std::vector<TangentHandle>{};
    return std::make_unique<TangentDrag>(state, canvas, handle, others, from, modifiers & Qt::ControlModifier);
}

} // namespace tendon::editor
