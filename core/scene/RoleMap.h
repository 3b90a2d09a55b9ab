#pragma once

#include "core/base/Id.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tendon {

/// Which joints of a skeleton have which role, as decided: said by hand, accepted, or stated by the file. A role is a
/// name of core/roles/RoleNames.h: "hips", "leftUpperArm", "tail1", ... Its joints are in order from the top. Several
/// share one where a skeleton has a joint for each axis, or divides a bone. An empty list says that no joint has the
/// role; a role that is missing is not decided. No joint has two roles.
using RoleMap = std::map<std::string, std::vector<JointId>>;

/// The topmost joint of a role; none if no joint has it.
[[nodiscard]] inline JointId jointOf(const RoleMap& roles, const std::string& role)
{
    const auto found = roles.find(role);
    return found == roles.end() || found->second.empty() ? JointId() : found->second.front();
}

/// The role of a joint; "" = none.
[[nodiscard]] inline std::string_view roleOf(const RoleMap& roles, JointId joint)
{
    for (const auto& [role, joints] : roles)
        for (const JointId one : joints)
            if (one == joint) return role;
    return {};
}

} // namespace tendon
