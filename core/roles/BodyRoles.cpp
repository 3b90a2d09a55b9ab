#include "core/roles/BodyRoles.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace tendon {
namespace {

std::size_t at(int place) { return static_cast<std::size_t>(place); }

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

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
        : m_skeleton(skeleton), m_body(body), m_claims(claims)
    {
    }

    void run()
    {
        if (!m_body.legs && !m_body.arms) return;
        findFrame();
        claimHips();
        const bool isAnimal = m_body.plan == BodyPlan::Quadruped;
        if (m_body.legs)
            claimPair(*m_body.legs, m_body.legs->leg, isAnimal ? kHindWords : kLegWords, LimbShape::Leg);
        if (m_body.arms)
            claimPair(*m_body.arms, m_body.arms->fit(m_body.frontShape), isAnimal ? kFrontWords : kArmWords, m_body.frontShape);
        claimTrunk();
    }

private:
    // The directions of the body, and its sides

    void findFrame()
    {
        const LimbPair& pair = m_body.legs ? *m_body.legs : *m_body.arms;
        double votes = facingVotes();
        Side named = sideByNames(m_skeleton, pair.chainA);
        if (named == Side::Centre) {
            const Side other = sideByNames(m_skeleton, pair.chainB);
            named = other == Side::Left ? Side::Right : other == Side::Right ? Side::Left : Side::Centre;
        }
        m_isLeft = named != Side::Centre ? named == Side::Left : votes >= 0;
        m_claims.facing = named != Side::Centre ? 0.995 : logistic(1.6 * std::min(std::abs(votes), 4.0));
        // The pose that shows the directions best: at rest, unless the limbs are folded together there.
        const std::size_t pose = bestPose();
        Vector3 left = across(pair, pose) * (m_isLeft ? 1 : -1);
        Vector3 up = upOf(pose);
        if (left.norm() < 1e-9 || up.norm() < 1e-9) return;
        up = (up - up.dot(left) * left);
        if (up.norm() < 1e-6) return;
        m_claims.frame.left = left;
        m_claims.frame.up = up.normalized();
        m_claims.frame.forward = left.cross(m_claims.frame.up);
        m_claims.frame.facingConfidence = m_claims.facing;
    }

    [[nodiscard]] std::size_t bestPose() const
    {
        const LimbPair& pair = m_body.legs ? *m_body.legs : *m_body.arms;
        for (std::size_t pose = 0; pose < m_skeleton.poses.size(); ++pose)
            if (across(pair, pose).norm() > 0.5 && upOf(pose).norm() > 0.5) return pose;
        return 0;
    }

    /// Unit, from the second of a pair to the first, where its limbs begin; 0 where they begin at one place.
    [[nodiscard]] Vector3 across(const LimbPair& pair, std::size_t pose) const
    {
        const int place = pair.fit(m_body.legs && pair.a == m_body.legs->a ? LimbShape::Leg : m_body.frontShape).parts.at[LimbParts::Upper];
        for (std::size_t i = at(place); i < pair.chainA.size(); ++i) {
            const Vector3 way = m_skeleton.at(pair.chainA[i], pose) - m_skeleton.at(pair.chainB[i], pose);
            if (way.norm() > 0.01 * m_skeleton.size) return way.normalized();
        }
        return Vector3::Zero();
    }

    /// Unit, from the hips to the shoulders, or against the legs of an animal; 0 where there is no telling.
    [[nodiscard]] Vector3 upOf(std::size_t pose) const
    {
        Vector3 up = Vector3::Zero();
        const bool isUpright = m_body.plan == BodyPlan::Humanoid;
        if (m_body.legs && m_body.arms && isUpright)
            up = trunkOf(pose);
        else if (m_body.legs)
            up = -limbDirection(m_skeleton, *m_body.legs, m_body.legs->leg, pose);
        if (up.norm() < 1e-6 * m_skeleton.size) return Vector3::UnitY();
        return up.normalized();
    }

    [[nodiscard]] Vector3 trunkOf(std::size_t pose) const
    {
        const LimbFit& front = m_body.arms->fit(m_body.frontShape);
        return middleOf(m_skeleton, *m_body.arms, front.parts.at[LimbParts::Upper], pose) -
               middleOf(m_skeleton, *m_body.legs, m_body.legs->leg.parts.at[LimbParts::Upper], pose);
    }

