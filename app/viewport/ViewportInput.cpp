#include "app/editor/LengthUnit.h"
#include "app/viewport/ViewportImpl.h"

#include "app/editor/Termination.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tendon::viewport {
namespace {

constexpr double kDragFrom = 3;     // [px] a press that moves less is a click
constexpr double kGizmoReach = 8;   // [px]
constexpr double kLimitDot = 4;     // [px] radius of the dots that limits are dragged by
constexpr double kSnapFactor = 0.1; // of the scale tool
constexpr int kCubeTime = 200;      // [ms] motion.view-cube of the tokens

Vector2 toVector(const QPointF& point) { return {point.x(), point.y()}; }

CameraMove cameraMoveOf(const QMouseEvent& event, editor::Navigation navigation)
{
    const Qt::KeyboardModifiers held = event.modifiers();
    const HeldKeys keys{held.testFlag(Qt::ShiftModifier), held.testFlag(Qt::ControlModifier),
                        held.testFlag(Qt::AltModifier)};
    const MouseButton button = event.button() == Qt::LeftButton     ? MouseButton::Left
                               : event.button() == Qt::MiddleButton ? MouseButton::Middle
                                                                    : MouseButton::Right;
    const MousePreset preset = navigation == editor::Navigation::Maya      ? MousePreset::Maya
                               : navigation == editor::Navigation::Blender ? MousePreset::Blender
                                                                           : MousePreset::Max;
    return cameraMoveFor(preset, button, keys);
}

editor::Selection::How howOf(Qt::KeyboardModifiers held)
{
    using How = editor::Selection::How;
    return held.testFlag(Qt::ControlModifier) ? How::Toggle
           : held.testFlag(Qt::ShiftModifier) ? How::Add
                                              : How::Replace;
}

} // namespace

GizmoHit Viewport::Impl::gizmoAt(const View& view, const Vector2& pixel) const
{
    const editor::ViewState& state = editor.view().state();
    const editor::SelectionItem active = editor.selection().active();
    const auto place = gizmoPlace(view, *editor.drawnFrame(), active, state, scale());
    if (!place || visibility.isLocked(active.object)) return {};
    return pickGizmo(gizmoShapes(*gizmoKind(state.tool), *place, view), *place, view, pixel, kGizmoReach * scale());
}

/// resources/docs/user/editor.md says this in words: "What a click takes".
Viewport::Impl::Taken Viewport::Impl::takenAt(const View& view, const Vector2& pixel, bool alsoMeshes)
{
    const editor::FramePtr frame = editor.drawnFrame();
    const editor::ViewState state = shownState();
    if (!frame || !frame->rig) return {};
    if (isChainPicking || isLinking()) return {.item = jointAt(QPointF(pixel.x(), pixel.y()), alsoMeshes)};
    if (const SeenFigure seen = seenFigure(); seen.figure != nullptr) {
        if (const JointId joint = pickFigure(view, seen, pixel, scale()); joint.isValid()) return {.figure = joint};
        return {.item = state.showsJoints ? jointAt(QPointF(pixel.x(), pixel.y()), alsoMeshes)
                                          : editor::SelectionItem{}};
    }
    const auto limit = gripAt(view, pixel);
    const GizmoHit gizmo = gizmoAt(view, pixel);
    const bool isOnDot = limit && std::max(0.0, limit->distance - kLimitDot * scale()) <= gizmo.distance;
    if (gizmo.part != GizmoPart::None && (gizmo.isMiddle || !isOnDot)) return {.gizmo = gizmo.part};
    if (gizmo.part != GizmoPart::None) return {.grip = limit->name}; // a dot on an arm or a ring
    if (const auto control = Picker::pickControl(view, picked(frame, state), pixel); control.isValid())
        return {.item = control};
    if (const auto key = pickTrailKey(trails.all(), view, frame->frame, pixel, scale())) return {.trailKey = key};
    if (limit) return {.grip = limit->name};
    return {.item = picker.pickRig(view, picked(frame, state), pixel, alsoMeshes)};
}

