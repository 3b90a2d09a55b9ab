#include "core/roles/Limbs.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

namespace tendon {
namespace {

std::string capitalFirst(std::string word)
{
    if (!word.empty() && word[0] >= 'a' && word[0] <= 'z') word[0] = static_cast<char>(word[0] - 'a' + 'A');
    return word;
}

class LimbFinder
{
public:
    LimbFinder(const Skeleton& skeleton, const Scene& scene, const Claims& claims, SkeletonRoles& result)
        : m_skeleton(skeleton), m_scene(scene), m_claims(claims), m_result(result)
    {
    }

    void find()
    {
        if (m_result.plan == BodyPlan::Quadruped) {
            addPair("HindLeg", LimbKind::Leg, {"HindShoulder", "HindUpperLeg", "HindLowerLeg", "HindFoot", "HindToes"},
                    2);
            addPair("FrontLeg", LimbKind::Leg,
                    {"FrontShoulder", "FrontUpperLeg", "FrontLowerLeg", "FrontFoot", "FrontToes"}, 2);
        }
        addPair("Leg", LimbKind::Leg, {"UpperLeg", "LowerLeg", "Foot", "Toes"}, 2);
        for (int number = 1; number <= 16; ++number) {
            const std::string leg = "Leg" + std::to_string(number);
            addPair(leg, LimbKind::Leg, {leg + "Upper", leg + "Lower", leg + "Foot"}, 2);
        }
        addPair("Arm", LimbKind::Arm, {"Shoulder", "UpperArm", "LowerArm", "Hand"}, 2);
        addFingers();
        addCentre("spine", LimbKind::Spine, {"hips", "spine", "chest", "upperChest"}, 2);
        addCentre("neck", LimbKind::Neck, {"neck", "head"}, 1);
        addNumbered("tail", LimbKind::Tail);
        addNumbered("ear", LimbKind::Ear);
        addNumbered("wing", LimbKind::Wing);
        addNumbered("fin", LimbKind::Fin);
        addMechanisms();
        for (Limb& limb : m_result.limbs) {
            if (limb.kind == LimbKind::Leg) sayWhereFootIsApart(limb);
            if (limb.kind == LimbKind::Spine) sayWhatCarriesLegs(limb);
        }
        findHelpers();
        findUnknown();
    }

private:
    /// The limb that these roles make up; not without `least` of them.
    void add(const std::string& name, LimbKind kind, Side side, const std::vector<std::string>& roles,
             std::size_t least)
    {
        Limb limb;
        limb.name = name;
        limb.kind = kind;
        limb.side = side;
        std::size_t count = 0;
        double sum = 0, lowest = 1;
        for (const std::string& role : roles) {
            const RoleGuess* guess = m_result.find(role);
            if (guess == nullptr) continue;
            limb.joints.insert(limb.joints.end(), guess->joints.begin(), guess->joints.end());
            sum += guess->confidence;
            lowest = std::min(lowest, guess->confidence);
            limb.parts.names += guess->parts.names;
            limb.parts.shape += guess->parts.shape;
            limb.parts.mirror += guess->parts.mirror;
            ++count;
        }
        if (count < least) return;
        const double n = static_cast<double>(count);
        limb.confidence = 0.5 * (sum / n + lowest);
        const double whole = limb.parts.names + limb.parts.shape + limb.parts.mirror;
        if (whole > 0) {
            limb.parts.names *= limb.confidence / whole;
            limb.parts.shape *= limb.confidence / whole;
            limb.parts.mirror *= limb.confidence / whole;
        }
        limb.reason = reasonOf(limb, roles);
        m_result.limbs.push_back(std::move(limb));
    }

    void addPair(const std::string& word, LimbKind kind, const std::vector<std::string>& parts, std::size_t least)
    {
        for (const char* side : {"left", "right"}) {
            std::vector<std::string> roles;
            for (const std::string& part : parts) roles.push_back(side + part);
            add(side + word, kind, *side == 'l' ? Side::Left : Side::Right, roles, least);
        }
        Limb* left = limbNamed("left" + word);
        Limb* right = limbNamed("right" + word);
        if (left == nullptr || right == nullptr) return;
        left->mirror = right->name;
        right->mirror = left->name;
        if (const auto apart = apartInMirror(*left, *right); apart && kind != LimbKind::Fingers)
            right->reason = "mirrors the " + roleInWords(left->name) + " within " + millimetres(*apart);
    }

