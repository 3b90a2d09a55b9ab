#include "core/math/RotationVector.h"
#include "core/math/SmoothStep.h"
#include "core/retarget/ClipSurvey.h"
#include "core/retarget/Retargeter.h"

#include <algorithm>
#include <cmath>

namespace tendon {
namespace {

/// A way along the floor that turns with a foot: what of it a rolled foot would take up and down is left out while the
/// foot is near level.
Vector3 levelled(Vector3 way)
{
    const double up = std::abs(way.y()) / std::max(way.norm(), 1e-12);
    const double share = std::clamp((up - 0.35) / 0.35, 0.0, 1.0);
    way.y() *= smoothStep(share);
    return way;
}

} // namespace

/// About which axis a limb bends while it is near straight, in the world: knees about the one that is theirs in the
/// whole clip; elbows, which nothing but the motion bends, as the motion's at this moment.
Vector3 Retargeter::hingeOf(const Limb& limb) const
{
    const Vector3 own = m_turn[limb.pair[0]] * limb.hinge;
    if (limb.roles.isLeg) return own;
    constexpr double kStraight = 0.01; // sine of half a degree: below, the motion's bend says nothing
    const auto place = [&](std::size_t part) -> const Vector3& { return m_source.position[at(limb.source[part])]; };
    const Vector3 bend = (place(1) - place(0)).normalized().cross((place(2) - place(1)).normalized());
    return openingOf(limb) * (m_alignment.worldFromMotion * bend) + kStraight * own;
}

/// How far the motion's limb is stretched: the share of its length that is from its root to its end.
double Retargeter::stretchOf(const Limb& limb) const
{
    return std::min(
        (m_source.position[at(limb.source[2])] - m_source.position[at(limb.source[0])]).norm() / limb.length, 1.0);
}

/// The share of a leg's length at which its knee is eased at the latest: a little less than straight. Where the roots
/// of the legs are far from where scaling puts them they shake with the pelvis, and a knee near straight would shake
/// many times as much: then earlier.
double Retargeter::straightest(const Limb& limb)
{
    return 0.997 - 0.02 * std::min(limb.widening.norm() / limb.ownLength, 1.0);
}

/// A place for the end of a leg that is never quite out of reach: beyond the motion's own stretch the leg comes ever
/// slower to its full length, so that its knee neither locks nor pops.
Vector3 Retargeter::easedPlace(const Limb& limb, const Vector3& root, const Vector3& wanted) const
{
    const Vector3 reach = wanted - root;
    const double half = 0.5 + 0.5 * stretchOf(limb); // from how far the motion's own is stretched to straight
    const double share = reach.norm() / limb.ownLength, start = std::min(half, straightest(limb)), room = 1 - start;
    if (share <= start) return wanted;
    return root + reach * ((start + room * (1 - std::exp((start - share) / room))) / share);
}

/// Feet and hands come to where the motion has them, scaled; their own rotations stay. True if that moved anything.
bool Retargeter::reachPlaces(LocalPose& result)
{
    bool hasChanged = false;
    for (const Limb& limb : m_limbs) {
        if (limb.standsApart) putApart(limb, result);
        if (limb.isInProportion || (!limb.roles.isLeg && !m_reachesHands)) continue;
        std::array<Vector3, 3> place;
        for (std::size_t part = 0; part < 3; ++part)
            place[part] = m_model.modelFromJoint[at(m_pairs[limb.pair[part]].target)].translation();
        const Vector3 wanted = limb.roles.isLeg ? easedPlace(limb, place[0], scaledPlace(limb) + limb.offset)
                                                : placeOfHand(limb, place[0]);
        const LimbTurns turns = reachTo(place[0], place[1], place[2], wanted, hingeOf(limb));
        if (turns.upper.vec() == Vector3::Zero() && turns.lower.vec() == Vector3::Zero()) continue;
        m_turn[limb.pair[0]] = (turns.upper * m_turn[limb.pair[0]]).normalized();
        m_turn[limb.pair[1]] = (turns.lower * m_turn[limb.pair[1]]).normalized();
        hasChanged = true;
    }
    if (!hasChanged) return false;
    compose(result);
    for (const Limb& limb : m_limbs)
        if (limb.standsApart) putApart(limb, result);
    return true;
}

/// Where a point of the motion's world is on the character, if it belongs to a limb.
Vector3 Retargeter::scaledPoint(const Limb& limb, const Vector3& point) const
{
    return scaledMiddle() + limb.scale * (m_alignment.worldFromMotion * point - middleOfLegs());
}

/// Where the motion has a foot, scaled.
Vector3 Retargeter::scaledPlace(const Limb& limb) const
{
    return scaledPoint(limb, m_source.position[at(limb.source[2])]);
}

/// Where its ankle is to be by itself: the stance as wide as the hips ask.
Vector3 Retargeter::placeOfAnkle(const Limb& limb) const
{
    if (limb.widening == Vector3::Zero()) return scaledPlace(limb);
    const Quaternion turn = m_alignment.worldFromMotion * m_source.rotation[at(limb.source[2])];
    return scaledPlace(limb) + levelled(turn * limb.widening);
}

/// From the scaled place of a foot to where its sole is as high as the motion's.
Vector3 Retargeter::offsetOf(const Limb& limb) const
{
    const Vector3 ankle = placeOfAnkle(limb);
    const double now = m_worldPosition[at(m_pairs[limb.pair[2]].target)].y();
    return ankle + riseOf(limb, now, ankle.y()) * Vector3::UnitY() - scaledPlace(limb);
}

Vector3 Retargeter::offsetAt(const Limb& limb, Time time)
{
    return {limb.offsets[0].at(time), limb.offsets[1].at(time), limb.offsets[2].at(time)};
}

/// Where the motion has a hand from its shoulder, scaled, for one whose shoulder is at `root`.
Vector3 Retargeter::placeOfHand(const Limb& limb, const Vector3& root) const
{
    const Quaternion& world = m_alignment.worldFromMotion;
    const Vector3 reach = world *
                          Vector3(m_source.position[at(limb.source[2])] - m_source.position[at(limb.source[0])]);
    return root + limb.scale * (openingOf(limb) * reach);
}

/// By how much the arm spread has turned an arm.
Quaternion Retargeter::openingOf(const Limb& limb) const
{
    if (limb.opening == Vector3::Zero()) return Quaternion::Identity();
    const std::size_t upper = limb.pair[0];
    // m_turn has been opened already: its turn about its own opening is the same before and after.
    const Quaternion sinceAligned = m_turn[upper] * m_alignment.rotation[upper].conjugate();
    return rotationFromVector(sinceAligned * limb.opening);
}

/// [m] How high the motion's sole is above its floor.
double Retargeter::liftOf(const Limb& limb) const
{
    return limb.sole.lowest(m_source.position, m_source.rotation, m_alignment.worldFromMotion) - m_motionFloor;
}

/// [m] How much higher than `wanted` an ankle that is at `now` has to be, so that the lowest point of its sole is as
/// high as the motion's, scaled. A foot high in the air goes by its ankle alone.
double Retargeter::riseOf(const Limb& limb, double now, double wanted) const
{
    if (limb.sole.points.empty() || limb.ownSole.points.empty()) return 0;
    const double own = limb.ownSole.lowest(m_worldPosition, m_worldRotation, Quaternion::Identity());
    return shareOfSole(limb) * (now + m_facts.legScale * liftOf(limb) - own - wanted);
}

/// How much the place of a sole counts: 1 near the floor, 0 high in the air. 1 of a foot whose sole is not known.
double Retargeter::shareOfSole(const Limb& limb) const
{
    if (limb.sole.points.empty() || limb.ownSole.points.empty()) return 1;
    const double share = std::clamp((liftOf(limb) / *m_facts.motionLegs - 0.1) / 0.25, 0.0, 1.0);
    return 1 - smoothStep(share);
}

/// Where the lower bone of a limb ends.
Vector3 Retargeter::endOf(const Limb& limb) const
{
    const std::size_t shin = at(m_pairs[limb.pair[1]].target);
    return m_model.modelFromJoint[shin].translation() + m_worldRotation[shin] * limb.endFromLower;
}

/// A foot that does not hang from its shin goes to where the shin ends.
void Retargeter::putApart(const Limb& limb, LocalPose& result)
{
    const CompiledRig& rig = *m_character.rig;
    const JointIndex foot = m_pairs[limb.pair[2]].target, parent = rig.parent[at(foot)];
    const Vector3 place = endOf(limb);
    LocalTransform& local = result.joints[at(foot)];
    const Quaternion& wanted = m_turn[limb.pair[2]];
    local.rotation = parent < 0 ? wanted : (m_worldRotation[at(parent)].conjugate() * wanted).normalized();
    local.translation = parent < 0 ? place : Vector3(m_model.modelFromJoint[at(parent)].inverse() * place);
    for (JointIndex joint = foot; joint < rig.subtreeEnd[at(foot)]; ++joint) put(joint, result);
}

} // namespace tendon
