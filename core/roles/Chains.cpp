#include "core/roles/Limbs.h"

#include <algorithm>
#include <cmath>

namespace tendon {
namespace {

std::string sideWord(Side side) { return side == Side::Left ? "left" : side == Side::Right ? "right" : ""; }

std::string capitalised(const std::string& side, const std::string& word)
{
    if (side.empty()) return word;
    return side + static_cast<char>(word[0] - 'a' + 'A') + word.substr(1);
}

class ChainAssigner
{
public:
    ChainAssigner(const Skeleton& skeleton, const Body& body, Claims& claims)
        : m_skeleton(skeleton), m_body(body), m_claims(claims)
    {
    }

    void run()
    {
        claimManyLegs();
        claimNamed(Part::Tail, "tail", "named tail");
        claimNamed(Part::Ear, "ear", "named ear");
        claimNamed(Part::Wing, "wing", "named wing");
        claimNamed(Part::Fin, "fin", "named fin");
        claimTailByShape();
        claimByNames();
        if (m_body.plan == BodyPlan::Other) claimMechanism();
    }

private:
    void claimManyLegs()
    {
        if (m_body.moreLegs.empty()) return;
        std::vector<LimbPair> pairs = m_body.moreLegs;
        // From the front: the way that most hang on a line, toward the head if it is known.
        const Vector3 across = m_skeleton.at(pairs[0].a) - m_skeleton.at(pairs[0].b);
        Vector3 forward = across.cross(Vector3::UnitY());
        double votes = 0;
        for (NodeIndex node = 0; node < m_skeleton.count(); ++node) {
            const NameReading& name = m_skeleton.name(node);
            const Vector3 off = m_skeleton.at(node) - m_skeleton.at(pairs[0].parent >= 0 ? pairs[0].parent : node);
            if (name.fit(Part::Head) > 0.5 || name.isFront) votes += off.dot(forward) > 0 ? 1 : -1;
            if (name.fit(Part::Tail) > 0.5 || name.isHind) votes -= off.dot(forward) > 0 ? 1 : -1;
        }
        if (votes < 0) forward = -forward;
        const auto advance = [&](const LimbPair& pair) {
            return (m_skeleton.at(pair.chainA.back()) + m_skeleton.at(pair.chainB.back())).dot(forward);
        };
        std::stable_sort(pairs.begin(), pairs.end(),
                         [&](const LimbPair& x, const LimbPair& y) { return advance(x) > advance(y); });
        const Vector3 left = Vector3::UnitY().cross(forward);
        int number = 1;
        for (const LimbPair& pair : pairs) {
            const Side named = sideByNames(m_skeleton, pair.chainA);
            const bool isLeft = named != Side::Centre ? named == Side::Left
                                                      : (m_skeleton.at(pair.a) - m_skeleton.at(pair.b)).dot(left) > 0;
            claimLeg(pair, pair.chainA, isLeft ? "left" : "right", number);
            claimLeg(pair, pair.chainB, isLeft ? "right" : "left", number++);
        }
        if (pairs[0].parent >= 0)
            m_claims.claim("hips", {pairs[0].parent}, 0.8 * m_body.certainty, "the legs meet here");
        m_claims.frame.forward = forward.norm() > 0 ? Vector3(forward.normalized()) : Vector3(Vector3::UnitZ());
        m_claims.frame.left = m_claims.frame.up.cross(m_claims.frame.forward);
    }

    void claimLeg(const LimbPair& pair, const std::vector<NodeIndex>& chain, const std::string& side, int number)
    {
        static constexpr const char* kNames[] = {"Upper", "Lower", "Foot"};
        const std::string role = side + "Leg" + std::to_string(number);
        std::size_t at = 0;
        for (const char* name : kNames) {
            if (at >= chain.size()) break;
            // The last takes what is left.
            std::vector<NodeIndex> nodes{chain[at]};
            if (name == kNames[2]) nodes.assign(chain.begin() + static_cast<std::ptrdiff_t>(at), chain.end());
            if (RoleClaim* claim = m_claims.claim(role + name, nodes, std::min(0.9, pair.alike),
                                                  "one of several pairs of legs"))
                claim->alike = pair.alike, claim->nameFit = m_skeleton.name(chain[at]).saysPart() ? 0.6 : 0;
            ++at;
        }
    }

