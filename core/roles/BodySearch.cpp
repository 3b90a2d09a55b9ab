#include "core/roles/BodySearch.h"

#include <algorithm>
#include <cmath>

namespace tendon {
namespace {

constexpr std::size_t kMaxPairs = 40;

double logOf(double value, double mean, double deviation)
{
    const double z = (value - mean) / deviation;
    return -0.5 * std::min(z * z, 30.0);
}

/// How alike two branches are: their lengths joint by joint and how much there is below.
double likeness(const Skeleton& skeleton, NodeIndex a, NodeIndex b, NodeIndex parent)
{
    const std::vector<NodeIndex> left = skeleton.mainChain(a), right = skeleton.mainChain(b);
    if (left.empty() || right.empty()) return 0;
    double apart = 0, sum = 0;
    const std::size_t most = std::max(left.size(), right.size());
    for (std::size_t i = 0; i < most; ++i) {
        const double x = i < left.size() ? skeleton[left[i]].bone : 0;
        const double y = i < right.size() ? skeleton[right[i]].bone : 0;
        apart += std::abs(x - y);
        sum += x + y;
        if (parent < 0 || i >= std::min(left.size(), right.size())) continue;
        // From what they hang on, mirror images are equally far.
        const double u = (skeleton.at(left[i]) - skeleton.at(parent)).norm();
        const double v = (skeleton.at(right[i]) - skeleton.at(parent)).norm();
        apart += 0.3 * std::abs(u - v);
        sum += 0.3 * (u + v);
    }
    if (!(sum > 0)) return 0;
    const double lengths = std::exp(-4 * apart / sum);
    const double counts = static_cast<double>(std::min(skeleton[a].below, skeleton[b].below) + 2) /
                          (std::max(skeleton[a].below, skeleton[b].below) + 2);
    return lengths * std::sqrt(counts) * (left.size() == right.size() ? 1 : 0.8);
}

class Search
{
public:
    explicit Search(const Skeleton& skeleton) : m_skeleton(skeleton) {}

    Body find()
    {
        findPairs();
        tryAll();
        return decide();
    }

private:
    struct Idea
    {
        BodyPlan plan = BodyPlan::Other;
        int legs = -1, arms = -1; ///< indices of pairs
        LimbShape front = LimbShape::Arm;
        double score = -1e9;
    };

    void addPair(NodeIndex a, NodeIndex b, NodeIndex parent)
    {
        const NameReading &nameA = m_skeleton.name(a), &nameB = m_skeleton.name(b);
        if (const Side side = sideByNames(m_skeleton, m_skeleton.mainChain(a));
            side != Side::Centre && side == sideByNames(m_skeleton, m_skeleton.mainChain(b)))
            return;
        if (nameA.isFront != nameB.isFront || nameA.isHind != nameB.isHind) return;
        if (m_skeleton.isIdle(a) || m_skeleton.isIdle(b) || m_skeleton[a].isEnd || m_skeleton[b].isEnd) return;
        LimbPair pair{a, b, parent, m_skeleton.mainChain(a), m_skeleton.mainChain(b), 0, {}, {}};
        pair.alike = likeness(m_skeleton, a, b, parent);
        const bool areNamedAlike = nameA.hasSide && nameB.hasSide && nameA.word == nameB.word && !nameA.word.empty() &&
                                   nameA.number == nameB.number;
        if (areNamedAlike) pair.alike = std::max(pair.alike, 0.6);
        if (pair.alike < 0.45) return;
        m_pairs.push_back(std::move(pair));
    }

    void findPairs()
    {
        for (NodeIndex parent = -1; parent < m_skeleton.count(); ++parent) {
            const std::span<const NodeIndex> children = m_skeleton.childrenOf(parent);
            if (children.size() > 24) continue; // a crowd, such as hair
            for (std::size_t i = 0; i < children.size(); ++i)
                for (std::size_t j = i + 1; j < children.size(); ++j) addPair(children[i], children[j], parent);
        }
        m_longest = 0;
        for (const LimbPair& pair : m_pairs) m_longest = std::max(m_longest, pair.reach(m_skeleton));
        std::erase_if(m_pairs, [&](const LimbPair& pair) {
            return pair.reach(m_skeleton) < 0.12 * m_longest || pair.chainA.empty() || pair.chainB.empty();
        });
        std::stable_sort(m_pairs.begin(), m_pairs.end(), [&](const LimbPair& x, const LimbPair& y) {
            return x.reach(m_skeleton) * x.alike > y.reach(m_skeleton) * y.alike;
        });
        if (m_pairs.size() > kMaxPairs) m_pairs.resize(kMaxPairs);
        for (LimbPair& pair : m_pairs) {
            if (pair.chainA.size() != pair.chainB.size()) {
                const std::size_t least = std::min(pair.chainA.size(), pair.chainB.size());
                pair.chainA.resize(least);
                pair.chainB.resize(least);
            }
            pair.leg = fitLimb(m_skeleton, LimbShape::Leg, pair.chainA, pair.chainB);
            pair.arm = fitLimb(m_skeleton, LimbShape::Arm, pair.chainA, pair.chainB);
        }
    }