    /// Above 0: the first limb of the legs (or arms) is the left one.
    [[nodiscard]] double facingVotes() const
    {
        const LimbPair& pair = m_body.legs ? *m_body.legs : *m_body.arms;
        double votes = 0, weight = 0;
        for (std::size_t pose = 0; pose < m_skeleton.poses.size(); ++pose) {
            const Vector3 up = upOf(pose), side = across(pair, pose);
            if (side.norm() < 0.5 || side.cross(up).norm() < 0.3) continue;
            const Vector3 forward = side.cross(up).normalized(); // if the first is the left one
            const double w = pose == 0 ? 2 : 1;
            votes += w * votesInPose(pose, forward);
            weight += w;
        }
        return weight > 0 ? votes / weight : 0;
    }

    [[nodiscard]] double votesInPose(std::size_t pose, const Vector3& forward) const
    {
        double votes = 0;
        if (m_body.legs && m_body.arms && m_body.plan != BodyPlan::Humanoid) {
            const Vector3 trunk = trunkOf(pose);
            if (trunk.norm() > 0) votes += 5 * trunk.normalized().dot(forward);
        }
        if (m_body.legs)
            for (const std::vector<NodeIndex>* chain : {&m_body.legs->chainA, &m_body.legs->chainB})
                votes += footVote(*chain, m_body.legs->leg, pose, forward) + kneeVote(*chain, m_body.legs->leg, pose, forward);
        if (m_body.arms && m_body.plan == BodyPlan::Humanoid)
            for (const std::vector<NodeIndex>* chain : {&m_body.arms->chainA, &m_body.arms->chainB})
                votes += elbowVote(*chain, m_body.arms->arm, pose, forward) + thumbVote(*chain, m_body.arms->arm, pose, forward);
        return votes + headVote(pose, forward);
    }

    /// Toes point forward.
    [[nodiscard]] double footVote(const std::vector<NodeIndex>& chain, const LimbFit& fit, std::size_t pose,
                                  const Vector3& forward) const
    {
        const int end = fit.parts.at[LimbParts::End], tip = fit.parts.at[LimbParts::Tip];
        if (end < 0) return 0;
        const NodeIndex foot = chain[at(end)];
        Vector3 way = Vector3::Zero();
        double weight = 0;
        if (tip >= 0) {
            way = m_skeleton.at(chain[at(tip)], pose) - m_skeleton.at(foot, pose);
            weight = 1.6;
        } else {
            for (const NodeIndex child : m_skeleton[foot].children) {
                const Vector3 to = m_skeleton.at(child, pose) - m_skeleton.at(foot, pose);
                if (to.norm() > way.norm()) way = to, weight = 1.1;
            }
            if (pose == 0 && weight == 0 && m_skeleton[foot].skin > 0) {
                way = m_skeleton[foot].skinCentre - m_skeleton.at(foot);
                weight = 1.1;
            }
        }
        return way.norm() > 1e-9 ? weight * std::clamp(1.5 * way.normalized().dot(forward), -1.0, 1.0) : 0;
    }

    [[nodiscard]] double kneeVote(const std::vector<NodeIndex>& chain, const LimbFit& fit, std::size_t pose,
                                  const Vector3& forward) const
    {
        if (m_body.plan == BodyPlan::Quadruped || m_body.plan == BodyPlan::Biped) return 0;
        return bendVote(chain, fit, pose, forward, 6);
    }

    [[nodiscard]] double elbowVote(const std::vector<NodeIndex>& chain, const LimbFit& fit, std::size_t pose,
                                   const Vector3& forward) const
    {
        return -0.6 * bendVote(chain, fit, pose, forward, 6);
    }

    /// How far the middle joint stands before the line from the upper one to the end.
    [[nodiscard]] double bendVote(const std::vector<NodeIndex>& chain, const LimbFit& fit, std::size_t pose,
                                  const Vector3& forward, double steepness) const
    {
        const int upper = fit.parts.at[LimbParts::Upper], lower = fit.parts.at[LimbParts::Lower], end = fit.parts.at[LimbParts::End];
        if (end < 0) return 0;
        const Vector3 top = m_skeleton.at(chain[at(upper)], pose), middle = m_skeleton.at(chain[at(lower)], pose);
        const Vector3 line = m_skeleton.at(chain[at(end)], pose) - top;
        if (line.norm() < 1e-9) return 0;
        const Vector3 along = line.normalized();
        const Vector3 off = (middle - top) - (middle - top).dot(along) * along;
        return std::clamp(steepness * off.dot(forward) / line.norm(), -0.8, 0.8);
    }

