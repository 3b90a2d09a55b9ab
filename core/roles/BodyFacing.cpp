#include "core/roles/BodyFacing.h"

#include <algorithm>
#include <cmath>

namespace tendon {
namespace {

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

/// Names that say left and right are wrong so rarely that it takes this many votes of the facing for the other side to
/// doubt them, and to read them the other way round. Files whose names are right have none.
constexpr double kVotesToDoubtNames = 0.5, kVotesAgainstNames = 1;

} // namespace

bool areSidesSwapped(const Skeleton& skeleton, const Body& body, const Claims& claims)
{
    return (body.legs || body.arms) && BodyFacing(skeleton, body, claims).namesAreSwapped();
}

bool BodyFacing::namesAreSwapped() const
{
    const Side named = namedSide(pair()), decided = decidedSide(pair());
    if (named == Side::Centre) return false;
    if (decided != Side::Centre) return named != decided;
    return votesFor(named) < -kVotesAgainstNames;
}

bool BodyFacing::isFirstLeft() const
{
    const Side told = toldSide(pair());
    return told != Side::Centre ? told == Side::Left : facingVotes() >= 0;
}

double BodyFacing::certainty() const { return certaintyOfSides(pair()); }

BodyFrame BodyFacing::frame() const
{
    BodyFrame frame;
    // The pose that shows the directions best: at rest, unless the limbs are folded together there.
    const std::size_t pose = bestPose();
    const Vector3 left = across(pair(), pose) * (isFirstLeft() ? 1 : -1);
    Vector3 up = upOf(pose);
    if (left.norm() < 1e-9 || up.norm() < 1e-9) return frame;
    up = (up - up.dot(left) * left);
    if (up.norm() < 1e-6) return frame;
    frame.left = left;
    frame.up = up.normalized();
    frame.forward = left.cross(frame.up);
    frame.facingConfidence = certainty();
    return frame;
}

double BodyFacing::certaintyOfSides(const LimbPair& pair) const
{
    constexpr double kNamed = 0.995, kAgainstNames = 0.75;
    if (decidedSide(pair) != Side::Centre) return kNamed;
    const Side named = namedSide(pair);
    if (named == Side::Centre) return logistic(1.8 * std::min(std::abs(facingVotes()), 3.0));
    if (m_skeleton.areSidesSwapped) return kAgainstNames;
    const double against = std::clamp(-votesFor(named) / kVotesToDoubtNames, 0.0, 1.0);
    return logistic(std::log(kNamed / (1 - kNamed)) * (1 - against));
}

double BodyFacing::votesFor(Side first) const { return first == Side::Left ? facingVotes() : -facingVotes(); }

Side BodyFacing::toldSide(const LimbPair& pair) const
{
    const Side decided = decidedSide(pair);
    return decided != Side::Centre ? decided : namedSide(pair);
}

Side BodyFacing::decidedSide(const LimbPair& pair) const
{
    const auto decided = [&](const std::vector<NodeIndex>& chain) {
        for (const NodeIndex node : chain)
            if (const int owner = m_claims.owner[slot(node)]; owner >= 0)
                if (const Side side = sideOfRole(m_claims.roles[slot(owner)].role); side != Side::Centre) return side;
        return Side::Centre;
    };
    const Side first = decided(pair.chainA);
    return first != Side::Centre ? first : opposite(decided(pair.chainB));
}

Side BodyFacing::namedSide(const LimbPair& pair) const
{
    const Side first = sideByNames(m_skeleton, pair.chainA);
    return first != Side::Centre ? first : opposite(sideByNames(m_skeleton, pair.chainB));
}

Side BodyFacing::opposite(Side side)
{
    return side == Side::Left ? Side::Right : side == Side::Right ? Side::Left : side;
}

std::size_t BodyFacing::bestPose() const
{
    const LimbPair& pair = m_body.legs ? *m_body.legs : *m_body.arms;
    for (std::size_t pose = 0; pose < m_skeleton.poses.size(); ++pose)
        if (across(pair, pose).norm() > 0.5 && upOf(pose).norm() > 0.5) return pose;
    return 0;
}

Vector3 BodyFacing::across(const LimbPair& pair, std::size_t pose) const
{
    const int place = pair.fit(m_body.legs && pair.a == m_body.legs->a ? LimbShape::Leg : m_body.frontShape)
                          .parts.at[LimbParts::Upper];
    for (std::size_t i = slot(place); i < pair.chainA.size(); ++i) {
        const Vector3 way = m_skeleton.at(pair.chainA[i], pose) - m_skeleton.at(pair.chainB[i], pose);
        if (way.norm() > 0.01 * m_skeleton.size) return way.normalized();
    }
    return Vector3::Zero();
}

Vector3 BodyFacing::upOf(std::size_t pose) const
{
    Vector3 up = Vector3::Zero();
    const bool isUpright = m_body.plan == BodyPlan::Humanoid;
    if (m_body.legs && m_body.arms && isUpright)
        up = trunkOf(pose);
    else if (m_body.legs && lastPart(m_body.legs->leg) == m_body.legs->leg.parts.at[LimbParts::End])
        up = -limbDirection(m_skeleton, *m_body.legs, m_body.legs->leg, pose); // those without feet may go anywhere
    if (m_body.plan == BodyPlan::Quadruped) up = acrossTrunk(up, pose);
    if (up.norm() < 1e-6 * m_skeleton.size) return Vector3::UnitY();
    return up.normalized();
}

Vector3 BodyFacing::acrossTrunk(const Vector3& up, std::size_t pose) const
{
    constexpr double kFolded = 0.6;
    const Vector3 trunk = trunkOf(pose);
    if (trunk.norm() < 1e-6 * m_skeleton.size || std::abs(up.dot(trunk)) < kFolded * trunk.norm()) return up;
    const Vector3 both = up - limbDirection(m_skeleton, *m_body.arms, m_body.arms->fit(m_body.frontShape), pose);
    return both - both.dot(trunk) / trunk.squaredNorm() * trunk;
}

Vector3 BodyFacing::trunkOf(std::size_t pose) const
{
    const LimbFit& front = m_body.arms->fit(m_body.frontShape);
    return middleOf(m_skeleton, *m_body.arms, front.parts.at[LimbParts::Upper], pose) -
           middleOf(m_skeleton, *m_body.legs, m_body.legs->leg.parts.at[LimbParts::Upper], pose);
}

double BodyFacing::facingVotes() const
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

double BodyFacing::votesInPose(std::size_t pose, const Vector3& forward) const
{
    double votes = 0;
    if (m_body.legs && m_body.arms && m_body.plan != BodyPlan::Humanoid) {
        const Vector3 trunk = trunkOf(pose);
        if (trunk.norm() > 0) votes += 5 * trunk.normalized().dot(forward);
    }
    if (m_body.legs)
        for (const std::vector<NodeIndex>* chain : {&m_body.legs->chainA, &m_body.legs->chainB})
            votes += footVote(*chain, m_body.legs->leg, pose, forward) +
                     kneeVote(*chain, m_body.legs->leg, pose, forward);
    if (m_body.arms && m_body.plan == BodyPlan::Humanoid)
        for (const std::vector<NodeIndex>* chain : {&m_body.arms->chainA, &m_body.arms->chainB})
            votes += elbowVote(*chain, m_body.arms->arm, pose, forward) +
                     thumbVote(*chain, m_body.arms->arm, pose, forward);
    return votes + headVote(pose, forward);
}

double BodyFacing::footVote(const std::vector<NodeIndex>& chain, const LimbFit& fit, std::size_t pose,
                            const Vector3& forward) const
{
    const int end = fit.parts.at[LimbParts::End], tip = fit.parts.at[LimbParts::Tip];
    if (end < 0) return 0;
    const NodeIndex foot = chain[slot(end)];
    Vector3 way = Vector3::Zero();
    double weight = 0;
    if (tip >= 0) {
        way = m_skeleton.at(chain[slot(tip)], pose) - m_skeleton.at(foot, pose);
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

double BodyFacing::kneeVote(const std::vector<NodeIndex>& chain, const LimbFit& fit, std::size_t pose,
                            const Vector3& forward) const
{
    if (m_body.plan == BodyPlan::Quadruped || m_body.plan == BodyPlan::Biped) return 0;
    return bendVote(chain, fit, pose, forward, 6);
}

double BodyFacing::elbowVote(const std::vector<NodeIndex>& chain, const LimbFit& fit, std::size_t pose,
                             const Vector3& forward) const
{
    return -0.6 * bendVote(chain, fit, pose, forward, 6);
}

double BodyFacing::bendVote(const std::vector<NodeIndex>& chain, const LimbFit& fit, std::size_t pose,
                            const Vector3& forward, double steepness) const
{
    const int upper = fit.parts.at[LimbParts::Upper], lower = fit.parts.at[LimbParts::Lower],
              end = fit.parts.at[LimbParts::End];
    if (end < 0) return 0;
    const Vector3 top = m_skeleton.at(chain[slot(upper)], pose), middle = m_skeleton.at(chain[slot(lower)], pose);
    const Vector3 line = m_skeleton.at(chain[slot(end)], pose) - top;
    if (line.norm() < 1e-9) return 0;
    const Vector3 along = line.normalized();
    const Vector3 off = (middle - top) - (middle - top).dot(along) * along;
    return std::clamp(steepness * off.dot(forward) / line.norm(), -0.8, 0.8);
}

double BodyFacing::thumbVote(const std::vector<NodeIndex>& chain, const LimbFit& fit, std::size_t pose,
                             const Vector3& forward) const
{
    const int end = fit.parts.at[LimbParts::End];
    if (end < 1) return 0;
    NodeIndex hand = chain[slot(end)];
    const Vector3 along = m_skeleton.at(hand, pose) - m_skeleton.at(chain[slot(end - 1)], pose);
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

double BodyFacing::headVote(std::size_t pose, const Vector3& forward) const
{
    if (!m_body.arms || m_body.plan != BodyPlan::Humanoid || pose != 0) return 0;
    const std::vector<NodeIndex> chain = headChain();
    if (chain.empty()) return 0;
    const NodeIndex head = chain.back();
    if (m_skeleton[head].skin <= 0) return 0;
    const Vector3 way = m_skeleton[head].skinCentre - m_skeleton.at(head);
    return way.norm() > 1e-9 ? 0.5 * std::clamp(2 * way.normalized().dot(forward), -1.0, 1.0) : 0;
}

std::vector<NodeIndex> BodyFacing::headChain() const
{
    const LimbPair& arms = *m_body.arms;
    const LimbFit& fit = arms.fit(m_body.frontShape);
    const Vector3 shoulders = middleOf(m_skeleton, arms, fit.parts.at[LimbParts::Upper], 0);
    Vector3 up = Vector3::Zero();
    if (m_body.legs)
        up = shoulders - middleOf(m_skeleton, *m_body.legs, m_body.legs->leg.parts.at[LimbParts::Upper], 0);
    std::vector<NodeIndex> best;
    double bestScore = -2;
    const NodeIndex top = m_body.legs ? m_skeleton.commonAbove(m_body.legs->parent, arms.parent) : -1;
    int steps = 0;
    for (NodeIndex node = arms.parent; node >= 0; node = m_skeleton[node].parent, ++steps) {
        for (const NodeIndex child : m_skeleton[node].children) {
            if (m_skeleton[child].isEnd || isOnLimb(child)) continue;
            std::vector<NodeIndex> chain = m_skeleton.mainChain(child);
            const auto isOther = [&](NodeIndex one) { return m_skeleton.name(one).isOther; };
            if (std::all_of(chain.begin(), chain.end(), isOther)) continue;
            const auto moves = [&](NodeIndex one) { return m_skeleton[one].canMove; };
            if (std::none_of(chain.begin(), chain.end(), moves) && m_skeleton.name(child).fit(Part::Head) < 0.5)
                continue;
            double score = -1.5 * steps;
            for (const NodeIndex one : chain) {
                const NameReading& name = m_skeleton.name(one);
                if (name.fit(Part::Head) > 0.5 || name.fit(Part::Neck) > 0.5) score += 2;
                if (name.fit(Part::Head) > 0.5) break;
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
    return throughNamedHead(best);
}

std::vector<NodeIndex> BodyFacing::throughNamedHead(const std::vector<NodeIndex>& chain) const
{
    if (chain.empty()) return chain;
    for (NodeIndex node = 0; node < m_skeleton.count(); ++node) {
        const NameReading& name = m_skeleton.name(node);
        if (name.fit(Part::Head) < 0.9 || name.isEnd || name.isControl || name.isOther || name.hasSide) continue;
        if (std::find(chain.begin(), chain.end(), node) != chain.end()) return chain;
        if (m_skeleton.isAbove(chain.front(), node)) return m_skeleton.way(m_skeleton[chain.front()].parent, node);
    }
    return chain;
}

bool BodyFacing::isOnLimb(NodeIndex node) const
{
    const auto isOf = [&](const LimbPair& pair) {
        return m_skeleton.isAbove(node, pair.a) || m_skeleton.isAbove(node, pair.b) ||
               m_skeleton.isAbove(pair.a, node) || m_skeleton.isAbove(pair.b, node);
    };
    return (m_body.legs && isOf(*m_body.legs)) || (m_body.arms && isOf(*m_body.arms));
}

} // namespace tendon