    void addCentre(const std::string& name, LimbKind kind, const std::vector<std::string>& roles, std::size_t least)
    {
        add(name, kind, Side::Centre, roles, least);
    }

    /// "tail1", "tail2", ..., "leftEar1", ...
    void addNumbered(const std::string& word, LimbKind kind)
    {
        const auto rolesOf = [&](const std::string& start) {
            std::vector<std::string> roles;
            for (int number = 1; m_result.find(start + std::to_string(number)) != nullptr; ++number)
                roles.push_back(start + std::to_string(number));
            return roles;
        };
        if (const auto roles = rolesOf(word); !roles.empty()) addCentre(word, kind, roles, 1);
        const std::vector<std::string> left = rolesOf("left" + capitalFirst(word)),
                                       right = rolesOf("right" + capitalFirst(word));
        const std::size_t count = std::max(left.size(), right.size());
        std::vector<std::string> parts;
        for (std::size_t i = 1; i <= count; ++i) parts.push_back(capitalFirst(word) + std::to_string(i));
        if (count > 0) addPair(capitalFirst(word), kind, parts, 1);
    }

    void addMechanisms()
    {
        const auto rolesOf = [&](const std::string& prefix) {
            std::vector<std::string> roles;
            for (int number = 1; m_result.find(prefix + "link" + std::to_string(number)) != nullptr; ++number)
                roles.push_back(prefix + "link" + std::to_string(number));
            return roles;
        };
        addCentre("arm", LimbKind::Chain, rolesOf(""), 2);
        if (Limb* arm = limbNamed("arm")) takeAsLeg(*arm);
        for (int arm = 1; arm <= 8; ++arm)
            addCentre("arm" + std::to_string(arm), LimbKind::Chain, rolesOf("arm" + std::to_string(arm)), 2);
    }

    /// A single chain whose names are those of a leg is a leg.
    void takeAsLeg(Limb& limb) const
    {
        const auto place = [&](const char* part) {
            return std::find_if(limb.joints.begin(), limb.joints.end(), [&](JointId joint) {
                const auto found = m_result.parts.find(joint);
                return found != m_result.parts.end() && found->second == part;
            });
        };
        for (NodeIndex node = 0; node < m_skeleton.count(); ++node) { // of links, the names say what they are
            const NameReading& name = m_skeleton.name(node);
            if (name.fit(Part::UpperLeg) > 0.8) m_result.parts[m_skeleton[node].id] = "upperLeg";
            if (name.fit(Part::LowerLeg) > 0.8) m_result.parts[m_skeleton[node].id] = "lowerLeg";
            if (name.fit(Part::Foot) > 0.8) m_result.parts[m_skeleton[node].id] = "foot";
        }
        const auto upper = place("upperLeg"), lower = place("lowerLeg");
        if (upper == limb.joints.end() || lower == limb.joints.end() || lower < upper) return;
        limb.name = "leg";
        limb.kind = LimbKind::Leg;
        limb.joints.erase(limb.joints.begin(), upper);
        limb.confidence = std::max(limb.confidence, 0.93);
        limb.parts = {0.6 * limb.confidence, 0.4 * limb.confidence, 0};
        limb.reason = "named thigh and shin; the only one";
    }

    void addFingers()
    {
        static constexpr const char* kFingers[] = {"Thumb", "Index", "Middle", "Ring", "Little"};
        static constexpr const char* kLinks[] = {"Metacarpal", "Proximal", "Intermediate", "Distal"};
        for (const char* side : {"left", "right"}) {
            Limb limb;
            limb.name = std::string(side) + "Fingers";
            limb.kind = LimbKind::Fingers;
            limb.side = *side == 'l' ? Side::Left : Side::Right;
            double sum = 0;
            std::size_t count = 0, longest = 0;
            for (const char* finger : kFingers) {
                std::vector<JointId> chain;
                for (const char* link : kLinks)
                    if (const RoleGuess* guess = m_result.find(std::string(side) + finger + link)) {
                        chain.insert(chain.end(), guess->joints.begin(), guess->joints.end());
                        sum += guess->confidence;
                        ++count;
                        limb.parts.names += guess->parts.names;
                        limb.parts.shape += guess->parts.shape;
                        limb.parts.mirror += guess->parts.mirror;
                    }
                if (chain.empty()) continue;
                longest = std::max(longest, chain.size());
                limb.joints.insert(limb.joints.end(), chain.begin(), chain.end());
                limb.chains.push_back(std::move(chain));
            }
            if (limb.chains.empty()) continue;
            const double n = static_cast<double>(count);
            limb.confidence = sum / n;
            limb.parts = {limb.parts.names / n, limb.parts.shape / n, limb.parts.mirror / n};
            limb.reason = std::to_string(limb.chains.size()) + (limb.chains.size() == 1 ? " chain" : " chains") +
                          " of " + std::to_string(longest) +
                          (m_result.find(std::string(side) + "ThumbMetacarpal") != nullptr ? "; thumb nearest the wrist"
                                                                                           : "");
            m_result.limbs.push_back(std::move(limb));
        }
        Limb* left = limbNamed("leftFingers");
        Limb* right = limbNamed("rightFingers");
        if (left != nullptr && right != nullptr) left->mirror = right->name, right->mirror = left->name;
    }

