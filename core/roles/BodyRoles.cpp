#include "core/roles/BodyRoles.h"

#include "core/roles/BodyFacing.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace tendon {
namespace {

/// Roles of one limb of a pair, by part.
struct LimbWords
{
    const char* holder;
    const char* upper;
    const char* lower;
    const char* end;
    const char* tip;
};
constexpr LimbWords kLegWords{"", "UpperLeg", "LowerLeg", "Foot", "Toes"};
constexpr LimbWords kArmWords{"Shoulder", "UpperArm", "LowerArm", "Hand", ""};
constexpr LimbWords kHindWords{"HindShoulder", "HindUpperLeg", "HindLowerLeg", "HindFoot", "HindToes"};
constexpr LimbWords kFrontWords{"FrontShoulder", "FrontUpperLeg", "FrontLowerLeg", "FrontFoot", "FrontToes"};

class Assigner
{
public:
    Assigner(const Skeleton& skeleton, const Body& body, Claims& claims)
        : m_skeleton(skeleton), m_body(body), m_claims(claims), m_facing(skeleton, body, claims)
    {
    }

    void run()
    {
        if (!m_body.legs && !m_body.arms) return;
        m_isLeft = m_facing.isFirstLeft();
        m_claims.facing = m_facing.certainty();
        m_claims.frame = m_facing.frame();
        claimHips();
        const bool isAnimal = m_body.plan == BodyPlan::Quadruped;
        if (m_body.legs) claimPair(*m_body.legs, m_body.legs->leg, isAnimal ? kHindWords : kLegWords, LimbShape::Leg);
        if (m_body.arms)
            claimPair(*m_body.arms, m_body.arms->fit(m_body.frontShape), isAnimal ? kFrontWords : kArmWords,
                      m_body.frontShape);
        claimTrunk();
        compareFingers();
    }

private:
    // Hips and trunk

    void claimHips()
    {
        if (!m_body.legs) return;
        const LimbPair& legs = *m_body.legs;
        const NodeIndex common = m_body.arms ? m_skeleton.commonAbove(legs.parent, m_body.arms->parent) : legs.parent;
        const Vector3 middle = middleOf(m_skeleton, legs, legs.leg.parts.at[LimbParts::Upper], 0);
        const double leg = std::max(1e-9, (middleOf(m_skeleton, legs, lastPart(legs.leg), 0) - middle).norm());
        NodeIndex best = -1;
        double bestScore = -1e9, all = 0;
        std::vector<double> scores;
        const auto consider = [&](NodeIndex node, double score) {
            if (node < 0) return;
            score -= 12 * std::min(0.5, (m_skeleton.at(node) - middle).norm() / leg);
            const NameReading& name = m_skeleton.name(node);
            score += name.saysPart() ? 1.2 * nameScore(m_skeleton, node, Part::Hips) : 0;
            scores.push_back(score);
            if (score > bestScore) bestScore = score, best = node;
        };
        double step = 0;
        for (NodeIndex node = common; node >= 0 && step < 3; node = m_skeleton[node].parent)
            consider(node, 1 - 0.5 * step++);
        step = 0;
        for (NodeIndex node = legs.parent; node >= 0 && node != common; node = m_skeleton[node].parent)
            consider(node, 0.5 - 0.3 * step++);
        // Or beside the legs, as the first joint of the trunk.
        if (m_body.arms && m_body.arms->parent >= 0) {
            const std::vector<NodeIndex> trunk = m_skeleton.way(common, m_body.arms->parent);
            if (trunk.size() > 1 && m_skeleton.name(trunk.front()).fit(Part::Spine) < 0.5) consider(trunk.front(), -1);
        }
        for (const double score : scores) all += std::exp(score - bestScore);
        m_hips = best;
        if (best < 0) return;
        if (RoleClaim* hips = m_claims.claim("hips", {best}, sure(1 / all), "the legs meet here")) {
            hips->nameFit = m_skeleton.name(best).fit(Part::Hips);
            hips->alike = legs.alike;
        }
        for (NodeIndex node = m_skeleton[best].parent; node >= 0; node = m_skeleton[node].parent)
            if (m_skeleton[node].parent < 0) claimRoot(node);
    }

