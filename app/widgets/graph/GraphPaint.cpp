#include "app/widgets/graph/GraphPaint.h"

#include "app/editor/Theme.h"
#include "app/widgets/graph/CurveTrace.h"
#include "app/widgets/graph/KeyPicture.h"
#include "core/runtime/KeySampling.h"

#include <QCoreApplication>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace tendon::editor {
namespace {

struct GraphWords
{
    Q_DECLARE_TR_FUNCTIONS(Graph)
};

/// Lines of a curve as they are seen in a part of the plot. What is far above or below is left out: it costs as much to
/// draw.
class SeenLines
{
public:
    SeenLines(const GraphCanvas& canvas, const GraphCurve& curve, const QRect& part) : m_seen(part)
    {
        constexpr int kMargin = 4;
        m_seen.adjust(-kMargin, -kMargin, kMargin, kMargin);
        const int from = part.left() - kMargin, to = part.right() + kMargin;
        const TraceCache::Line line = canvas.traces->lineOf(curve, canvas.state.fps(), canvas.time, from, to);
        isDense = line.isDense;
        const double zero = canvas.value.y(canvas.state.shownValue(curve, 0)),
                     scale = canvas.value.y(canvas.state.shownValue(curve, 1)) - zero;
        const auto begin = std::lower_bound(line.points->begin(), line.points->end(), from - line.shift,
                                            [](const TracePoint& point, double x) { return point.x < x; });
        int before = 0;
        QPointF last;
        for (auto point = begin; point != line.points->end() && point->x + line.shift <= to + 1; ++point) {
            const QPointF at(point->x + line.shift, std::clamp(zero + scale * point->value, -kFar, kFar));
            const int side = at.y() < m_seen.top() ? -1 : at.y() > m_seen.bottom() ? 1 : 0;
            if (side == 0 || (point != begin && side != before)) {
                if (lines.empty() || isBroken(last)) lines.emplace_back();
                if (lines.back().isEmpty() && point != begin) lines.back() << last;
                lines.back() << at;
            }
            last = at;
            before = side;
        }
    }

    std::vector<QPolygonF> lines;
    bool isDense = false;

private:
    static constexpr double kFar = 1e5; // far outside; the painter's arithmetic does not bear more

    [[nodiscard]] bool isBroken(QPointF last) const { return !lines.back().isEmpty() && lines.back().back() != last; }

    QRectF m_seen;
};

/// Stretches of pixel columns where the curve's handle shows FK.
std::vector<std::pair<int, int>> fkStretches(const GraphCanvas& canvas, const GraphCurve& curve, int from, int to)
{
    std::vector<std::pair<int, int>> stretches;
    if (!curve.mayBeFk()) return stretches;
    for (int x = from; x <= to; ++x) {
        if (!isFk(curve, Time{ticksAt(canvas.state.fps(), canvas.time.frame(x))})) continue;
        if (!stretches.empty() && stretches.back().second == x - 1)
            stretches.back().second = x;
        else
            stretches.emplace_back(x, x);
    }
    return stretches;
}

using Stretches = std::vector<std::pair<int, int>>;

void paintCurve(QPainter& painter, const GraphCanvas& canvas, const GraphCurve& curve, const QRect& part, bool isFine,
                const Stretches& fk)
{
    const bool isActive = canvas.state.isActive(curve.id);
    QColor color = colorOf(curve.id);
    if (!canvas.state.isEdited(curve.id.channel))
        color.setAlphaF(0.4F);
    else if (!isActive && !canvas.state.active().empty())
        color.setAlphaF(0.55F);
    const SeenLines seen(canvas, curve, part);
    // Smooth lines cost ten times as much, and where many keys share a column there is nothing to be smooth.
    const bool isSmooth = (isFine || isActive) && !seen.isDense;
    painter.setRenderHint(QPainter::Antialiasing, isSmooth);
    const double width = !isSmooth ? 1 : isActive ? 2.2 : 1.4;
    const auto draw = [&](const QPolygonF& points, bool isDotted) {
        QPen pen(color, width, isDotted ? Qt::CustomDashLine : Qt::SolidLine, Qt::FlatCap, Qt::BevelJoin);
        pen.setCosmetic(!isSmooth);
        if (isDotted) pen.setDashPattern({1.2, 2.2});
        painter.setPen(pen);
        if (points.size() > 1) painter.drawPolyline(points);
    };
    // Parts of the lines between the ends of the stretches, solid and dotted by turns.
    std::size_t next = 0;
    const auto isFkAt = [&](double x) {
        while (next < fk.size() && x > fk[next].second + 1) ++next;
        return next < fk.size() && x >= fk[next].first;
    };
    for (const QPolygonF& line : seen.lines) {
        if (fk.empty()) {
            draw(line, false);
            continue;
        }
        QPolygonF points;
        bool isDotted = false;
        for (const QPointF& point : line) {
            if (const bool isFk = isFkAt(point.x()); isFk != isDotted) {
                if (!points.isEmpty()) points << point;
                draw(points, isDotted);
                points.clear();
                isDotted = isFk;
            }
            points << point;
        }
        draw(points, isDotted);
    }
}

/// The plot without what infinities make before and after the keys.
QRectF keyedPart(const GraphCanvas& canvas, const GraphCurve& curve)
{
    constexpr double kFar = 1e6;
    const auto x = [&](const Key& key) { return canvas.time.x(canvas.state.fps().frameAt(key.time)); };
    const KeyList& keys = *curve.keys;
    const double left = keys.before() == Infinity::Constant ? -kFar : std::clamp(x(keys.front()), -kFar, kFar),
                 right = keys.after() == Infinity::Constant ? kFar : std::clamp(x(keys.back()), -kFar, kFar);
    return {left, canvas.plot.top() - kFar, right - left, canvas.plot.height() + 2 * kFar};
}

} // namespace

