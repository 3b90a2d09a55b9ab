#include "app/viewport/overlay/MotionOverlay.h"

#include "app/viewport/overlay/Overlay.h"

#include <cmath>

namespace tendon::viewport {
namespace {

constexpr double kTrailWidth = 2;   // [px]
constexpr double kDotRoom = 5;      // [px] between frames: closer dots would run together
constexpr double kKeyHalf = 4;      // [px] half the side of a key's square
constexpr double kKeyReach = 9;     // [px]
constexpr double kAgedShare = 0.35; // of the colour of what has not been solved since an edit
constexpr double kGhostShare = 0.6; // of the colour of the nearest ghost's bones

Rgba ghostColour(const editor::Ghost& ghost, const OverlayColours& colours)
{
    const Rgba base = ghost.side == editor::Ghost::Side::Past     ? colours.past
                      : ghost.side == editor::Ghost::Side::Future ? colours.future
                                                                  : colours.dimText;
    return base.withAlpha(kGhostShare * ghost.strength * (ghost.isAged ? kAgedShare : 1));
}

void drawSquare(DisplayList& list, const Vector2& at, double half, Rgba colour, bool isFilled, Rgba inside)
{
    const double s = half * list.scale();
    const std::array<Vector2, 4> corners = {at + Vector2(-s, -s), at + Vector2(s, -s), at + Vector2(s, s),
                                            at + Vector2(-s, s)};
    list.fill(corners, isFilled ? colour : inside);
    list.polyline(corners, 1.5, colour, true);
}

} // namespace

void drawGhosts(DisplayList& list, const View& view, const SeenMotion& motion, const std::vector<Bone>& bones,
                const OverlayColours& colours)
{
    const auto draw = [&](const Bone& bone, const auto& placeOf, Rgba colour, double width) {
        if (!motion.visibility.isShown(bone.joint)) return;
        const View::Projected from = view.project(placeOf(bone.joint)), to = view.project(placeOf(bone.child));
        if (from.isInFront && to.isInFront) list.line(from.pixel, to.pixel, width, colour);
    };
    for (const editor::Ghost& ghost : motion.ghosts) {
        const Rgba colour = ghostColour(ghost, colours);
        const auto place = [&](JointIndex joint) {
            return Vector3(ghost.pose->joints[at(joint)].col(3).cast<double>());
        };
        for (const Bone& bone : bones) draw(bone, place, colour, 1.5);
    }
    if (motion.former == nullptr || motion.formerJoint < 0) return;
    const CompiledRig& rig = *motion.former->rig;
    const auto isBelow = [&](JointIndex joint) {
        for (; joint >= 0; joint = rig.parent[at(joint)])
            if (joint == motion.formerJoint) return true;
        return false;
    };
    const auto place = [&](JointIndex joint) {
        return Vector3(motion.former->solved.model.modelFromJoint[at(joint)].translation());
    };
    for (const Bone& bone : bones)
        if (isBelow(bone.joint)) draw(bone, place, colours.past.withAlpha(kGhostShare), 2);
}

void drawTrails(DisplayList& list, std::vector<Label>& labels, const View& view, const SeenMotion& motion, int frame,
                const OverlayColours& colours)
{
    for (const editor::Trail& trail : motion.trails) {
        const auto colourOf = [&](const editor::Trail::Point& point) {
            const Rgba base = point.frame <= frame ? colours.past : colours.future;
            return point.isAged ? base.withAlpha(kAgedShare) : base;
        };
        View::Projected before;
        int frameBefore = 0;
        Vector2 lastDot(-1e9, -1e9);
        for (const editor::Trail::Point& point : trail.points) {
            const View::Projected here = view.project(point.place);
            const bool isNext = point.frame == frameBefore + 1 && before.isInFront && here.isInFront;
            // The line up to the shown frame is past, the one from it on is future.
            const Rgba colour = point.frame == frame + 1 && !point.isAged ? colours.future : colourOf(point);
            if (isNext && (here.pixel - before.pixel).norm() > 0.25)
                list.line(before.pixel, here.pixel, kTrailWidth, colour);
            if (here.isInFront && (here.pixel - lastDot).norm() >= kDotRoom * list.scale()) {
                list.dot(here.pixel, 2, colourOf(point));
                lastDot = here.pixel;
            }
            before = here;
            frameBefore = point.frame;
        }
        for (const editor::Trail::Point& point : trail.points) {
            const View::Projected here = view.project(point.place);
            if (!point.isKey || !here.isInFront || point.frame == frame) continue;
            const bool isHot = motion.trailKey != nullptr && motion.trailKey->item == trail.item &&
                               motion.trailKey->frame == point.frame;
            const Rgba key = point.isAged ? colours.key.withAlpha(2 * kAgedShare) : colours.key;
            drawSquare(list, here.pixel, isHot ? kKeyHalf + 1.5 : kKeyHalf, isHot ? colours.boneHover : key,
                       point.isMovable, colours.inside);
            if (isHot)
                labels.push_back({.at = here.pixel + list.scale() * Vector2(14, -16),
                                  .text = Overlay::tr("frame %1").arg(point.frame),
                                  .colour = colours.text});
        }
    }
}

std::optional<TrailKey> pickTrailKey(std::span<const editor::Trail> trails, const View& view, int frame,
                                     const Vector2& pixel, double scale)
{
    std::optional<TrailKey> nearest;
    double best = kKeyReach * scale;
    for (const editor::Trail& trail : trails)
        for (const editor::Trail::Point& point : trail.points) {
            if (!point.isKey || point.frame == frame) continue;
            const View::Projected here = view.project(point.place);
            if (!here.isInFront || (here.pixel - pixel).norm() >= best) continue;
            best = (here.pixel - pixel).norm();
            nearest = TrailKey{trail.item, point.frame, point.place, point.isMovable};
        }
    return nearest;
}

} // namespace tendon::viewport
