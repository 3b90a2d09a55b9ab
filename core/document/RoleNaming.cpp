#include "core/document/RoleNaming.h"

#include "core/document/Lookup.h"
#include "core/scene/Check.h"

#include <QJsonArray>

#include <algorithm>
#include <filesystem>

namespace tendon {
namespace {

/// The joints that a script names for a role, from the top: a joint, a list of joints or null.
Result<std::vector<JointId>> namedJoints(const Scene& scene, const std::string& role, const QJsonValue& value)
{
    std::vector<JointId> joints;
    if (value.isNull()) return joints;
    const QJsonArray list = value.isArray() ? value.toArray() : QJsonArray{value};
    for (const QJsonValue& name : list) {
        if (!name.isString())
            return Error{ErrorCode::InvalidArgument,
                         "must be a joint, a list of joints or null, but is " + describe(name), "roles: " + role};
        const auto joint = scene.jointNamed(name.toString().toStdString());
        if (!joint) return joint.error().within("roles: " + role);
        if (std::find(joints.begin(), joints.end(), *joint) == joints.end()) joints.push_back(*joint);
    }
    // From the top.
    std::stable_sort(joints.begin(), joints.end(), [&](JointId a, JointId b) { return isAncestor(scene, a, b); });
    return joints;
}

} // namespace

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
            return Error{ErrorCode::InvalidArgument,
                         "there is no role " + inQuotes(role) +
                             "; roles are hips, spine, head, leftUpperArm, leftFoot, tail1, ...",
                         "roles"};
        const auto joints = namedJoints(scene, role, entry.value());
        if (!joints) return joints.error();
        assignRole(roles, role, *joints);
    }
    return roles;
}

std::vector<std::string> unsureRoles(const SkeletonRoles& guessed)
{
    std::vector<std::string> roles;
    for (const RoleGuess& guess : guessed.roles) {
        if (guess.isGiven || guess.confidence >= kSureRole) continue;
        if (guess.role == "spine" || guess.role == "chest" || guess.role == "upperChest") continue;
        roles.push_back(guess.role);
    }
    return roles;
}

std::string rolesToCheckInWords(std::vector<std::string> roles)
{
    constexpr std::size_t kMost = 4;
    if (std::erase_if(roles, isFingerRole) != 0) roles.emplace_back("fingers");
    if (roles.empty()) return {};
    const std::size_t named = roles.size() <= kMost + 1 ? roles.size() : kMost;
    std::string words = roles.size() == 1 ? "check the role " : "check the roles ";
    for (std::size_t i = 0; i < named; ++i)
        words += (i == 0 ? "" : i + 1 == roles.size() ? " and " : ", ") + roleInWords(roles[i]);
    if (named < roles.size()) words += " and " + std::to_string(roles.size() - named) + " others";
    return words + (roles.size() == 1 ? ", which is guessed and not sure" : ", which are guessed and not sure");
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
        const SkeletonRoles guessed = guessRoles(motion);
        result.roles = guessed.map();
        result.toCheck = unsureRoles(guessed);
        if (guessed.areSidesSwapped) result.note = "in the motion, " + sidesNote(guessed);
    }
    auto named = withNamedRoles(std::move(result.roles), motion, arguments.object("roles"));
    if (!named) return named.error();
    result.roles = std::move(*named);
    std::erase_if(result.toCheck, [said = arguments.object("roles")](const std::string& role) {
        return said.contains(QString::fromStdString(role));
    });
    return result;
}

} // namespace tendon