QPointF GraphCanvas::place(const GraphCurve& curve, std::int64_t ticks, double channelValue) const
{
    return {time.x(state.fps().frameAt(Time{ticks})), value.y(state.shownValue(curve, channelValue))};
}

QColor colorOf(const CurveId& curve)
{
    static constexpr const char* kAxes[] = {"axis.x", "axis.y", "axis.z"};
    const Theme& theme = Theme::instance();
    if (const int axis = axisOf(curve); axis >= 0) return theme.color(QLatin1StringView(kAxes[axis]));
    switch (curve.channel.property) {
    case Property::Blend: return theme.color("rig.ik");
    case Property::Twist:
    case Property::Roll: return theme.color("rig.pole");
    case Property::Weight: return theme.color("rig.goal");
    default: return theme.color("text.secondary"); // W of a quaternion
    }
}

void paintGrid(QPainter& painter, const GraphCanvas& canvas)
{
    const Theme& theme = Theme::instance();
    const QRect& plot = canvas.plot;
    painter.fillRect(plot, theme.color("surface.well"));
    const auto shown = canvas.state.shown();
    // Where FK drives, if that is the same for all curves of a handle: said of the first that can.
    const auto blended = std::find_if(shown.begin(), shown.end(),
                                      [](const GraphCurve* curve) { return curve->mayBeFk(); });
    if (blended != shown.end())
        for (const auto& [from, to] : fkStretches(canvas, **blended, plot.left(), plot.right())) {
            QColor shade = theme.color("rig.fk");
            shade.setAlphaF(0.09F);
            painter.fillRect(QRect(from, plot.top(), to - from + 1, plot.height()), shade);
            painter.setFont(theme.font(11));
            painter.setPen(theme.color("rig.fk"));
            const int width = painter.fontMetrics().horizontalAdvance(GraphWords::tr("FK drives"));
            if (to - from > width + theme.px(12))
                painter.drawText(QPoint(from + theme.px(6), plot.top() + theme.px(16)), GraphWords::tr("FK drives"));
        }
    const double step = canvas.value.labelStep(theme.px(34));
    for (double value = std::ceil(canvas.value.low / step) * step; value <= canvas.value.high; value += step) {
        const int y = static_cast<int>(std::lround(canvas.value.y(value)));
        painter.fillRect(plot.left(), y, plot.width(), 1,
                         theme.color(std::abs(value) < step / 2 ? "line.control" : "line.soft"));
    }
    const int frames = canvas.time.labelStep(theme.px(64));
    for (double frame = std::ceil(canvas.time.first / frames) * frames; frame <= canvas.time.last; frame += frames)
        painter.fillRect(static_cast<int>(std::lround(canvas.time.x(frame))), plot.top(), 1, plot.height(),
                         theme.color("line.soft"));
}

