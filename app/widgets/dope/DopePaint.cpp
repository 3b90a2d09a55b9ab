#include "app/widgets/dope/DopePaint.h"

#include "app/editor/ShortNames.h"
#include "app/editor/Theme.h"
#include "app/widgets/DriverWord.h"
#include "app/widgets/Icons.h"
#include "app/widgets/graph/KeyPicture.h"
#include "core/runtime/KeySampling.h"
#include "core/runtime/PoseSampler.h"

#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>

namespace tendon::editor {
namespace {

double sampleOf(const GraphCurve& curve, Time time)
{
    return sampleKeys(*curve.keys, curve.property(), time)[static_cast<std::size_t>(curve.id.component)];
}

constexpr double kRoomForBars = 8; // [px] between keys
constexpr double kDense = 4;       // [px] keys closer than this are one bar
constexpr double kFaint = 0.4;     // keys of the layer that is not edited

/// What drives the handle's joints at the shown frame, at the right end of a row. Returns its left end.
int paintDriver(QPainter& painter, const GraphState& state, ObjectId target, const QRect& band, int right)
{
    const Scene& scene = state.editor().document().scene();
    const Handle* handle = scene.find(HandleId{target});
    if (handle == nullptr) return right;
    const Time now = state.fps().timeOf(state.editor().shownFrame());
    const double value = sampleChannel(scene, state.editor().document().clip(), {}, {target, Property::Blend}, now)[0];
    constexpr double kHalf = 0.5;
    const bool isOn = value >= kHalf;
    return paintDriverBadge(painter, driverWord(*handle, isOn), isOn, right, band.center().y()) -
           Theme::instance().px(6);
}

/// The columns of a row in which IK drives are solid, those in which FK drives dotted.
void paintBlend(QPainter& painter, const DopeCanvas& canvas, const GraphCurve& blend, const QRect& band)
{
    const Theme& theme = Theme::instance();
    const int from = static_cast<int>(
                  std::max(canvas.axis.left, canvas.axis.x(canvas.state.fps().frameAt(blend.keys->front().time)))),
              to = band.right();
    constexpr double kHalf = 0.5;
    const int middle = band.center().y();
    const Handle* handle = canvas.state.editor().document().scene().find(HandleId{blend.id.channel.target});
    painter.setFont(theme.font(10, 600));
    int begin = from;
    const auto draw = [&](int end, bool isIk) {
        const QColor color = theme.color(isIk ? "rig.ik" : "rig.fk");
        if (isIk) {
            painter.fillRect(begin, middle - 1, end - begin, theme.px(3), color);
        } else {
            QPen pen(color, theme.px(3), Qt::CustomDashLine, Qt::FlatCap);
            pen.setDashPattern({1, 1});
            painter.setPen(pen);
            painter.drawLine(begin, middle, end, middle);
        }
        const QString word = handle == nullptr ? QString() : driverWord(*handle, isIk);
        const int wide = painter.fontMetrics().horizontalAdvance(word) + theme.px(8);
        if (end - begin < 3 * wide) return;
        const QRect plate((begin + end - wide) / 2, band.top() + 2, wide, band.height() - 4);
        painter.fillRect(plate, theme.color("surface.well"));
        painter.setPen(color);
        painter.drawText(plate, Qt::AlignCenter, word);
    };
    const auto isIkAt = [&](int x) {
        return sampleOf(blend, Time{ticksAt(canvas.state.fps(), canvas.axis.frame(x))}) >= kHalf;
    };
    bool isIk = isIkAt(from);
    for (int x = from + 1; x <= to; ++x) {
        if (isIkAt(x) == isIk) continue;
        draw(x, isIk);
        begin = x;
        isIk = !isIk;
    }
    if (to > begin) draw(to, isIk);
}

/// That of the keys of a row at a time, if it is the same for all of them; else that of a curve.
Interpolation interpolationAt(const GraphState& state, const DopeRow& row, std::int64_t ticks)
{
    constexpr std::size_t kFew = 64; // the summary of a rig is a diamond
    std::optional<Interpolation> common;
    if (row.target == 0 || row.curves.size() > kFew) return Interpolation::Bezier;
    for (const CurveId& id : row.curves) {
        if (id.component > 0 && row.curves.size() > 1) continue;
        const GraphCurve* curve = state.find(id);
        const auto key = curve != nullptr ? curve->summary->find(ticks) : std::nullopt;
        if (!key) continue;
        const Interpolation each = (*curve->keys)[*key].interpolation;
        if (common && *common != each) return Interpolation::Bezier;
        common = each;
    }
    return common.value_or(Interpolation::Bezier);
}

} // namespace

bool isHeld(const GraphCurve& curve, std::int64_t from, std::int64_t to)
{
    const KeyList& keys = *curve.keys;
    const std::size_t after = keys.countUpTo(Time{from});
    if (after == 0) return keys.before() == Infinity::Constant && keys.front().time.ticks >= to;
    if (after == keys.size()) return keys.after() == Infinity::Constant;
    const Key &begin = keys[after - 1], &end = keys[after];
    const auto c = static_cast<std::size_t>(curve.id.component);
    if (begin.value[c] != end.value[c]) return false;
    const bool isStraight = begin.interpolation != Interpolation::Bezier;
    return isStraight ||
           ((!isStored(begin.tangents) || begin.out[c] == 0) && (!isStored(end.tangents) || end.in[c] == 0));
}

void paintRowName(QPainter& painter, const DopeCanvas& canvas, const DopeRow& row, const QRect& band)
{
    const Theme& theme = Theme::instance();
    const bool isSelected = row.target != 0 && canvas.state.editor().selection().containsObject(row.target);
    painter.fillRect(band, theme.color(isSelected ? "accent.tint" : "surface.well"));
    if (isSelected) painter.fillRect(band.left(), band.top(), theme.px(3), band.height(), theme.color("accent.fill"));
    painter.fillRect(band.left(), band.bottom(), band.width(), 1, theme.color("line.soft"));
    int left = band.left() + theme.px(8), right = band.right() - theme.px(14);
    const qreal dpr = painter.device()->devicePixelRatioF();
    const auto picture = [&](const char* name, const char* color, int side) {
        painter.drawPixmap(left, band.center().y() - side / 2 + 1,
                           iconPixmap(QLatin1StringView(name), color, side, dpr));
        left += side + theme.px(5);
    };
    if (row.target == 0) {
        picture("chevron-down", "text.secondary", theme.px(11));
    } else if (!row.isChannel) {
        picture(row.isOpen ? "chevron-down" : "chevron-right", "text.secondary", theme.px(11));
        const Scene& scene = canvas.state.editor().document().scene();
        const bool isHandle = scene.find(HandleId{row.target}) != nullptr;
        const bool isOfClip = scene.find(ClipId{row.target}) != nullptr; // the weight of its corrections
        picture(isHandle   ? "ik-handle"
                : isOfClip ? "layers"
                           : "joint",
                isHandle ? "bone.chain" : "text.secondary", theme.px(14));
        right = paintDriver(painter, canvas.state, row.target, band, right);
    } else {
        left += theme.px(30);
    }
    if (row.axis >= 0) {
        static constexpr const char* kAxes[] = {"axis.x", "axis.y", "axis.z"};
        painter.setFont(theme.font(11, 600));
        painter.setPen(theme.color(QLatin1StringView(kAxes[row.axis])));
        painter.drawText(QRect(left, band.top(), theme.px(14), band.height()), Qt::AlignVCenter,
                         QChar(u'X' + row.axis));
    }
    if (row.isChannel) left += theme.px(15);
    painter.setFont(theme.font(12, row.target == 0 ? 600 : 400));
    painter.setPen(theme.color(row.isChannel ? "text.secondary" : "text.primary"));
    painter.drawText(QRect(left, band.top(), right - left, band.height()), Qt::AlignVCenter,
                     shortened(row.text, painter.fontMetrics(), right - left));
}

void paintRowBars(QPainter& painter, const DopeCanvas& canvas, const DopeRow& row, const QRect& band)
{
    if (row.target == 0 || row.ticks == nullptr) return;
    if (row.isBlend) {
        if (const GraphCurve* blend = canvas.state.find(row.curves.front())) paintBlend(painter, canvas, *blend, band);
        return;
    }
    const FrameRate fps = canvas.state.fps();
    const KeyTimes::Ticks& ticks = *row.ticks;
    std::vector<const GraphCurve*> curves;
    for (const CurveId& id : row.curves)
        if (const GraphCurve* curve = canvas.state.find(id)) curves.push_back(curve);
    const Theme& theme = Theme::instance();
    const int thick = theme.px(4), middle = band.center().y() + 1;
    const auto first = std::lower_bound(ticks.begin(), ticks.end(), ticksAt(fps, canvas.axis.first));
    const auto most = static_cast<std::size_t>(canvas.axis.width / kRoomForBars) + 2;
    auto at = first == ticks.begin() ? first : first - 1;
    for (std::size_t n = 0; at + 1 < ticks.end() && n < most; ++at, ++n) {
        const double left = canvas.axis.x(fps.frameAt(Time{*at})), right = canvas.axis.x(fps.frameAt(Time{*(at + 1)}));
        if (left > band.right()) break;
        if (right - left < kRoomForBars) continue;
        if (std::all_of(curves.begin(), curves.end(),
                        [&](const GraphCurve* curve) { return isHeld(*curve, *at, *(at + 1)); }))
            painter.fillRect(QRectF(left, middle - thick / 2.0, right - left, thick), theme.color("line.control"));
    }
}

namespace {

/// Paints the keys of one layer of a row.
class RowKeys
{
public:
    RowKeys(QPainter& painter, const DopeCanvas& canvas, const DopeRow& row, const QRect& band,
            const KeyTimes::Ticks& selected)
        : m_painter(painter), m_canvas(canvas), m_row(row), m_selected(selected), m_right(band.right()),
          m_middle(band.center().y() + 1), m_dpr(painter.device()->devicePixelRatioF()), m_fps(canvas.state.fps()),
          m_full(m_theme.px(row.target == 0 ? 4.5 : 5)), m_least(m_theme.px(2.5))
    {
    }

