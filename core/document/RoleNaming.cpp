#include "core/document/RoleNaming.h"

#include "core/roles/Roles.h"
#include "core/scene/Check.h"

#include <QJsonArray>

#include <algorithm>
#include <filesystem>

namespace tendon {

void assignRole(RoleMap& roles, const std::string& role, const std::vector<JointId>& joints)
{
    for (auto other = roles.begin(); other != roles.end();) {
        const std::size_t lost = std::erase_if(other->second, [&](JointId joint) {
            return std::find(joints.begin(), joints.end(), joint) != joints.end();
        });
        other = lost != 0 && other->second.empty() ? roles.erase(other) : std::next(other);
    }
    roles[role] = joints;
}

Result<RoleMap> withNamedRoles(RoleMap roles, const Scene& scene, const QJsonObject& named)
{
    for (auto entry = named.begin(); entry != named.end(); ++entry) {
        const std::string role = entry.key().toStdString();
        if (!isRoleName(role))
            return Error{ErrorCode::InvalidArgument, inQuotes(role) + " is not the name of a role", "roles"};
        QJsonArray names;
        if (entry.value().isString())
            names = {entry.value()};
        else if (entry.value().isArray())
            names = entry.value().toArray();
        else if (!entry.value().isNull())
            return Error{ErrorCode::InvalidArgument, "must be the name of a joint, a list of names or null",
                         "roles: " + role};
        std::vector<JointId> joints;
        for (const QJsonValue& name : names) {
            if (!name.isString())
                return Error{ErrorCode::InvalidArgument, "must be the name of a joint, a list of names or null",
                             "roles: " + role};
            const auto joint = scene.jointNamed(name.toString().toStdString());
            if (!joint)
                return Error{ErrorCode::NotFound, "there is no joint called " + inQuotes(name.toString().toStdString()),
                             "roles: " + role};
            joints.push_back(*joint);
        }
        // A joint has one role: what is said takes it from what was guessed.
        for (auto& [other, taken] : roles)
            taken.erase(std::remove_if(
                            taken.begin(), taken.end(),
                            [&](JointId one) { return std::find(joints.begin(), joints.end(), one) != joints.end(); }),
                        taken.end());
        roles[role] = std::move(joints);
    }
    return roles;
}

Result<MotionRoles> motionRoles(const Scene& motion, const Arguments& arguments)
{
    MotionRoles result;
    if (arguments.has("map")) {
        auto map = readRoleMap(arguments.text("map"));
        if (!map) return map.error();
        RoleMapFit fit = fitRoleMap(*map, motion);
        const std::size_t all = fit.roles.size() + fit.missing.size();
        result.note = "Map: " + std::filesystem::path(arguments.text("map")).filename().string() +
                      (fit.isWhole()
                           ? ", fits all " + std::to_string(all) + " roles"
                           : ", fits " + std::to_string(fit.roles.size()) + " of " + std::to_string(all) + " roles");
        result.roles = std::move(fit.roles);
        result.map = std::move(*map);
    } else {
        result.roles = guessRoles(motion).map();
    }
    auto named = withNamedRoles(std::move(result.roles), motion, arguments.object("roles"));
    if (!named) return named.error();
    result.roles = std::move(*named);
    return result;
}

} // namespace tendon