    void claimRoot(NodeIndex node)
    {
        m_claims.claim("root", {node}, sure(m_skeleton.name(node).fit(Part::Root) > 0 ? 0.9 : 0.6),
                       "above the hips, at the bottom of the tree");
    }

    /// A certainty of something on the body, given that the body is right.
    [[nodiscard]] double sure(double certainty) const { return certainty * m_body.certainty; }

    void claimTrunk()
    {
        if (!m_body.arms) return claimNamedTrunk();
        std::vector<NodeIndex> trunk;
        const NodeIndex chest = m_body.arms->parent;
        NodeIndex top = m_hips;
        if (top >= 0 && !m_skeleton.isAbove(top, chest)) top = m_skeleton.commonAbove(top, chest);
        if (chest >= 0) trunk = m_skeleton.way(top, chest);
        if (m_hips < 0) claimNamedHips(trunk);
        std::vector<NodeIndex> neck = m_facing.headChain();
        claimHead(neck, trunk);
        // Joints of the trunk beyond the arms, as where a chest carries them below its last joint.
        std::erase_if(trunk, [&](NodeIndex node) { return !m_claims.isFree(node); });
        claimSpine(trunk);
    }

    /// The hips of a body without a pair of legs, if a joint is called so: the trunk begins above them.
    void claimNamedHips(std::vector<NodeIndex>& trunk)
    {
        const auto named = std::find_if(trunk.begin(), trunk.end(),
                                        [&](NodeIndex node) { return isCalled(node, Part::Hips, 0.85); });
        if (named == trunk.end()) return;
        m_hips = *named;
        if (RoleClaim* hips = m_claims.claim("hips", {m_hips}, sure(0.9), "below the spine")) hips->nameFit = 1;
        if (named != trunk.begin()) claimRoot(trunk.front());
        trunk.erase(trunk.begin(), named + 1);
    }

    /// Spine, neck and head of a body without a pair of arms: from the hips to a joint that is called head.
    void claimNamedTrunk()
    {
        if (m_hips < 0) return;
        for (NodeIndex head = 0; head < m_skeleton.count(); ++head) {
            if (!isCalled(head, Part::Head, 0.89) || !m_claims.isFree(head) || !m_skeleton.isAbove(m_hips, head))
                continue;
            std::vector<NodeIndex> trunk = m_skeleton.way(m_hips, head), neck;
            trunk.pop_back();
            while (!trunk.empty() && m_skeleton.name(trunk.back()).fit(Part::Neck) > 0.5) {
                neck.insert(neck.begin(), trunk.back());
                trunk.pop_back();
            }
            const auto say = [&](const char* role, const std::vector<NodeIndex>& nodes) {
                if (RoleClaim* claim = m_claims.claim(role, nodes, sure(0.9), "above the hips, on the way to the head"))
                    claim->nameFit = 1;
            };
            say("head", {head});
            claimFace(head);
            say("neck", neck);
            claimSpine(trunk);
            return;
        }
        claimHeadlessTrunk();
    }

    /// The trunk of a body without a head, as of a toy: what goes up from the hips on the centre line.
    void claimHeadlessTrunk()
    {
        const double leg = limbLengthAtRest(*m_body.legs);
        std::vector<NodeIndex> trunk;
        for (NodeIndex at = m_hips; at >= 0;) {
            NodeIndex next = -1;
            for (const NodeIndex child : m_skeleton[at].children) {
                const NameReading& name = m_skeleton.name(child);
                const bool isOfTrunk = m_claims.isFree(child) && !m_facing.isOnLimb(child) &&
                                       !m_skeleton[child].isEnd && !m_skeleton.isIdle(child) && !name.isOther &&
                                       !name.isControl && !name.hasSide;
                if (isOfTrunk && (next < 0 || m_skeleton[child].reach > m_skeleton[next].reach)) next = child;
            }
            if (next >= 0) trunk.push_back(next);
            at = next;
        }
        if (trunk.empty()) return;
        const Vector3 way = m_skeleton.at(trunk.back()) - m_skeleton.at(m_hips);
        const double rise = way.dot(m_claims.frame.up), aside = std::abs(way.dot(m_claims.frame.left));
        if (rise > 0.3 * leg && aside < 0.2 * rise) claimSpine(trunk);
    }

