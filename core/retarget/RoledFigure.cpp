#include "core/retarget/RoledFigure.h"

#include "core/runtime/ForwardKinematics.h"

#include <algorithm>
#include <array>

namespace tendon {

std::vector<JointIndex> RoledFigure::joints(std::string_view role) const
{
    std::vector<JointIndex> found;
    const auto entry = roles.find(std::string(role));
    if (entry == roles.end()) return found;
    for (const JointId joint : entry->second)
        if (const JointIndex index = rig->index(joint); index >= 0) found.push_back(index);
    std::sort(found.begin(), found.end()); // parents come before their children in a rig
    return found;
}

JointIndex RoledFigure::first(std::string_view role) const
{
    const std::vector<JointIndex> all = joints(role);
    return all.empty() ? -1 : all.front();
}

JointIndex RoledFigure::last(std::string_view role) const
{
    const std::vector<JointIndex> all = joints(role);
    return all.empty() ? -1 : all.back();
}

void WorldPose::take(const ModelPose& pose)
{
    position.resize(pose.modelFromJoint.size());
    rotation.resize(pose.modelFromJoint.size());
    for (std::size_t j = 0; j < position.size(); ++j) {
        position[j] = pose.modelFromJoint[j].translation();
        rotation[j] = rotationOf(pose.modelFromJoint[j]);
    }
}

WorldPose worldAtRest(const CompiledRig& rig)
{
    LocalPose local;
    local.joints = rig.rest;
    ModelPose model;
    forwardKinematics(rig, local, model);
    WorldPose pose;
    pose.take(model);
    return pose;
}

std::optional<double> limbLength(const RoledFigure& figure, const WorldPose& pose, const LimbRoles& limb)
{
    const std::array parts{figure.first(limb.upper), figure.first(limb.lower), figure.first(limb.end)};
    if (parts[0] < 0 || parts[1] < 0 || parts[2] < 0) return std::nullopt;
    const auto place = [&](std::size_t part) -> const Vector3& { return pose.position[at(parts[part])]; };
    return (place(1) - place(0)).norm() + (place(2) - place(1)).norm();
}

std::optional<double> meanLimbLength(const RoledFigure& figure, const WorldPose& pose, bool legs)
{
    double sum = 0;
    int count = 0;
    for (const LimbRoles& limb : kLimbs)
        if (limb.isLeg == legs)
            if (const auto length = limbLength(figure, pose, limb); length && *length > 1e-9) sum += *length, ++count;
    return count > 0 ? std::optional(sum / count) : std::nullopt;
}

std::optional<Quaternion> trunkAxes(const RoledFigure& figure, const WorldPose& pose)
{
    const auto place = [&](std::string_view role) -> std::optional<Vector3> {
        const JointIndex joint = figure.first(role);
        return joint < 0 ? std::nullopt : std::optional<Vector3>(pose.position[at(joint)]);
    };
    const auto middle = [&](std::string_view left, std::string_view right) -> std::optional<Vector3> {
        const auto a = place(left), b = place(right);
        return a && b ? std::optional<Vector3>((*a + *b) / 2) : std::nullopt;
    };
    const auto hips = place("hips");
    if (!hips) return std::nullopt;
    std::optional<Vector3> top = middle("leftUpperArm", "rightUpperArm");
    for (const std::string_view role : {"neck", "upperChest", "chest", "head", "spine"})
        if (!top) top = place(role);
    if (!top) return std::nullopt;
    const Vector3 bottom = middle("leftUpperLeg", "rightUpperLeg").value_or(*hips);
    Vector3 left = Vector3::Zero();
    for (const auto& [l, r] : {std::pair{"leftUpperLeg", "rightUpperLeg"},
                               {"leftUpperArm", "rightUpperArm"},
                               {"leftShoulder", "rightShoulder"}})
        if (const auto a = place(l), b = place(r); a && b && (*a - *b).norm() > 1e-9) left += (*a - *b).normalized();
    const Vector3 up = *top - bottom;
    if (up.norm() < 1e-9 || left.norm() < 1e-6) return std::nullopt;
    const Vector3 y = up.normalized();
    const Vector3 across = left - y * left.dot(y);
    if (across.norm() < 1e-3 * left.norm()) return std::nullopt;
    Eigen::Matrix3d axes;
    axes.col(0) = across.normalized();
    axes.col(1) = y;
    axes.col(2) = axes.col(0).cross(y);
    return Quaternion(axes);
}

} // namespace tendon