void Viewport::Impl::hover(const QPointF& point)
{
    const View view = widget.view();
    const Vector2 pixel = toVector(point);
    const CubeCorner corner = cubeCorner(QSizeF(widget.size()), scale());
    const PointerState before = pointer;
    pointer.pointer = pixel;
    pointer.cube = pickCube(camera, corner.centre, corner.halfSide, pixel);
    const Taken taken = pointer.cube ? Taken{} : takenAt(view, pixel, false);
    pointer.gizmo = taken.gizmo;
    pointer.grip = taken.grip;
    pointer.trailKey = taken.trailKey;
    if (isChainPicking) showChainTarget(point);
    editor.selection().setHovered(taken.item);
    editor.shown().motion().setHovered(taken.figure);
    const bool isOnCurve = taken.item.kind == editor::SelectionItem::Kind::Handle;
    const editor::FramePtr frame = editor.drawnFrame();
    editor.selection().setCurvePlace(isOnCurve ? Picker::pickCurve(view, picked(frame, editor.view().state()), pixel)
                                               : std::nullopt);
    const auto trailFrame = [](const PointerState& state) { return state.trailKey ? state.trailKey->frame : -1; };
    if (before.gizmo != pointer.gizmo || before.cube != pointer.cube || before.grip != pointer.grip ||
        trailFrame(before) != trailFrame(pointer) || isChainPicking)
        widget.update();
}

void Viewport::Impl::press(const QPointF& point, Qt::KeyboardModifiers held)
{
    hover(point);
    pressPoint = lastPoint = point;
    gesture = Gesture::Pressed;
    pressed = {};
    pressedFigure = {};
    if (pointer.cube) {
        gesture = Gesture::None;
        widget.moveCamera(viewport::lookingFrom(camera, *pointer.cube), kCubeTime);
        return;
    }
    if (pointer.gizmo != GizmoPart::None || pointer.grip || pointer.trailKey) {
        pressed = editor.selection().active();
        return;
    }
    const Taken taken = takenAt(widget.view(), toVector(point), !isLinking());
    pressed = taken.item;
    pressedFigure = taken.figure;
    // Selects the pressed item at once, so that the same press can drag it. On the background, a press starts a box.
    if (!pressed.isValid()) return;
    if (held.testFlag(Qt::ControlModifier) || held.testFlag(Qt::ShiftModifier) || !editor.selection().contains(pressed))
        editor.selection().select(pressed, howOf(held));
}

void Viewport::Impl::click(Qt::KeyboardModifiers held)
{
    gesture = Gesture::None;
    if (pressedFigure.isValid()) return editor.shown().motion().pick(pressedFigure, held.testFlag(Qt::ShiftModifier));
    if (editor.marks().takesClicks() && held == Qt::NoModifier) {
        // A gizmo on a joint that was clicked before is not in the way: what it covers is meant.
        if (const JointId joint = jointAt(pressPoint, false).joint(); joint.isValid()) {
            editor.selection().select(editor::SelectionItem::of(joint));
            return editor.marks().click(joint, widget.mapToGlobal(pressPoint.toPoint()));
        }
    }
    if (pointer.grip) return;
    if (pointer.trailKey) return editor.goToFrame(pointer.trailKey->frame);
    if (pointer.gizmo == GizmoPart::None) {
        // A click on one of several selected items selects only that one; a click on the background clears.
        if (held == Qt::NoModifier) editor.selection().select(pressed);
        return;
    }
    // A gizmo is there to be dragged: a click is meant for the control that it covers. The goal under the effector that
    // is being moved is not meant: mostly both are at the same place.
    const editor::FramePtr frame = editor.drawnFrame();
    const editor::SelectionItem covered = Picker::pickControl(widget.view(), picked(frame, editor.view().state()),
                                                              toVector(pressPoint));
    if (covered.isValid() && editor.selection().active().kind != editor::SelectionItem::Kind::Effector)
        editor.selection().select(covered, howOf(held));
}

void Viewport::Impl::beginDrag()
{
    const editor::FramePtr frame = editor.frame();
    const editor::ViewState& state = editor.view().state();
    gesture = Gesture::None;
    if (!frame) return;
    const GizmoKind kind = *gizmoKind(state.tool);
    const GizmoPart part = pointer.gizmo == GizmoPart::None ? middlePart(kind) : pointer.gizmo;
    using Kind = editor::DragSession::Kind;
    const Kind what = kind == GizmoKind::Scale ? Kind::Scale : kind == GizmoKind::Rotate ? Kind::Rotate : Kind::Move;
    const auto& selected = editor.selection().items();
    const bool isSelected = editor.selection().contains(pressed);
    if (const auto begun = editor.drag().begin(pressed, what, frame,
                                               isSelected ? selected : std::vector<editor::SelectionItem>{});
        !begun) {
        emit widget.refused(QString::fromStdString(begun.error().text()), editor.drag().inFk());
        return;
    }
    const auto place = gizmoPlace(widget.view(), *frame, pressed, state, scale());
    if (!place) return editor.drag().cancel();
    gesture = Gesture::Dragging;
    typed.clear();
    drag.emplace(part, *place, widget.view(), toVector(pressPoint), gizmoUnit());
    pointer.gizmo = part;
    pointer.isDraggingGizmo = true;
    pointer.terminator = what == Kind::Move ? terminatorOf(pressed.joint()) : JointId{};
}