    [[nodiscard]] double limbLengthAtRest(const LimbPair& legs) const
    {
        return (middleOf(m_skeleton, legs, lastPart(legs.leg), 0) -
                middleOf(m_skeleton, legs, legs.leg.parts.at[LimbParts::Upper], 0))
            .norm();
    }

    /// Whether a name means a part on the centre line, and no end, helper or control of it.
    [[nodiscard]] bool isCalled(NodeIndex node, Part part, double above) const
    {
        const NameReading& name = m_skeleton.name(node);
        return name.fit(part) > above && !name.hasSide && !name.isEnd && !name.isTwist && !name.isControl &&
               !name.isOther;
    }

    void claimHead(std::vector<NodeIndex> chain, std::vector<NodeIndex>& trunk)
    {
        // Joints of the trunk beyond the arms, by their names.
        const auto isTrunk = [&](NodeIndex node) {
            const NameReading& name = m_skeleton.name(node);
            return name.fit(Part::Neck) < 0.5 && name.fit(Part::Head) < 0.5 &&
                   std::max({name.fit(Part::Chest), name.fit(Part::UpperChest), name.fit(Part::Spine),
                             name.fit(Part::Hips)}) > 0.75;
        };
        while (chain.size() > 1 && isTrunk(chain.front()) && m_claims.isFree(chain.front())) {
            trunk.push_back(chain.front());
            chain.erase(chain.begin());
        }
        if (chain.empty()) return;
        std::vector<double> scores, branches;
        for (const NodeIndex node : chain) {
            branches.push_back(0);
            for (const NodeIndex child : m_skeleton[node].children)
                branches.back() += !m_skeleton[child].isEnd && !m_skeleton.isIdle(child);
        }
        // One neck before the head; none if the arms may hang on the neck.
        const double usual = !trunk.empty() && isAboveArms(trunk.back()) && chain.size() <= 2 ? 0 : 1;
        const bool isLastStill = m_skeleton.hasMotion && m_skeleton[chain.back()].turns < 1e-3;
        const double most = std::max(2.0, *std::max_element(branches.begin(), branches.end()));
        const bool knowsEnds = std::any_of(m_skeleton.nodes.begin(), m_skeleton.nodes.end(),
                                           [](const Skeleton::Node& node) { return node.isEnd; });
        // Where limbs end in joints of their own, so does the head.
        const int ends = knowsEnds ? -1 : endJoints();
        const std::size_t last = chain.size() - (ends > 0 && chain.size() > 1 ? 2 : 1);
        for (std::size_t i = 0; i < chain.size(); ++i) {
            double score = 1.3 * nameScore(m_skeleton, chain[i], Part::Head);
            if (branches[i] >= 2) score += 2.5 * branches[i] / most;
            score += i == last ? (ends < 0 ? 2.5 : ends > 0 && chain.size() > 2 ? 2.0 : 0.65) : 0;
            if (m_body.plan == BodyPlan::Humanoid) score -= 0.8 * std::abs(static_cast<double>(i) - usual);
            // Heads turn; an end that is keyed does not.
            if (isLastStill && i > 0 && i + 1 == chain.size()) score -= m_skeleton[chain[i - 1]].turns > 0.02 ? 3 : 2.2;
            for (std::size_t k = 0; k < i; ++k) score += m_skeleton.name(chain[k]).fit(Part::Neck) > 0.5 ? 0.5 : 0;
            scores.push_back(score);
        }
        const std::size_t best = static_cast<std::size_t>(std::max_element(scores.begin(), scores.end()) -
                                                          scores.begin());
        double all = isLastStill && m_skeleton.name(chain[best]).fit(Part::Head) < 0.5 ? 0.35 : 0;
        if (usual == 0 && m_skeleton.name(chain[best]).fit(Part::Head) < 0.5) all += 0.6;
        for (const double score : scores) all += std::exp(score - scores[best]);
        if (RoleClaim* head = m_claims.claim("head", {chain[best]}, sure(1 / all),
                                             "on the centre line, above the arms"))
            head->nameFit = m_skeleton.name(chain[best]).fit(Part::Head), head->alike = m_body.arms->alike;
        claimFace(chain[best]);
        std::vector<NodeIndex> neck(chain.begin(), chain.begin() + static_cast<std::ptrdiff_t>(best));
        double certainty = 1 / all;
        std::string reason = "between the arms and the head";
        if (!trunk.empty() && isNeck(trunk.back(), chain[best], trunk.size() > 1, !neck.empty())) {
            // As Biped has it: the collarbones hang on the neck.
            neck.insert(neck.begin(), trunk.back());
            trunk.pop_back();
            reason = "above the shoulders, although the arms hang from it";
            certainty *= m_skeleton.name(neck.front()).fit(Part::Neck) > 0.5 ? 1 : 0.85;
        }
        if (neck.empty()) return;
        if (RoleClaim* claim = m_claims.claim("neck", neck, sure(certainty), reason))
            claim->nameFit = m_skeleton.name(neck.front()).fit(Part::Neck), claim->alike = m_body.arms->alike;
    }

