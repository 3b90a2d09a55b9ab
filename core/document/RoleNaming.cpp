#include "core/document/RoleNaming.h"

#include "core/roles/Roles.h"
#include "core/scene/Check.h"

#include <QJsonArray>

#include <algorithm>

namespace tendon {

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

Result<RoleMap> motionRoles(const Scene& motion, const Arguments& arguments)
{
    RoleMap roles;
    if (arguments.has("map")) return Error{ErrorCode::Unsupported, "saved maps cannot be read yet; give roles", "map"};
    roles = guessRoles(motion).map();
    return withNamedRoles(std::move(roles), motion, arguments.object("roles"));
}

} // namespace tendon
