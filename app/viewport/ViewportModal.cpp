// Moving, rotating and scaling by the keyboard, as in Blender: G, R or S, then the mouse without a button, X, Y or Z
// for an axis, a number; Return or the left button keeps it, Esc or the right one does not.
#include "app/viewport/ViewportImpl.h"

#include <QKeyEvent>

namespace tendon::viewport {
namespace {

constexpr double kFine = 0.1; // of the way of the mouse, with Shift

/// Part `axis` (0 x) of a gizmo, or with a plane the one that is square to it.
GizmoPart partOf(GizmoKind kind, int axis, bool isPlane)
{
    const GizmoPart first = kind == GizmoKind::Rotate  ? GizmoPart::TurnX
                            : kind == GizmoKind::Scale ? GizmoPart::ScaleX
                            : isPlane                  ? GizmoPart::MovePlaneX
                                                       : GizmoPart::MoveX;
    return axis < 0 ? middlePart(kind) : static_cast<GizmoPart>(static_cast<int>(first) + axis);
}

} // namespace

bool Viewport::Impl::beginModal(editor::Tool tool)
{
    using Kind = editor::DragSession::Kind;
    const editor::FramePtr frame = editor.frame();
    pressed = editor.selection().active();
    if (gesture != Gesture::None || !frame || !pressed.isValid() || editor.shown().motion().isShown()) return false;
    const Kind what = tool == editor::Tool::Scale    ? Kind::Scale
                      : tool == editor::Tool::Rotate ? Kind::Rotate
                                                     : Kind::Move;
    if (const auto begun = editor.drag().begin(pressed, what, frame, editor.selection().items()); !begun) {
        emit widget.refused(QString::fromStdString(begun.error().text()), editor.drag().inFk());
        return false;
    }
    modal = Modal{.tool = tool, .space = editor::GizmoSpace::World};
    if (!QRectF(widget.rect()).contains(lastPoint)) lastPoint = QRectF(widget.rect()).center();
    pressPoint = modalPoint = lastPoint;
    gesture = Gesture::Modal;
    typed.clear();
    modalFrame = frame;
    if (!aimModal()) {
        endDrag(false);
        return false;
    }
    widget.setFocus();
    updateModal({});
    return true;
}

/// Begins the drag anew about the axis that is chosen now, from where the mouse was at first.
bool Viewport::Impl::aimModal()
{
    editor::ViewState state = editor.view().state();
    state.tool = modal->tool;
    state.space = modal->axis < 0 ? state.space : modal->space;
    const auto place = gizmoPlace(widget.view(), *modalFrame, pressed, state, scale());
    if (!place) return false;
    const GizmoPart part = partOf(*gizmoKind(modal->tool), modal->axis, modal->isPlane);
    drag.emplace(part, *place, widget.view(), Vector2(pressPoint.x(), pressPoint.y()), gizmoUnit());
    pointer.gizmo = part;
    pointer.isDraggingGizmo = true;
    return true;
}

void Viewport::Impl::moveModal(const QPointF& to, Qt::KeyboardModifiers held)
{
    lastPoint += (to - modalPoint) * (held.testFlag(Qt::ShiftModifier) ? kFine : 1);
    modalPoint = to;
    updateModal(held);
}

void Viewport::Impl::updateModal(Qt::KeyboardModifiers held)
{
    updateDrag(held & ~Qt::KeyboardModifiers(Qt::ShiftModifier)); // which is for fine moves here, not to pass limits
    pointer.pointer = Vector2(modalPoint.x(), modalPoint.y());
}

bool Viewport::Impl::takeModalKey(int key, Qt::KeyboardModifiers held)
{
    const int axis = key == Qt::Key_X ? 0 : key == Qt::Key_Y ? 1 : key == Qt::Key_Z ? 2 : -1;
    if (gesture != Gesture::Modal || axis < 0) return false;
    const bool isPlane = held.testFlag(Qt::ShiftModifier) && modal->tool == editor::Tool::Move;
    const bool isSame = modal->axis == axis && modal->isPlane == isPlane;
    if (!isSame) {
        modal->space = editor::GizmoSpace::World;
    } else if (modal->space == editor::GizmoSpace::World) {
        modal->space = editor::GizmoSpace::Local;
    } else { // a third time: free again
        modal->axis = -1;
        modal->space = editor::GizmoSpace::World;
    }
    if (!isSame || modal->space == editor::GizmoSpace::Local) modal->axis = axis;
    modal->isPlane = isPlane;
    if (aimModal()) updateModal(held);
    return true;
}

bool Viewport::startModal(editor::Tool tool) { return m_impl->beginModal(tool); }

bool Viewport::isModal() const { return m_impl->gesture == Gesture::Modal; }

} // namespace tendon::viewport