    [[nodiscard]] double sizeScore(const LimbPair& pair) const
    {
        return std::log(std::max(pair.reach(m_skeleton), 1e-9) / m_longest) + 5 * (pair.alike - 1);
    }

    [[nodiscard]] double limbLength(const LimbPair& pair, const LimbFit& fit) const
    {
        const int upper = fit.parts.at[LimbParts::Upper], end = lastPart(fit);
        double length = 0;
        for (int i = upper + 1; i <= end; ++i) length += m_skeleton[pair.chainA[static_cast<std::size_t>(i)]].bone;
        if (fit.parts.at[LimbParts::End] >= 0) return length;
        return end > upper ? 2 * length : std::max(m_skeleton[pair.a].bone, 1e-3 * m_skeleton.size);
    }

    /// The joints from the legs' parent to the arms'.
    [[nodiscard]] int jointsBetween(const LimbPair& legs, const LimbPair& arms) const
    {
        const NodeIndex common = m_skeleton.commonAbove(legs.parent, arms.parent);
        int joints = 0;
        for (const NodeIndex parent : {legs.parent, arms.parent})
            for (NodeIndex at = parent; at != common && at >= 0; at = m_skeleton[at].parent) ++joints;
        return joints;
    }

    /// How many branches beside the pair's could carry a head.
    [[nodiscard]] bool hasHeadBeyond(const LimbPair& legs, const LimbPair& arms) const
    {
        for (NodeIndex at = arms.parent; at >= 0; at = m_skeleton[at].parent) {
            for (const NodeIndex child : m_skeleton[at].children) {
                if (m_skeleton.isAbove(child, arms.a) || m_skeleton.isAbove(child, arms.b) || m_skeleton[child].isEnd)
                    continue;
                if (m_skeleton.isAbove(child, legs.a) || m_skeleton.isAbove(child, legs.b)) continue;
                if (!m_skeleton.isIdle(child)) return true;
            }
            if (at == legs.parent || m_skeleton[at].depth + 2 < m_skeleton[arms.parent].depth) break;
        }
        return false;
    }

    struct Angles
    {
        bool areKnown = false;  ///< both limbs and the trunk have a length in some pose
        double trunkToLegs = 0; ///< mean cosine
        double legsToArms = 0;
        double level = 0;      ///< how far apart the ends of the two pairs are along the legs, by the legs' length
        double along = 0;      ///< of the trunk's length, by the legs' length
        double onAllFours = 0; ///< 0 ... 1: at rest the trunk lies, and both pairs go down equally far
    };

    /// From 0 at `none` to 1 at `all`.
    static double share(double value, double none, double all)
    {
        return std::clamp((value - none) / (all - none), 0.0, 1.0);
    }

    [[nodiscard]] Angles anglesOf(const LimbPair& legs, const LimbFit& leg, const LimbPair& arms,
                                  const LimbFit& arm) const
    {
        Angles mean;
        double weight = 0;
        for (std::size_t pose = 0; pose < m_skeleton.poses.size(); ++pose) {
            const Vector3 hips = middleOf(m_skeleton, legs, leg.parts.at[LimbParts::Upper], pose);
            const Vector3 shoulders = middleOf(m_skeleton, arms, arm.parts.at[LimbParts::Upper], pose);
            const Vector3 feet = middleOf(m_skeleton, legs, lastPart(leg), pose);
            const Vector3 hands = middleOf(m_skeleton, arms, lastPart(arm), pose);
            const Vector3 trunk = shoulders - hips, down = feet - hips, arms2 = hands - shoulders;
            const double tiny = 1e-3 * m_skeleton.size;
            if (trunk.norm() < tiny || down.norm() < tiny) continue;
            const double w = pose == 0 ? 1.5 : 1;
            const double trunkToLegs = trunk.normalized().dot(down.normalized());
            const double legsToArms = arms2.norm() > tiny ? arms2.normalized().dot(down.normalized()) : 0;
            const double level = std::abs((hands - feet).dot(down.normalized())) / down.norm();
            if (pose == 0)
                mean.onAllFours = share(std::abs(trunkToLegs), 0.6, 0.3) * share(legsToArms, 0.5, 0.8) *
                                  share(level, 0.4, 0.2);
            mean.trunkToLegs += w * trunkToLegs;
            mean.legsToArms += w * legsToArms;
            mean.level += w * level;
            mean.along += w * trunk.norm() / down.norm();
            weight += w;
        }
        if (weight > 0)
            mean.trunkToLegs /= weight, mean.legsToArms /= weight, mean.level /= weight, mean.along /= weight;
        mean.areKnown = weight > 0;
        return mean;
    }