    /// Whether branches end in joints that are nothing but ends: 1 they do, -1 they do not, 0 nothing tells.
    [[nodiscard]] int endJoints() const
    {
        const LimbFit& arm = m_body.arms->fit(m_body.frontShape);
        const int hand = arm.parts.at[LimbParts::End];
        if (hand < 0) return 0;
        const std::vector<NodeIndex>& chain = m_body.arms->chainA;
        int fingers = 0;
        for (const NodeIndex child : m_skeleton[chain[slot(hand)]].children)
            fingers += m_skeleton[child].below > 0 ? 1 : 0;
        const int beyond = static_cast<int>(chain.size()) - 1 - hand;
        if (fingers >= 3) return beyond == 3 ? -1 : beyond == 4 ? fingerEnds(chain, hand) : 0;
        if (m_skeleton[chain[slot(hand)]].children.size() > 1) return 0;
        return beyond == 1 ? 1 : beyond == 0 ? -1 : 0;
    }

    /// Of fingers with four joints: whether the last is an end, rather than the first within the palm.
    [[nodiscard]] int fingerEnds(const std::vector<NodeIndex>& chain, int hand) const
    {
        const Vector3 wrist = m_skeleton.at(chain[slot(hand)]);
        const double near = (m_skeleton.at(chain[slot(hand + 1)]) - wrist).norm(),
                     far = (m_skeleton.at(chain[slot(hand + 2)]) - wrist).norm();
        return near > 0.45 * far ? 1 : -1;
    }

    /// Whether the joint that the arms hang on is a neck all the same.
    [[nodiscard]] bool isNeck(NodeIndex node, NodeIndex head, bool hasMoreTrunk, bool hasNeck) const
    {
        const NameReading& name = m_skeleton.name(node);
        if (name.fit(Part::Neck) > 0.5) return true;
        if (name.saysPart() || hasNeck || !hasMoreTrunk || m_body.plan == BodyPlan::Quadruped) return false;
        const Vector3 up = m_claims.frame.up;
        const Vector3 arms = 0.5 * (m_skeleton.at(m_body.arms->a) + m_skeleton.at(m_body.arms->b));
        const double above = (m_skeleton.at(node) - arms).dot(up),
                     toHead = (m_skeleton.at(head) - m_skeleton.at(node)).norm();
        return above > 0.1 * toHead && (m_skeleton.at(node) - m_skeleton.at(head)).norm() < 1.2 * m_skeleton[node].bone;
    }

