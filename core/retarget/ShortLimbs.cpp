#include "core/retarget/ShortLimbs.h"

#include "core/math/Degrees.h"
#include "core/runtime/Skinning.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace tendon {
namespace {

/// [m] From a joint to the far end of what it moves of the meshes, through their middle, in the world.
std::optional<Vector3> wayThroughMesh(const ModelAsset& model, const CompiledRig& rig, const ModelPose& pose,
                                      JointIndex joint)
{
    constexpr double kMoves = 0.5; // of a vertex
    std::vector<Vector3> places;
    for (const Mesh& mesh : model.meshes) {
        const SkinBinding binding = bindSkin(rig, mesh.skin);
        const auto isBelow = [&](std::size_t k) {
            return binding.joints[k] >= 0 && rig.isAtOrBelow(binding.joints[k], joint);
        };
        bool moves = false;
        for (std::size_t k = 0; k < binding.joints.size(); ++k) moves = moves || isBelow(k);
        if (!moves) continue;
        std::vector<Eigen::Vector3f> skinned(mesh.positions.size());
        skinVertices(mesh, binding, pose, skinned);
        for (std::size_t v = 0; v < skinned.size(); ++v) {
            double weight = mesh.skin.isRigid() ? 1 : 0;
            if (!mesh.skin.isRigid())
                for (auto i = mesh.skin.influenceBegin[v]; i < mesh.skin.influenceBegin[v + 1]; ++i)
                    if (isBelow(mesh.skin.influenceJoint[i]))
                        weight += static_cast<double>(mesh.skin.influenceWeight[i]);
            if (weight >= kMoves) places.push_back(skinned[v].cast<double>());
        }
    }
    if (places.empty()) return std::nullopt;
    Vector3 middle = Vector3::Zero();
    for (const Vector3& place : places) middle += place / static_cast<double>(places.size());
    const Vector3 root = pose.modelFromJoint[at(joint)].translation(), through = middle - root;
    if (through.norm() < 1e-6) return std::nullopt;
    double most = 0;
    for (const Vector3& place : places) most = std::max(most, (place - root).dot(through.normalized()));
    return most * through.normalized();
}

/// The same by the joint below it that is farthest.
std::optional<Vector3> wayToJoints(const CompiledRig& rig, const ModelPose& pose, JointIndex joint)
{
    Vector3 farthest = Vector3::Zero();
    for (JointIndex below = joint + 1; below < rig.subtreeEnd[at(joint)]; ++below) {
        const Vector3 way = pose.modelFromJoint[at(below)].translation() - pose.modelFromJoint[at(joint)].translation();
        if (way.norm() > farthest.norm()) farthest = way;
    }
    return farthest.norm() > 1e-6 ? std::optional(farthest) : std::nullopt;
}

} // namespace

std::vector<ShortLimb> shortLimbsOf(const Scene& scene, const RoledFigure& character, const ModelPose& pose)
{
    constexpr double kRunsDown = 25 / kDegrees;
    std::vector<ShortLimb> limbs;
    for (const LimbRoles& roles : kLimbs) {
        ShortLimb limb;
        limb.roles = roles, limb.upper = character.first(roles.upper), limb.last = character.first(roles.lower);
        if (limb.upper < 0 || (limb.last >= 0 && character.has(roles.end))) continue;
        const Vector3 root = pose.modelFromJoint[at(limb.upper)].translation();
        limb.isOneBone = limb.last < 0;
        if (limb.isOneBone) limb.last = limb.upper;
        const Affine& last = pose.modelFromJoint[at(limb.last)];
        std::optional<Vector3> way = wayToJoints(*character.rig, pose, limb.last);
        if (const JointIndex end = character.first(roles.end); end >= 0)
            way = pose.modelFromJoint[at(end)].translation() - last.translation();
        else if (!way && scene.model != nullptr)
            way = wayThroughMesh(*scene.model, *character.rig, pose, limb.last);
        if (!way) continue;
        if (roles.isLeg && -way->y() > std::cos(kRunsDown) * way->norm())
            way = Vector3(0, way->y(), 0); // what is before it is the foot
        limb.way = rotationOf(last).conjugate() * *way;
        limb.lastFromUpper = rotationOf(pose.modelFromJoint[at(limb.upper)]).conjugate() * (last.translation() - root);
        limb.length = (last.translation() - root).norm() + way->norm();
        limbs.push_back(limb);
    }
    return limbs;
}

} // namespace tendon
