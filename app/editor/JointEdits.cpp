#include "app/editor/JointEdits.h"

#include "app/editor/JsonValues.h"
#include "core/math/Convert.h"
#include "core/math/Degrees.h"
#include "core/scene/Check.h"
#include "core/scene/JointPose.h"
#include "core/solve/DrivenDrag.h"

#include <algorithm>

namespace tendon::editor {
namespace {

JointIndex indexIn(const FrameResult& frame, JointId joint)
{
    return frame.rig == nullptr ? -1 : frame.rig->index(joint);
}

const Affine* parentIn(const FrameResult& frame, JointIndex joint)
{
    const JointIndex parent = frame.rig->parent[at(joint)];
    return parent < 0 ? nullptr : &frame.solved.model.modelFromJoint[at(parent)];
}

QString nameOfJoint(const Joint& joint) { return QString::fromStdString(joint.name); }
QString letterOf(int axis) { return QString(QChar('x' + axis)); }

/// By IK, to a whole rotation.
QJsonObject turnByIk(const FrameResult& frame, const Joint& joint, const Quaternion& local)
{
    const Affine* parent = parentIn(frame, indexIn(frame, joint.id));
    const Quaternion above = parent == nullptr ? Quaternion(Quaternion::Identity()) : rotationOf(*parent);
    return {
        {"op", "drag"}, {"joint", nameOfJoint(joint)}, {"rotation", toJson(Quaternion((above * local).normalized()))}};
}

bool isTurnedByIk(const FrameResult& frame, const Joint& joint)
{
    const JointIndex index = indexIn(frame, joint.id);
    return index >= 0 && turningHandle(*frame.rig, frame.solved, index) != nullptr;
}

} // namespace

QJsonObject turnOperation(const FrameResult& frame, const Joint& joint, const Quaternion& local)
{
    if (isTurnedByIk(frame, joint)) return turnByIk(frame, joint, local);
    return {{"op", "setPose"}, {"joint", nameOfJoint(joint)}, {"rotation", toJson(local)}};
}

QJsonObject turnOperation(const FrameResult& frame, const Joint& joint, int axis, const Vector3& angles)
{
    if (isTurnedByIk(frame, joint)) return turnByIk(frame, joint, localRotation(joint, angles));
    return {
        {"op", "rotate"}, {"joint", nameOfJoint(joint)}, {"axis", letterOf(axis)}, {"value", degrees(angles[axis])}};
}

QJsonObject slideOperation(const FrameResult& frame, const Joint& joint, int axis, double value)
{
    const JointIndex index = indexIn(frame, joint.id);
    if (index < 0 || slidingHandle(*frame.rig, frame.solved, index) == nullptr)
        return {{"op", "slide"}, {"joint", nameOfJoint(joint)}, {"axis", letterOf(axis)}, {"value", value}};
    Vector3 place = frame.solved.local.joints[at(index)].translation;
    place[axis] = value;
    if (const Affine* parent = parentIn(frame, index)) place = *parent * place;
    return {{"op", "drag"}, {"joint", nameOfJoint(joint)}, {"to", toJson(place)}};
}

const Handle* handleDriving(const FrameResult& frame, JointId joint)
{
    const JointIndex index = indexIn(frame, joint);
    if (index < 0) return nullptr;
    const Handle* turning = turningHandle(*frame.rig, frame.solved, index);
    return turning != nullptr ? turning : slidingHandle(*frame.rig, frame.solved, index);
}

PendingValues previewValues(const Scene& scene, const FrameResult& frame, JointId joint, Property property,
                            const ChannelValue& value)
{
    PendingValues values;
    for (const Handle& handle : *scene.handles) {
        const std::vector<JointId> moved = chain(scene, handle.start, handle.end);
        if (std::find(moved.begin(), moved.end(), joint) == moved.end()) continue;
        values[{handle.id.value, Property::Blend}] = {0};
        for (const JointId each : moved) {
            const JointIndex index = indexIn(frame, each);
            if (index < 0) continue;
            const LocalTransform& local = frame.solved.local.joints[at(index)];
            for (int axis = 0; axis < 3; ++axis)
                values[{each.value, offsetBy(Property::Tx, axis)}] = {local.translation[axis]};
            values[{each.value, Property::Rotation}] = toValue(local.rotation);
        }
    }
    const ChannelId whole{joint.value, Property::Rotation};
    const bool isAngle = property >= Property::Rx && property <= Property::Rz;
    if (!isAngle || values.count(whole) == 0) {
        values[{joint.value, property}] = value;
        return values;
    }
    // A whole rotation goes before angles of the same source, which turn from rest.
    const Joint& authored = *scene.find(joint);
    const std::size_t index = at(indexIn(frame, joint));
    Vector3 angles = anglesOf(authored, frame.solved.local.joints[index].rotation, frame.solved.local.angles[index]);
    angles[static_cast<int>(property) - static_cast<int>(Property::Rx)] = value[0];
    values[whole] = toValue(localRotation(authored, angles));
    return values;
}

} // namespace tendon::editor