JointId Viewport::Impl::terminatorOf(JointId dragged) const
{
    const editor::ViewState& state = editor.view().state();
    const Scene& document = editor.document().scene();
    if (!dragged.isValid() || !state.isInteractiveIk) return {};
    const auto depth = editor::terminationDepth(document, dragged, state);
    JointId joint = depth ? dragged : JointId{};
    for (int link = 0; depth && joint.isValid() && link < *depth; ++link) joint = document.find(joint)->parent;
    return joint;
}

GizmoUnit Viewport::Impl::gizmoUnit()
{
    const editor::LengthUnit& unit = editor::LengthUnits::instance().shown();
    return {unit.name, unit.perMetre, 1 + unit.extraDecimals};
}

Vector3 Viewport::Impl::draggedTo(Qt::KeyboardModifiers held)
{
    const Vector3 to = editor.drag().origin() + drag->translation();
    const auto bone = editor.drag().boneLine();
    if (!bone) return to;
    const bool snaps = held.testFlag(Qt::ShiftModifier);
    const Vector3 placed = snaps ? Vector3(bone->joint + bone->direction.dot(to - bone->joint) * bone->direction) : to;
    pointer.rubber = RubberLine{.from = bone->joint, .to = placed};
    return placed;
}

void Viewport::Impl::updateDrag(Qt::KeyboardModifiers held)
{
    if (!drag || !editor.drag().isActive()) return;
    const editor::ViewState& state = editor.view().state();
    GizmoSnap snap;
    if (state.isSnapping != held.testFlag(Qt::ControlModifier)) // Ctrl inverts it while held
        snap = {state.snapLength, state.snapAngle * std::numbers::pi / 180, kSnapFactor};
    drag->moveTo(widget.view(), toVector(lastPoint), snap);
    drag->type(typed);
    const auto moved = drag->kind() == GizmoKind::Scale ? editor.drag().scaleBy(drag->factors())
                       : drag->kind() == GizmoKind::Rotate
                           ? editor.drag().rotateTo(drag->rotation() * editor.drag().originRotation(),
                                                    held.testFlag(Qt::ShiftModifier))
                           : editor.drag().moveTo(draggedTo(held));
    pointer.pointer = toVector(lastPoint);
    showDragText();
    if (!moved) emit widget.refused(QString::fromStdString(moved.error().text()));
    widget.update();
}

/// Beside the pointer stands what has happened: IK and limits may hold a joint back.
void Viewport::Impl::showDragText()
{
    if (!drag || !editor.drag().isActive()) return;
    const editor::FramePtr frame = editor.frame();
    const JointId joint = editor.drag().item().joint();
    const JointIndex index = frame && frame->rig && drag->kind() == GizmoKind::Move ? frame->rig->index(joint) : -1;
    std::optional<Vector3> moved;
    if (index >= 0) moved = frame->solved.model.modelFromJoint[at(index)].translation() - editor.drag().origin();
    pointer.dragText = QString::fromStdString(drag->text(moved));
    if (!typed.empty()) pointer.dragText += QStringLiteral("  [%1]").arg(QString::fromStdString(typed));
}

void Viewport::Impl::endDrag(bool isCommitted)
{
    gesture = Gesture::None;
    drag.reset();
    modal.reset();
    modalFrame.reset();
    typed.clear();
    pointer.isDraggingGizmo = false;
    pointer.gizmo = GizmoPart::None;
    pointer.dragText.clear();
    pointer.rubber.reset();
    pointer.terminator = {};
    if (editor.drag().isActive()) {
        if (isCommitted)
            editor.drag().commit();
        else
            editor.drag().cancel();
    }
    widget.update();
}

