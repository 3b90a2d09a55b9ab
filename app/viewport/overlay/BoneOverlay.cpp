#include "app/viewport/overlay/BoneOverlay.h"

#include <algorithm>
#include <cmath>

namespace tendon::viewport {
namespace {

constexpr double kWidestAt = 0.18;     // of a bone's length, from its parent's end: where the octahedron is widest
constexpr double kHalfWidth = 0.085;   // of its length
constexpr double kThickestPixels = 13; // [px] half width on screen: long bones do not grow fat
constexpr double kShortPixels = 13;    // [px] shorter than this a bone is a line

Rgba colourOf(BoneState state, const OverlayColours& c)
{
    switch (state) {
    case BoneState::Normal: return c.boneNormal;
    case BoneState::Locked: return c.boneLocked;
    case BoneState::Chain: return c.boneChain;
    case BoneState::Hovered: return c.boneHover;
    case BoneState::Selected: return c.boneSelected;
    case BoneState::Error: return c.boneError;
    }
    return c.boneNormal;
}

Rgba colourOf(BoneState state, const BoneTint& tint, const OverlayColours& c)
{
    return state == BoneState::Normal && tint.colour ? *tint.colour : colourOf(state, c);
}

bool isStrong(BoneState state) { return state == BoneState::Selected || state == BoneState::Chain; }

/// An octahedron along a bone: the two ends and the four corners where it is widest.
struct Octahedron
{
    Vector3 head, tail;
    std::array<Vector3, 4> corners;
};

Octahedron octahedron(const View& view, const Affine& worldFromJoint, const Vector3& tail)
{
    Octahedron shape;
    shape.head = worldFromJoint.translation();
    shape.tail = tail;
    const Vector3 along = tail - shape.head;
    const double length = along.norm();
    const Vector3 direction = along / length;
    // Turns with the joint: its axis that is most across the bone gives the corners.
    Vector3 across = Vector3::Zero();
    for (int axis = 0; axis < 3; ++axis) {
        const Vector3 candidate = worldFromJoint.linear().col(axis).cross(direction);
        if (candidate.squaredNorm() > across.squaredNorm()) across = candidate;
    }
    across.normalize();
    const double half = std::min(kHalfWidth * length, kThickestPixels * view.metresPerPixel(shape.head));
    const Vector3 up = direction.cross(across), middle = shape.head + kWidestAt * along;
    shape.corners = {Vector3(middle + half * across), Vector3(middle + half * up), Vector3(middle - half * across),
                     Vector3(middle - half * up)};
    return shape;
}

void drawBone(DisplayList& list, const View& view, const Affine& worldFromJoint, const Vector3& tail, BoneState state,
              const BoneTint& tint, const OverlayColours& colours)
{
    const View::Projected a = view.project(worldFromJoint.translation()), b = view.project(tail);
    if (!a.isInFront || !b.isInFront) return;
    const Rgba colour = colourOf(state, tint, colours);
    const Dash dash = tint.isDashed && state == BoneState::Normal ? Dash{5, 4} : Dash{};
    if ((b.pixel - a.pixel).norm() < kShortPixels * list.scale()) {
        list.line(a.pixel, b.pixel, isStrong(state) ? 2 : 1.25, colour, dash);
        return;
    }
    const Octahedron shape = octahedron(view, worldFromJoint, tail);
    std::vector<Vector2> points = {a.pixel, b.pixel};
    for (const Vector3& corner : shape.corners) {
        const View::Projected p = view.project(corner);
        if (!p.isInFront) return;
        points.push_back(p.pixel);
    }
    if (!isStrong(state)) {
        const std::vector<Vector2> outline = convexHull(points);
        list.fill(outline, colour.withAlpha(0.08));
        list.polyline(outline, 1.25, colour, true, dash);
        return;
    }
    list.fill(convexHull(points), colour.withAlpha(0.16));
    std::vector<std::array<Vector2, 2>> edges;
    for (std::size_t i = 0; i < 4; ++i) {
        edges.push_back({points[0], points[2 + i]});
        edges.push_back({points[2 + i], points[1]});
    }
    list.lines(edges, state == BoneState::Selected ? 2 : 1.5, colour);
}

void drawJoint(DisplayList& list, const Vector2& at, bool isRoot, double room, BoneState state, const BoneTint& tint,
               const OverlayColours& colours)
{
    const Rgba colour = colourOf(state, tint, colours);
    const double radius = (isRoot ? 6.0 : isStrong(state) ? 4.5 : 3.25) * std::clamp(room, 0.45, 1.0);
    list.dot(at, radius, colours.inside);
    list.ring(at, radius, isStrong(state) ? 2 : 1.5, colour);
    if (isRoot) list.dot(at, 1.75, colour);
}

void drawTerminator(DisplayList& list, const Vector2& at, const OverlayColours& colours)
{
    // Two bars under the joint, as a railway's end.
    const double s = list.scale();
    const std::array<Vector2, 2> bars[] = {{at + s * Vector2(-9, 9), at + s * Vector2(9, 9)},
                                           {at + s * Vector2(-9, 14), at + s * Vector2(9, 14)}};
    list.lines(bars, 2.5, colours.terminator);
}

} // namespace

std::vector<Bone> bonesOf(const CompiledRig& rig)
{
    std::vector<Bone> bones;
    for (std::size_t i = 0; i < rig.jointCount(); ++i)
        if (rig.parent[i] >= 0 && rig.rest[i].translation.norm() > 1e-6)
            bones.push_back({rig.parent[i], static_cast<JointIndex>(i)});
    return bones;
}

void drawBones(DisplayList& list, const View& view, const editor::FrameResult& frame, const std::vector<Bone>& bones,
               const std::vector<BoneState>& states, const std::vector<BoneTint>& tints,
               const editor::Visibility& visibility, JointIndex terminator, bool isXray, const OverlayColours& colours)
{
    const std::vector<Affine>& world = frame.solved.model.modelFromJoint;
    const auto place = [&](JointIndex joint) { return Vector3(world[static_cast<std::size_t>(joint)].translation()); };

    const auto tintOf = [&](std::size_t joint) { return joint < tints.size() ? tints[joint] : BoneTint{}; };
    const auto hide = [&](const View::Projected& from, const View::Projected& to) {
        list.hideBehind(from.pixel, from.windowDepth, to.pixel, to.windowDepth);
    };

    // Far ones first, what is emphasised last.
    struct Order
    {
        int rank;
        double depth;
        std::size_t bone;
    };
    std::vector<Order> order;
    std::vector<double> room(world.size(), 1e9); // [px] to the nearest neighbour along a bone
    for (std::size_t i = 0; i < bones.size(); ++i) {
        if (!visibility.isShown(bones[i].joint)) continue;
        const View::Projected a = view.project(place(bones[i].joint)), b = view.project(place(bones[i].child));
        order.push_back({static_cast<int>(states[static_cast<std::size_t>(bones[i].joint)]), -(a.depth + b.depth), i});
        const double length = (a.pixel - b.pixel).norm() / list.scale();
        for (const JointIndex joint : {bones[i].joint, bones[i].child})
            room[static_cast<std::size_t>(joint)] = std::min(room[static_cast<std::size_t>(joint)], length);
    }
    std::sort(order.begin(), order.end(), [](const Order& a, const Order& b) {
        return a.rank != b.rank ? a.rank < b.rank : a.depth != b.depth ? a.depth < b.depth : a.bone < b.bone;
    });
    for (const Order& next : order) {
        const Bone& bone = bones[next.bone];
        if (!isXray) hide(view.project(place(bone.joint)), view.project(place(bone.child)));
        drawBone(list, view, world[static_cast<std::size_t>(bone.joint)], place(bone.child),
                 states[static_cast<std::size_t>(bone.joint)], tintOf(static_cast<std::size_t>(bone.joint)), colours);
    }

    for (int rank = 0; rank <= static_cast<int>(BoneState::Error); ++rank)
        for (std::size_t joint = 0; joint < world.size(); ++joint) {
            if (static_cast<int>(states[joint]) != rank || !visibility.isShown(static_cast<JointIndex>(joint)))
                continue;
            const View::Projected at = view.project(world[joint].translation());
            if (!at.isInFront) continue;
            if (!isXray) hide(at, at);
            drawJoint(list, at.pixel, frame.rig->parent[joint] < 0, room[joint] / 14, states[joint], tintOf(joint),
                      colours);
            if (frame.rig->authored[joint].isTerminator || static_cast<JointIndex>(joint) == terminator)
                drawTerminator(list, at.pixel, colours);
        }
    list.stayOnTop();
}

} // namespace tendon::viewport
