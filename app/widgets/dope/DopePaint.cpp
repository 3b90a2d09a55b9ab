#include "app/widgets/dope/DopePaint.h"

#include "app/editor/Theme.h"
#include "app/widgets/Icons.h"
#include "app/widgets/graph/KeyPicture.h"
#include "core/runtime/KeySampling.h"
#include "core/runtime/PoseSampler.h"

#include <QPainter>

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

/// IK or FK by what drives the handle at the shown frame, at the right end of a row. Returns its left end.
int paintDriver(QPainter& painter, const GraphState& state, ObjectId target, const QRect& band, int right)
{
    const Scene& scene = state.editor().document().scene();
    const Handle* handle = scene.find(HandleId{target});
    if (handle == nullptr) return right;
    const Time now = state.fps().timeOf(state.editor().shownFrame());
    const double value = sampleChannel(scene, state.editor().document().clip(), {}, {target, Property::Blend}, now)[0];
    constexpr double kHalf = 0.5;
    const bool isIk = value >= kHalf;
    const QString word = isIk ? QStringLiteral("IK") : QStringLiteral("FK");
    const Theme& theme = Theme::instance();
    painter.setFont(theme.font(10, 600));
    const int width = painter.fontMetrics().horizontalAdvance(word) + theme.px(8);
    const QRectF badge(right - width + 0.5, band.center().y() - theme.px(7) + 0.5, width, theme.px(14));
    const QColor color = theme.color(isIk ? "rig.ik" : "rig.fk");
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color, 1, isIk ? Qt::SolidLine : Qt::DashLine));
    painter.setBrush(isIk ? QBrush(color) : QBrush(Qt::NoBrush));
    painter.drawRoundedRect(badge, theme.px(3), theme.px(3));
    painter.setPen(isIk ? theme.color("surface.well") : color);
    painter.drawText(badge, Qt::AlignCenter, word);
    painter.setRenderHint(QPainter::Antialiasing, false);
    return right - width - theme.px(6);
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
        const QString word = isIk ? QStringLiteral("IK") : QStringLiteral("FK");
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
                     painter.fontMetrics().elidedText(row.text, Qt::ElideMiddle, right - left));
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

void paintRowKeys(QPainter& painter, const DopeCanvas& canvas, const DopeRow& row, const QRect& band,
                  const KeyTimes::Ticks& selected)
{
    if (row.ticks == nullptr) return;
    const Theme& theme = Theme::instance();
    const FrameRate fps = canvas.state.fps();
    const qreal dpr = painter.device()->devicePixelRatioF();
    const KeyTimes::Ticks& ticks = *row.ticks;
    const QColor plain = theme.color("time.key-other"), chosen = theme.color("time.key-selected"),
                 ground = theme.color("surface.well"), bright = theme.color("text.primary");
    const double middle = band.center().y() + 1, margin = theme.px(8);
    const auto xOf = [&](std::int64_t at) { return canvas.axis.x(fps.frameAt(Time{at})); };
    // Whether any of the keys from one time to another is selected.
    const auto isSelected = [&](std::int64_t from, std::int64_t to) {
        const auto at = std::lower_bound(selected.begin(), selected.end(), from);
        return at != selected.end() && *at <= to;
    };
    const double full = theme.px(row.target == 0 ? 4.5 : 5), least = theme.px(2.5);
    // Where only corrections have a key it is hollow.
    const auto isHollow = [&](std::int64_t at) {
        return row.ownTicks != nullptr && !std::binary_search(row.ownTicks->begin(), row.ownTicks->end(), at);
    };
    // Where only the other layer has one it is faint: it can't be picked.
    const auto isFaint = [&](std::int64_t first, std::int64_t last) {
        if (row.editedTicks == nullptr) return false;
        const auto at = std::lower_bound(row.editedTicks->begin(), row.editedTicks->end(), first);
        return at == row.editedTicks->end() || *at > last;
    };
    // Three sizes, three shapes, hollow or not, selected or not: drawn or looked up once for the row.
    std::array<QPixmap, 36> pictures;
    const auto pictureOf = [&](double room, bool isChosen, bool isOutline,
                               Interpolation interpolation) -> const QPixmap& {
        const int size = room >= 2 * full + 2 ? 2 : room >= full + least + 2 ? 1 : 0;
        QPixmap& picture = pictures[static_cast<std::size_t>(
            ((size * 3 + static_cast<int>(interpolation)) * 2 + isOutline) * 2 + isChosen)];
        const QColor fill = isChosen ? chosen : plain;
        if (picture.isNull())
            picture = keyPicture(isOutline ? ground : fill,
                                 isOutline  ? fill
                                 : isChosen ? bright
                                            : ground,
                                 size == 2   ? full
                                 : size == 1 ? (full + least) / 2
                                             : least,
                                 interpolation, dpr);
        return picture;
    };
    double barFrom = 0, barTo = 0;
    bool isBarSelected = false, isBarFaint = false, hasBar = false;
    const auto endBar = [&] {
        if (!hasBar) return;
        painter.setOpacity(isBarFaint ? kFaint : 1);
        painter.fillRect(QRectF(barFrom - 1, middle - least, barTo - barFrom + 2, 2 * least),
                         isBarSelected ? chosen : plain);
        painter.setOpacity(1);
        hasBar = false;
    };
    const double from = canvas.axis.frame(canvas.axis.left - margin), to = canvas.axis.frame(band.right() + margin);
    forEachColumn(ticks, fps, canvas.axis, from, to, [&](std::size_t index) {
        const double x = xOf(ticks[index]);
        const double before = index == 0 ? HUGE_VAL : x - xOf(ticks[index - 1]),
                     after = index + 1 == ticks.size() ? HUGE_VAL : xOf(ticks[index + 1]) - x;
        const double room = std::min(before, after);
        if (room < kDense) { // part of a bar
            const std::int64_t end = ticksAt(fps, canvas.axis.frame(std::floor(x) + 1));
            const std::int64_t last = std::max(ticks[index], end - 1);
            const bool isChosen = isSelected(ticks[index], last), isPale = isFaint(ticks[index], last);
            if (hasBar && (isChosen != isBarSelected || isPale != isBarFaint || x - barTo >= kDense)) endBar();
            if (!hasBar) barFrom = x;
            hasBar = true;
            isBarSelected = isChosen;
            isBarFaint = isPale;
            barTo = x;
            return;
        }
        endBar();
        const bool isChosen = isSelected(ticks[index], ticks[index]);
        const bool isTold = room > full; // the shape is
        const QPixmap& picture = pictureOf(room, isChosen, isHollow(ticks[index]),
                                           isTold ? interpolationAt(canvas.state, row, ticks[index])
                                                  : Interpolation::Bezier);
        const QSizeF size = picture.deviceIndependentSize();
        painter.setOpacity(isFaint(ticks[index], ticks[index]) ? kFaint : 1);
        // At a pixel of the screen: elsewhere it is smoothed, which takes ten times as long.
        painter.drawPixmap(QPointF(std::round((x - size.width() / 2) * dpr) / dpr,
                                   std::round((middle - size.height() / 2) * dpr) / dpr),
                           picture);
        painter.setOpacity(1);
    });
    endBar();
}

} // namespace tendon::editor