    /// Chains whose joints are called so, numbered from the body; several on one side go on counting.
    void claimNamed(Part part, const std::string& word, const char* reason)
    {
        std::array<int, 3> count{};
        for (NodeIndex node = 0; node < m_skeleton.count(); ++node) {
            if (!isNamed(node, part)) continue;
            const NodeIndex parent = m_skeleton[node].parent;
            if (parent >= 0 && isNamed(parent, part)) continue; // further down a chain
            const NameReading& name = m_skeleton.name(node);
            for (NodeIndex at = node; at >= 0 && m_claims.isFree(at) && !m_skeleton[at].isEnd; at = nextOf(at)) {
                const Side side = name.hasSide ? name.side : Side::Centre;
                const std::string role = capitalised(sideWord(side), word) +
                                         std::to_string(++count[static_cast<std::size_t>(side)]);
                if (RoleClaim* claim = m_claims.claim(role, {at}, 0.96, reason))
                    claim->nameFit = 1, claim->alike = name.hasSide ? 0.8 : 0;
            }
        }
    }

    [[nodiscard]] bool isNamed(NodeIndex node, Part part) const
    {
        return m_skeleton.name(node).fit(part) > 0.5 && m_claims.isFree(node) && !m_skeleton[node].isEnd;
    }

    /// The next joint of a chain without branches that count.
    [[nodiscard]] NodeIndex nextOf(NodeIndex node) const
    {
        NodeIndex next = -1;
        for (const NodeIndex child : m_skeleton[node].children) {
            if (m_skeleton[child].isEnd || m_skeleton.isIdle(child) || m_skeleton.name(child).isTwist) continue;
            if (next >= 0) return -1;
            next = child;
        }
        return next;
    }

    /// A chain that leaves the hips backward, on the centre line, with names that say nothing.
    void claimTailByShape()
    {
        if (m_claims.find("tail1") != nullptr) return;
        const RoleClaim* hips = m_claims.find("hips");
        if (hips == nullptr || !m_body.legs) return;
        const double reach = m_skeleton[m_body.legs->a].reach + m_skeleton[m_body.legs->a].bone;
        std::vector<NodeIndex> starts;
        for (const NodeIndex node : {hips->nodes.front(), m_skeleton[hips->nodes.front()].parent})
            if (node >= 0)
                starts.insert(starts.end(), m_skeleton[node].children.begin(), m_skeleton[node].children.end());
        for (const NodeIndex start : starts) {
            std::vector<NodeIndex> chain;
            for (NodeIndex at = start; at >= 0 && m_claims.isFree(at); at = nextOf(at)) {
                if (m_skeleton.name(at).saysAnything()) break;
                chain.push_back(at);
            }
            if (chain.size() < 3 || m_skeleton[start].reach < 0.25 * reach) continue;
            const Vector3 way = m_skeleton.at(chain.back()) - m_skeleton.at(chain.front());
            if (way.norm() < 1e-9) continue;
            const double back = -way.normalized().dot(m_claims.frame.forward),
                         aside = std::abs(way.normalized().dot(m_claims.frame.left));
            if (back < 0.3 || aside > 0.3) continue;
            int number = 0;
            for (const NodeIndex node : chain)
                m_claims.claim("tail" + std::to_string(++number), {node}, 0.55 + 0.2 * back,
                               "leaves the hips backward, on the centre line, without a mirror image");
            return;
        }
    }

    /// Limbs without a pair, and bodies of which only a part is there: what the names say, where they leave no doubt.
    void claimByNames()
    {
        static constexpr std::pair<Part, const char*> kSided[] = {
            {Part::Shoulder, "Shoulder"}, {Part::UpperArm, "UpperArm"}, {Part::LowerArm, "LowerArm"},
            {Part::Hand, "Hand"},         {Part::UpperLeg, "UpperLeg"}, {Part::LowerLeg, "LowerLeg"},
            {Part::Foot, "Foot"},         {Part::Toes, "Toes"}};
        static constexpr std::pair<Part, const char*> kCentre[] = {
            {Part::Hips, "hips"}, {Part::Spine, "spine"}, {Part::Chest, "chest"}, {Part::UpperChest, "upperChest"},
            {Part::Neck, "neck"}, {Part::Head, "head"}};
        if (m_body.plan == BodyPlan::Quadruped || m_body.plan == BodyPlan::ManyLegs) return;
        // A lamp may have a head, and a crane an arm; a body has several parts.
        int centreParts = 0;
        for (const NameReading& name : m_skeleton.names)
            for (const auto& [part, word] : kCentre) centreParts += !name.hasSide && name.fit(part) > 0.85 ? 1 : 0;
        for (NodeIndex node = 0; node < m_skeleton.count(); ++node) {
            const NameReading& name = m_skeleton.name(node);
            if (!m_claims.isFree(node) || name.isEnd || name.isTwist || name.isControl || name.isOther ||
                name.isMetacarpal)
                continue;
            if (name.isFront || name.isHind) continue;
            const auto tell = [&](const std::string& role) {
                if (RoleClaim* claim = m_claims.claim(role, {node}, 0.8, "nothing but the name says so"))
                    claim->nameFit = 1;
            };
            if (name.hasSide) {
                for (const auto& [part, word] : kSided)
                    if (name.fit(part) > 0.94) tell((name.side == Side::Left ? "left" : "right") + std::string(word));
            } else if (!m_body.legs && !m_body.arms && centreParts >= 3) {
                for (const auto& [part, word] : kCentre)
                    if (name.fit(part) > 0.85) {
                        tell(word);
                        break;
                    }
            }
        }
        for (const char* side : {"left", "right"}) {
            const RoleClaim* hand = m_claims.find(std::string(side) + "Hand");
            if (hand == nullptr || m_claims.find(std::string(side) + "IndexProximal") != nullptr) continue;
            const NodeIndex joint = hand->nodes.front(), above = m_skeleton[joint].parent;
            claimFingers(m_skeleton, joint, above >= 0 ? above : joint, side, 0.85, m_claims);
        }
    }

