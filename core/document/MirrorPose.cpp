#include "core/document/MirrorPose.h"

#include "core/document/Sides.h"
#include "core/scene/JointMirror.h"
#include "core/scene/RestPose.h"

namespace tendon {
namespace {

/// S R S for the reflection S across `axis`: the rotation that the mirror shows.
Quaternion mirrored(const Quaternion& q, int axis)
{
    Vector3 v = -q.vec();
    v[axis] = -v[axis];
    return Quaternion(q.w(), v.x(), v.y(), v.z());
}

LocalTransform mirroredLocal(const Scene& scene, const Joint& from, const LocalTransform& local, const Joint& to,
                             int axis)
{
    const Quaternion worldFromSource = rotationOf(worldInRestPose(scene, from.id));
    const Quaternion worldFromTarget = rotationOf(worldInRestPose(scene, to.id));
    const Quaternion sourceParent = rotationOf(worldInRestPose(scene, from.parent));
    const Quaternion targetParent = rotationOf(worldInRestPose(scene, to.parent));

    // The turn from rest, in world axes as the rest pose has them; mirrored; and back into the other joint's own axes.
    // With the parents mirrored in the same way, this mirrors the joint's pose in the world.
    const Quaternion turn = from.rest.rotation.conjugate() * local.rotation;
    const Quaternion turnInWorld = worldFromSource * turn * worldFromSource.conjugate();
    const Quaternion turnInTarget = worldFromTarget.conjugate() * mirrored(turnInWorld, axis) * worldFromTarget;

    LocalTransform result = to.rest;
    result.rotation = (to.rest.rotation * turnInTarget).normalized();
    const Vector3 move = local.translation - from.rest.translation;
    result.translation = to.rest.translation + targetParent.conjugate() * (reflection(axis) * (sourceParent * move));
    // Scale is along the joint's own axes: of use only where these are images of each other.
    if (const auto axes = nearestAxisMap(mirroredTurns(scene, from, to, axis)))
        for (int i = 0; i < 3; ++i)
            if (from.rest.scale[i] != 0) {
                const int target = axes->target[static_cast<std::size_t>(i)];
                result.scale[target] = to.rest.scale[target] * (local.scale[i] / from.rest.scale[i]);
            }
    return result;
}

/// The handle that runs between the counterparts of a handle's joints.
const Handle* counterpartOf(const Scene& scene, const Counterparts& sides, const Handle& handle)
{
    const JointId start = sides.of(handle.start);
    const JointId end = sides.of(handle.end);
    if (start == handle.start && end == handle.end) return &handle;
    for (const Handle& candidate : *scene.handles)
        if (candidate.start == start && candidate.end == end) return &candidate;
    return nullptr;
}

} // namespace

CopiedPose mirroredPose(const Scene& scene, const CopiedPose& pose, int axis, const Vector3& at)
{
    CopiedPose result;
    Vector3 aside = Vector3::Zero(); // what reflecting through the origin leaves out
    aside[axis] = 2 * at[axis];
    result.root = reflection(axis) * pose.root + aside;
    const Counterparts sides(scene);
    for (const auto& [id, local] : pose.joints) {
        const Joint* from = scene.find(id);
        const Joint* to = from == nullptr ? nullptr : scene.find(sides.of(id));
        if (to == nullptr) continue;
        LocalTransform& image = result.joints[to->id] = mirroredLocal(scene, *from, local, *to, axis);
        if (!to->parent.isValid()) image.translation += aside; // the others go along
    }
    for (const auto& [id, goal] : pose.goals) {
        const Handle* from = scene.find(id);
        const Handle* to = from == nullptr ? nullptr : counterpartOf(scene, sides, *from);
        if (to == nullptr) continue;
        // The goal's rotation stands for the end joint's: carried over as its turn from rest.
        const Quaternion worldFromSource = rotationOf(worldInRestPose(scene, from->end));
        const Quaternion worldFromTarget = rotationOf(worldInRestPose(scene, to->end));
        const Quaternion turn = goal.rotation * worldFromSource.conjugate();
        result.goals[to->id] = {reflection(axis) * goal.position + aside,
                                (mirrored(turn, axis) * worldFromTarget).normalized()};
    }
    for (const auto& [id, points] : pose.curves) {
        const Handle* from = scene.find(id);
        const Handle* to = from == nullptr ? nullptr : counterpartOf(scene, sides, *from);
        if (to == nullptr) continue;
        for (const Vector3& point : points) result.curves[to->id].push_back(reflection(axis) * point + aside);
    }
    return result;
}

} // namespace tendon
