#include "app/viewport/overlay/HandleOverlay.h"

#include "app/editor/HandleControls.h"
#include "app/editor/LengthText.h"
#include "app/viewport/overlay/Overlay.h"
#include "core/math/Degrees.h"
#include "core/scene/Check.h"
#include "core/scene/Constraint.h"

#include <algorithm>
#include <cmath>

namespace tendon::viewport {
namespace {

constexpr double kCrossInner = 4, kCrossOuter = 13; // [px]
constexpr double kMinOffset = 2;                    // [px] shorter offsets are under the mark of their joint

void drawCross(DisplayList& list, const Vector2& at, Rgba colour, bool isEmphasised, bool isFk)
{
    const double s = list.scale(), outer = isEmphasised ? kCrossOuter + 3 : kCrossOuter;
    std::vector<std::array<Vector2, 2>> arms;
    for (const Vector2& way : {Vector2(1, 0), Vector2(-1, 0), Vector2(0, 1), Vector2(0, -1)}) {
        if (!isFk)
            arms.push_back({at + s * kCrossInner * way, at + s * outer * way});
        else // FK drives: the cross is dotted
            for (double d = kCrossInner; d < outer; d += 4) arms.push_back({at + s * d * way, at + s * (d + 1) * way});
    }
    list.lines(arms, isEmphasised ? 2.25 : 1.75, colour);
    list.dot(at, 1.75, colour);
}

void drawPin(DisplayList& list, const Vector2& at, const OverlayColours& colours)
{
    const double s = list.scale();
    const std::vector<Vector2> triangle = {at + s * Vector2(-7, -19), at + s * Vector2(7, -19),
                                           at + s * Vector2(0, -7)};
    list.fill(triangle, colours.pin.withAlpha(0.3));
    list.polyline(triangle, 1.75, colours.pin, true);
    list.line(at + s * Vector2(-8, -23), at + s * Vector2(8, -23), 2, colours.pin);
}

void drawDiamond(DisplayList& list, const Vector2& at, double radius, Rgba colour, bool isEmphasised)
{
    const double r = radius * list.scale();
    const std::vector<Vector2> diamond = {at + Vector2(0, -r), at + Vector2(r, 0), at + Vector2(0, r),
                                          at + Vector2(-r, 0)};
    list.fill(diamond, colour.withAlpha(isEmphasised ? 0.6 : 0.25));
    list.polyline(diamond, isEmphasised ? 2.25 : 1.75, colour, true);
}

/// The curve that a chain follows, the lines between its control points, and the points.
void drawCurve(DisplayList& list, std::vector<Label>& labels, const View& view, const editor::HandleView& handle,
               const Handle& authored, const editor::Selection& selection, const editor::ViewState& state,
               const OverlayColours& colours)
{
    const bool isSelected = selection.containsObject(handle.handle.value);
    const bool isHovered = selection.hovered().handle() == handle.handle;
    const Rgba colour = !handle.target.isActive() ? colours.fk
                        : handle.isMissed         ? colours.errorLine
                        : isHovered               ? colours.boneHover
                                                  : colours.goal;
    const auto projected = [&](const std::vector<Vector3>& places) {
        std::vector<Vector2> pixels;
        for (const Vector3& place : places)
            if (const View::Projected p = view.project(place); p.isInFront) pixels.push_back(p.pixel);
        return pixels;
    };
    list.polyline(projected(handle.target.curve), 1, colours.vector, false, {4, 4});
    list.polyline(projected(handle.curve), isSelected || isHovered ? 2.25 : 1.75, colour);
    for (const editor::HandleControl& control : controlsOf(handle)) {
        const View::Projected at = view.project(control.place);
        if (!at.isInFront) continue;
        const bool isEmphasised = selection.hovered() == control.item || selection.contains(control.item);
        drawDiamond(list, at.pixel, isEmphasised ? 7 : 5, isEmphasised ? colours.boneHover : colour, isEmphasised);
        if (isEmphasised && state.showsLabels)
            labels.push_back(
                {.at = at.pixel + list.scale() * Vector2(15, 0),
                 .text =
                     Overlay::tr("%1 point %2").arg(QString::fromStdString(authored.name)).arg(control.item.index + 1),
                 .colour = colour});
    }
    if (handle.isMissed && state.showsLabels && !handle.curve.empty())
        if (const View::Projected end = view.project(handle.curve.back()); end.isInFront)
            labels.push_back({.at = end.pixel - list.scale() * Vector2(22, 0),
                              .text = Overlay::tr("%1: %2 off its curve")
                                          .arg(QString::fromStdString(authored.name),
                                               editor::lengthText(handle.result.positionError)),
                              .colour = colours.errorLine,
                              .anchor = Label::Anchor::Right});
}

/// The effector of a handle, and the line to it from the joint that it is on.
void drawEffector(DisplayList& list, std::vector<Label>& labels, const View& view, const editor::FrameResult& frame,
                  const editor::HandleView& handle, const Handle& authored, bool isSelected, bool isEmphasised,
                  bool showsLabels, const OverlayColours& colours)
{
    const View::Projected point = view.project(handle.effector);
    if (!point.isInFront || handle.end < 0) return;
    const Vector3 place = frame.solved.model.modelFromJoint[static_cast<std::size_t>(handle.end)].translation();
    const View::Projected joint = view.project(place);
    if (joint.isInFront && (point.pixel - joint.pixel).norm() >= kMinOffset * list.scale()) {
        list.line(joint.pixel, point.pixel, isSelected || isEmphasised ? 2.25 : 1.5, colours.effector);
        list.dot(point.pixel, isSelected || isEmphasised ? 3.5 : 2.5, colours.effector);
    }
    if (isSelected || isEmphasised) list.ring(point.pixel, 7, isEmphasised ? 3 : 2, colours.effector);
    if (isEmphasised && showsLabels)
        labels.push_back({.at = point.pixel + list.scale() * Vector2(15, -18),
                          .text = Overlay::tr("%1 effector, %2 from its joint")
                                      .arg(QString::fromStdString(authored.name),
                                           editor::lengthText((handle.effector - place).norm())),
                          .colour = colours.effector});
}

/// A chain that slides has no length that its reach could be told in.
bool slides(const Scene& scene, const Handle& authored)
{
    const std::vector<JointId> joints = chain(scene, authored.start, authored.end);
    return std::any_of(joints.begin(), joints.end(), [&](JointId id) {
        const auto& axes = scene.find(id)->sliding;
        return std::any_of(axes.begin(), axes.end(), [](const AxisFreedom& axis) { return axis.active; });
    });
}

/// A dotted line from the joint of a constraint to what it is constrained to.
void drawConstraint(DisplayList& list, const View& view, const editor::FrameResult& frame,
                    const editor::HandleView& handle, const Handle& authored, bool isEmphasised,
                    const OverlayColours& colours)
{
    const Affine* joint = frame.worldFromJoint(authored.end);
    if (joint == nullptr) return;
    const bool isFollowing = !handle.target.worldFromSpace.matrix().isIdentity(0);
    const View::Projected from = view.project(joint->translation()),
                          to = view.project(isFollowing ? Vector3(handle.target.worldFromSpace.translation())
                                                        : handle.target.goal.position);
    if (!from.isInFront || !to.isInFront) return;
    const Rgba colour = isEmphasised ? colours.boneHover : handle.target.isActive() ? colours.goal : colours.fk;
    list.line(from.pixel, to.pixel, isEmphasised ? 1.75 : 1.25, colour, {2, 4});
    list.ring(to.pixel, isEmphasised ? 5 : 4, 1.25, colour);
}

/// Where a label is beside the line from the start of a chain to its goal: on the side to which the chain does not
/// bend, so that a knee stays in sight.
Label besideVector(const Vector2& start, const Vector2& goal, const std::vector<Vector2>& wire, double scale)
{
    const Vector2 middle = 0.5 * (start + goal), along = goal - start;
    const double length = along.norm();
    Vector2 side = length > 1 ? Vector2(Vector2(along.y(), -along.x()) / length) : Vector2(-1, 0);
    if (side.x() > 0) side = -side; // left of it, or above, where the chain is straight
    double bend = 0;
    for (const Vector2& joint : wire) bend += side.dot(joint - middle);
    if (bend > scale * 2) side = -side;
    constexpr double kSteep = 0.6, kGap = 10, kHalfPlate = 10; // [px]
    Label label;
    if (std::abs(side.x()) > kSteep) {
        label.at = middle + scale * kGap * side;
        label.anchor = side.x() < 0 ? Label::Anchor::Right : Label::Anchor::Left;
    } else {
        label.at = middle + scale * (kGap + kHalfPlate) * side;
        label.anchor = Label::Anchor::Centre;
    }
    return label;
}

void drawSelectedHandle(DisplayList& list, std::vector<Label>& labels, const View& view,
                        const editor::FrameResult& frame, const editor::HandleView& handle, const Handle& authored,
                        bool isPoleEmphasised, const editor::ViewState& state, const OverlayColours& colours)
{
    const std::vector<Vector3> places = frame.chainOf(handle);
    if (places.empty()) return;
    const View::Projected start = view.project(places.front()), goal = view.project(handle.target.goal.position);

    std::vector<Vector2> wire;
    for (const Vector3& place : places)
        if (const View::Projected p = view.project(place); p.isInFront) wire.push_back(p.pixel);
    if (!state.showsJoints) list.polyline(wire, 1.5, colours.wire);

    if (start.isInFront && goal.isInFront) {
        list.line(start.pixel, goal.pixel, 1.25, colours.vector, {7, 5});
        if (state.showsLabels && handle.reach > 0 && !authored.aimAxis && !isConstraint(authored) &&
            !slides(*frame.scene, authored)) {
            const double share = (handle.target.goal.position - places.front()).norm() / handle.reach;
            Label reach = besideVector(start.pixel, goal.pixel, wire, list.scale());
            reach.text = Overlay::tr("reach %1 %").arg(std::lround(100 * share));
            reach.colour = colours.text;
            labels.push_back(std::move(reach));
        }
    }
    if (const View::Projected effector = view.project(handle.effector); authored.aimAxis && effector.isInFront) {
        const Affine* end = frame.worldFromJoint(authored.end); // where it points, as far as the goal is off
        const double length = (handle.target.goal.position - handle.effector).norm();
        if (end != nullptr) {
            const Vector3 way = (end->linear() * *authored.aimAxis).normalized();
            if (const View::Projected tip = view.project(handle.effector + length * way); tip.isInFront) {
                list.line(effector.pixel, tip.pixel, 2, colours.effector);
                list.dot(tip.pixel, 3, colours.effector);
            }
        }
    }
    if (handle.target.pole) {
        const View::Projected pole = view.project(*handle.target.pole),
                              middle = view.project(places[places.size() / 2]);
        if (pole.isInFront) {
            if (middle.isInFront) list.line(middle.pixel, pole.pixel, 1.5, colours.pole, {5, 4});
            drawDiamond(list, pole.pixel, 7, colours.pole, isPoleEmphasised);
            if (state.showsLabels)
                labels.push_back({.at = pole.pixel + list.scale() * Vector2(15, 0),
                                  .text = Overlay::tr("%1 pole").arg(QString::fromStdString(authored.name)),
                                  .colour = colours.pole});
        }
    }
}

} // namespace

void drawHandles(DisplayList& list, std::vector<Label>& labels, const View& view, const editor::FrameResult& frame,
                 const editor::Selection& selection, const editor::Visibility& visibility,
                 const editor::ViewState& state, const OverlayColours& colours)
{
    for (std::size_t i = 0; i < frame.handles.size(); ++i) {
        const editor::HandleView& handle = frame.handles[i];
        const Handle* authored = frame.scene->find(handle.handle);
        if (authored == nullptr || !visibility.isShown(handle.handle)) continue;
        if (authored->hasCurve()) {
            drawCurve(list, labels, view, handle, *authored, selection, state, colours);
            continue;
        }
        const bool isSelected = selection.containsObject(handle.handle.value);
        const bool isHovered = selection.hovered().kind == editor::SelectionItem::Kind::Handle &&
                               selection.hovered().handle() == handle.handle;
        const bool isPole = selection.hovered() == editor::SelectionItem::poleOf(handle.handle) ||
                            selection.contains(editor::SelectionItem::poleOf(handle.handle));
        if (isConstraint(*authored))
            drawConstraint(list, view, frame, handle, *authored, isSelected || isHovered, colours);
        if (isSelected) drawSelectedHandle(list, labels, view, frame, handle, *authored, isPole, state, colours);

        const View::Projected goal = view.project(handle.target.goal.position),
                              effector = view.project(handle.effector);
        const editor::SelectionItem effectorItem = editor::SelectionItem::effectorOf(handle.handle);
        drawEffector(list, labels, view, frame, handle, *authored, isSelected,
                     selection.hovered() == effectorItem || selection.contains(effectorItem), state.showsLabels,
                     colours);
        const QString name = QString::fromStdString(authored->name);
        if (handle.isMissed && handle.target.isActive() && effector.isInFront && goal.isInFront) {
            list.line(effector.pixel, goal.pixel, 2.25, colours.errorLine, {6, 5});
            list.ring(effector.pixel, 8, 2.25, colours.errorLine);
            if (state.showsLabels)
                labels.push_back({.at = goal.pixel - list.scale() * Vector2(22, 0),
                                  .text = handle.isOnlyTurned(*authored)
                                              ? Overlay::tr("%1: %2° off")
                                                    .arg(name)
                                                    .arg(handle.result.rotationError * kDegrees, 0, 'f', 1)
                                              : Overlay::tr("%1: %2 short")
                                                    .arg(name, editor::lengthText(handle.result.positionError)),
                                  .colour = colours.errorLine,
                                  .anchor = Label::Anchor::Right});
        }
        const bool isHeldOff = handle.isSoft || handle.result.isHeld; // meant so: no error, only how far
        if (isHeldOff && effector.isInFront && goal.isInFront) {
            list.line(effector.pixel, goal.pixel, 1.5, colours.limit, {2, 4});
            if (state.showsLabels && (isSelected || isHovered))
                labels.push_back({.at = goal.pixel - list.scale() * Vector2(22, 0),
                                  .text = (handle.showsFk         ? Overlay::tr("no pose to hold, shows FK: %1 short")
                                           : handle.result.isHeld ? Overlay::tr("holds its pose: %1 short")
                                                                  : Overlay::tr("%1 short because of soft reach"))
                                              .arg(editor::lengthText(handle.result.positionError)),
                                  .colour = colours.limit,
                                  .anchor = Label::Anchor::Right});
        }
        if (!goal.isInFront) continue;
        const bool isFk = !handle.target.isActive();
        const Rgba colour = isHovered ? colours.boneHover : isFk ? colours.fk : colours.goal;
        drawCross(list, goal.pixel, colour, isSelected || isHovered, isFk);
        if (handle.isMissed && !isFk) list.dot(goal.pixel, 3.5, colours.errorLine);
        if (authored->isPinned) drawPin(list, goal.pixel, colours);
        if (state.showsLabels && (isHovered || (isSelected && !handle.isMissed)))
            labels.push_back({.at = goal.pixel + list.scale() * Vector2(24, 26),
                              .text = name,
                              .colour = isFk ? colours.fk : colours.goal});
    }
}

} // namespace tendon::viewport