    /// The arms of a mechanism: from where it stands to each end that is far out, through the joints that move.
    void claimMechanism()
    {
        std::vector<NodeIndex> tips = tipsOfArms();
        const bool isNumbered = tips.size() > 1;
        int arm = 0;
        for (const NodeIndex tip : tips) {
            std::vector<NodeIndex> chain;
            for (const NodeIndex node : m_skeleton.way(-1, tip))
                if (m_skeleton[node].canMove && m_claims.isFree(node) && !m_skeleton[node].isEnd) chain.push_back(node);
            if (chain.size() < 2) continue;
            if (std::any_of(chain.begin(), chain.end(), [&](NodeIndex node) { return !m_claims.isFree(node); }))
                continue;
            const std::string prefix = isNumbered ? "arm" + std::to_string(++arm) : "";
            int number = 0;
            const double certainty = chainCertainty(chain);
            for (const NodeIndex node : chain)
                m_claims.claim(prefix + "link" + std::to_string(++number), {node}, certainty,
                               "one of a chain of joints");
        }
    }

    /// How sure it is that a chain is meant to move as one: limited axes, a name for each joint.
    [[nodiscard]] double chainCertainty(const std::vector<NodeIndex>& chain) const
    {
        const auto isLimited = [&](NodeIndex node) { return m_skeleton[node].isLimited; };
        const double limited = static_cast<double>(std::count_if(chain.begin(), chain.end(), isLimited)) /
                               static_cast<double>(chain.size());
        return 0.62 + 0.3 * limited;
    }

    /// The ends of the longest branches, far from each other.
    [[nodiscard]] std::vector<NodeIndex> tipsOfArms() const
    {
        std::vector<std::pair<double, NodeIndex>> leaves;
        for (NodeIndex node = 0; node < m_skeleton.count(); ++node) {
            if (m_skeleton[node].isEnd || m_skeleton.isIdle(node)) continue;
            const bool isTip = std::all_of(
                m_skeleton[node].children.begin(), m_skeleton[node].children.end(),
                [&](NodeIndex child) { return m_skeleton[child].isEnd || m_skeleton.isIdle(child); });
            if (!isTip) continue;
            double length = 0;
            for (NodeIndex at = node; at >= 0; at = m_skeleton[at].parent) length += m_skeleton[at].bone;
            leaves.push_back({length, node});
        }
        std::stable_sort(leaves.begin(), leaves.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
        std::vector<NodeIndex> tips;
        for (const auto& [length, leaf] : leaves) {
            if (length < 0.5 * leaves.front().first || tips.size() >= 8) break;
            // One that parts from another only near its end is part of the other's hand.
            const bool isOwn = std::all_of(tips.begin(), tips.end(), [&](NodeIndex other) {
                double shared = 0;
                for (NodeIndex at = m_skeleton.commonAbove(leaf, other); at >= 0; at = m_skeleton[at].parent)
                    shared += m_skeleton[at].bone;
                return shared < 0.4 * length;
            });
            if (isOwn) tips.push_back(leaf);
        }
        return tips;
    }

    const Skeleton& m_skeleton;
    const Body& m_body;
    Claims& m_claims;
};

} // namespace

void claimChains(const Skeleton& skeleton, const Body& body, Claims& claims)
{
    ChainAssigner(skeleton, body, claims).run();
}

} // namespace tendon
