#pragma once

#include "core/document/Arguments.h"
#include "core/io/project/RoleMapFile.h"
#include "core/roles/Roles.h"
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

/// The roles whose guesses are not sure, which a person should check; without those of a spine, as no motion needs to
/// know how it is divided.
[[nodiscard]] std::vector<std::string> unsureRoles(const SkeletonRoles& guessed);

/// "check the roles hips, left foot and 4 others, which are guessed and not sure": for messages; fingers are one. Empty
/// if there are none.
[[nodiscard]] std::string rolesToCheckInWords(std::vector<std::string> roles);

/// The roles of a motion's joints: from the saved map in the field "map", else guessed; then as the field "roles" says.
struct MotionRoles
{
    RoleMap roles;
    std::optional<RoleMapFile> map;   ///< that was used
    std::string note;                 ///< "Map: mixamo.tendonmap, fits all 23 roles"; empty = guessed, without a doubt
                                      ///< about sides
    std::vector<std::string> toCheck; ///< roles that are guessed and not sure
};
[[nodiscard]] Result<MotionRoles> motionRoles(const Scene& motion, const Arguments& arguments);

} // namespace tendon