    [[nodiscard]] double frontNames(const LimbPair& pair, bool isFront) const
    {
        double score = 0;
        for (const std::vector<NodeIndex>* chain : {&pair.chainA, &pair.chainB})
            for (const NodeIndex node : *chain) {
                const NameReading& name = m_skeleton.name(node);
                if (name.isFront) score += isFront ? 1 : -2;
                if (name.isHind) score += isFront ? -2 : 1;
            }
        return std::clamp(score, -6.0, 4.0);
    }

    /// Legs and arms of one piece tell nothing by their lengths, as those of toys: whether all four are called so.
    [[nodiscard]] bool areNamedPieces(const LimbPair& legs, const LimbPair& arms) const
    {
        const auto isCalled = [&](NodeIndex node, Part part) {
            const NameReading& name = m_skeleton.name(node);
            return name.hasSide && !name.isFront && !name.isHind && name.fit(part) >= 0.5;
        };
        const auto areCalled = [&](const LimbPair& pair, Part part) {
            return pair.chainA.size() == 1 && pair.chainB.size() == 1 && isCalled(pair.a, part) &&
                   isCalled(pair.b, part);
        };
        return areCalled(legs, Part::UpperLeg) && areCalled(arms, Part::UpperArm);
    }

    /// How many joints of a pair are called parts of an arm, and not of a front leg.
    [[nodiscard]] double armNames(const LimbPair& pair) const
    {
        double score = 0;
        for (const std::vector<NodeIndex>* chain : {&pair.chainA, &pair.chainB})
            for (const NodeIndex node : *chain) {
                const NameReading& name = m_skeleton.name(node);
                if (name.isFront || name.isHind || name.isOther || name.isControl) continue;
                score += std::max({name.fit(Part::UpperArm), name.fit(Part::LowerArm), name.fit(Part::Hand)}) > 0.8;
            }
        return std::min(score, 6.0);
    }

    void tryPair(int legsIndex, int armsIndex)
    {
        const LimbPair& legs = m_pairs[static_cast<std::size_t>(legsIndex)];
        const LimbPair& arms = m_pairs[static_cast<std::size_t>(armsIndex)];
        for (const NodeIndex x : {legs.a, legs.b})
            for (const NodeIndex y : {arms.a, arms.b})
                if (m_skeleton.isAbove(x, y) || m_skeleton.isAbove(y, x)) return;
        const int joints = jointsBetween(legs, arms);
        double shared = sizeScore(legs) + 0.7 * sizeScore(arms) + (hasHeadBeyond(legs, arms) ? 1 : 0);
        shared += joints == 0 ? -3 : joints == 1 ? -0.4 : 0;
        // Bodies are built up from the hips.
        const NodeIndex common = m_skeleton.commonAbove(legs.parent, arms.parent);
        if (common == arms.parent && common != legs.parent) shared -= 2;
        if (common != legs.parent && common != arms.parent) shared -= 0.3;
        tryHuman(legsIndex, armsIndex, shared);
        tryAnimal(legsIndex, armsIndex, shared);
    }

    void tryHuman(int legsIndex, int armsIndex, double shared)
    {
        const LimbPair& legs = m_pairs[static_cast<std::size_t>(legsIndex)];
        const LimbPair& arms = m_pairs[static_cast<std::size_t>(armsIndex)];
        if (legs.leg.score < -1e8 || arms.arm.score < -1e8) return;
        const double legLength = limbLength(legs, legs.leg), armLength = limbLength(arms, arms.arm);
        const Angles angles = anglesOf(legs, legs.leg, arms, arms.arm);
        double score = shared + 1.2 * (legs.leg.score + arms.arm.score);
        score += angles.areKnown ? logOf(std::log(legLength / armLength), 0.3, 0.5) +
                                       logOf(std::log(angles.along + 1e-3), -0.6, 0.6)
                                 : -2; // legs of one piece tell no lengths
        score -= frontAgainst(legs, arms) + 6 * angles.onAllFours;
        if (areNamedPieces(legs, arms)) score += 10;
        Idea idea{BodyPlan::Humanoid, legsIndex, armsIndex, LimbShape::Arm, 0};
        idea.score = score - 2.2 * (1 + angles.trunkToLegs);
        m_ideas.push_back(idea);
        // Birds and dinosaurs: the trunk lies, the arms are short or wings.
        idea.plan = BodyPlan::Biped;
        idea.score = score - 1.5 - 3 * std::pow(angles.trunkToLegs + 0.1, 2) + (angles.level > 0.4 ? 0 : -2);
        m_ideas.push_back(idea);
    }