    Limb* limbNamed(std::string_view name)
    {
        const auto found = std::find_if(m_result.limbs.begin(), m_result.limbs.end(),
                                        [&](const Limb& limb) { return limb.name == name; });
        return found == m_result.limbs.end() ? nullptr : &*found;
    }

    // Reasons

    [[nodiscard]] std::string reasonOf(const Limb& limb, const std::vector<std::string>& roles) const
    {
        std::vector<std::string> words;
        for (const std::string& role : roles) {
            const RoleClaim* claim = m_claims.find(role);
            if (claim == nullptr || claim->nameFit < 0.5) continue;
            const std::string& word = m_skeleton.name(claim->nodes.front()).word;
            if (!word.empty() && std::find(words.begin(), words.end(), word) == words.end() && words.size() < 2)
                words.push_back(word);
        }
        std::string named;
        for (std::size_t i = 0; i < words.size(); ++i) named += (i == 0 ? "named " : " and ") + words[i];
        if (!named.empty() && m_result.areSidesSwapped && limb.side != Side::Centre) named += " of the other side";
        std::string shape;
        switch (limb.kind) {
        case LimbKind::Leg: shape = "one of a pair; ends lowest"; break;
        case LimbKind::Arm:
            shape = m_result.find((limb.side == Side::Left ? "leftIndexProximal" : "rightIndexProximal")) != nullptr
                        ? "below the chest; ends in fingers"
                        : "hangs from the chest";
            break;
        case LimbKind::Spine: shape = "on the centre line, legs to arms"; break;
        case LimbKind::Neck: shape = "on the centre line, above the arms"; break;
        case LimbKind::Tail:
            shape = words.empty() ? "the names say nothing; leaves the hips backward, no mirror" : "";
            break;
        case LimbKind::Chain: shape = "one chain of joints that move, from the base to the tip"; break;
        default: break;
        }
        if (m_result.plan == BodyPlan::Quadruped && limb.kind == LimbKind::Spine)
            shape = "on the centre line, hind legs to front legs";
        if (m_result.plan == BodyPlan::Quadruped && limb.kind == LimbKind::Neck)
            shape = "on the centre line, before the front legs";
        return named + (named.empty() || shape.empty() ? "" : "; ") + shape;
    }

    static std::string millimetres(double metres)
    {
        char text[32];
        if (metres < 0.0001)
            std::snprintf(text, sizeof text, "0.1 mm");
        else if (metres < 0.01)
            std::snprintf(text, sizeof text, "%.1f mm", metres * 1000);
        else
            std::snprintf(text, sizeof text, "%.1f cm", metres * 100);
        return text;
    }

    /// How far apart a limb and the mirror image of another are at most; none if they are not mirror images at all.
    [[nodiscard]] std::optional<double> apartInMirror(const Limb& left, const Limb& right) const
    {
        if (left.joints.size() != right.joints.size() || left.joints.empty()) return std::nullopt;
        const auto place = [&](JointId joint) {
            for (NodeIndex node = 0; node < m_skeleton.count(); ++node)
                if (m_skeleton[node].id == joint) return m_skeleton.at(node);
            return Vector3(Vector3::Zero());
        };
        const Vector3 normal = m_result.frame.left;
        const Vector3 middle = 0.5 * (place(left.joints[0]) + place(right.joints[0]));
        double apart = 0;
        for (std::size_t i = 0; i < left.joints.size(); ++i) {
            const Vector3 other = place(right.joints[i]);
            const Vector3 image = other - 2 * (other - middle).dot(normal) * normal;
            apart = std::max(apart, (image - place(left.joints[i])).norm());
        }
        return apart < 0.01 * m_skeleton.size ? std::optional(apart) : std::nullopt;
    }

