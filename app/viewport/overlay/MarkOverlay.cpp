#include "app/viewport/overlay/MarkOverlay.h"

#include "app/viewport/overlay/LimitOverlay.h"

namespace tendon::viewport {
namespace {

Rgba colourOf(editor::RoleColour role, const OverlayColours& colours)
{
    return colours.roles[static_cast<std::size_t>(role)];
}

/// A cross as goals have it: the arms do not meet.
void drawGoalCross(DisplayList& list, const Vector2& at, Rgba colour, bool isLit)
{
    constexpr double kInner = 4, kOuter = 12; // [px]
    std::vector<std::array<Vector2, 2>> arms;
    for (const Vector2& way : {Vector2(1, 0), Vector2(-1, 0), Vector2(0, 1), Vector2(0, -1)})
        arms.push_back({at + list.scale() * kInner * way, at + list.scale() * kOuter * way});
    list.lines(arms, isLit ? 2.25 : 1.5, colour);
    list.dot(at, 1.75, colour);
}

void drawGoalToCome(DisplayList& list, std::vector<Label>& labels, const View& view,
                    const editor::ViewMarks::Goal& goal, const editor::FrameResult& frame,
                    const OverlayColours& colours)
{
    const Affine *start = frame.worldFromJoint(goal.start), *end = frame.worldFromJoint(goal.end);
    if (start == nullptr || end == nullptr) return;
    const View::Projected from = view.project(start->translation()), to = view.project(*end * goal.offset);
    if (!to.isInFront) return;
    const bool isLit = !goal.name.isEmpty();
    if (isLit && from.isInFront) list.line(from.pixel, to.pixel, 1.25, colours.vector, {7, 5});
    drawGoalCross(list, to.pixel, colours.goal, isLit);
    if (isLit)
        labels.push_back(
            {.at = to.pixel + list.scale() * Vector2(18, 0), .text = goal.name, .colour = colours.goal, .weight = 600});
}

} // namespace

std::vector<BoneTint> tintsOf(const editor::ViewMarks& marks, const editor::FrameResult& frame,
                              const OverlayColours& colours)
{
    std::vector<BoneTint> tints;
    if (marks.colours.empty()) return tints;
    tints.resize(frame.rig->jointCount());
    for (const auto& [joint, role] : marks.colours)
        if (const JointIndex index = frame.rig->index(joint); index >= 0)
            tints[static_cast<std::size_t>(index)] = {colourOf(role, colours), role == editor::RoleColour::Unknown};
    return tints;
}

void drawMarks(DisplayList& list, std::vector<Label>& labels, const View& view, const editor::ViewMarks& marks,
               const editor::FrameResult& frame, const editor::ViewState& state, const OverlayColours& colours)
{
    if (state.showsLimits && marks.rig != nullptr && marks.rig->jointCount() == frame.rig->jointCount())
        for (const JointId joint : marks.limited)
            if (const JointIndex index = frame.rig->index(joint); index >= 0 && marks.rig->index(joint) == index)
                drawLimits(list, labels, view, limitsShown(view, frame, *marks.rig, index, list.scale()), {}, colours);
    if (state.showsHandles)
        for (const editor::ViewMarks::Goal& goal : marks.goals)
            drawGoalToCome(list, labels, view, goal, frame, colours);
    if (!state.showsLabels) return;
    for (const editor::ViewMarks::Word& word : marks.words) {
        const Affine* joint = frame.worldFromJoint(word.at);
        if (joint == nullptr) continue;
        const View::Projected at = view.project(joint->translation());
        if (!at.isInFront) continue;
        const Rgba colour = word.isLit ? colours.boneSelected : colourOf(word.colour, colours);
        labels.push_back({.at = at.pixel + list.scale() * Vector2(word.isLit ? 18 : 22, word.isLit ? 0 : -14),
                          .text = word.text,
                          .colour = colour});
    }
}

} // namespace tendon::viewport
