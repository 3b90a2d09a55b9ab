#include "core/document/WholePose.h"

#include "core/document/FollowSpaces.h"
#include "core/document/Lookup.h"
#include "core/document/MirrorPose.h"
#include "core/document/PoseMatch.h"
#include "core/document/Posing.h"
#include "core/math/Convert.h"
#include "core/roles/Roles.h"
#include "core/scene/Check.h"
#include "core/solve/ChannelWrite.h"

namespace tendon {

Result<void> poseCurve(Draft& draft, const Handle& handle, std::span<const Vector3> inWorld)
{
    const auto worldFromFollow = worldOfValues(draft, handle, curvePoint(0));
    if (!worldFromFollow) return worldFromFollow.error();
    ChannelWrites writes;
    appendCurve(handle, *worldFromFollow, inWorld, writes);
    for (const ChannelWrite& write : writes)
        if (const auto posed = poseChannel(draft, write.channel, write.value); !posed) return posed;
    return {};
}

Result<void> poseGoal(Draft& draft, const Handle& handle, const GoalPose& inWorld)
{
    const auto worldFromFollow = worldOfValues(draft, handle, Property::GoalPosition);
    if (!worldFromFollow) return worldFromFollow.error();
    const GoalPose inSpace = goalInSpace(*worldFromFollow, inWorld);
    const ObjectId id = handle.id.value;
    if (const auto posed = poseChannel(draft, {id, Property::GoalPosition}, toValue(inSpace.position)); !posed)
        return posed;
    const bool isRotationUsed = handle.orientationWeight > 0 || !draft.edit.isAutoKeyOn;
    return isRotationUsed ? poseChannel(draft, {id, Property::GoalRotation}, toValue(inSpace.rotation))
                          : Result<void>();
}

Result<CopiedPose> copiedPose(Draft& draft, std::span<const JointId> joints)
{
    const auto pose = draft.pose();
    if (!pose) return pose.error();
    CopiedPose copied;
    const CompiledRig& rig = *draft.poses.rig();
    const auto localOf = [&](JointId joint) -> const LocalTransform& {
        return (*pose)->local.joints[at(rig.index(joint))];
    };
    for (const JointId joint : joints) copied.joints[joint] = localOf(joint);
    for (std::size_t h = 0; h < rig.handles.size(); ++h) {
        const Handle& handle = rig.handles[h];
        if (copied.joints.count(handle.end) == 0 || !(*pose)->targets[h].isActive()) continue;
        if (handle.hasCurve())
            copied.curves[handle.id] = (*pose)->targets[h].curve;
        else
            copied.goals[handle.id] = (*pose)->targets[h].goal;
    }
    const auto moves = [&](JointId joint) {
        const LocalTransform &now = localOf(joint), &rest = rig.rest[at(rig.index(joint))];
        return (now.translation - rest.translation).norm() > 1e-9 || now.rotation.angularDistance(rest.rotation) > 1e-9;
    };
    copied.root = rootOfFigure(draft.scene, guessRoles(draft.scene).map(), moves);
    if (copied.root.isValid())
        copied.worldFromRoot = decompose((*pose)->model.modelFromJoint[at(rig.index(copied.root))]);
    return copied;
}

CopiedPose seenInMirror(const Scene& scene, const CopiedPose& pose, int axis, bool aboutRoot)
{
    Mirror mirror;
    mirror.axis = axis;
    if (aboutRoot && scene.find(pose.root) != nullptr) {
        mirror.root = pose.root;
        mirror.worldFromHeading = headingOf(scene, pose.root, pose.worldFromRoot.parentFromJoint(), axis);
    }
    return mirroredPose(scene, pose, mirror);
}

Result<void> putPose(Draft& draft, const CopiedPose& pose, const Arguments& arguments, bool isMirrored)
{
    std::vector<JointId> joints;
    if (arguments.has("joints")) {
        const auto named = jointsIn(draft.scene, arguments, "joints");
        if (!named) return named.error();
        joints = *named;
        for (const JointId joint : joints)
            if (pose.joints.count(joint) == 0)
                return Error{ErrorCode::NotFound,
                             "the copied pose holds nothing for " + inQuotes(nameOf(draft.scene, joint.value)) +
                                 (isMirrored ? "; its counterpart was not copied" : "; copy it first"),
                             "joints"};
    } else {
        for (const auto& [joint, local] : pose.joints)
            if (draft.scene.find(joint) != nullptr) joints.push_back(joint);
    }
    return poseShown(draft, pose, joints);
}

CopiedPose blendedPose(const CopiedPose& from, const CopiedPose& to, double weight)
{
    if (weight == 1) return to;
    CopiedPose result = to;
    const auto between = [&](const Vector3& a, const Vector3& b) -> Vector3 { return a + (b - a) * weight; };
    for (auto& [id, local] : result.joints) {
        const auto before = from.joints.find(id);
        if (before == from.joints.end()) continue;
        local.translation = between(before->second.translation, local.translation);
        local.rotation = before->second.rotation.slerp(weight, local.rotation);
        local.scale = between(before->second.scale, local.scale);
    }
    for (auto& [id, goal] : result.goals)
        if (const auto before = from.goals.find(id); before != from.goals.end())
            goal = {between(before->second.position, goal.position),
                    before->second.rotation.slerp(weight, goal.rotation)};
    for (auto& [id, points] : result.curves)
        if (const auto before = from.curves.find(id);
            before != from.curves.end() && before->second.size() == points.size())
            for (std::size_t i = 0; i < points.size(); ++i) points[i] = between(before->second[i], points[i]);
    return result;
}

} // namespace tendon
