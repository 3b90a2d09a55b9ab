#include "core/roles/Roles.h"

#include "core/roles/BodyFacing.h"
#include "core/roles/Limbs.h"

#include <algorithm>

namespace tendon {
namespace {

/// The place of a role in a list for people: VRM's order, then the others by name.
std::size_t orderOf(std::string_view role)
{
    const std::span<const std::string_view> body = bodyRoles();
    return static_cast<std::size_t>(std::find(body.begin(), body.end(), role) - body.begin());
}

class RoleGuesser
{
public:
    RoleGuesser(const Scene& scene, RoleEvidence by)
        : m_scene(scene), m_skeleton(makeSkeleton(scene, by != RoleEvidence::Shape)), m_claims(m_skeleton)
    {
    }

    SkeletonRoles guess()
    {
        claimGiven();
        const Body body = findBody(m_skeleton);
        m_result.plan = body.plan;
        if (areSidesSwapped(m_skeleton, body, m_claims)) swapNamedSides();
        claimBody(m_skeleton, body, m_claims);
        claimChains(m_skeleton, body, m_claims);
        m_result.frame = m_claims.frame;
        for (const NameReading& name : m_skeleton.names) m_result.namedJoints += name.saysAnything();
        takeRoles();
        takeParts();
        findLimbs(m_skeleton, m_scene, m_claims, m_result);
        return std::move(m_result);
    }

private:
    /// From here on the names' left is right. Sides that are decided need no note.
    void swapNamedSides()
    {
        m_skeleton.areSidesSwapped = true;
        for (NameReading& name : m_skeleton.names)
            if (name.hasSide) name.side = name.side == Side::Left ? Side::Right : Side::Left;
        const auto isSided = [](const RoleClaim& claim) { return sideOfRole(claim.role) != Side::Centre; };
        m_result.areSidesSwapped = std::none_of(m_claims.roles.begin(), m_claims.roles.end(), isSided);
    }

    void claimGiven()
    {
        for (const auto& [role, joints] : *m_scene.roles) {
            std::vector<NodeIndex> nodes;
            for (NodeIndex i = 0; i < m_skeleton.count(); ++i)
                if (std::find(joints.begin(), joints.end(), m_skeleton[i].id) != joints.end()) nodes.push_back(i);
            m_claims.claim(role, nodes, 1, "decided");
            if (joints.empty()) m_claims.refused.push_back(role);
        }
    }

    void takeRoles()
    {
        for (const RoleClaim& claim : m_claims.roles) {
            RoleGuess& guess = m_result.roles.emplace_back();
            guess.role = claim.role;
            for (const NodeIndex node : claim.nodes) guess.joints.push_back(m_skeleton[node].id);
            guess.isGiven = m_scene.roles->contains(claim.role);
            guess.confidence = guess.isGiven ? 1 : confidenceOf(claim);
            guess.parts = partsOf(claim, guess.confidence);
            guess.reason = reasonOf(claim);
        }
        std::stable_sort(m_result.roles.begin(), m_result.roles.end(), [](const RoleGuess& a, const RoleGuess& b) {
            return std::pair(orderOf(a.role), a.role) < std::pair(orderOf(b.role), b.role);
        });
    }

    /// The certainty of a claim is that of one view of the skeleton; names, shape and both sides agreeing make it
    /// surer. The exponent is fitted: of guesses with a confidence, about so many of tests/unit/roles/role_truth.txt
    /// are right.
    [[nodiscard]] double confidenceOf(const RoleClaim& claim) const
    {
        const double p = std::clamp(claim.certainty, 1e-3, 0.999);
        const double sharp = p * p / (p * p + (1 - p) * (1 - p));
        return std::min(sharp, 0.99) * (sideOfRole(claim.role) == Side::Centre ? 1 : m_claims.facing);
    }

    /// What speaks for a role, as shares of its confidence.
    [[nodiscard]] static RoleParts partsOf(const RoleClaim& claim, double confidence)
    {
        const double names = 1.2 * claim.nameFit, shape = 0.7, mirror = 0.25 * claim.alike;
        const double share = confidence / (names + shape + mirror);
        return {names * share, shape * share, mirror * share};
    }