    /// Thumbs are in front of the other fingers.
    [[nodiscard]] double thumbVote(const std::vector<NodeIndex>& chain, const LimbFit& fit, std::size_t pose,
                                   const Vector3& forward) const
    {
        const int end = fit.parts.at[LimbParts::End];
        if (end < 1) return 0;
        NodeIndex hand = chain[at(end)];
        const Vector3 along = m_skeleton.at(hand, pose) - m_skeleton.at(chain[at(end - 1)], pose);
        std::vector<NodeIndex> fingers;
        for (const NodeIndex child : m_skeleton[hand].children)
            if (m_skeleton[child].below > 0) fingers.push_back(child);
        if (fingers.size() < 3 || along.norm() < 1e-9) return 0;
        const auto advance = [&](NodeIndex finger) {
            return (m_skeleton.at(finger, pose) - m_skeleton.at(hand, pose)).dot(along.normalized());
        };
        const auto thumb = std::min_element(fingers.begin(), fingers.end(),
                                            [&](NodeIndex x, NodeIndex y) { return advance(x) < advance(y); });
        Vector3 mean = Vector3::Zero();
        for (const NodeIndex finger : fingers)
            if (finger != *thumb) mean += m_skeleton.at(finger, pose) / static_cast<double>(fingers.size() - 1);
        Vector3 way = m_skeleton.at(m_skeleton[*thumb].next >= 0 ? m_skeleton[*thumb].next : *thumb, pose) - mean;
        way -= way.dot(along.normalized()) * along.normalized();
        return way.norm() > 1e-9 ? 0.5 * way.normalized().dot(forward) : 0;
    }