    [[nodiscard]] bool isAboveArms(NodeIndex node) const
    {
        const Vector3 arms = 0.5 * (m_skeleton.at(m_body.arms->a) + m_skeleton.at(m_body.arms->b));
        return (m_skeleton.at(node) - arms).dot(m_claims.frame.up) > 0.01 * m_skeleton.size;
    }

    /// Cuts the joints between hips and arms into spine, chest and upper chest.
    void claimSpine(const std::vector<NodeIndex>& trunk)
    {
        const int count = static_cast<int>(trunk.size());
        if (count == 0) return;
        static constexpr Part kParts[] = {Part::Spine, Part::Chest, Part::UpperChest};
        const int usualUpper = count >= 3 ? 1 : 0;
        const int usualSpine = count == 1 ? 1 : std::max(1, (count - usualUpper) / 2);
        double bestScore = -1e9, all = 0;
        int bestSpine = 1, bestChest = 0;
        std::vector<std::pair<double, int>> scores;
        for (int spine = 1; spine <= count; ++spine)
            for (int chest = count >= 2 ? 1 : 0; spine + chest <= count; ++chest) {
                const int upper = count - spine - chest;
                if (count >= 3 && upper == 0) continue;
                double score = -1.1 * std::abs(spine - usualSpine) - 1.1 * std::abs(upper - usualUpper);
                for (int i = 0; i < count; ++i) {
                    const Part part = kParts[i < spine ? 0 : i < spine + chest ? 1 : 2];
                    score += 0.6 * nameScore(m_skeleton, trunk[slot(i)], part);
                }
                scores.push_back({score, spine});
                if (score > bestScore) bestScore = score, bestSpine = spine, bestChest = chest;
            }
        double sameSpine = 0;
        for (const auto& [score, spine] : scores) {
            all += std::exp(score - bestScore);
            if (spine == bestSpine) sameSpine += std::exp(score - bestScore);
        }
        const auto part = [&](int from, int to) {
            return std::vector<NodeIndex>(trunk.begin() + from, trunk.begin() + to);
        };
        const auto say = [&](const char* role, Part kind, const std::vector<NodeIndex>& nodes, double certainty,
                             const char* reason) {
            if (nodes.empty()) return;
            RoleClaim* claim = m_claims.claim(role, nodes, sure(m_body.arms ? certainty : 0.9 * certainty),
                                              m_body.arms ? reason : "on the centre line, above the hips");
            if (claim == nullptr) return;
            claim->nameFit = m_skeleton.name(nodes.front()).fit(kind);
            claim->alike = m_body.arms ? m_body.arms->alike : 0;
        };
        // The first and the last are sure; where the chest begins is a matter of counting.
        say("spine", Part::Spine, part(0, bestSpine), 0.995, "first joint above the hips");
        say("chest", Part::Chest, part(bestSpine, bestSpine + bestChest),
            count <= 3 ? 0.99 : 0.4 + 0.5 * sameSpine / all,
            count == 2 ? "the arms hang from it" : "on the spine, below the joint that the arms hang from");
        const std::vector<NodeIndex> top = part(bestSpine + bestChest, count);
        // A joint above the arms may be the neck, unless its name says more than that it is of the trunk.
        const auto saysUpperChest = [](const NameReading& name) {
            return name.fit(Part::UpperChest) >= 0.5 && name.fit(Part::UpperChest) > name.fit(Part::Spine);
        };
        const bool isHigh = m_body.arms && !top.empty() && isAboveArms(top.back()) &&
                            !saysUpperChest(m_skeleton.name(top.back()));
        say("upperChest", Part::UpperChest, top, isHigh ? 0.7 : 0.99,
            isHigh ? "on the spine, beyond the joint that the arms hang from" : "the arms hang from it");
    }