    /// A foot that does not hang from its leg, as those of rigs whose feet were targets.
    void sayWhereFootIsApart(Limb& limb) const
    {
        for (const JointId foot : limb.joints) {
            const RoleGuess* guess = m_result.of(foot);
            if (guess == nullptr || !guess->role.ends_with("Foot") || foot == limb.joints.front()) continue;
            const auto at = std::find(limb.joints.begin(), limb.joints.end(), foot);
            const JointId above = *std::prev(at);
            if (isAncestor(m_scene, above, foot)) return;
            const std::string &name = m_scene.find(foot)->name, &shin = m_scene.find(above)->name;
            limb.toDo = name + " does not hang from " + shin + " and stays behind when the leg moves; link it to " +
                        shin + " (Link to last selected), and rig it then";
            return;
        }
    }

    /// Where the legs do not hang from the hips, something above both lowers the body.
    void sayWhatCarriesLegs(Limb& limb) const
    {
        const RoleGuess *hips = m_result.find("hips"), *left = m_result.find("leftUpperLeg"),
                        *right = m_result.find("rightUpperLeg");
        if (hips == nullptr || left == nullptr || right == nullptr) return;
        const auto carries = [&](JointId joint) {
            return isAncestor(m_scene, joint, left->joints.front()) &&
                   isAncestor(m_scene, joint, right->joints.front());
        };
        const JointId lowest = hips->joints.back();
        if (std::any_of(hips->joints.begin(), hips->joints.end(), carries)) return;
        for (JointId joint = m_scene.find(lowest)->parent; joint.isValid(); joint = m_scene.find(joint)->parent)
            if (carries(joint)) {
                limb.reason += "; the legs do not hang from " + m_scene.find(lowest)->name + ": move " +
                               m_scene.find(joint)->name + " to move the body";
                return;
            }
    }

    // What has no role

    /// Leaves on a bone of a limb, which only carry twist.
    void findHelpers()
    {
        for (NodeIndex node = 0; node < m_skeleton.count(); ++node) {
            const Skeleton::Node& one = m_skeleton[node];
            if (!m_claims.isFree(node) || one.parent < 0 || one.isEnd || !one.children.empty()) continue;
            const bool isNamed = m_skeleton.name(node).isTwist;
            if (!isNamed && (m_skeleton.name(node).saysAnything() || !isOnBone(node))) continue;
            m_isHelper.push_back(node);
            m_result.twistHelpers.push_back(one.id);
        }
    }

    /// Whether a leaf lies on the bone from its parent to a joint with a role.
    [[nodiscard]] bool isOnBone(NodeIndex node) const
    {
        const NodeIndex parent = m_skeleton[node].parent;
        if (m_claims.isFree(parent)) return false;
        const RoleClaim& owner =
            m_claims.roles[static_cast<std::size_t>(m_claims.owner[static_cast<std::size_t>(parent)])];
        if (sideOfRole(owner.role) == Side::Centre) return false;
        for (const NodeIndex child : m_skeleton[parent].children) {
            if (child == node || m_claims.isFree(child)) continue;
            const Vector3 bone = m_skeleton.at(child) - m_skeleton.at(parent),
                          way = m_skeleton.at(node) - m_skeleton.at(parent);
            if (bone.norm() < 1e-9) continue;
            const double along = way.dot(bone) / bone.squaredNorm();
            if (along > -0.05 && along < 1.05 && (way - along * bone).norm() < 0.05 * bone.norm()) return true;
        }
        return false;
    }

    [[nodiscard]] std::string nameOf(NodeIndex node) const
    {
        return (*m_scene.joints)[static_cast<std::size_t>(node)].name;
    }

    void findUnknown()
    {
        addHelpers();
        std::map<std::string, std::vector<NodeIndex>> rigs;
        std::vector<NodeIndex> controls;
        for (NodeIndex node = 0; node < m_skeleton.count(); ++node) {
            if (!isUnknown(node)) continue;
            if (m_skeleton.name(node).isControl) {
                controls.push_back(node);
                continue;
            }
            const NodeIndex parent = m_skeleton[node].parent;
            if (parent >= 0 && isUnknown(parent)) continue; // said of the joint above
            addBranch(node);
        }
        if (controls.empty()) return;
        UnknownJoints unknown;
        for (const NodeIndex node : controls) unknown.joints.push_back(m_skeleton[node].id);
        unknown.reason = "named as controls of a rig, such as targets of IK";
        m_result.unknown.push_back(std::move(unknown));
    }

