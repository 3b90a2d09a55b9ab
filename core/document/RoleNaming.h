#pragma once

#include "core/document/Arguments.h"
#include "core/io/project/RoleMapFile.h"
#include "core/scene/RoleMap.h"
#include "core/scene/Scene.h"

#include <optional>
#include <string>
#include <vector>

namespace tendon {

/// Gives joints a role, or with none of them says that no joint has it. Another role that one of them had is no longer
/// decided.
void assignRole(RoleMap& roles, const std::string& role, const std::vector<JointId>& joints);

/// A role map with what a JSON object changes in it: {role: joint, [joints] or null}. Errors: no such joint, a name
/// that is no role.
[[nodiscard]] Result<RoleMap> withNamedRoles(RoleMap roles, const Scene& scene, const QJsonObject& named);

/// The roles of a motion's joints: from the saved map in the field "map", else guessed; then as the field "roles" says.
struct MotionRoles
{
    RoleMap roles;
    std::optional<RoleMapFile> map; ///< that was used
    std::string note;               ///< "Map: mixamo.tendonmap, fits all 23 roles"; empty = guessed, without a doubt
                                    ///< about sides
};
[[nodiscard]] Result<MotionRoles> motionRoles(const Scene& motion, const Arguments& arguments);

} // namespace tendon