    /// Eyes and jaw: only by their names, which are below the head.
    void claimFace(NodeIndex head)
    {
        for (NodeIndex node = 0; node < m_skeleton.count(); ++node) {
            const NameReading& name = m_skeleton.name(node);
            if (node == head || !m_skeleton.isAbove(head, node) || !m_claims.isFree(node) || name.isEnd) continue;
            RoleClaim* claim = nullptr;
            if (name.fit(Part::Jaw) > 0.8)
                claim = m_claims.claim("jaw", {node}, sure(0.93), "below the head");
            else if (name.fit(Part::Eye) > 0.8 && name.hasSide)
                claim = m_claims.claim(name.side == Side::Left ? "leftEye" : "rightEye", {node}, sure(0.97),
                                       "below the head");
            if (claim != nullptr) claim->nameFit = 1, claim->alike = 0.5;
        }
    }

    /// Fingers that names do not tell apart are in doubt where both hands disagree about their lengths.
    void compareFingers()
    {
        bool differ = false;
        for (const RoleClaim& left : m_claims.roles) {
            if (!left.role.starts_with("left") || left.role.find("Proximal") == std::string::npos || left.nameFit > 0.5)
                continue;
            const RoleClaim* right = m_claims.find(mirroredRole(left.role));
            if (right == nullptr) continue;
            const double a = m_skeleton[left.nodes[0]].reach, b = m_skeleton[right->nodes[0]].reach;
            differ = differ || std::abs(a - b) > 0.03 * (a + b);
        }
        if (!differ) return;
        for (RoleClaim& claim : m_claims.roles)
            if (claim.nameFit < 0.5 && claim.reason.find("finger") != std::string::npos) claim.certainty *= 0.65;
    }

    // Limbs

    void claimPair(const LimbPair& pair, const LimbFit& fit, const LimbWords& words, LimbShape shape)
    {
        bool isFirstLeft = m_isLeft;
        if (m_body.legs && pair.a != m_body.legs->a) isFirstLeft = sideOfSecondPair(pair, fit);
        claimLimb(pair, fit, words, shape, pair.chainA, isFirstLeft ? "left" : "right");
        claimLimb(pair, fit, words, shape, pair.chainB, isFirstLeft ? "right" : "left");
    }

    /// The side of the arms that fits the legs.
    [[nodiscard]] bool sideOfSecondPair(const LimbPair& pair, const LimbFit&) const
    {
        const Side named = m_facing.toldSide(pair);
        if (named != Side::Centre) return named == Side::Left;
        double votes = 0;
        for (std::size_t pose = 0; pose < m_skeleton.poses.size(); ++pose)
            votes += m_facing.across(pair, pose).dot(m_facing.across(*m_body.legs, pose)) * (m_isLeft ? 1 : -1);
        return votes >= 0;
    }

