#include "core/roles/RoleCandidates.h"

#include <algorithm>
#include <set>
#include <span>
#include <string_view>

namespace tendon {
namespace {

constexpr std::size_t kMostTried = 48;

/// Joints from near to far along the bones.
std::vector<JointId> aroundOf(const Scene& scene, const std::vector<JointId>& begin)
{
    std::vector<JointId> found = begin;
    std::set<JointId> seen(begin.begin(), begin.end());
    for (std::size_t i = 0; i < found.size() && found.size() < kMostTried; ++i)
        for (const Joint& joint : *scene.joints) {
            const bool isNext = joint.parent == found[i] ||
                                (scene.find(found[i]) != nullptr && scene.find(found[i])->parent == joint.id);
            if (isNext && seen.insert(joint.id).second) found.push_back(joint.id);
        }
    if (found.size() > kMostTried) found.resize(kMostTried);
    return found;
}

/// Where to look for a role that no joint has: beside the nearest roles that some have.
std::vector<JointId> beginFor(const SkeletonRoles& guessed, const std::string& role)
{
    if (const RoleGuess* guess = guessed.find(role); guess != nullptr && !guess->joints.empty()) return guess->joints;
    const std::span<const std::string_view> body = bodyRoles();
    const auto place = std::find(body.begin(), body.end(), role) - body.begin();
    const RoleGuess* nearest = nullptr;
    std::ptrdiff_t best = 1000;
    for (const RoleGuess& guess : guessed.roles) {
        const auto other = std::find(body.begin(), body.end(), guess.role) - body.begin();
        // Of the same side, or of the middle: the roles are listed from the hips outward.
        if (sideOfRole(guess.role) != sideOfRole(role) && sideOfRole(guess.role) != Side::Centre) continue;
        const std::ptrdiff_t far = std::abs(other - place) + (sideOfRole(guess.role) == sideOfRole(role) ? 0 : 3);
        if (guess.joints.empty() || far >= best) continue;
        best = far;
        nearest = &guess;
    }
    return nearest == nullptr ? std::vector<JointId>() : std::vector<JointId>{nearest->joints.back()};
}

/// The roles along each branch of a body, from the hips outward; "" stands for left or right.
constexpr std::string_view kTrunk[] = {"hips", "spine", "chest", "upperChest", "neck", "head"};
constexpr std::string_view kArm[] = {"Shoulder", "UpperArm", "LowerArm", "Hand"};
constexpr std::string_view kLeg[] = {"UpperLeg", "LowerLeg", "Foot", "Toes"};

/// The roles of the branch that a role is on, outward; empty: of none.
std::vector<std::string> branchOf(const std::string& role)
{
    const Side side = sideOfRole(role);
    const std::string prefix = side == Side::Left ? "left" : side == Side::Right ? "right" : "";
    for (const std::span<const std::string_view> parts :
         {std::span<const std::string_view>(kTrunk), std::span<const std::string_view>(kArm),
          std::span<const std::string_view>(kLeg)}) {
        std::vector<std::string> branch;
        for (const std::string_view part : parts) branch.push_back(prefix + std::string(part));
        if (std::find(branch.begin(), branch.end(), role) != branch.end()) return branch;
    }
    return {};
}

/// 1, or less where a joint is not below the role before it on its branch, or not above the one after it.
double orderOf(const Scene& scene, const SkeletonRoles& guessed, const std::string& role, JointId joint)
{
    constexpr double kOutOfOrder = 0.6;
    double fit = 1;
    bool isAfter = false;
    for (const std::string& other : branchOf(role)) {
        if (other == role) {
            isAfter = true;
            continue;
        }
        const RoleGuess* guess = guessed.find(other);
        if (guess == nullptr || guess->joints.empty()) continue;
        const JointId there = guess->joints.front();
        if (isAfter ? !isAncestor(scene, joint, there) : !isAncestor(scene, there, joint)) fit *= kOutOfOrder;
    }
    return fit;
}

/// The share of the other roles that are told as before, by how sure they are.
double staying(const SkeletonRoles& before, const SkeletonRoles& now, const std::string& except)
{
    double sum = 0;
    int count = 0;
    for (const std::string_view role : bodyRoles()) {
        const RoleGuess* was = role == except ? nullptr : before.find(role);
        if (was == nullptr || was->joints.empty()) continue;
        ++count;
        const RoleGuess* is = now.find(role);
        if (is != nullptr && is->joints == was->joints) sum += is->confidence;
    }
    return count == 0 ? 0 : sum / count;
}

} // namespace

std::vector<RoleCandidate> candidatesFor(const Scene& scene, const SkeletonRoles& guessed, const std::string& role,
                                         const std::atomic<bool>* cancelled)
{
    std::vector<RoleCandidate> candidates;
    std::vector<JointId> begin = beginFor(guessed, role);
    if (begin.empty() && !scene.joints->empty()) begin.push_back(scene.joints->begin()->id);
    Scene tried = scene;
    tried.clips.clear(); // how they move a joint has been weighed in the guess; each trial would read them again
    for (const JointId joint : aroundOf(scene, begin)) {
        if (cancelled != nullptr && *cancelled) break;
        const bool isTaken = std::any_of(scene.roles->begin(), scene.roles->end(), [&](const auto& decided) {
            return decided.first != role &&
                   std::find(decided.second.begin(), decided.second.end(), joint) != decided.second.end();
        });
        if (isTaken) continue;
        tried.roles = scene.roles;
        tried.roles.edit()[role] = {joint};
        candidates.push_back({joint, staying(guessed, guessRoles(tried), role) * orderOf(scene, guessed, role, joint)});
    }
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const RoleCandidate& a, const RoleCandidate& b) { return a.fit > b.fit; });
    return candidates;
}

} // namespace tendon
