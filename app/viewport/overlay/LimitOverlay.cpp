#include "app/viewport/overlay/LimitOverlay.h"

#include <algorithm>

namespace tendon::viewport {
namespace {

/// Lines across an area from its centre to its rim: what is reached is hatched.
void hatch(DisplayList& list, const Vector2& centre, const std::vector<Vector2>& rim, Rgba colour)
{
    std::vector<std::array<Vector2, 2>> lines;
    for (std::size_t i = 0; i < rim.size(); i += 3) lines.push_back({Vector2(0.5 * (centre + rim[i])), rim[i]});
    list.lines(lines, 1, colour.withAlpha(0.7));
}

void drawRange(DisplayList& list, const View& view, const LimitShape& shape, Rgba colour)
{
    const View::Projected centre = view.project(shape.centre), now = view.project(shape.now);
    if (!centre.isInFront || !now.isInFront) return;
    std::vector<Vector2> rim;
    for (const Vector3& point : shape.rim) {
        const View::Projected p = view.project(point);
        if (!p.isInFront) return;
        rim.push_back(p.pixel);
    }
    const bool isSwing = shape.kind == LimitShape::Kind::Swing;
    // The area as a fan of triangles from the joint: right for any shape of rim.
    for (std::size_t i = 0; i + (isSwing ? 0 : 1) < rim.size(); ++i) {
        const Vector2 wedge[] = {centre.pixel, rim[i], rim[(i + 1) % rim.size()]};
        list.fill(wedge, colour.withAlpha(isSwing ? 0.07 : 0.16));
    }
    if (shape.isReached) hatch(list, centre.pixel, rim, colour);
    if (isSwing) {
        std::vector<std::array<Vector2, 2>> spokes;
        for (std::size_t i = 0; i < rim.size(); i += rim.size() / 8) spokes.push_back({centre.pixel, rim[i]});
        list.lines(spokes, 1, colour.withAlpha(0.55));
        list.polyline(rim, shape.isReached ? 2.5 : 1.75, colour, true);
    } else {
        list.line(centre.pixel, rim.front(), 1.25, colour);
        list.line(centre.pixel, rim.back(), 1.25, colour);
        list.polyline(rim, shape.isReached ? 2.5 : 1.75, colour);
        list.line(centre.pixel, now.pixel, 1.5, colour);
    }
    list.dot(now.pixel, 3, colour);
}

void drawSlide(DisplayList& list, const View& view, const LimitShape& shape, Rgba colour)
{
    const View::Projected from = view.project(shape.rim.front()), to = view.project(shape.rim.back()),
                          now = view.project(shape.now);
    if (!from.isInFront || !to.isInFront || !now.isInFront) return;
    const Vector2 along = to.pixel - from.pixel;
    const Vector2 across = along.norm() > 1 ? Vector2(7 * list.scale() * Vector2(-along.y(), along.x()).normalized())
                                            : Vector2(7, 0);
    list.line(from.pixel, to.pixel, 1.75, colour, {6, 4});
    list.line(from.pixel - across, from.pixel + across, 2, colour);
    list.line(to.pixel - across, to.pixel + across, 2, colour);
    list.dot(now.pixel, shape.isReached ? 4.5 : 3, colour);
}

} // namespace

JointIndex jointOfLimits(const editor::FrameResult& frame, const editor::SelectionItem& active)
{
    if (active.joint().isValid()) return frame.rig->index(active.joint());
    const editor::HandleView* handle = active.kind == editor::SelectionItem::Kind::Handle ? frame.find(active.handle())
                                                                                          : nullptr;
    return handle == nullptr ? -1 : handle->start;
}

std::vector<LimitShape> limitsShown(const View& view, const editor::FrameResult& frame, JointIndex joint, double scale)
{
    return limitsShown(view, frame, *frame.rig, joint, scale);
}

std::vector<LimitShape> limitsShown(const View& view, const editor::FrameResult& frame, const CompiledRig& limited,
                                    JointIndex joint, double scale)
{
    // Three quarters of the bone, but neither tiny nor larger than the view.
    const Vector3 origin = frame.solved.model.modelFromJoint[static_cast<std::size_t>(joint)].translation();
    const double pixel = view.metresPerPixel(origin) * scale;
    const double size = std::clamp(0.75 * boneLength(*frame.rig, frame.solved.model, joint), 34 * pixel, 160 * pixel);
    return limitShapes(limited, frame.solved.local, frame.solved.model, joint, size);
}

void drawLimits(DisplayList& list, std::vector<Label>& labels, const View& view, const std::vector<LimitShape>& shapes,
                const std::optional<LimitGripName>& hot, const OverlayColours& colours)
{
    for (const LimitShape& shape : shapes) {
        if (shape.kind == LimitShape::Kind::Slide)
            drawSlide(list, view, shape, colours.limit);
        else
            drawRange(list, view, shape, colours.limit);
        const View::Projected end = view.project(shape.rim.back());
        if (shape.kind == LimitShape::Kind::Turn && end.isInFront)
            labels.push_back({.at = end.pixel + list.scale() * Vector2(11, 0),
                              .text = QString(QLatin1Char("XYZ"[shape.axis])),
                              .colour = colours.axes[shape.axis],
                              .hasPlate = false,
                              .textSize = 11,
                              .weight = 600});
    }
    for (const LimitShape& shape : shapes)
        for (const LimitGrip& grip : shape.grips) {
            const View::Projected at = view.project(grip.at(grip.value));
            if (!at.isInFront) continue;
            const bool isHot = hot == LimitGripName{shape.kind, shape.axis, grip.end};
            list.dot(at.pixel, isHot ? 5.5 : 4, isHot ? colours.goal : colours.limit);
            list.dot(at.pixel, isHot ? 2.5 : 1.5, colours.inside);
        }
}

} // namespace tendon::viewport
