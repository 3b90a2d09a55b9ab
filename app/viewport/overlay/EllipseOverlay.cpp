#include "app/viewport/overlay/EllipseOverlay.h"

#include "app/editor/Theme.h"
#include "app/viewport/overlay/Overlay.h"
#include "core/math/Degrees.h"

#include <QFontMetricsF>

#include <cmath>
#include <numbers>

namespace tendon::viewport {
namespace {

/// The points as they are seen; none if one is behind the viewer.
std::vector<Vector2> pixelsOf(const View& view, const std::vector<Vector3>& points)
{
    std::vector<Vector2> pixels;
    for (const Vector3& point : points) {
        const View::Projected at = view.project(point);
        if (!at.isInFront) return {};
        pixels.push_back(at.pixel);
    }
    return pixels;
}

void addLines(std::vector<PixelLine>& lines, const std::vector<Vector2>& points)
{
    for (std::size_t i = 1; i < points.size(); ++i) lines.push_back({points[i - 1], points[i]});
}

/// The name of a semi-axis and its angle beside its end, on the side that the centre is not on. Letters without a
/// plate: they cover nothing, and `lines` keeps plates off them.
void nameAxis(DisplayList& list, std::vector<Label>& labels, const std::vector<Vector2>& axis, const QString& name,
              double angle, Rgba colour, std::vector<PixelLine>& lines)
{
    const Vector2 way = axis.back() - axis.front();
    const double length = way.norm();
    if (length < 12 * list.scale()) return; // seen end on, or small: its name would stand on the next one's
    const Vector2 along = way / length;
    const QString text = angle >= std::numbers::pi
                             ? QStringLiteral("%1 \u221e").arg(name)
                             : QStringLiteral("%1 %2\u00b0").arg(name).arg(angle * kDegrees, 0, 'f', 0);
    constexpr double kSize = 11;
    const Vector2 at = axis.back() + list.scale() * Vector2(10 * along.x(), 12 * along.y());
    const Label::Anchor anchor = along.x() > 0.4    ? Label::Anchor::Left
                                 : along.x() < -0.4 ? Label::Anchor::Right
                                                    : Label::Anchor::Centre;
    const double width = QFontMetricsF(editor::Theme::instance().font(kSize, 600)).horizontalAdvance(text),
                 before = anchor == Label::Anchor::Left    ? 0
                          : anchor == Label::Anchor::Right ? width
                                                           : width / 2;
    lines.push_back({Vector2(at.x() - before, at.y()), Vector2(at.x() - before + width, at.y())});
    labels.push_back({.at = at,
                      .text = text,
                      .colour = colour,
                      .anchor = anchor,
                      .hasPlate = false,
                      .textSize = kSize,
                      .weight = 600});
}

} // namespace

Label labelBeside(DisplayList& list, const View& view, const Vector2& at, const QString& text, Rgba colour,
                  std::span<const PixelLine> lines)
{
    const editor::Theme& theme = editor::Theme::instance();
    const QFontMetricsF metrics(theme.font(12, 500));
    const double rim = theme.px(6); // joints are round
    const Vector2 size(metrics.horizontalAdvance(text) + 2 * theme.px(7) + rim, theme.px(20) + rim);
    const double gap = 14 * list.scale();
    const Vector2 middle = placeBeside(at, size, gap, lines, Vector2(view.width(), view.height()));
    const Vector2 outside = ((middle - at).cwiseAbs() - size / 2).cwiseMax(0);
    if (outside.norm() > 2 * gap) list.line(at, middle, 1, colour.withAlpha(0.8));
    return {.at = middle, .text = text, .colour = colour, .anchor = Label::Anchor::Centre};
}

void drawEllipse(DisplayList& list, std::vector<Label>& labels, const View& view, const editor::EllipseInSpace& ellipse,
                 const editor::StageEllipse& stage, const Joint& limited, std::vector<PixelLine>& lines,
                 const OverlayColours& colours)
{
    const std::vector<Vector2> rim = pixelsOf(view, ellipse.rim),
                               ends = pixelsOf(view, {ellipse.fixed, ellipse.centre, ellipse.asked});
    if (rim.empty() || ends.empty()) return;
    const Vector2 fixed = ends[0], centre = ends[1], asked = ends[2];
    for (std::size_t i = 0; i < rim.size(); ++i) {
        const Vector2 wedge[] = {centre, rim[i], rim[(i + 1) % rim.size()]};
        list.fill(wedge, colours.limit.withAlpha(0.16));
    }
    list.line(fixed, centre, 1.25, colours.limit, {6, 4}); // the edge without swing
    std::vector<PixelLine> drawn;
    for (std::size_t i = 0; i < ellipse.axes.size(); ++i) {
        const std::vector<Vector2> axis = pixelsOf(view, ellipse.axes[i]);
        if (axis.empty()) continue;
        list.polyline(axis, 1.5, colours.limit);
        list.dot(axis.back(), 2.5, colours.limit);
        const QString name = QString(i % 2 == 0 ? QLatin1Char('+') : QChar(0x2212)) +
                             QLatin1Char(editor::axisOfSwing(limited, static_cast<int>(i / 2)));
        nameAxis(list, labels, axis, name, ellipse.semiAxes[i], colours.limit, lines);
        addLines(drawn, axis);
    }
    list.polyline(rim, 2, colours.limit, true);
    addLines(drawn, rim);
    lines.insert(lines.end(), drawn.begin(), drawn.end());
    const Rgba before = stage.isInside ? colours.accent : colours.errorLine;
    list.line(fixed, asked, 1.25, before, {2, 4});
    list.dot(asked, 4, before);
    const QString joint = QString::fromStdString(limited.name);
    if (ellipse.kept) {
        const View::Projected kept = view.project(*ellipse.kept);
        if (!kept.isInFront) return;
        if (!stage.isInside) list.line(asked, kept.pixel, 2, colours.accent);
        list.ring(kept.pixel, 8, 2, colours.accent);
        list.dot(kept.pixel, 4, colours.accent);
        lines.push_back({asked, kept.pixel});
        labels.push_back(labelBeside(list, view, kept.pixel,
                                     stage.isInside ? Overlay::tr("inside the limits of %1: stays").arg(joint)
                                     : stage.shown > stage.row + 1
                                         ? Overlay::tr("as long as its bone again")
                                         : Overlay::tr("nearest point of the limits of %1").arg(joint),
                                     colours.accent, lines));
        return;
    }
    list.ring(asked, 8, 2, before);
    labels.push_back(labelBeside(list, view, asked,
                                 stage.isInside ? Overlay::tr("inside the limits of %1").arg(joint)
                                                : Overlay::tr("outside the limits of %1").arg(joint),
                                 before, lines));
}

} // namespace tendon::viewport