    void claimLimb(const LimbPair& pair, const LimbFit& fit, const LimbWords& words, LimbShape shape,
                   const std::vector<NodeIndex>& chain, const std::string& side)
    {
        static constexpr Part kLeg[] = {Part::UpperLeg, Part::UpperLeg, Part::LowerLeg, Part::Foot, Part::Toes};
        static constexpr Part kArm[] = {Part::Shoulder, Part::UpperArm, Part::LowerArm, Part::Hand, Part::Hand};
        static constexpr const char* kLegReasons[] = {"holds the leg", "the upper long bone of a leg",
                                                      "the lower long bone of a leg", "where the leg ends",
                                                      "beyond the foot"};
        static constexpr const char* kArmReasons[] = {"between the chest and the upper arm",
                                                      "the upper long bone of an arm", "the lower long bone of an arm",
                                                      "where the arm ends", ""};
        const bool isLeg = shape == LimbShape::Leg, saysLeg = isLeg || m_body.plan == BodyPlan::Quadruped;
        const char* const roles[] = {words.holder, words.upper, words.lower, words.end, words.tip};
        const int count = static_cast<int>(chain.size());
        for (int part = 0; part < LimbParts::kCount; ++part) {
            int begin = fit.parts.at[slot(part)];
            if (part == LimbParts::Holder && begin < 0 && isLeg && fit.parts.at[LimbParts::Upper] > 0 &&
                *words.holder != 0)
                begin = 0;
            if (begin < 0 || *roles[part] == 0) continue;
            int end = count;
            for (int next = part + 1; next < LimbParts::kCount; ++next)
                if (fit.parts.at[slot(next)] >= 0) {
                    end = fit.parts.at[slot(next)];
                    break;
                }
            std::vector<NodeIndex> nodes(chain.begin() + begin, chain.begin() + end);
            if (isLeg && part == LimbParts::Tip) nodes = bigToe(pair, fit, chain, nodes);
            if (part >= LimbParts::End) keepOneSpot(nodes, isLeg ? kLeg[part] : kArm[part]);
            keepMoving(nodes);
            const double certainty = fit.certainty[slot(part)];
            RoleClaim* claim = m_claims.claim(side + roles[part], nodes, sure(certainty),
                                              saysLeg ? kLegReasons[part] : kArmReasons[part]);
            if (claim == nullptr) continue;
            claim->nameFit = m_skeleton.name(nodes.front()).fit(isLeg ? kLeg[part] : kArm[part]);
            claim->alike = pair.alike;
        }
        if (isLeg && fit.parts.at[LimbParts::End] < 0 && fit.parts.at[LimbParts::Lower] >= 0)
            claimFootApart(chain, fit, side, words.end);
        const int hand = fit.parts.at[LimbParts::End];
        if (!isLeg && hand > 0 && m_body.plan != BodyPlan::Quadruped)
            claimFingers(m_skeleton, chain[slot(hand)], chain[slot(hand - 1)], side, sure(1), m_claims);
    }

    /// A foot that stands on its own, as a target of IK: called a foot of that side, or where the shin ends.
    void claimFootApart(const std::vector<NodeIndex>& chain, const LimbFit& fit, const std::string& side,
                        const char* role)
    {
        const NodeIndex upper = chain[slot(fit.parts.at[LimbParts::Upper])],
                        lower = chain[slot(fit.parts.at[LimbParts::Lower])];
        const Vector3 thigh = m_skeleton.at(lower) - m_skeleton.at(upper);
        const Side wanted = side == "left" ? Side::Left : Side::Right;
        NodeIndex best = -1;
        double bestScore = 0;
        for (NodeIndex node = 0; node < m_skeleton.count(); ++node) {
            if (!m_claims.isFree(node) || m_skeleton[node].isEnd || m_skeleton.isAbove(node, lower)) continue;
            const NameReading& name = m_skeleton.name(node);
            const Vector3 way = m_skeleton.at(node) - m_skeleton.at(lower);
            if (name.isControl || name.isOther || (name.hasSide && name.side != wanted) || way.norm() < 1e-9) continue;
            // About as long as the thigh, and on from it.
            double score = -std::abs(std::log(way.norm() / thigh.norm())) +
                           1.5 * way.normalized().dot(thigh.normalized()) - 1;
            score += name.fit(Part::Foot) > 0.5 ? 2.5 : name.saysPart() ? -3 : 0;
            score -= m_skeleton[node].parent >= 0 && m_skeleton[m_skeleton[node].parent].parent >= 0 ? 0.5 : 0;
            if (score > bestScore) bestScore = score, best = node;
        }
        if (best < 0) return;
        const double fitOfName = m_skeleton.name(best).fit(Part::Foot);
        RoleClaim* claim = m_claims.claim(side + role, {best}, sure(fitOfName > 0.5 ? 0.9 : 0.5),
                                          "stands apart from the leg, where the shin ends");
        if (claim != nullptr) claim->nameFit = fitOfName, claim->alike = 0.5;
    }

