#include "core/roles/Roles.h"

#include <algorithm>

namespace tendon {

const RoleGuess* SkeletonRoles::find(std::string_view role) const
{
    const auto found = std::find_if(roles.begin(), roles.end(), [&](const RoleGuess& g) { return g.role == role; });
    return found == roles.end() ? nullptr : &*found;
}

const RoleGuess* SkeletonRoles::of(JointId joint) const
{
    const auto has = [&](const RoleGuess& guess) {
        return std::find(guess.joints.begin(), guess.joints.end(), joint) != guess.joints.end();
    };
    const auto found = std::find_if(roles.begin(), roles.end(), has);
    return found == roles.end() ? nullptr : &*found;
}

const Limb* SkeletonRoles::limb(std::string_view name) const
{
    const auto found = std::find_if(limbs.begin(), limbs.end(), [&](const Limb& limb) { return limb.name == name; });
    return found == limbs.end() ? nullptr : &*found;
}

RoleMap SkeletonRoles::map(double minConfidence) const
{
    RoleMap map;
    for (const RoleGuess& guess : roles)
        if (guess.isGiven || guess.confidence >= minConfidence) map[guess.role] = guess.joints;
    return map;
}

RoleMap swappedSides(const RoleMap& roles)
{
    RoleMap swapped;
    for (const auto& [role, joints] : roles) swapped[mirroredRole(role)] = joints;
    return swapped;
}

SkeletonRoles guessRoles(const Scene& scene, RoleEvidence)
{
    SkeletonRoles result;
    for (const auto& [role, joints] : *scene.roles) {
        if (joints.empty()) continue;
        RoleGuess& guess = result.roles.emplace_back();
        guess.role = role;
        guess.joints = joints;
        guess.confidence = 1;
        guess.reason = "decided";
        guess.isGiven = true;
    }
    return result;
}

} // namespace tendon