void paintValueLabels(QPainter& painter, const GraphCanvas& canvas)
{
    const Theme& theme = Theme::instance();
    const double step = canvas.value.labelStep(theme.px(34));
    const int decimals = ValueAxis::decimalsOf(step);
    painter.setFont(theme.font(10));
    const int high = painter.fontMetrics().height();
    for (double value = std::ceil(canvas.value.low / step) * step; value <= canvas.value.high; value += step) {
        const double y = canvas.value.y(value);
        if (y < canvas.plot.top() + high) continue;
        const QString text = QString::number(std::abs(value) < step / 2 ? 0.0 : value, 'f', decimals);
        const QPointF at(canvas.plot.left() + theme.px(6), y - theme.px(3));
        // Read where a curve goes through it.
        const double margin = theme.px(2), digits = painter.fontMetrics().capHeight();
        QColor plate = theme.color("surface.well");
        plate.setAlphaF(0.85F);
        painter.fillRect(QRectF(at.x() - margin, at.y() - digits - margin,
                                painter.fontMetrics().horizontalAdvance(text) + 2 * margin, digits + 2 * margin),
                         plate);
        painter.setPen(theme.color("text.hint"));
        painter.drawText(at, text);
    }
}

void paintCurves(QPainter& painter, const GraphCanvas& canvas, const QRect& part)
{
    constexpr std::size_t kFew = 24; // so many curves are drawn smooth
    painter.setBrush(Qt::NoBrush);
    const auto shown = canvas.state.shown();
    std::map<ObjectId, Stretches> fk; // the curves of a handle share its blend
    for (const bool isActive : {false, true})
        for (const GraphCurve* curve : shown) {
            if (canvas.state.isActive(curve->id) != isActive) continue;
            const ObjectId target = curve->id.channel.target;
            if (curve->mayBeFk() && fk.count(target) == 0)
                fk[target] = fkStretches(canvas, *curve, part.left() - 4, part.right() + 4);
            const auto paint = [&] {
                paintCurve(painter, canvas, *curve, part, shown.size() <= kFew,
                           curve->mayBeFk() ? fk[target] : Stretches{});
            };
            const QRectF keyed = keyedPart(canvas, *curve);
            if (keyed.contains(part)) {
                paint();
                continue;
            }
            // What has no keys of its own is paler.
            for (const bool isInside : {false, true}) {
                QPainterPath clip;
                clip.addRect(part);
                QPainterPath inside;
                inside.addRect(keyed);
                painter.save();
                painter.setClipPath(isInside ? clip.intersected(inside) : clip.subtracted(inside), Qt::IntersectClip);
                painter.setOpacity(isInside ? 1 : 0.5);
                paint();
                painter.restore();
            }
        }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void paintFormer(QPainter& painter, const GraphCanvas& canvas, const GraphCurve& curve)
{
    TraceCache traces; // of keys that are no longer those of the curve
    GraphCanvas former = canvas;
    former.traces = &traces;
    painter.setRenderHint(QPainter::Antialiasing);
    QPen pen(Theme::instance().color("text.hint"), 1.2, Qt::CustomDashLine, Qt::FlatCap, Qt::BevelJoin);
    pen.setDashPattern({5, 3});
    painter.setPen(pen);
    for (const QPolygonF& line : SeenLines(former, curve, canvas.plot).lines) painter.drawPolyline(line);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void paintKeys(QPainter& painter, const GraphCanvas& canvas, const QRect& part)
{
    const qreal dpr = painter.device()->devicePixelRatioF();
    const int gap = Theme::instance().px(4); // keys closer than this are no longer told apart
    const FrameRate fps = canvas.state.fps();
    const std::int64_t begin = ticksAt(fps, canvas.time.frame(part.left() - 2 * gap)),
                       end = ticksAt(fps, canvas.time.frame(part.right() + 2 * gap));
    const std::int64_t plotBegin = ticksAt(fps, canvas.time.frame(canvas.plot.left())),
                       plotEnd = ticksAt(fps, canvas.time.frame(canvas.plot.right()));
    const auto most = static_cast<std::size_t>(canvas.plot.width() / gap);
    const Theme& theme = Theme::instance();
    const auto draw = [&](const GraphCurve& curve, std::size_t key, bool isSelected) {
        const QPointF at = canvas.place(curve, curve.summary->ticks(key),
                                        curve.summary->value(key, curve.id.component));
        if (at.y() < part.top() - 2 * gap || at.y() > part.bottom() + 2 * gap) return;
        const bool isHollow = curve.id.channel.layer == Layer::Corrections;
        const QColor fill = isSelected ? theme.color("time.key-selected") : colorOf(curve.id),
                     rim = theme.color(isSelected ? "text.primary" : "surface.well");
        const QPixmap picture = keyPicture(isHollow ? theme.color("surface.well") : fill, isHollow ? fill : rim,
                                           theme.px(isSelected ? 5
                                                    : isHollow ? 4.5
                                                               : 3.5),
                                           (*curve.keys)[key].interpolation, dpr);
        const QSizeF size = picture.deviceIndependentSize();
        painter.setOpacity(canvas.state.isEdited(curve.id.channel) ? 1 : 0.4);
        painter.drawPixmap(QPointF(at.x() - size.width() / 2, at.y() - size.height() / 2), picture);
        painter.setOpacity(1);
    };
    const auto shown = canvas.state.shown();
    for (const GraphCurve* curve : shown) {
        const std::size_t first = curve->summary->countBefore(begin), last = curve->summary->countBefore(end);
        if (curve->summary->countBefore(plotEnd) - curve->summary->countBefore(plotBegin) > most) continue;
        for (std::size_t key = first; key < last; ++key)
            if (!canvas.state.isSelected(curve->id, curve->summary->ticks(key))) draw(*curve, key, false);
    }
    for (const GraphCurve* curve : shown) {
        const auto selected = canvas.state.selected().find(curve->id);
        if (selected == canvas.state.selected().end()) continue;
        // At most one in a few pixels, found by skipping the others.
        const std::set<std::int64_t>& ticks = selected->second;
        for (auto at = ticks.lower_bound(begin); at != ticks.end() && *at < end;) {
            if (const auto key = curve->summary->find(*at)) draw(*curve, *key, true);
            const std::int64_t next = ticksAt(fps, canvas.time.frame(canvas.time.x(fps.frameAt(Time{*at})) + 2));
            at = ticks.lower_bound(std::max(next, *at + 1));
        }
    }
}

std::vector<CurveLetter> lettersOf(const GraphCanvas& canvas)
{
    const Theme& theme = Theme::instance();
    const int x = canvas.plot.right() - theme.px(10);
    const double high = theme.px(11), least = canvas.plot.top() + high, most = canvas.plot.bottom() - theme.px(2);
    std::vector<CurveLetter> letters;
    for (const GraphCurve* curve : canvas.state.shown()) {
        QString text = componentTitle(curve->id);
        if (const int axis = axisOf(curve->id); text.isEmpty() && axis >= 0) text = QChar(u'X' + axis);
        if (text.isEmpty()) continue;
        const Time time{ticksAt(canvas.state.fps(), canvas.time.frame(x))};
        const double value = sampleKeys(*curve->keys, curve->property(),
                                        time)[static_cast<std::size_t>(curve->id.component)];
        const double y = canvas.value.y(canvas.state.shownValue(*curve, value));
        if (y < least || y > canvas.plot.bottom()) continue;
        const double aboveKeys = theme.px(5);
        letters.push_back({curve->id, text, QRectF(x, y - aboveKeys - high, theme.px(10), high)});
    }
    std::stable_sort(letters.begin(), letters.end(),
                     [](const CurveLetter& a, const CurveLetter& b) { return a.box.top() < b.box.top(); });
    if (static_cast<double>(letters.size()) * high > most - canvas.plot.top()) return letters;
    double top = canvas.plot.top();
    for (CurveLetter& letter : letters) {
        letter.box.moveTop(std::max(letter.box.top(), top));
        top = letter.box.bottom();
    }
    double bottom = most;
    for (auto letter = letters.rbegin(); letter != letters.rend(); ++letter) {
        letter->box.moveBottom(std::min(letter->box.bottom(), bottom));
        bottom = letter->box.top();
    }
    return letters;
}

void paintLetters(QPainter& painter, const GraphCanvas& canvas)
{
    painter.setFont(Theme::instance().font(10, 600));
    for (const CurveLetter& letter : lettersOf(canvas)) {
        painter.setPen(colorOf(letter.curve));
        painter.drawText(letter.box.bottomLeft(), letter.text);
    }
}

} // namespace tendon::editor