    /// Of five toes the one nearest to the other foot.
    [[nodiscard]] std::vector<NodeIndex> bigToe(const LimbPair& pair, const LimbFit& fit,
                                                const std::vector<NodeIndex>& chain,
                                                const std::vector<NodeIndex>& toe) const
    {
        const int end = fit.parts.at[LimbParts::End];
        const NodeIndex foot = chain[slot(end)];
        const NodeIndex other = (&chain == &pair.chainA ? pair.chainB : pair.chainA)[slot(end)];
        std::vector<NodeIndex> toes;
        for (const NodeIndex child : m_skeleton[foot].children)
            if (!m_skeleton[child].isEnd && !m_skeleton.isIdle(child) && m_skeleton[child].below > 0)
                toes.push_back(child);
        if (toes.size() < 3) return toe;
        const std::size_t pose = m_facing.bestPose();
        const NodeIndex nearest = *std::min_element(toes.begin(), toes.end(), [&](NodeIndex x, NodeIndex y) {
            return (m_skeleton.at(x, pose) - m_skeleton.at(other, pose)).norm() <
                   (m_skeleton.at(y, pose) - m_skeleton.at(other, pose)).norm();
        });
        std::vector<NodeIndex> joints = m_skeleton.mainChain(nearest);
        // A joint within the foot comes before the toe.
        if (joints.size() > 2 && !m_skeleton.name(joints[0]).saysPart()) joints.erase(joints.begin());
        return {joints.front()};
    }

    /// Of a foot or hand: its first joint and those that turn with it at the same place, or are called the same.
    void keepOneSpot(std::vector<NodeIndex>& nodes, Part part) const
    {
        std::size_t kept = 1;
        while (kept < nodes.size()) {
            if (!m_skeleton[nodes[kept]].canMove && kept + 1 < nodes.size()) { // a link between two axes
                ++kept;
                continue;
            }
            const bool isHere = (m_skeleton.at(nodes[kept]) - m_skeleton.at(nodes[0])).norm() < 1e-3 * m_skeleton.size;
            const NameReading& name = m_skeleton.name(nodes[kept]);
            if (!(isHere && !name.saysPart()) && !(name.fit(part) > 0.4 && !name.isOther)) break;
            ++kept;
        }
        nodes.resize(kept);
    }

    /// Without joints that cannot move, unless none can.
    void keepMoving(std::vector<NodeIndex>& nodes) const
    {
        std::vector<NodeIndex> moving;
        for (const NodeIndex node : nodes)
            if (m_skeleton[node].canMove) moving.push_back(node);
        if (!moving.empty()) nodes = moving;
    }

    const Skeleton& m_skeleton;
    const Body& m_body;
    Claims& m_claims;
    BodyFacing m_facing;
    NodeIndex m_hips = -1;
    bool m_isLeft = true; ///< the first limb of the pair that decides is the left one
};

} // namespace

const RoleClaim* Claims::find(std::string_view role) const
{
    const auto found = std::find_if(roles.begin(), roles.end(),
                                    [&](const RoleClaim& claim) { return claim.role == role; });
    return found == roles.end() ? nullptr : &*found;
}

RoleClaim* Claims::claim(std::string role, const std::vector<NodeIndex>& nodes, double certainty, std::string reason)
{
    if (find(role) != nullptr || std::find(refused.begin(), refused.end(), role) != refused.end()) return nullptr;
    RoleClaim made{std::move(role), {}, certainty, 0, 0, std::move(reason)};
    for (const NodeIndex node : nodes)
        if (isFree(node)) made.nodes.push_back(node);
    if (made.nodes.empty()) return nullptr;
    for (const NodeIndex node : made.nodes) owner[static_cast<std::size_t>(node)] = static_cast<int>(roles.size());
    roles.push_back(std::move(made));
    return &roles.back();
}

void claimBody(const Skeleton& skeleton, const Body& body, Claims& claims) { Assigner(skeleton, body, claims).run(); }

} // namespace tendon