    /// Names that make an animal of it, with front and hind legs.
    [[nodiscard]] double frontAgainst(const LimbPair& legs, const LimbPair& arms) const
    {
        return std::max(0.0, frontNames(arms, true)) + std::max(0.0, frontNames(legs, false)) * 0.5;
    }

    void tryAnimal(int legsIndex, int armsIndex, double shared)
    {
        const LimbPair& hind = m_pairs[static_cast<std::size_t>(legsIndex)];
        const LimbPair& front = m_pairs[static_cast<std::size_t>(armsIndex)];
        if (hind.leg.score < -1e8) return;
        const bool isArm = front.arm.score > front.leg.score + 1 && m_skeleton.name(front.chainA.back()).saysPart();
        const LimbFit& fit = front.fit(isArm ? LimbShape::Arm : LimbShape::Leg);
        if (fit.score < -1e8) return;
        const Angles angles = anglesOf(hind, hind.leg, front, fit);
        double score = shared + 1.2 * (hind.leg.score + std::max(fit.score, front.leg.score)) - 1;
        score -= 2.5 * std::pow(angles.trunkToLegs + 0.1, 2) * 2 + 1.5 * (1 - angles.legsToArms) +
                 4 * (angles.areKnown ? std::min(angles.level, 1.0) : 0.5);
        score += frontNames(front, true) + frontNames(hind, false) - armNames(front) * (1 - angles.onAllFours);
        m_ideas.push_back({BodyPlan::Quadruped, legsIndex, armsIndex, isArm ? LimbShape::Arm : LimbShape::Leg, score});
    }

    [[nodiscard]] bool isNamedLeg(NodeIndex node, double least) const
    {
        const NameReading& name = m_skeleton.name(node);
        return !name.isControl && !name.isOther &&
               std::max({name.fit(Part::UpperLeg), name.fit(Part::LowerLeg), name.fit(Part::Foot)}) >= least;
    }

    /// For a pair without another: that both sides are called legs, if only "Leg1", "Leg2".
    [[nodiscard]] double legNames(const LimbPair& pair) const
    {
        double score = 0;
        for (const std::vector<NodeIndex>* chain : {&pair.chainA, &pair.chainB})
            for (const NodeIndex node : *chain)
                if (m_skeleton.name(node).hasSide && isNamedLeg(node, 0.5)) score += 1;
        return std::min(score, 5.0);
    }

    /// Whether another pair than this is called legs.
    [[nodiscard]] bool areLegsNamed(int arms) const
    {
        const auto isLeg = [&](NodeIndex node) { return isNamedLeg(node, 0.8); };
        for (int i = 0; i < static_cast<int>(m_pairs.size()); ++i) {
            const LimbPair& pair = m_pairs[static_cast<std::size_t>(i)];
            if (i != arms && std::any_of(pair.chainA.begin(), pair.chainA.end(), isLeg)) return true;
        }
        return false;
    }

    void tryAll()
    {
        const int count = static_cast<int>(m_pairs.size());
        for (int i = 0; i < count; ++i) {
            const LimbPair& pair = m_pairs[static_cast<std::size_t>(i)];
            for (int j = 0; j < count; ++j)
                if (i != j) tryPair(i, j);
            if (pair.leg.score > -1e8) {
                const double score = 1.2 * pair.leg.score + sizeScore(pair) - 7 + frontNames(pair, false) * 0.3;
                m_ideas.push_back({BodyPlan::Biped, i, -1, LimbShape::Arm, score});
            }
            if (pair.arm.score > -1e8)
                m_ideas.push_back({BodyPlan::Humanoid, -1, i, LimbShape::Arm,
                                   1.2 * pair.arm.score + sizeScore(pair) - (areLegsNamed(i) ? 10 : 8)});
        }
        believeNamedLegs();
        m_ideas.push_back({BodyPlan::Other, -1, -1, LimbShape::Arm, -12});
    }

