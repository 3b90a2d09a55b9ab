#include "core/scene/RestPose.h"

#include <unordered_map>

namespace tendon {
namespace {

template <typename LocalOf>
Affine worldBy(const Scene& scene, JointId joint, LocalOf localOf)
{
    Affine worldFromJoint = Affine::Identity();
    for (const Joint* at = scene.find(joint); at != nullptr; at = scene.find(at->parent))
        worldFromJoint = localOf(*at).parentFromJoint() * worldFromJoint;
    return worldFromJoint;
}

template <class Joints>
Vector3 directionAmong(const Joints& joints, const Joint& joint)
{
    constexpr double kMinBone = 1e-6; // [m] below it a joint is in the same place
    for (const Joint& child : joints)
        if (child.parent == joint.id && child.rest.translation.norm() > kMinBone)
            return child.rest.translation.normalized();
    const Vector3 above = joint.rest.rotation.conjugate() * joint.rest.translation;
    return above.norm() > kMinBone ? Vector3(above.normalized()) : Vector3(Vector3::UnitY());
}

} // namespace

JointPose staticPose(const Scene& scene, const Joint& joint)
{
    JointChannels channels;
    const StaticValues& statics = *scene.statics;
    for (auto at = statics.lower_bound({joint.id.value, Property::Tx});
         at != statics.end() && at->first.target == joint.id.value; ++at)
        channels.set(at->first.property, at->second);
    const JointPose rest = restPose(joint);
    return posed(rest, channels, rest.local.rotation, joint.rotationOrder);
}

Affine worldInRestPose(const Scene& scene, JointId joint)
{
    return worldBy(scene, joint, [](const Joint& at) { return restPose(at).local; });
}

std::vector<Affine> worldInRestPose(const Scene& scene)
{
    const ObjectList<Joint>& joints = *scene.joints;
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
            const Affine local = restPose(joint).local.parentFromJoint();
            world[path.back()] = joint.parent.isValid() ? Affine(world[indexOf.at(joint.parent.value)] * local) : local;
            isDone[path.back()] = true;
        }
    }
    return world;
}

Affine worldInStaticPose(const Scene& scene, JointId joint)
{
    return worldBy(scene, joint, [&](const Joint& at) { return staticPose(scene, at).local; });
}

Vector3 boneDirection(std::span<const Joint> joints, const Joint& joint) { return directionAmong(joints, joint); }

Vector3 boneDirection(const Scene& scene, const Joint& joint) { return directionAmong(*scene.joints, joint); }

} // namespace tendon
