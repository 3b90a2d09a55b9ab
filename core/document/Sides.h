#pragma once

#include "core/roles/Roles.h"
#include "core/scene/Scene.h"

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tendon {

/// The names with one side changed: "hand_L" <-> "hand_R", "LeftArm" <-> "RightArm", "mixamorig:LeftHand", "L_Thigh",
/// "Bip01 L Foot", "handL"; of "Hero_R_LeftArm" there are two. Words are told apart by punctuation and by a capital
/// after a small letter; a single L or R and left or right in any case count.
[[nodiscard]] std::vector<std::string> otherSides(std::string_view name);

/// Which joint of a skeleton is on the other side of which.
class Counterparts
{
public:
    explicit Counterparts(const Scene& scene);

    /// The joint on the other side: itself where it has no side, none when its counterpart is not there. Decided roles
    /// say so first, then names, then roles that are sure, as where joints have numbers for names.
    [[nodiscard]] JointId of(JointId joint) const;

private:
    [[nodiscard]] JointId byName(const std::string& name) const;
    [[nodiscard]] JointId byRole(JointId joint, const RoleMap& roles) const;

    const Scene& m_scene;
    RoleMap m_guessed;         ///< of sided joints, those that are sure
    std::set<JointId> m_sided; ///< whose names say a side
};

/// The same for a single joint.
[[nodiscard]] JointId counterpart(const Scene& scene, JointId joint);

} // namespace tendon