    /// Keys that leave no room for each other are drawn as one bar.
    void paint(const KeyTimes::Ticks& ticks)
    {
        forEach(ticks, [&](std::size_t index) {
            const double x = xOf(ticks[index]), room = roomOf(ticks, index);
            if (room < kDense) return addToBar(x, ticks[index]);
            endBar();
            draw(x, ticks[index], room, false);
        });
        endBar();
    }

    /// Hollow, over those of the clip, and as large as there is room between them alone: they are to be seen on a
    /// capture that has a key at every frame. Where both layers have a key, it is a ring around a dot.
    void paintCorrections(const KeyTimes::Ticks& ticks, const KeyTimes::Ticks& own)
    {
        forEach(ticks, [&](std::size_t index) {
            const std::int64_t at = ticks[index];
            const double x = xOf(at), room = roomOf(ticks, index);
            draw(x, at, room, true);
            if (room < m_full + m_least || !std::binary_search(own.begin(), own.end(), at)) return;
            const double dot = m_theme.px(2);
            m_painter.fillRect(QRectF(std::round(x - dot / 2), std::round(m_middle - dot / 2), dot, dot),
                               colorOf(isSelected(at, at)));
        });
    }

private:
    template <typename Visit>
    void forEach(const KeyTimes::Ticks& ticks, Visit visit)
    {
        const double margin = m_theme.px(8);
        forEachColumn(ticks, m_fps, m_canvas.axis, m_canvas.axis.frame(m_canvas.axis.left - margin),
                      m_canvas.axis.frame(m_right + margin), visit);
    }
    [[nodiscard]] double xOf(std::int64_t at) const { return m_canvas.axis.x(m_fps.frameAt(Time{at})); }
    [[nodiscard]] double roomOf(const KeyTimes::Ticks& ticks, std::size_t index) const
    {
        const double x = xOf(ticks[index]);
        return std::min(index == 0 ? HUGE_VAL : x - xOf(ticks[index - 1]),
                        index + 1 == ticks.size() ? HUGE_VAL : xOf(ticks[index + 1]) - x);
    }
    /// Whether any of the keys from one time to another is selected.
    [[nodiscard]] bool isSelected(std::int64_t from, std::int64_t to) const
    {
        const auto at = std::lower_bound(m_selected.begin(), m_selected.end(), from);
        return at != m_selected.end() && *at <= to;
    }
    /// Where only the other layer has a key it is faint: it can't be picked.
    [[nodiscard]] bool isFaint(std::int64_t first, std::int64_t last) const
    {
        if (m_row.editedTicks == nullptr) return false;
        const auto at = std::lower_bound(m_row.editedTicks->begin(), m_row.editedTicks->end(), first);
        return at == m_row.editedTicks->end() || *at > last;
    }
    [[nodiscard]] QColor colorOf(bool isChosen) const
    {
        return m_theme.color(isChosen ? "time.key-selected" : "time.key-other");
    }
    /// Three sizes, three shapes, hollow or not, selected or not: drawn or looked up once for the row.
    const QPixmap& pictureOf(double room, bool isChosen, bool isHollow, Interpolation interpolation)
    {
        const int size = room >= 2 * m_full + 2 ? 2 : room >= m_full + m_least + 2 ? 1 : 0;
        QPixmap& picture = m_pictures[static_cast<std::size_t>(
            ((size * 3 + static_cast<int>(interpolation)) * 2 + isHollow) * 2 + isChosen)];
        if (!picture.isNull()) return picture;
        const QColor color = colorOf(isChosen), ground = m_theme.color("surface.well");
        const double r = m_least + (m_full - m_least) * size / 2;
        picture = isHollow
                      ? keyPicture(ground, color, r, interpolation, m_dpr)
                      : keyPicture(color, isChosen ? m_theme.color("text.primary") : ground, r, interpolation, m_dpr);
        return picture;
    }
    void draw(double x, std::int64_t at, double room, bool isHollow)
    {
        const bool isTold = room > m_full; // the shape is
        const QPixmap& picture = pictureOf(room, isSelected(at, at), isHollow,
                                           isTold ? interpolationAt(m_canvas.state, m_row, at) : Interpolation::Bezier);
        const QSizeF size = picture.deviceIndependentSize();
        m_painter.setOpacity(isFaint(at, at) ? kFaint : 1);
        // At a pixel of the screen: elsewhere it is smoothed, which takes ten times as long.
        m_painter.drawPixmap(QPointF(std::round((x - size.width() / 2) * m_dpr) / m_dpr,
                                     std::round((m_middle - size.height() / 2) * m_dpr) / m_dpr),
                             picture);
        m_painter.setOpacity(1);
    }
    void addToBar(double x, std::int64_t at)
    {
        const std::int64_t end = ticksAt(m_fps, m_canvas.axis.frame(std::floor(x) + 1));
        const std::int64_t last = std::max(at, end - 1);
        const bool isChosen = isSelected(at, last), isPale = isFaint(at, last);
        if (m_hasBar && (isChosen != m_isBarSelected || isPale != m_isBarFaint || x - m_barTo >= kDense)) endBar();
        if (!m_hasBar) m_barFrom = x;
        m_hasBar = true;
        m_isBarSelected = isChosen;
        m_isBarFaint = isPale;
        m_barTo = x;
    }
    void endBar()
    {
        if (!m_hasBar) return;
        m_painter.setOpacity(m_isBarFaint ? kFaint : 1);
        m_painter.fillRect(QRectF(m_barFrom - 1, m_middle - m_least, m_barTo - m_barFrom + 2, 2 * m_least),
                           colorOf(m_isBarSelected));
        m_painter.setOpacity(1);
        m_hasBar = false;
    }

    QPainter& m_painter;
    const DopeCanvas& m_canvas;
    const DopeRow& m_row;
    const KeyTimes::Ticks& m_selected;
    const Theme& m_theme = Theme::instance();
    const int m_right;
    const double m_middle;
    const qreal m_dpr;
    const FrameRate m_fps;
    const double m_full, m_least; ///< [px] from the middle of a key to its corner
    std::array<QPixmap, 36> m_pictures;
    double m_barFrom = 0, m_barTo = 0;
    bool m_isBarSelected = false, m_isBarFaint = false, m_hasBar = false;
};

} // namespace

void paintRowKeys(QPainter& painter, const DopeCanvas& canvas, const DopeRow& row, const QRect& band,
                  const KeyTimes::Ticks& selected)
{
    if (row.ticks == nullptr) return;
    RowKeys keys(painter, canvas, row, band, selected);
    if (row.ownTicks == nullptr || row.correctionTicks == nullptr) return keys.paint(*row.ticks);
    keys.paint(*row.ownTicks);
    keys.paintCorrections(*row.correctionTicks, *row.ownTicks);
}

} // namespace tendon::editor
