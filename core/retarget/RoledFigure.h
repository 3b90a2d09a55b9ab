#pragma once

#include "core/runtime/CompiledRig.h"
#include "core/runtime/Pose.h"
#include "core/scene/RoleMap.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tendon {

/// A skeleton and what its joints are: one side of a retarget.
struct RoledFigure
{
    std::shared_ptr<const CompiledRig> rig; ///< never null
    RoleMap roles;                          ///< joints that the rig does not have are ignored

    /// The joints of a role that the rig has, parents first; empty if there are none.
    [[nodiscard]] std::vector<JointIndex> joints(std::string_view role) const;
    [[nodiscard]] JointIndex first(std::string_view role) const; ///< -1 = none
    [[nodiscard]] JointIndex last(std::string_view role) const;  ///< -1 = none
    [[nodiscard]] bool has(std::string_view role) const { return first(role) >= 0; }

    [[nodiscard]] const std::string& name(JointIndex joint) const { return rig->authored[at(joint)].name; }
};

/// A limb by the roles of its parts.
struct LimbRoles
{
    std::string_view upper, lower, end;
    bool isLeg = false;
};

/// The legs and arms of two-legged and four-legged bodies.
inline constexpr LimbRoles kLimbs[] = {
    {"leftUpperLeg", "leftLowerLeg", "leftFoot", true},
    {"rightUpperLeg", "rightLowerLeg", "rightFoot", true},
    {"leftHindUpperLeg", "leftHindLowerLeg", "leftHindFoot", true},
    {"rightHindUpperLeg", "rightHindLowerLeg", "rightHindFoot", true},
    {"leftFrontUpperLeg", "leftFrontLowerLeg", "leftFrontFoot", true},
    {"rightFrontUpperLeg", "rightFrontLowerLeg", "rightFrontFoot", true},
    {"leftUpperArm", "leftLowerArm", "leftHand", false},
    {"rightUpperArm", "rightLowerArm", "rightHand", false},
};

/// The pose of a skeleton in the world.
struct WorldPose
{
    std::vector<Vector3> position;    ///< (n) [m] in the order of a rig
    std::vector<Quaternion> rotation; ///< (n) worldFromJoint, unit

    /// Takes a model pose, scale left out. Allocates only to grow.
    void take(const ModelPose& pose);
};

/// The pose of a rig whose joints are all at rest.
[[nodiscard]] WorldPose worldAtRest(const CompiledRig& rig);

/// [m] Length of a limb along its bones; none if one of its parts is missing.
[[nodiscard]] std::optional<double> limbLength(const RoledFigure& figure, const WorldPose& pose, const LimbRoles& limb);

/// [m] Mean length of the limbs of one kind; none if there is none.
[[nodiscard]] std::optional<double> meanLimbLength(const RoledFigure& figure, const WorldPose& pose, bool legs);

/// The axes of a figure's trunk in the world: x to its left, y up the trunk, z forward. None without hips, something
/// above them and a pair of limbs.
[[nodiscard]] std::optional<Quaternion> trunkAxes(const RoledFigure& figure, const WorldPose& pose);

} // namespace tendon