    /// Nothing but legs, and called so: surer, where no body of two pairs is likelier.
    void believeNamedLegs()
    {
        const auto best = std::max_element(m_ideas.begin(), m_ideas.end(),
                                           [](const Idea& x, const Idea& y) { return x.score < y.score; });
        if (best != m_ideas.end() && best->arms < 0)
            best->score += legNames(m_pairs[static_cast<std::size_t>(best->legs)]);
    }

    Body decide()
    {
        std::stable_sort(m_ideas.begin(), m_ideas.end(),
                         [](const Idea& x, const Idea& y) { return x.score > y.score; });
        const Idea& best = m_ideas.front();
        Body body;
        body.plan = best.plan;
        if (best.legs >= 0) body.legs = m_pairs[static_cast<std::size_t>(best.legs)];
        if (best.arms >= 0) body.arms = m_pairs[static_cast<std::size_t>(best.arms)];
        body.frontShape = best.front;
        double all = 0, same = 0;
        for (const Idea& idea : m_ideas) {
            const double share = std::exp(idea.score - best.score);
            all += share;
            if (idea.legs == best.legs && idea.arms == best.arms) same += share;
        }
        // A poor fit is no certainty, however much worse the others are.
        body.certainty = same / all / (1 + std::exp(-(best.score + 9) * 0.7));
        addMoreLegs(body);
        return body;
    }

    /// Three pairs of legs or more that begin at about the same joint.
    void addMoreLegs(Body& body) const
    {
        if (!body.legs) return;
        std::vector<LimbPair> pairs;
        std::vector<NodeIndex> used;
        for (const LimbPair& pair : m_pairs) {
            if (pair.parent != body.legs->parent || pair.reach(m_skeleton) < 0.5 * m_longest || pair.leg.score < -1e8)
                continue;
            if (std::any_of(used.begin(), used.end(), [&](NodeIndex n) { return n == pair.a || n == pair.b; }))
                continue;
            if (!facesAcross(pair)) continue;
            used.insert(used.end(), {pair.a, pair.b});
            pairs.push_back(pair);
        }
        if (pairs.size() < 3) return;
        body.plan = BodyPlan::ManyLegs;
        body.moreLegs = pairs;
        body.legs.reset();
        body.arms.reset();
    }

    /// Sided by their names, or on opposite sides of what they hang on.
    [[nodiscard]] bool facesAcross(const LimbPair& pair) const
    {
        const NameReading &a = m_skeleton.name(pair.a), &b = m_skeleton.name(pair.b);
        if (a.hasSide && b.hasSide)
            return a.side != b.side && a.isFront == b.isFront && a.isHind == b.isHind && a.word == b.word;
        if (pair.parent < 0) return false;
        const Vector3 x = m_skeleton.at(pair.chainA.back()) - m_skeleton.at(pair.parent);
        const Vector3 y = m_skeleton.at(pair.chainB.back()) - m_skeleton.at(pair.parent);
        return x.dot(y) < 0.3 * x.norm() * y.norm();
    }

    const Skeleton& m_skeleton;
    std::vector<LimbPair> m_pairs;
    std::vector<Idea> m_ideas;
    double m_longest = 0; ///< [m] reach of the longest pair
};

} // namespace

int lastPart(const LimbFit& fit)
{
    for (const int place : {LimbParts::End, LimbParts::Lower})
        if (fit.parts.at[static_cast<std::size_t>(place)] >= 0) return fit.parts.at[static_cast<std::size_t>(place)];
    return fit.parts.at[LimbParts::Upper];
}

Side sideByNames(const Skeleton& skeleton, const std::vector<NodeIndex>& chain)
{
    int left = 0;
    for (const NodeIndex node : chain)
        if (skeleton.name(node).hasSide) left += skeleton.name(node).side == Side::Left ? 1 : -1;
    return left > 0 ? Side::Left : left < 0 ? Side::Right : Side::Centre;
}

Vector3 middleOf(const Skeleton& skeleton, const LimbPair& pair, int place, std::size_t pose)
{
    const auto at = static_cast<std::size_t>(place);
    return 0.5 * (skeleton.at(pair.chainA[at], pose) + skeleton.at(pair.chainB[at], pose));
}

Vector3 limbDirection(const Skeleton& skeleton, const LimbPair& pair, const LimbFit& fit, std::size_t pose)
{
    const Vector3 way = middleOf(skeleton, pair, lastPart(fit), pose) -
                        middleOf(skeleton, pair, fit.parts.at[LimbParts::Upper], pose);
    return way.norm() > 1e-6 * skeleton.size ? Vector3(way.normalized()) : Vector3(Vector3::Zero());
}

Body findBody(const Skeleton& skeleton)
{
    if (skeleton.nodes.empty()) return {};
    return Search(skeleton).find();
}

} // namespace tendon
