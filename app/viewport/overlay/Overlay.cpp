#include "app/viewport/overlay/Overlay.h"

#include "app/editor/LengthText.h"
#include "app/editor/Theme.h"
#include "app/viewport/overlay/GizmoOverlay.h"
#include "app/viewport/overlay/HandleOverlay.h"
#include "app/viewport/overlay/LimitOverlay.h"
#include "app/viewport/overlay/MarkOverlay.h"
#include "app/viewport/overlay/Picker.h"

#include <QPainter>

namespace tendon::viewport {

std::vector<BoneState> Overlay::boneStates(const editor::FrameResult& frame, const editor::Selection& selection,
                                           const editor::Visibility& visibility, const editor::ViewMarks& marks) const
{
    const CompiledRig& rig = *frame.rig;
    std::vector<BoneState> states(rig.jointCount(), BoneState::Normal);
    const auto set = [&](JointIndex joint, BoneState state) {
        if (joint >= 0)
            states[static_cast<std::size_t>(joint)] = std::max(states[static_cast<std::size_t>(joint)], state);
    };
    for (std::size_t joint = 0; joint < states.size(); ++joint)
        if (visibility.isLocked(rig.id[joint].value)) states[joint] = BoneState::Locked;
    for (const editor::HandleView& handle : frame.handles) {
        if (handle.isMissed) set(handle.end, BoneState::Error);
        if (!selection.containsObject(handle.handle.value)) continue;
        // From the joint above the end up to the start: the bones that the handle rotates.
        for (JointIndex joint = handle.end; joint >= 0; joint = rig.parent[static_cast<std::size_t>(joint)]) {
            if (joint != handle.end) set(joint, BoneState::Chain);
            if (joint == handle.start) break;
        }
    }
    for (const editor::SelectionItem& item : selection.items())
        if (item.joint().isValid()) set(rig.index(item.joint()), BoneState::Selected);
    for (const JointId lit : marks.lit) set(rig.index(lit), BoneState::Selected);
    if (const JointId hovered = selection.hovered().joint(); hovered.isValid())
        set(rig.index(hovered), BoneState::Hovered);
    return states;
}

void Overlay::setColours(const OverlayColours& colours)
{
    m_colours = colours;
    m_labelPainter.clear();
    m_hud.clear();
}

void Overlay::addPointer(const View& view, const PointerState& pointer)
{
    const Vector2 beside = pointer.pointer + m_list.scale() * Vector2(16, 20);
    if (pointer.box) {
        const Vector2 a = (*pointer.box)[0], b = (*pointer.box)[1];
        const std::vector<Vector2> corners = {a, {b.x(), a.y()}, b, {a.x(), b.y()}};
        m_list.fill(corners, m_colours.accent.withAlpha(0.12));
        m_list.polyline(corners, 1, m_colours.accent, true);
    }
    if (pointer.rubber) {
        const RubberLine& rubber = *pointer.rubber;
        const View::Projected from = view.project(rubber.from);
        const View::Projected to = rubber.to ? view.project(*rubber.to) : View::Projected{};
        const Rgba colour = rubber.isRefused ? m_colours.errorLine : rubber.to ? m_colours.effector : m_colours.wire;
        if (from.isInFront && (!rubber.to || to.isInFront)) {
            m_list.line(from.pixel, rubber.to ? to.pixel : pointer.pointer, 2, colour, {8, 6});
            m_list.ring(from.pixel, 8, 2, colour);
        }
        if (rubber.to && to.isInFront) m_list.ring(to.pixel, 7, 3, colour);
        if (!rubber.refusal.isEmpty())
            m_labels.push_back({.at = beside, .text = rubber.refusal, .colour = m_colours.errorLine});
    }
    if (!pointer.proposal.empty()) {
        std::vector<Vector2> wire;
        for (const Vector3& place : pointer.proposal)
            if (const View::Projected at = view.project(place); at.isInFront) wire.push_back(at.pixel);
        m_list.polyline(wire, 3, m_colours.accent);
        for (const Vector2& at : wire) m_list.ring(at, 5, 2, m_colours.accent);
        if (!wire.empty()) {
            m_list.ring(wire.front(), 9, 2, m_colours.accent);
            m_labels.push_back({.at = wire.front() + m_list.scale() * Vector2(16, 0),
                                .text = pointer.proposalText,
                                .colour = m_colours.text});
        }
    }
    if (!pointer.dragText.isEmpty())
        m_labels.push_back({.at = beside, .text = pointer.dragText, .colour = m_colours.text});
}

void Overlay::build(const View& view, const editor::FramePtr& frame, const editor::Selection& selection,
                    const editor::ViewState& state, const PointerState& pointer, double scale,
                    const WatchedSolve& solve, const SeenMotion& motion, const editor::ViewMarks& marks)
{
    m_list.clear();
    m_labels.clear();
    m_list.setScale(scale);
    m_list.setCasing(m_colours.casing);
    if (!frame || !frame->rig) return;
    if (m_rig != frame->rig) {
        m_rig = frame->rig;
        m_bones = bonesOf(*m_rig);
    }
    drawGhosts(m_list, view, motion, m_bones, m_colours);
    if (state.showsJoints)
        drawBones(m_list, view, *frame, m_bones, boneStates(*frame, selection, motion.visibility, marks),
                  state.showsRoles ? tintsOf(marks, *frame, m_colours) : std::vector<BoneTint>{}, motion.visibility,
                  frame->rig->index(pointer.terminator), state.isXray, m_colours);
    if (motion.figure.figure != nullptr) {
        if (m_figureRig != motion.figure.pose->rig) {
            m_figureRig = motion.figure.pose->rig;
            m_figureBones = bonesOf(*m_figureRig);
        }
        drawFigure(m_list, m_labels, view, motion.figure, m_figureBones, *frame, m_colours);
    }
    const editor::SelectionItem active = selection.active();
    if (state.showsLimits)
        if (const JointIndex joint = jointOfLimits(*frame, active); joint >= 0)
            drawLimits(m_list, m_labels, view, limitsShown(view, *frame, joint, scale), pointer.grip, m_colours);
    drawMarks(m_list, m_labels, view, marks, *frame, state, m_colours);
    drawTrails(m_list, m_labels, view, motion, frame->frame, m_colours);
    drawComparison(m_list, m_labels, view, solve, *frame, m_colours);
    if (state.showsHandles) {
        editor::ViewState words = state;
        words.showsLabels = state.showsLabels &&
                            !solve.posesModel; // what a step misses is in the tab, not over the chain
        drawHandles(m_list, m_labels, view, *frame, selection, motion.visibility, words, m_colours);
    }

    if (auto place = pointer.hidesGizmo || motion.visibility.isLocked(active.object)
                         ? std::nullopt
                         : gizmoPlace(view, *frame, active, state, scale)) {
        if (pointer.rubber && pointer.rubber->to) place->origin = *pointer.rubber->to; // where the mouse has it
        drawGizmo(m_list, m_labels, view, *gizmoKind(state.tool), *place, pointer.gizmo, pointer.isDraggingGizmo,
                  m_colours);
    }
    addPointer(view, pointer);
    if (!pointer.viewName.isEmpty())
        m_labels.push_back(
            {.at = m_list.scale() * Vector2(10, 20), .text = pointer.viewName, .colour = m_colours.text});
}

void Overlay::paintWords(QPainter& painter, const View& view, const editor::FramePtr& frame,
                         const editor::ViewState& state, const PointerState& pointer, double gridCell,
                         double pixelRatio)
{
    const editor::Theme& theme = editor::Theme::instance();
    const QSizeF size(view.width(), view.height());
    const CubeCorner corner = cubeCorner(size, theme.scale());
    if (state.showsGrid)
        m_labels.push_back(
            {.at = Vector2(corner.centre.x() + 48 * theme.scale(), size.height() - 24 * theme.scale()),
             .text = tr("%1 grid").arg(
                 editor::lengthText(gridCell).remove(QStringLiteral(".00")).remove(QStringLiteral(".0"))),
             .colour = m_colours.dimText,
             .hasPlate = false});
    const double side = 2.6 * corner.halfSide; // the cube seen from a corner
    std::vector<QRectF> taken = {QRectF(corner.centre.x() - side / 2, corner.centre.y() - side / 2, side, side)};
    const bool hasFigures = state.showsHud && frame && frame->rig && Hud::fits(size);
    if (hasFigures) taken.push_back(Hud::area(size));
    m_labelPainter.paint(painter, m_labels, m_colours, pixelRatio, size, std::move(taken));
    paintCube(painter, view.camera(), corner, pointer.cube, m_colours);
    if (hasFigures) m_hud.paint(painter, *frame, m_colours, size, pixelRatio);
}

} // namespace tendon::viewport