void Viewport::Impl::finishBox(Qt::KeyboardModifiers held)
{
    const editor::FramePtr frame = editor.drawnFrame();
    if (pointer.box)
        editor.selection().select(
            Picker::inside(widget.view(), picked(frame, shownState()), (*pointer.box)[0], (*pointer.box)[1]),
            howOf(held));
    pointer.box.reset();
    gesture = Gesture::None;
    widget.update();
}

// Events

void Viewport::mousePressEvent(QMouseEvent* event)
{
    Impl& impl = *m_impl;
    event->accept();
    emit activated();
    if (impl.gesture == Gesture::Modal) return impl.endDrag(event->button() == Qt::LeftButton);
    if (impl.gesture != Gesture::None) return; // one gesture at a time
    impl.lastPoint = event->position();
    impl.cameraMove = cameraMoveOf(*event, impl.editor.view().state().navigation);
    if (impl.cameraMove != CameraMove::None) {
        impl.wayTimer.stop();
        impl.gesture = Gesture::Camera;
        impl.gestureFrom = impl.camera;
    } else if (event->button() == Qt::LeftButton) {
        if (impl.isChainPicking)
            impl.pickChainJoint(impl.jointAt(event->position(), true).joint());
        else
            impl.press(event->position(), event->modifiers());
    } else if (event->button() == Qt::RightButton) {
        impl.hover(event->position()); // the menu is about what is here
        emit contextMenuRequested(event->globalPosition().toPoint());
    }
}

void Viewport::mouseMoveEvent(QMouseEvent* event)
{
    Impl& impl = *m_impl;
    if (impl.gesture == Gesture::Modal) return impl.moveModal(event->position(), event->modifiers());
    const QPointF by = event->position() - impl.lastPoint;
    impl.lastPoint = event->position();
    const bool isFar = std::hypot(event->position().x() - impl.pressPoint.x(),
                                  event->position().y() - impl.pressPoint.y()) >= kDragFrom;
    switch (impl.gesture) {
    case Gesture::None: impl.hover(event->position()); break;
    case Gesture::Camera: impl.useCamera(moved(impl.camera, impl.cameraMove, toVector(by), height())); break;
    case Gesture::Pressed: {
        if (!isFar) break;
        if (impl.pointer.grip) {
            impl.beginLimitDrag();
            impl.updateLimitDrag(event->modifiers());
            break;
        }
        if (impl.pointer.trailKey) {
            impl.beginTrailDrag();
            if (impl.gesture == Gesture::Trail) impl.updateTrailDrag();
            break;
        }
        if (impl.pressed.isValid() && impl.isLinking()) {
            impl.gesture = Gesture::Link;
            impl.showLinkTarget(event->position());
            break;
        }
        if (impl.editor.shown().motion().isShown() && (impl.pressed.isValid() || impl.pressedFigure.isValid())) {
            impl.gesture = Gesture::None;
            emit refused(tr("Posing is off while a motion is retargeted; apply it or leave the task first"));
            break;
        }
        if (impl.pressed.isValid() && gizmoKind(impl.editor.view().state().tool)) {
            impl.beginDrag();
            impl.updateDrag(event->modifiers());
            break;
        }
        impl.gesture = Gesture::Box;
        [[fallthrough]];
    }
    case Gesture::Box:
        impl.pointer.box = std::array<Vector2, 2>{toVector(impl.pressPoint), toVector(event->position())};
        update();
        break;
    case Gesture::Dragging: impl.updateDrag(event->modifiers()); break;
    case Gesture::Limit: impl.updateLimitDrag(event->modifiers()); break;
    case Gesture::Link: impl.showLinkTarget(event->position()); break;
    case Gesture::Trail: impl.updateTrailDrag(); break;
    case Gesture::Modal: break; // above
    }
}

void Viewport::mouseReleaseEvent(QMouseEvent* event)
{
    Impl& impl = *m_impl;
    event->accept();
    if (impl.gesture == Gesture::Modal) return; // of a button that was down before
    impl.lastPoint = event->position();
    switch (impl.gesture) {
    case Gesture::None: break;
    case Gesture::Camera:
        impl.gesture = Gesture::None;
        if (impl.camera != impl.gestureFrom) impl.history.note(impl.gestureFrom);
        break;
    case Gesture::Pressed: impl.click(event->modifiers()); break;
    case Gesture::Box: impl.finishBox(event->modifiers()); break;
    case Gesture::Dragging: impl.endDrag(true); break;
    case Gesture::Limit: impl.endLimitDrag(true); break;
    case Gesture::Link: impl.finishLink(event->position()); break;
    case Gesture::Trail: impl.endTrailDrag(true); break;
    case Gesture::Modal: break; // above
    }
}

