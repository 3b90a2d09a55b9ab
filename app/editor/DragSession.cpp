#include "app/editor/DragSession.h"

#include "app/editor/JsonValues.h"
#include "core/scene/Check.h"

namespace tendon::editor {

DragSession::DragSession(EditorDocument& document, const ViewSettings& view, QObject* parent)
    : QObject(parent), m_document(document), m_view(view)
{
    connect(&document, &EditorDocument::gestureEnded, this, [this] {
        if (m_isActive) end(true); // another edit came between
    });
    connect(&document, &EditorDocument::replaced, this, [this] {
        if (m_isActive) end(false);
    });
}

Result<void> DragSession::begin(SelectionItem item, Kind kind, FramePtr frame)
{
    if (m_isActive) commit();
    const auto refuse = [&](const char* why) { return Error{ErrorCode::InvalidArgument, why, nameOf(m_document.scene(), item.object)}; };
    if (frame == nullptr || frame->rig == nullptr || !item.isValid()) return refuse("there is nothing to drag");

    Affine worldFromSpace = Affine::Identity();
    if (item.kind == SelectionItem::Kind::Joint) {
        const JointIndex index = frame->rig->index(item.joint());
        if (index < 0) return refuse("there is no such joint");
        const Affine& world = *frame->worldFromJoint(item.joint());
        const JointIndex parent = frame->rig->parent[static_cast<std::size_t>(index)];
        if (parent >= 0) worldFromSpace = frame->pose.model.modelFromJoint[static_cast<std::size_t>(parent)];
        m_origin = world.translation();
        m_originRotation = rotationOf(world);
    } else {
        const HandleView* view = frame->find(item.handle());
        const Handle* handle = m_document.scene().find(item.handle());
        if (view == nullptr || handle == nullptr) return refuse("there is no such handle");
        const bool isPole = item.kind == SelectionItem::Kind::Pole;
        if (isPole && !view->pole) return refuse("the handle has no pole");
        if (isPole && handle->poleTarget.isValid()) return refuse("its pole follows a joint: move that joint");
        if (isPole && kind == Kind::Rotate) return refuse("a pole is a point: it cannot be turned");
        if (!isPole && handle->follow.isValid())
            if (const Affine* followed = frame->worldFromJoint(handle->follow)) worldFromSpace = *followed;
        m_origin = isPole ? *view->pole : view->goal;
        m_originRotation = view->goalRotation;
    }
    m_spaceFromWorld = worldFromSpace.inverse(Eigen::Affine);
    m_spaceRotation = rotationOf(worldFromSpace);
    m_item = item;
    m_kind = kind;
    m_document.beginGesture(); // ends what was going on before this one is active
    m_isActive = true;
    emit begun();
    return {};
}

Result<void> DragSession::moveTo(const Vector3& world)
{
    if (!m_isActive || m_kind != Kind::Move) return Error{ErrorCode::InvalidArgument, "nothing is being moved", {}};
    const QString name = QString::fromStdString(nameOf(m_document.scene(), m_item.object));
    if (m_item.kind == SelectionItem::Kind::Handle)
        return update({{"op", "setGoal"}, {"handle", name}, {"position", toJson(m_spaceFromWorld * world)}});
    if (m_item.kind == SelectionItem::Kind::Pole) return update({{"op", "setHandle"}, {"name", name}, {"pole", toJson(world)}});

    QJsonObject operation{{"op", "drag"}, {"joint", name}, {"to", toJson(world)}};
    if (!m_view.state().isInteractiveIk) operation.insert("mode", "fk");
    if (m_view.state().isInteractiveIk && m_view.state().terminationDepth) operation.insert("terminationDepth", *m_view.state().terminationDepth);
    return update(operation);
}

Result<void> DragSession::rotateTo(const Quaternion& world)
{
    if (!m_isActive || m_kind != Kind::Rotate) return Error{ErrorCode::InvalidArgument, "nothing is being turned", {}};
    const QString name = QString::fromStdString(nameOf(m_document.scene(), m_item.object));
    const Quaternion inSpace = (m_spaceRotation.conjugate() * world).normalized();
    if (m_item.kind == SelectionItem::Kind::Handle)
        return update({{"op", "setGoal"}, {"handle", name}, {"rotation", toJson(inSpace)}});
    return update({{"op", "setPose"}, {"joint", name}, {"rotation", toJson(inSpace)}});
}

Result<void> DragSession::update(const QJsonObject& operation)
{
    auto done = m_document.updateGesture(operation);
    if (!done) emit refused(QString::fromStdString(done.error().text()));
    return done;
}

void DragSession::commit()
{
    if (!m_isActive) return;
    m_isActive = false;
    m_document.endGesture();
    emit ended(true);
}

void DragSession::cancel()
{
    if (!m_isActive) return;
    m_isActive = false;
    m_document.cancelGesture();
    emit ended(false);
}

void DragSession::end(bool isCommitted)
{
    m_isActive = false;
    emit ended(isCommitted);
}

} // namespace tendon::editor