    /// What each joint is, without its side.
    void takeParts()
    {
        const auto lowered = [](std::string word) {
            word[0] = word[0] >= 'A' && word[0] <= 'Z' ? static_cast<char>(word[0] - 'A' + 'a') : word[0];
            return word;
        };
        for (const RoleClaim& claim : m_claims.roles) {
            std::string part = claim.role;
            for (const char* side : {"left", "right"})
                if (sideOfRole(part) != Side::Centre && part.starts_with(side))
                    part = part.substr(std::string_view(side).size());
            if (part.find("link") != std::string::npos) continue; // its name may say more
            // Of a divided bone, or one joint for each axis, the first stands for all.
            m_result.parts.emplace(m_skeleton[claim.nodes.front()].id, lowered(part));
        }
        static constexpr std::pair<Part, const char*> kParts[] = {
            {Part::Toes, "toes"},         {Part::UpperLeg, "upperLeg"},
            {Part::LowerLeg, "lowerLeg"}, {Part::Foot, "foot"},
            {Part::LowerArm, "lowerArm"}, {Part::Shoulder, "shoulder"},
            {Part::UpperArm, "upperArm"}, {Part::Hand, "hand"},
            {Part::Neck, "neck"},         {Part::Head, "head"},
            {Part::Hips, "hips"},         {Part::Spine, "spine"},
            {Part::Chest, "chest"},       {Part::UpperChest, "upperChest"}};
        static constexpr Part kFingers[] = {Part::Thumb, Part::Index, Part::Middle, Part::Ring, Part::Little};
        for (NodeIndex node = 0; node < m_skeleton.count(); ++node) {
            const NameReading& name = m_skeleton.name(node);
            if (name.isEnd || name.isTwist || name.isControl || name.isOther || !isOpen(node)) continue;
            const NodeIndex parent = m_skeleton[node].parent;
            for (const Part finger : kFingers)
                if (name.fit(finger) > 0.8) {
                    const bool isFirst = parent < 0 || m_skeleton.name(parent).fit(finger) < 0.5 ||
                                         m_skeleton.name(parent).isMetacarpal;
                    m_result.parts.emplace(m_skeleton[node].id, isFirst ? "indexProximal" : "indexDistal");
                }
            for (const auto& [part, word] : kParts)
                if (name.fit(part) >= 0.8) m_result.parts.emplace(m_skeleton[node].id, word);
        }
    }

    /// Whether a joint has no role, or one that only counts the joints of a chain.
    [[nodiscard]] bool isOpen(NodeIndex node) const
    {
        const int owner = m_claims.owner[static_cast<std::size_t>(node)];
        return owner < 0 || m_claims.roles[static_cast<std::size_t>(owner)].role.find("link") != std::string::npos;
    }

    [[nodiscard]] std::string reasonOf(const RoleClaim& claim) const
    {
        const std::string& word = m_skeleton.name(claim.nodes.front()).word;
        if (claim.nameFit < 0.5 || word.empty() || claim.reason.starts_with("named")) return claim.reason;
        const bool isNamedOther = m_result.areSidesSwapped && sideOfRole(claim.role) != Side::Centre &&
                                  m_skeleton.name(claim.nodes.front()).hasSide;
        return "named " + word + (isNamedOther ? " of the other side" : "") + "; " + claim.reason;
    }

    const Scene& m_scene;
    Skeleton m_skeleton;
    Claims m_claims;
    SkeletonRoles m_result;
};

} // namespace

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

std::string sidesNote(const SkeletonRoles& roles)
{
    if (!roles.areSidesSwapped) return {};
    return "left and right are named as seen from the front: by its feet, knees and head the body faces the other way. "
           "Roles go by the body; swap left and right if it faces backward";
}

RoleMap swappedSides(const RoleMap& roles)
{
    RoleMap swapped;
    for (const auto& [role, joints] : roles) swapped[mirroredRole(role)] = joints;
    return swapped;
}

SkeletonRoles guessRoles(const Scene& scene, RoleEvidence by) { return RoleGuesser(scene, by).guess(); }

} // namespace tendon
