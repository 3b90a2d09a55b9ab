#include "core/scene/RestPose.h"

#include <unordered_map>

namespace tendon {
namespace {

ChannelId channelOf(const Joint& joint, Property property) { return {joint.id.value, property}; }

template <typename LocalOf>
Affine worldBy(const Scene& scene, JointId joint, LocalOf localOf)
{
    Affine worldFromJoint = Affine::Identity();
    for (const Joint* at = scene.find(joint); at != nullptr; at = scene.find(at->parent))
        worldFromJoint = localOf(*at).parentFromJoint() * worldFromJoint;
    return worldFromJoint;
}

} // namespace

Vector3 anglesOf(const Joint& joint, const Quaternion& local, const Vector3& near)
{
    return anglesFromRotation(joint.rest.rotation.conjugate() * local, joint.rotationOrder, near);
}

Quaternion rotationOf(const Joint& joint, const Vector3& angles)
{
    return joint.rest.rotation * rotationFromAngles(angles, joint.rotationOrder);
}

ChannelValue toValue(const Quaternion& q) { return {q.x(), q.y(), q.z(), q.w()}; }
ChannelValue toValue(const Vector3& v) { return {v.x(), v.y(), v.z()}; }
Quaternion toQuaternion(const ChannelValue& value) { return Quaternion(value[3], value[0], value[1], value[2]); }
Vector3 toVector(const ChannelValue& value) { return {value[0], value[1], value[2]}; }

Quaternion rotationPart(const Affine& transform) { return decompose(transform).rotation; }

Vector3 staticAngles(const Scene& scene, const Joint& joint)
{
    const auto& statics = *scene.statics;
    if (const auto whole = statics.find(channelOf(joint, Property::Rotation)); whole != statics.end())
        return anglesOf(joint, toQuaternion(whole->second), Vector3::Zero());
    return {scene.staticValue(channelOf(joint, Property::Rx))[0], scene.staticValue(channelOf(joint, Property::Ry))[0],
            scene.staticValue(channelOf(joint, Property::Rz))[0]};
}

LocalTransform staticLocal(const Scene& scene, const Joint& joint)
{
    const auto& statics = *scene.statics;
    const auto first = statics.lower_bound({joint.id.value, Property::Tx});
    if (first == statics.end() || first->first.target != joint.id.value) return joint.rest;

    const auto number = [&](Property p) { return scene.staticValue(channelOf(joint, p))[0]; };
    LocalTransform local;
    local.translation = {number(Property::Tx), number(Property::Ty), number(Property::Tz)};
    local.scale = {number(Property::Sx), number(Property::Sy), number(Property::Sz)};
    const auto whole = statics.find(channelOf(joint, Property::Rotation));
    if (whole != statics.end())
        local.rotation = toQuaternion(whole->second);
    else
        local.rotation = rotationOf(joint, {number(Property::Rx), number(Property::Ry), number(Property::Rz)});
    return local;
}

Affine worldInRestPose(const Scene& scene, JointId joint)
{
    return worldBy(scene, joint, [](const Joint& at) { return at.rest; });
}

std::vector<Affine> worldInRestPose(const Scene& scene)
{
    const std::vector<Joint>& joints = *scene.joints;
    std::unordered_map<std::uint64_t, std::size_t> indexOf;
    for (std::size_t i = 0; i < joints.size(); ++i) indexOf[joints[i].id.value] = i;
    std::vector<Affine> world(joints.size());
    std::vector<bool> isDone(joints.size(), false);
    std::vector<std::size_t> path;
    for (std::size_t i = 0; i < joints.size(); ++i) {
        // Parents need not come first: climb to what is known, then come down again.
        for (std::size_t at = i; !isDone[at];) {
            path.push_back(at);
            if (!joints[at].parent.isValid()) break;
            at = indexOf.at(joints[at].parent.value);
        }
        for (; !path.empty(); path.pop_back()) {
            const Joint& joint = joints[path.back()];
            const Affine local = joint.rest.parentFromJoint();
            world[path.back()] = joint.parent.isValid() ? Affine(world[indexOf.at(joint.parent.value)] * local) : local;
            isDone[path.back()] = true;
        }
    }
    return world;
}

Affine worldInStaticPose(const Scene& scene, JointId joint)
{
    return worldBy(scene, joint, [&](const Joint& at) { return staticLocal(scene, at); });
}

} // namespace tendon
