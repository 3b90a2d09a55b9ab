#include "app/editor/DragSession.h"

#include "app/editor/HandleControls.h"
#include "app/editor/JointEdits.h"
#include "app/editor/JsonValues.h"
#include "app/editor/Termination.h"
#include "core/document/MakeOperation.h"
#include "core/scene/Check.h"
#include "core/scene/RestPose.h"
#include "core/solve/JointLimits.h"

#include <algorithm>

namespace tendon::editor {

DragSession::DragSession(EditorDocument& document, const ViewSettings& view, QObject* parent)
    : QObject(parent), m_document(document), m_view(view)
{
    connect(&document, &EditorDocument::gestureEnded, this, [this] {
        if (m_isActive) end(true); // another edit came between
    });
    connect(&document, &EditorDocument::gestureRefused, this, [this](const Error& error) {
        if (m_isActive) emit refused(QString::fromStdString(error.text()));
    });
    connect(&document, &EditorDocument::replaced, this, [this] {
        if (m_isActive) end(false);
    });
}

Result<DragSession::Dragged> DragSession::makeDragged(SelectionItem item, Kind kind, const FrameResult& frame) const
{
    const auto refuse = [&](const char* why) {
        return Error{ErrorCode::InvalidArgument, why, nameOf(m_document.scene(), item.object)};
    };
    if (frame.rig == nullptr || !item.isValid()) return refuse("there is nothing to drag");
    if (m_document.scene().view->locked.count(item.object) != 0) return refuse("is locked; unlock it in the outliner");
    Dragged dragged{.item = item};
    Affine& worldFromSpace = dragged.worldFromSpace;
    if (item.kind == SelectionItem::Kind::Joint) {
        const JointIndex joint = frame.rig->index(item.joint());
        if (joint < 0) return refuse("there is no such joint");
        const std::size_t index = at(joint);
        const Affine& world = frame.solved.model.modelFromJoint[index];
        const JointIndex parent = frame.rig->parent[index];
        if (parent >= 0) worldFromSpace = frame.solved.model.modelFromJoint[at(parent)];
        dragged.origin = world.translation();
        dragged.rotation = rotationOf(world);
        dragged.scale = frame.solved.local.joints[index].scale;
        dragged.angles = frame.solved.local.angles[index];
    } else {
        const HandleView* view = frame.find(item.handle());
        const Handle* handle = m_document.scene().find(item.handle());
        if (view == nullptr || handle == nullptr) return refuse("there is no such handle");
        const bool isPole = item.kind == SelectionItem::Kind::Pole, isGoal = item.kind == SelectionItem::Kind::Handle;
        if (isGoal && handle->hasCurve()) return refuse("its chain follows a curve: move the points of the curve");
        if (isGoalInFk(item, frame)) return refuse("FK drives this limb; switch it to IK to move its goal");
        if (item.kind == SelectionItem::Kind::Effector) {
            if (kind != Kind::Move) return refuse("an effector is a point: it can only be moved");
            if (view->end < 0) return refuse("the handle's end joint is not in this frame");
            worldFromSpace = frame.solved.model.modelFromJoint[at(view->end)];
            dragged.origin = view->effector;
            dragged.bone = BoneLine{
                worldFromSpace.translation(),
                (rotationOf(worldFromSpace) * boneDirection(frame.rig->authored, frame.rig->authored[at(view->end)]))};
            return dragged;
        }
        const auto place = placeOf(*view, item);
        if (!place) return refuse(isPole ? "the handle has no pole" : "its curve has no such point");
        if (kind == Kind::Scale)
            return refuse(isGoal   ? "a goal is a point: it has no size"
                          : isPole ? "a pole is a point: it has no size"
                                   : "a point of a curve has no size");
        if (isPole && handle->poleTarget.isValid()) return refuse("its pole follows a joint: move that joint");
        if (!isGoal && kind == Kind::Rotate)
            return refuse(isPole ? "a pole is a point: it cannot be turned" : "a point of a curve cannot be turned");
        worldFromSpace = isPole ? view->target.worldFromPoleSpace : view->target.worldFromSpace;
        dragged.origin = *place;
        dragged.rotation = view->target.goal.rotation;
    }
    return dragged;
}

Result<void> DragSession::begin(SelectionItem item, Kind kind, FramePtr frame, const std::vector<SelectionItem>& others)
{
    if (m_isActive) commit();
    if (frame == nullptr)
        return Error{ErrorCode::InvalidArgument, "there is nothing to drag", nameOf(m_document.scene(), item.object)};
    const auto held = makeDragged(item, kind, *frame);
    m_inFk = !held && isGoalInFk(item, *frame) ? item.handle() : HandleId{};
    if (!held) return held.error();
    const Scene& scene = m_document.scene();
    const auto hangsBelow = [&](const SelectionItem& one, const SelectionItem& another) {
        return one.joint().isValid() && another.joint().isValid() && one != another &&
               isAncestor(scene, another.joint(), one.joint());
    };
    m_dragged = {*held};
    for (const SelectionItem& other : others) {
        const bool comesAnyway = hangsBelow(other, item) || hangsBelow(item, other) ||
                                 std::any_of(others.begin(), others.end(),
                                             [&](const SelectionItem& o) { return hangsBelow(other, o); });
        if (other == item || comesAnyway) continue;
        if (const auto dragged = makeDragged(other, kind, *frame)) m_dragged.push_back(*dragged);
    }
    m_kind = kind;
    m_frame = std::move(frame);
    m_document.gesture().begin(); // ends what was going on before this one is active
    m_isActive = true;
    emit begun();
    return {};
}

QJsonObject DragSession::move(const Dragged& dragged, const Vector3& world) const
{
    const QString name = QString::fromStdString(nameOf(m_document.scene(), dragged.item.object));
    if (dragged.item.kind == SelectionItem::Kind::Handle)
        return {{"op", "setGoal"},
                {"handle", name},
                {"position", toJson(goalInSpace(dragged.worldFromSpace, {world, dragged.rotation}).position)}};
    const QJsonArray place = toJson(Vector3(dragged.worldFromSpace.inverse() * world));
    if (dragged.item.kind == SelectionItem::Kind::Pole) return {{"op", "setHandle"}, {"name", name}, {"pole", place}};
    if (dragged.item.kind == SelectionItem::Kind::CurvePoint)
        return {{"op", "setCurvePoint"}, {"handle", name}, {"index", dragged.item.index}, {"position", place}};
    if (dragged.item.kind == SelectionItem::Kind::Effector) {
        const Vector3 onJoint = dragged.worldFromSpace.inverse(Eigen::Affine) * world;
        return {{"op", "setHandle"}, {"name", name}, {"offset", toJson(onJoint)}};
    }
    QJsonObject operation{{"op", "drag"}, {"joint", name}, {"to", toJson(world)}};
    if (!m_view.state().isInteractiveIk)
        operation.insert("mode", "fk");
    else if (const auto depth = terminationDepth(m_document.scene(), dragged.item.joint(), m_view.state()))
        operation.insert("terminationDepth", *depth);
    return operation;
}

QJsonObject DragSession::rotate(Dragged& dragged, const Quaternion& world, bool passesLimits) const
{
    const QString name = QString::fromStdString(nameOf(m_document.scene(), dragged.item.object));
    const Quaternion inSpace = goalInSpace(dragged.worldFromSpace, {dragged.origin, world}).rotation;
    if (dragged.item.kind == SelectionItem::Kind::Handle)
        return {{"op", "setGoal"}, {"handle", name}, {"rotation", toJson(inSpace)}};
    const Joint* joint = m_document.scene().find(dragged.item.joint());
    if (joint == nullptr) return {};
    if (passesLimits) return turnOperation(*m_frame, *joint, inSpace);
    const JointPose pose = turnedWithinLimits(*joint, inSpace, dragged.angles);
    dragged.angles = pose.angles;
    return turnOperation(*m_frame, *joint, pose.local.rotation);
}

Result<void> DragSession::moveTo(const Vector3& world)
{
    if (!m_isActive || m_kind != Kind::Move) return Error{ErrorCode::InvalidArgument, "nothing is being moved", {}};
    const Vector3 way = world - m_dragged.front().origin;
    std::vector<QJsonObject> operations = {move(m_dragged.front(), world)};
    for (std::size_t i = 1; i < m_dragged.size(); ++i)
        operations.push_back(move(m_dragged[i], m_dragged[i].origin + way));
    return update(operations);
}

Result<void> DragSession::rotateTo(const Quaternion& world, bool passesLimits)
{
    if (!m_isActive || m_kind != Kind::Rotate) return Error{ErrorCode::InvalidArgument, "nothing is being turned", {}};
    const Quaternion turn = world * m_dragged.front().rotation.conjugate();
    std::vector<QJsonObject> operations = {rotate(m_dragged.front(), world, passesLimits)};
    for (std::size_t i = 1; i < m_dragged.size(); ++i)
        operations.push_back(rotate(m_dragged[i], turn * m_dragged[i].rotation, passesLimits));
    return update(operations);
}

Result<void> DragSession::scaleBy(const Vector3& factors)
{
    if (!m_isActive || m_kind != Kind::Scale) return Error{ErrorCode::InvalidArgument, "nothing is being scaled", {}};
    std::vector<QJsonObject> operations;
    for (const Dragged& dragged : m_dragged)
        operations.push_back({{"op", "setPose"},
                              {"joint", QString::fromStdString(nameOf(m_document.scene(), dragged.item.object))},
                              {"scale", toJson(Vector3(dragged.scale.cwiseProduct(factors)))}});
    return update(operations);
}

Result<void> DragSession::update(const std::vector<QJsonObject>& operations)
{
    auto done = m_document.gesture().update(ops::group(operations));
    if (!done) emit refused(QString::fromStdString(done.error().text()));
    return done;
}

void DragSession::commit()
{
    if (!m_isActive) return;
    m_isActive = false;
    m_document.gesture().finish();
    end(true);
}

void DragSession::cancel()
{
    if (!m_isActive) return;
    m_isActive = false;
    m_document.gesture().cancel();
    end(false);
}

void DragSession::end(bool isCommitted)
{
    m_isActive = false;
    m_frame.reset();
    emit ended(isCommitted);
}

} // namespace tendon::editor
