#include "app/viewport/overlay/GizmoOverlay.h"

namespace tendon::viewport {
namespace {

constexpr double kTipLength = 13, kTipHalf = 4.5; // [px] the arrow's head

std::vector<Vector2> projected(const View& view, const std::vector<Vector3>& points)
{
    std::vector<Vector2> pixels;
    for (const Vector3& point : points)
        if (const View::Projected p = view.project(point); p.isInFront) pixels.push_back(p.pixel);
    return pixels;
}

/// Draws an arm with a small square at its end.
void drawRod(DisplayList& list, const Vector2& from, const Vector2& to, double width, Rgba colour)
{
    if ((to - from).norm() < 2) return;
    const double s = kTipHalf * list.scale();
    list.line(from, to, width, colour);
    const std::vector<Vector2> box = {to + Vector2(-s, -s), to + Vector2(s, -s), to + Vector2(s, s),
                                      to + Vector2(-s, s)};
    list.fill(box, colour);
    list.polyline(box, 1, colour, true);
}

void drawArrow(DisplayList& list, const Vector2& from, const Vector2& to, double width, Rgba colour)
{
    const double s = list.scale();
    const Vector2 along = to - from;
    const double length = along.norm();
    if (length < 2) return;
    const Vector2 u = along / length, v(-u.y(), u.x());
    const double head = std::min(kTipLength * s, 0.8 * length);
    const Vector2 neck = to - head * u;
    list.line(from, neck, width, colour);
    const std::vector<Vector2> tip = {to, neck + kTipHalf * s * v, neck - kTipHalf * s * v};
    list.fill(tip, colour);
    list.polyline(tip, 1, colour, true);
}

} // namespace

void drawGizmo(DisplayList& list, std::vector<Label>& labels, const View& view, GizmoKind kind, const GizmoPlace& place,
               GizmoPart hot, bool isDragged, const OverlayColours& colours)
{
    const View::Projected origin = view.project(place.origin);
    if (!origin.isInFront) return;
    for (const GizmoShape& shape : gizmoShapes(kind, place, view)) {
        const bool isHot = shape.part == hot;
        if (isDragged && !isHot) continue;
        const int axis = axisOf(shape.part);
        const Rgba own = axis >= 0 ? colours.axes[axis] : colours.vector;
        const Rgba colour = isHot ? colours.goal : shape.isBehind ? own.withAlpha(0.28) : own;
        const std::vector<Vector2> pixels = projected(view, shape.points);
        if (pixels.size() < 2) continue;
        if (shape.isArea) {
            list.fill(pixels, colour.withAlpha(isHot ? 0.65 : 0.4));
            list.polyline(pixels, 1.25, colour, true);
        } else if (kind != GizmoKind::Rotate) {
            (kind == GizmoKind::Move ? drawArrow : drawRod)(list, pixels.front(), pixels.back(), isHot ? 3.25 : 2.5,
                                                            colour);
            const Vector2 out = (pixels.back() - origin.pixel).normalized();
            labels.push_back({.at = pixels.back() + 11 * list.scale() * out,
                              .text = QString(QLatin1Char("XYZ"[axis])),
                              .colour = colour,
                              .anchor = Label::Anchor::Centre,
                              .hasPlate = false,
                              .textSize = 12,
                              .weight = 600});
        } else {
            const double width = shape.part == GizmoPart::TurnView ? 1.25 : shape.isBehind ? 1 : isHot ? 3.25 : 2.25;
            list.polyline(pixels, width, colour, shape.isClosed);
        }
    }
    if (kind != GizmoKind::Rotate && hot == middlePart(kind)) list.ring(origin.pixel, 9, 2, colours.goal);
}

} // namespace tendon::viewport