    /// What hangs on a head, and its skin, is more in front than behind.
    [[nodiscard]] double headVote(std::size_t pose, const Vector3& forward) const
    {
        if (!m_body.arms || m_body.plan != BodyPlan::Humanoid || pose != 0) return 0;
        const std::vector<NodeIndex> chain = headChain();
        if (chain.empty()) return 0;
        const NodeIndex head = chain.back();
        if (m_skeleton[head].skin <= 0) return 0;
        const Vector3 way = m_skeleton[head].skinCentre - m_skeleton.at(head);
        return way.norm() > 1e-9 ? 0.5 * std::clamp(2 * way.normalized().dot(forward), -1.0, 1.0) : 0;
    }

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
        for (NodeIndex node = common; node >= 0 && step < 3; node = m_skeleton[node].parent) consider(node, 1 - 0.5 * step++);
        step = 0;
        for (NodeIndex node = legs.parent; node >= 0 && node != common; node = m_skeleton[node].parent) consider(node, 0.5 - 0.3 * step++);
        // Or beside the legs, as the first joint of the trunk.
        if (m_body.arms && m_body.arms->parent >= 0) {
            const std::vector<NodeIndex> trunk = m_skeleton.way(common, m_body.arms->parent);
            if (trunk.size() > 1) consider(trunk.front(), -0.5);
        }
        for (const double score : scores) all += std::exp(score - bestScore);
        m_hips = best;
        if (best < 0) return;
        if (RoleClaim* hips = m_claims.claim("hips", {best}, sure(1 / all), "the legs meet here")) {
            hips->nameFit = m_skeleton.name(best).fit(Part::Hips);
            hips->alike = legs.alike;
        }
        for (NodeIndex node = m_skeleton[best].parent; node >= 0; node = m_skeleton[node].parent)
            if (m_skeleton[node].parent < 0)
                m_claims.claim("root", {node}, sure(m_skeleton.name(node).fit(Part::Root) > 0 ? 0.9 : 0.6),
                               "above the hips, at the bottom of the tree");
    }

    /// A certainty of something on the body, given that the body is right.
    [[nodiscard]] double sure(double certainty) const { return certainty * m_body.certainty; }

    /// The branch that carries neck and head.
    [[nodiscard]] std::vector<NodeIndex> headChain() const
    {
        const LimbPair& arms = *m_body.arms;
        const LimbFit& fit = arms.fit(m_body.frontShape);
        const Vector3 shoulders = middleOf(m_skeleton, arms, fit.parts.at[LimbParts::Upper], 0);
        Vector3 up = Vector3::Zero();
        if (m_body.legs) up = shoulders - middleOf(m_skeleton, *m_body.legs, m_body.legs->leg.parts.at[LimbParts::Upper], 0);
        std::vector<NodeIndex> best;
        double bestScore = -2;
        const NodeIndex top = m_body.legs ? m_skeleton.commonAbove(m_body.legs->parent, arms.parent) : -1;
        int steps = 0;
        for (NodeIndex node = arms.parent; node >= 0; node = m_skeleton[node].parent, ++steps) {
            for (const NodeIndex child : m_skeleton[node].children) {
                if (m_skeleton[child].isEnd || isOnLimb(child)) continue;
                std::vector<NodeIndex> chain = m_skeleton.mainChain(child);
                if (chain.empty()) continue;
                double score = -1.5 * steps;
                for (const NodeIndex one : chain) {
                    const NameReading& name = m_skeleton.name(one);
                    if (name.fit(Part::Head) > 0.5 || name.fit(Part::Neck) > 0.5) score += 2;
                    if (name.isOther || name.isControl || name.fit(Part::Tail) > 0.5 || name.hasSide) score -= 2;
                }
                const Vector3 way = m_skeleton.at(chain.back()) - m_skeleton.at(node);
                if (up.norm() > 0 && way.norm() > 0) score += 2 * up.normalized().dot(way.normalized());
                score += std::min(1.0, 4 * (way.norm() / std::max(up.norm(), 1e-9)));
                if (m_skeleton.isIdle(child)) score -= 3;
                if (score > bestScore) bestScore = score, best = chain;
            }
            if (node == top) break;
        }
        return best;
    }

    /// Whether a joint is on a limb of the body, or above one.
    [[nodiscard]] bool isOnLimb(NodeIndex node) const
    {
        const auto isOf = [&](const LimbPair& pair) {
            return m_skeleton.isAbove(node, pair.a) || m_skeleton.isAbove(node, pair.b) || m_skeleton.isAbove(pair.a, node) ||
                   m_skeleton.isAbove(pair.b, node);
        };
        return (m_body.legs && isOf(*m_body.legs)) || (m_body.arms && isOf(*m_body.arms));
    }

    void claimTrunk()
    {
        if (!m_body.arms) return;
        std::vector<NodeIndex> trunk;
        const NodeIndex chest = m_body.arms->parent;
        NodeIndex top = m_hips;
        if (top >= 0 && !m_skeleton.isAbove(top, chest)) top = m_skeleton.commonAbove(top, chest);
        if (chest >= 0) trunk = m_skeleton.way(top, chest);
        std::vector<NodeIndex> neck = headChain();
        claimHead(neck, trunk);
        // Joints of the trunk beyond the arms, as where a chest carries them below its last joint.
        std::erase_if(trunk, [&](NodeIndex node) { return !m_claims.isFree(node); });
        claimSpine(trunk);
    }

    void claimHead(std::vector<NodeIndex> chain, std::vector<NodeIndex>& trunk)
    {
        if (chain.empty()) return;
        std::vector<double> scores, branches;
        for (const NodeIndex node : chain) {
            branches.push_back(0);
            for (const NodeIndex child : m_skeleton[node].children)
                branches.back() += !m_skeleton[child].isEnd && !m_skeleton.isIdle(child);
        }
        const double most = std::max(2.0, *std::max_element(branches.begin(), branches.end()));
        const bool knowsEnds = std::any_of(m_skeleton.nodes.begin(), m_skeleton.nodes.end(),
                                           [](const Skeleton::Node& node) { return node.isEnd; });
        for (std::size_t i = 0; i < chain.size(); ++i) {
            double score = 1.3 * nameScore(m_skeleton, chain[i], Part::Head);
            if (branches[i] >= 2) score += 2.5 * branches[i] / most;
            score += i + 1 == chain.size() ? (knowsEnds ? 2.0 : 0.7) : 0;
            score -= 0.8 * std::abs(static_cast<double>(i) - 1);
            for (std::size_t k = 0; k < i; ++k) score += m_skeleton.name(chain[k]).fit(Part::Neck) > 0.5 ? 0.5 : 0;
            scores.push_back(score);
        }
        const std::size_t best = static_cast<std::size_t>(std::max_element(scores.begin(), scores.end()) - scores.begin());
        double all = 0;
        for (const double score : scores) all += std::exp(score - scores[best]);
        if (RoleClaim* head = m_claims.claim("head", {chain[best]}, sure(1 / all), "on the centre line, above the arms"))
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

    /// Whether the joint that the arms hang on is a neck all the same.
    [[nodiscard]] bool isNeck(NodeIndex node, NodeIndex head, bool hasMoreTrunk, bool hasNeck) const
    {
        const NameReading& name = m_skeleton.name(node);
        if (name.fit(Part::Neck) > 0.5) return true;
        if (name.saysPart() || hasNeck || !hasMoreTrunk || m_body.plan == BodyPlan::Quadruped) return false;
        const Vector3 up = m_claims.frame.up;
        const Vector3 arms = 0.5 * (m_skeleton.at(m_body.arms->a) + m_skeleton.at(m_body.arms->b));
        const double above = (m_skeleton.at(node) - arms).dot(up), toHead = (m_skeleton.at(head) - m_skeleton.at(node)).norm();
        return above > 0.1 * toHead && (m_skeleton.at(node) - m_skeleton.at(head)).norm() < 1.2 * m_skeleton[node].bone;
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
                    score += 0.6 * nameScore(m_skeleton, trunk[at(i)], part);
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
            if (RoleClaim* claim = m_claims.claim(role, nodes, sure(certainty), reason))
                claim->nameFit = m_skeleton.name(nodes.front()).fit(kind), claim->alike = m_body.arms->alike;
        };
        // The first and the last are sure; where the chest begins is a matter of counting.
        say("spine", Part::Spine, part(0, bestSpine), 0.995, "first joint above the hips");
        say("chest", Part::Chest, part(bestSpine, bestSpine + bestChest), count <= 3 ? 0.99 : 0.4 + 0.5 * sameSpine / all,
            count == 2 ? "the arms hang from it" : "on the spine, below the joint that the arms hang from");
        say("upperChest", Part::UpperChest, part(bestSpine + bestChest, count), 0.99, "the arms hang from it");
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
                claim = m_claims.claim(name.side == Side::Left ? "leftEye" : "rightEye", {node}, sure(0.97), "below the head");
            if (claim != nullptr) claim->nameFit = 1, claim->alike = 0.5;
        }
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
        const Side named = sideByNames(m_skeleton, pair.chainA);
        if (named != Side::Centre) return named == Side::Left;
        double votes = 0;
        for (std::size_t pose = 0; pose < m_skeleton.poses.size(); ++pose)
            votes += across(pair, pose).dot(across(*m_body.legs, pose)) * (m_isLeft ? 1 : -1);
        return votes >= 0;
    }

    void claimLimb(const LimbPair& pair, const LimbFit& fit, const LimbWords& words, LimbShape shape,
                   const std::vector<NodeIndex>& chain, const std::string& side)
    {
        static constexpr Part kLeg[] = {Part::UpperLeg, Part::UpperLeg, Part::LowerLeg, Part::Foot, Part::Toes};
        static constexpr Part kArm[] = {Part::Shoulder, Part::UpperArm, Part::LowerArm, Part::Hand, Part::Hand};
        static constexpr const char* kLegReasons[] = {"holds the leg", "the upper long bone of a leg", "the lower long bone of a leg",
                                                      "where the leg ends", "beyond the foot"};
        static constexpr const char* kArmReasons[] = {"between the chest and the upper arm", "the upper long bone of an arm",
                                                      "the lower long bone of an arm", "where the arm ends", ""};
        const bool isLeg = shape == LimbShape::Leg;
        const char* const roles[] = {words.holder, words.upper, words.lower, words.end, words.tip};
        const int count = static_cast<int>(chain.size());
        for (int part = 0; part < LimbParts::kCount; ++part) {
            int begin = fit.parts.at[at(part)];
            if (part == LimbParts::Holder && begin < 0 && isLeg && fit.parts.at[LimbParts::Upper] > 0 && *words.holder != 0) begin = 0;
            if (begin < 0 || *roles[part] == 0) continue;
            int end = count;
            for (int next = part + 1; next < LimbParts::kCount; ++next)
                if (fit.parts.at[at(next)] >= 0) {
                    end = fit.parts.at[at(next)];
                    break;
                }
            std::vector<NodeIndex> nodes(chain.begin() + begin, chain.begin() + end);
            if (isLeg && part == LimbParts::Tip) nodes = bigToe(pair, fit, chain, nodes);
            if (part >= LimbParts::End) keepOneSpot(nodes, isLeg ? kLeg[part] : kArm[part]);
            keepMoving(nodes);
            const double certainty = fit.certainty[at(part)] * m_claims.facing;
            RoleClaim* claim = m_claims.claim(side + roles[part], nodes, sure(certainty), isLeg ? kLegReasons[part] : kArmReasons[part]);
            if (claim == nullptr) continue;
            claim->nameFit = m_skeleton.name(nodes.front()).fit(isLeg ? kLeg[part] : kArm[part]);
            claim->alike = pair.alike;
        }
        const int hand = fit.parts.at[LimbParts::End];
        if (!isLeg && hand > 0 && m_body.plan != BodyPlan::Quadruped)
            claimFingers(m_skeleton, chain[at(hand)], chain[at(hand - 1)], side, sure(m_claims.facing), m_claims);
    }

    /// Of five toes the one nearest to the other foot.
    [[nodiscard]] std::vector<NodeIndex> bigToe(const LimbPair& pair, const LimbFit& fit, const std::vector<NodeIndex>& chain,
                                                const std::vector<NodeIndex>& toe) const
    {
        const int end = fit.parts.at[LimbParts::End];
        const NodeIndex foot = chain[at(end)];
        const NodeIndex other = (&chain == &pair.chainA ? pair.chainB : pair.chainA)[at(end)];
        std::vector<NodeIndex> toes;
        for (const NodeIndex child : m_skeleton[foot].children)
            if (!m_skeleton[child].isEnd && !m_skeleton.isIdle(child) && m_skeleton[child].below > 0) toes.push_back(child);
        if (toes.size() < 3) return toe;
        const std::size_t pose = bestPose();
        const NodeIndex nearest = *std::min_element(toes.begin(), toes.end(), [&](NodeIndex x, NodeIndex y) {
            return (m_skeleton.at(x, pose) - m_skeleton.at(other, pose)).norm() < (m_skeleton.at(y, pose) - m_skeleton.at(other, pose)).norm();
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
    NodeIndex m_hips = -1;
    bool m_isLeft = true; ///< the first limb of the pair that decides is the left one
};

// Fingers

struct FingerChain
{
    std::vector<NodeIndex> nodes;
    int kind = -1; ///< 0 thumb ... 4 little
    double certainty = 0.9;
    bool isNamed = false;
};

class FingerAssigner
{
public:
    FingerAssigner(const Skeleton& skeleton, NodeIndex hand, NodeIndex forearm) : m_skeleton(skeleton), m_hand(hand), m_forearm(forearm) {}

    std::vector<FingerChain> find()
    {
        gather(m_hand, {});
        std::erase_if(m_fingers, [&](const FingerChain& finger) {
            return std::all_of(finger.nodes.begin(), finger.nodes.end(), [&](NodeIndex node) {
                const NameReading& name = m_skeleton.name(node);
                return name.isControl || name.isOther || name.isTwist || (name.saysPart() && !isFingerName(name));
            });
        });
        nameThem();
        placeOthers();
        return std::move(m_fingers);
    }

private:
    static bool isFingerName(const NameReading& name)
    {
        for (const Part part : {Part::Thumb, Part::Index, Part::Middle, Part::Ring, Part::Little, Part::Finger})
            if (name.fit(part) > 0) return true;
        return false;
    }

    void gather(NodeIndex node, std::vector<NodeIndex> above)
    {
        std::vector<NodeIndex> branches;
        for (const NodeIndex child : m_skeleton[node].children)
            if (!m_skeleton[child].isEnd && !m_skeleton.isIdle(child)) branches.push_back(child);
        if (branches.size() == 1 && above.empty() && !isFingerName(m_skeleton.name(branches[0]))) {
            // A hand of several joints, or nothing that is known to be a finger.
            if (m_skeleton[branches[0]].below > 0) gather(branches[0], {});
            return;
        }
        for (const NodeIndex branch : branches) {
            std::vector<NodeIndex> chain = above;
            NodeIndex at = branch;
            while (at >= 0 && !m_skeleton[at].isEnd) {
                chain.push_back(at);
                std::vector<NodeIndex> next;
                for (const NodeIndex child : m_skeleton[at].children)
                    if (!m_skeleton[child].isEnd && !m_skeleton.isIdle(child) && !m_skeleton.name(child).isTwist) next.push_back(child);
                if (next.size() > 1 && m_skeleton[next[0]].below > 0) {
                    gather(at, {}); // a palm that carries several fingers
                    chain.clear();
                    break;
                }
                at = next.empty() ? -1 : next[0];
            }
            if (!chain.empty()) m_fingers.push_back({std::move(chain), -1, 0.9, false});
        }
    }

    void nameThem()
    {
        static constexpr Part kKinds[] = {Part::Thumb, Part::Index, Part::Middle, Part::Ring, Part::Little};
        for (FingerChain& finger : m_fingers) {
            double best = 0.35;
            for (int kind = 0; kind < 5; ++kind)
                for (const NodeIndex node : finger.nodes)
                    if (m_skeleton.name(node).fit(kKinds[kind]) > best) {
                        best = m_skeleton.name(node).fit(kKinds[kind]);
                        finger.kind = kind;
                        finger.isNamed = true;
                        finger.certainty = best > 0.8 ? 0.995 : 0.8;
                    }
        }
    }

    /// Those whose names do not say: the thumb begins nearest to the wrist and stands off; the others follow across
    /// the palm.
    void placeOthers()
    {
        std::vector<FingerChain*> open;
        std::array<bool, 5> isTaken{};
        for (FingerChain& finger : m_fingers) {
            if (finger.kind < 0)
                open.push_back(&finger);
            else
                isTaken[static_cast<std::size_t>(finger.kind)] = true;
        }
        std::erase_if(open, [&](FingerChain* finger) { // a bracelet, a sleeve
            return std::any_of(finger->nodes.begin(), finger->nodes.end(), [&](NodeIndex node) { return m_skeleton.name(node).isOther; });
        });
        if (open.empty()) return;
        if (open.size() > 5) return;
        Vector3 along = m_skeleton.at(m_hand) - m_skeleton.at(m_forearm);
        if (along.norm() < 1e-9) return;
        along.normalize();
        const auto base = [&](const FingerChain* finger) {
            return Vector3(m_skeleton.at(finger->nodes[std::min<std::size_t>(1, finger->nodes.size() - 1)]) - m_skeleton.at(m_hand));
        };
        FingerChain* thumb = nullptr;
        double certainty = 0.9;
        if (!isTaken[0] && open.size() + static_cast<std::size_t>(std::count(isTaken.begin(), isTaken.end(), true)) >= 2) {
            std::vector<std::pair<double, FingerChain*>> byThumb;
            for (FingerChain* finger : open) byThumb.push_back({thumbScore(*finger, along, open), finger});
            std::stable_sort(byThumb.begin(), byThumb.end(), [](const auto& x, const auto& y) { return x.first > y.first; });
            thumb = byThumb[0].second;
            const double margin = byThumb.size() > 1 ? byThumb[0].first - byThumb[1].first : 1;
            certainty = open.size() == 2 ? 0.7 : logistic(1 + 4 * margin);
            thumb->kind = 0;
            thumb->certainty = certainty;
            std::erase(open, thumb);
        }
        Vector3 from = thumb != nullptr ? base(thumb) : Vector3(Vector3::Zero());
        if (thumb == nullptr)
            for (const FingerChain& finger : m_fingers)
                if (finger.kind == 0) from = base(&finger);
        // Across the palm, from the thumb.
        Vector3 across = Vector3::Zero();
        for (const FingerChain* finger : open) {
            Vector3 way = base(finger) - from;
            way -= way.dot(along) * along;
            across += way;
        }
        if (across.norm() > 1e-9) across.normalize();
        std::stable_sort(open.begin(), open.end(), [&](const FingerChain* x, const FingerChain* y) {
            return base(x).dot(across) < base(y).dot(across);
        });
        int kind = 1;
        for (FingerChain* finger : open) {
            while (kind < 5 && isTaken[static_cast<std::size_t>(kind)]) ++kind;
            if (kind > 4) break;
            finger->kind = kind++;
            finger->certainty = open.size() == 4 ? certainty : 0.6 * certainty;
        }
    }

    [[nodiscard]] double thumbScore(const FingerChain& finger, const Vector3& along, const std::vector<FingerChain*>& all) const
    {
        const auto base = [&](const FingerChain& one) { return (m_skeleton.at(one.nodes.front()) - m_skeleton.at(m_hand)).dot(along); };
        double farthest = 1e-9;
        for (const FingerChain* other : all) farthest = std::max(farthest, std::abs(base(*other)));
        const auto way = [&](const FingerChain& one) {
            return Vector3(m_skeleton.at(one.nodes.back()) - m_skeleton.at(one.nodes.front()));
        };
        Vector3 mean = Vector3::Zero();
        for (const FingerChain* other : all)
            if (other != &finger && way(*other).norm() > 1e-9) mean += way(*other).normalized();
        double apart = 0;
        if (mean.norm() > 1e-9 && way(finger).norm() > 1e-9) apart = 1 - way(finger).normalized().dot(mean.normalized());
        return 1.5 * (1 - base(finger) / farthest) + 0.7 * apart - 0.1 * (static_cast<double>(finger.nodes.size()) - 3);
    }

    const Skeleton& m_skeleton;
    NodeIndex m_hand, m_forearm;
    std::vector<FingerChain> m_fingers;
};

/// Where the first phalanx of a finger is: 1 if a joint within the palm comes before it.
std::size_t firstPhalanx(const Skeleton& skeleton, const FingerChain& finger, NodeIndex hand)
{
    if (finger.nodes.size() < 2) return 0;
    const NameReading& first = skeleton.name(finger.nodes[0]);
    if (first.isMetacarpal) return 1;
    const bool isNamed = first.saysPart();
    if (isNamed && finger.kind > 0 && first.number == 0) return finger.nodes.size() >= 4 ? 1 : 0;
    if (isNamed && !skeleton.name(finger.nodes[1]).saysPart()) return 0;
    if (finger.kind == 0) return finger.nodes.size() >= 4 ? 1 : 0;
    if (finger.nodes.size() < 4) return 0;
    const double near = (skeleton.at(finger.nodes[0]) - skeleton.at(hand)).norm();
    const double far = (skeleton.at(finger.nodes[1]) - skeleton.at(hand)).norm();
    if (isNamed) return near < 0.6 * far ? 1 : 0;
    return near < 0.45 * far ? 1 : 0;
}

} // namespace

const RoleClaim* Claims::find(std::string_view role) const
{
    const auto found = std::find_if(roles.begin(), roles.end(), [&](const RoleClaim& claim) { return claim.role == role; });
    return found == roles.end() ? nullptr : &*found;
}

RoleClaim* Claims::claim(std::string role, const std::vector<NodeIndex>& nodes, double certainty, std::string reason)
{
    if (find(role) != nullptr) return nullptr;
    RoleClaim made{std::move(role), {}, certainty, 0, 0, std::move(reason)};
    for (const NodeIndex node : nodes)
        if (isFree(node)) made.nodes.push_back(node);
    if (made.nodes.empty()) return nullptr;
    for (const NodeIndex node : made.nodes) owner[static_cast<std::size_t>(node)] = static_cast<int>(roles.size());
    roles.push_back(std::move(made));
    return &roles.back();
}

void claimFingers(const Skeleton& skeleton, NodeIndex hand, NodeIndex forearm, const std::string& side, double certainty,
                  Claims& claims)
{
    static constexpr const char* kFingers[] = {"Thumb", "Index", "Middle", "Ring", "Little"};
    static constexpr const char* kThumbLinks[] = {"Metacarpal", "Proximal", "Distal"};
    static constexpr const char* kLinks[] = {"Proximal", "Intermediate", "Distal"};
    static constexpr Part kParts[] = {Part::Thumb, Part::Index, Part::Middle, Part::Ring, Part::Little};
    for (const FingerChain& finger : FingerAssigner(skeleton, hand, forearm).find()) {
        if (finger.kind < 0) continue;
        const std::string name = side + kFingers[finger.kind];
        std::size_t first = firstPhalanx(skeleton, finger, hand);
        const auto say = [&](const std::string& role, const std::vector<NodeIndex>& nodes, double sure) {
            RoleClaim* claim = claims.claim(role, nodes, sure, finger.kind == 0 ? "on the finger that begins nearest to the wrist"
                                                                                 : "on a finger, counted from the thumb");
            if (claim != nullptr) claim->nameFit = skeleton.name(nodes.front()).fit(kParts[finger.kind]), claim->alike = 0.9;
        };
        double sure = certainty * finger.certainty;
        if (first > 0 && finger.kind > 0) say(name + "Metacarpal", {finger.nodes[0]}, sure);
        // A thumb of two whose names begin with 2 lacks its first joint.
        std::size_t link = 0;
        if (finger.kind == 0 && first == 0 && finger.nodes.size() == 2 && finger.isNamed &&
            skeleton.name(finger.nodes[0]).number == 2 && skeleton.name(finger.nodes[1]).number == 3)
            link = 1;
        if (finger.nodes.size() - first != 3) sure *= 0.85;
        std::vector<NodeIndex> before;
        if (finger.kind == 0 && first > 0) before.assign(finger.nodes.begin(), finger.nodes.begin() + static_cast<std::ptrdiff_t>(first));
        for (std::size_t i = first; i < finger.nodes.size() && link < 3; ++i, ++link) {
            std::vector<NodeIndex> nodes = before;
            nodes.push_back(finger.nodes[i]);
            before.clear();
            say(name + (finger.kind == 0 ? kThumbLinks[link] : kLinks[link]), nodes, sure);
        }
    }
}

void claimBody(const Skeleton& skeleton, const Body& body, Claims& claims) { Assigner(skeleton, body, claims).run(); }

} // namespace tendon