    [[nodiscard]] bool isUnknown(NodeIndex node) const
    {
        // A link of a robot that cannot move is no joint to ask about.
        return m_claims.isFree(node) && !m_skeleton[node].isEnd && m_skeleton[node].canMove &&
               std::find(m_isHelper.begin(), m_isHelper.end(), node) == m_isHelper.end();
    }

    void addHelpers()
    {
        std::map<NodeIndex, std::vector<NodeIndex>> byParent;
        for (const NodeIndex node : m_isHelper) byParent[m_skeleton[node].parent].push_back(node);
        UnknownJoints helpers;
        helpers.use = JointUse::Helper;
        std::vector<std::string> bones;
        for (const auto& [parent, nodes] : byParent) {
            for (const NodeIndex node : nodes) helpers.joints.push_back(m_skeleton[node].id);
            const RoleGuess* owner = m_result.of(m_skeleton[parent].id);
            const std::string bone = owner != nullptr ? wordsWithoutSide(owner->role) : nameOf(parent);
            if (std::find(bones.begin(), bones.end(), bone) == bones.end() && bones.size() < 3) bones.push_back(bone);
        }
        if (helpers.joints.empty()) return;
        std::string list;
        for (const std::string& bone : bones) list += (list.empty() ? "" : ", ") + bone;
        helpers.reason = "no children, on the " + list;
        m_result.unknown.push_back(std::move(helpers));
    }

    static std::string wordsWithoutSide(const std::string& role)
    {
        const std::string words = roleInWords(role);
        for (const char* side : {"left ", "right "})
            if (words.starts_with(side)) return words.substr(std::string_view(side).size());
        return words;
    }

    /// A joint without a role and those below it without one.
    void addBranch(NodeIndex top)
    {
        UnknownJoints unknown;
        std::vector<NodeIndex> open{top};
        bool isOther = false, says = false;
        while (!open.empty()) {
            const NodeIndex node = open.back();
            open.pop_back();
            unknown.joints.push_back(m_skeleton[node].id);
            isOther |= m_skeleton.name(node).isOther;
            says |= m_skeleton.name(node).saysPart();
            for (const NodeIndex child : m_skeleton[node].children)
                if (isUnknown(child) && !m_skeleton.name(child).isControl) open.push_back(child);
        }
        const NodeIndex parent = m_skeleton[top].parent;
        const std::string one = unknown.joints.size() == 1 ? "hangs" : "hang";
        std::string where = parent >= 0                  ? one + " from " + nameOf(parent)
                            : unknown.joints.size() == 1 ? "stands alone"
                                                         : "stand alone";
        const bool isAbove = std::any_of(m_claims.owner.begin(), m_claims.owner.end(),
                                         [](int owner) { return owner >= 0; }) &&
                             carriesRoles(top);
        if (isAbove) where = "carries joints with roles";
        std::string why;
        if (isOther)
            why = "not a part of the body by " + std::string(unknown.joints.size() == 1 ? "its name" : "their names");
        else if (says)
            why = "the names do not fit the place";
        else
            why = hasMirror(top) ? "the names match nothing known" : "no mirror, the names match nothing known";
        unknown.reason = where + ", " + why;
        m_result.unknown.push_back(std::move(unknown));
    }

    [[nodiscard]] bool carriesRoles(NodeIndex top) const
    {
        for (NodeIndex node = 0; node < m_skeleton.count(); ++node)
            if (!m_claims.isFree(node) && m_skeleton.isAbove(top, node)) return true;
        return false;
    }

    [[nodiscard]] bool hasMirror(NodeIndex top) const
    {
        for (const NodeIndex other : m_skeleton.childrenOf(m_skeleton[top].parent))
            if (other != top && m_skeleton[other].below == m_skeleton[top].below &&
                std::abs(m_skeleton[other].reach - m_skeleton[top].reach) < 0.02 * m_skeleton.size &&
                std::abs(m_skeleton[other].bone - m_skeleton[top].bone) < 0.02 * m_skeleton.size)
                return true;
        return false;
    }

    const Skeleton& m_skeleton;
    const Scene& m_scene;
    const Claims& m_claims;
    SkeletonRoles& m_result;
    std::vector<NodeIndex> m_isHelper;
};

} // namespace

void findLimbs(const Skeleton& skeleton, const Scene& scene, const Claims& claims, SkeletonRoles& result)
{
    LimbFinder(skeleton, scene, claims, result).find();
}

} // namespace tendon