void Viewport::mouseDoubleClickEvent(QMouseEvent* event) { mousePressEvent(event); }

void Viewport::leaveEvent(QEvent*)
{
    Impl& impl = *m_impl;
    if (impl.gesture != Gesture::None) return;
    impl.editor.selection().setHovered({});
    if (impl.pointer.gizmo == GizmoPart::None && !impl.pointer.cube && !impl.pointer.grip && !impl.pointer.trailKey)
        return;
    impl.pointer.gizmo = GizmoPart::None;
    impl.pointer.grip.reset();
    impl.pointer.trailKey.reset();
    impl.pointer.cube.reset();
    update();
}

void Viewport::wheelEvent(QWheelEvent* event)
{
    const double notches = event->angleDelta().y() / 120.0;
    event->accept();
    if (notches == 0) return;
    const QPointF at = event->position();
    const Vector2 pointer(2 * at.x() / width() - 1, 1 - 2 * at.y() / height());
    emit activated();
    constexpr qint64 kOneZoom = 700; // [ms] between turns of the wheel that are one step of the history
    if (!m_impl->lastWheel.isValid() || m_impl->lastWheel.elapsed() > kOneZoom) m_impl->noteView();
    m_impl->lastWheel.restart();
    m_impl->wayTimer.stop();
    m_impl->useCamera(
        zoomed(m_impl->camera, std::pow(0.87, notches), pointer, static_cast<double>(width()) / height()));
}

bool Viewport::Impl::takeKey(int key, const QString& text, Qt::KeyboardModifiers held)
{
    if (takeModalKey(key, held)) return true;
    if (isChainPicking && key == Qt::Key_Escape) {
        endChainPick();
        return true;
    }
    if (isChainPicking && proposedEnd.isValid() && (key == Qt::Key_Return || key == Qt::Key_Enter)) {
        const JointId start = proposedStart, end = proposedEnd;
        endChainPick();
        emit widget.chainPicked(start, end);
        return true;
    }
    if (gesture == Gesture::Box && key == Qt::Key_Escape) {
        pointer.box.reset();
        gesture = Gesture::None;
        widget.update();
        return true;
    }
    if (gesture == Gesture::Trail) {
        if (key == Qt::Key_Escape) endTrailDrag(false);
        return true;
    }
    if (gesture == Gesture::Limit || gesture == Gesture::Link) {
        if (key == Qt::Key_Escape) gesture == Gesture::Limit ? endLimitDrag(false) : endLink();
        return true;
    }
    if (gesture != Gesture::Dragging && gesture != Gesture::Modal) return false;
    if (key == Qt::Key_Escape)
        endDrag(false);
    else if (key == Qt::Key_Return || key == Qt::Key_Enter)
        endDrag(true);
    else if (key == Qt::Key_Backspace) {
        if (!typed.empty()) typed.pop_back();
        updateDrag({});
    } else if (text.size() == 1 && QStringLiteral("0123456789.,-+ cmin").contains(text)) {
        typed += text.toStdString();
        updateDrag({});
    }
    return true; // nothing else happens while the button is held
}

void Viewport::keyPressEvent(QKeyEvent* event)
{
    if (!m_impl->takeKey(event->key(), event->text(), event->modifiers())) QOpenGLWidget::keyPressEvent(event);
}

void Viewport::focusInEvent(QFocusEvent* event)
{
    emit activated();
    QOpenGLWidget::focusInEvent(event);
}

bool Viewport::event(QEvent* event)
{
    // During a drag, keys are numbers and Esc, not the window's shortcuts.
    if (event->type() == QEvent::ShortcutOverride) {
        const bool isBusy = m_impl->gesture == Gesture::Dragging || m_impl->gesture == Gesture::Limit ||
                            m_impl->gesture == Gesture::Box || m_impl->gesture == Gesture::Link ||
                            m_impl->gesture == Gesture::Trail || m_impl->gesture == Gesture::Modal;
        const int key = static_cast<QKeyEvent*>(event)->key();
        const bool endsPicking = key == Qt::Key_Escape || key == Qt::Key_Return || key == Qt::Key_Enter;
        if (isBusy || (m_impl->isChainPicking && endsPicking)) {
            event->accept();
            return true;
        }
    }
    return QOpenGLWidget::event(event);
}

} // namespace tendon::viewport
