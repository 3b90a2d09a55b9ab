#include "core/math/RotationVector.h"
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
    way.y() *= share * share * (3 - 2 * share);
    return way;
}

/// The share of a leg's length at which its knee is eased at the latest: a little less than straight. Where the roots
/// of the legs are far from where scaling puts them they shake with the pelvis, and a knee near straight would shake
/// many times as much: then earlier. `widening` [m], `leg` [m].
double straightest(const Vector3& widening, double leg) { return 0.997 - 0.02 * std::min(widening.norm() / leg, 1.0); }

/// How much of a stance there is in each moment of a foot's way: 1 where it rests, nearly 0 in a step.
std::vector<double> stillnessOf(const std::vector<Time>& times, const std::vector<Vector3>& places, double leg)
{
    constexpr double kSlow = 0.3; // of a leg in a second
    std::vector<double> still(times.size(), 1);
    for (std::size_t i = 0; i < times.size(); ++i) {
        const std::size_t before = i == 0 ? 0 : i - 1, after = std::min(i + 1, times.size() - 1);
        const double seconds = times[after].seconds() - times[before].seconds();
        if (seconds <= 0) continue;
        const double share = (places[after] - places[before]).norm() / seconds / (kSlow * leg);
        still[i] = 1 / ((1 + share * share) * (1 + share * share));
    }
    return still;
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

/// A place for the end of a leg that is never quite out of reach: beyond the motion's own stretch the leg comes ever
/// slower to its full length, so that its knee neither locks nor pops.
Vector3 Retargeter::easedPlace(const Limb& limb, const Vector3& root, const Vector3& wanted) const
{
    const Vector3 reach = wanted - root;
    const double half = 0.5 + 0.5 * stretchOf(limb); // from how far the motion's own is stretched to straight
    const double share = reach.norm() / limb.ownLength,
                 start = std::min(half, straightest(limb.widening, limb.ownLength)), room = 1 - start;
    if (share <= start) return wanted;
    return root + reach * ((start + room * (1 - std::exp((start - share) / room))) / share);
}

/// [m] How far the hips have to come down so that a foot is within reach of a leg's root.
double Retargeter::loweringFor(const Limb& limb, const Vector3& root, const Vector3& foot) const
{
    constexpr double kMost = 0.2; // of a leg
    const Vector3 reach = foot - root;
    const double share = std::min(0.35 + 0.65 * stretchOf(limb), straightest(limb.widening, limb.ownLength));
    const double longest = share * limb.ownLength;
    const double level = std::hypot(reach.x(), reach.z());
    const double below = std::sqrt(std::max(longest * longest - level * level, 0.0));
    // A leg that is more across than below hardly gets nearer when the hips come down.
    const double use = std::clamp(4 * (below / longest - 0.3), 0.0, 1.0);
    return use * std::clamp(-reach.y() - below, 0.0, kMost * limb.ownLength);
}

/// What feet and hips do beyond what the motion says at a moment, over the whole clip. How much higher an ankle is, so
/// that its sole stands, follows the toes of a capture, which shake: it is evened out, or the knee would shake. How
/// much wider it stands is held while its ankle rests, or it would slide as the foot rolls and pivots. And where a foot
/// would be out of reach the hips come down, smoothly.
void Retargeter::prepareTracks(const Clip& clip, FrameRate fps)
{
    constexpr double kPerSecond = 60, kShakes = 0.08, kAround = 0.2; // [1/s], [s]
    const auto counts = [](const Limb& limb) { return limb.roles.isLeg && !limb.isInProportion; };
    if (std::none_of(m_limbs.begin(), m_limbs.end(), counts)) return;
    std::vector<Time> times = frameTimes(clip, fps);
    const auto stride = static_cast<std::size_t>(std::max(std::floor(fps.perSecond() / kPerSecond + 0.01), 1.0));
    for (std::size_t i = 0; i * stride < times.size(); ++i) times[i] = times[i * stride];
    times.resize((times.size() + stride - 1) / stride);
    if (times.back() != clip.end()) times.push_back(clip.end());

    std::vector<std::array<std::vector<double>, 3>> along(m_limbs.size());
    std::vector<std::vector<Vector3>> roots(m_limbs.size()), feet(m_limbs.size());
    LocalPose local;
    WorldPose first;
    bool repeats = false;
    for (const Time time : times) {
        readMotion(time);
        if (time == times.front()) first = m_source;
        repeats = time == times.back() && isAsAtFirst(first);
        turnPairs();
        local = m_base;
        compose(local);
        for (std::size_t l = 0; l < m_limbs.size(); ++l)
            roots[l].push_back(m_model.modelFromJoint[at(m_pairs[m_limbs[l].pair[0]].target)].translation()),
                feet[l].push_back(scaledPlace(m_limbs[l]));
        for (const Limb& limb : m_limbs)
            if (limb.standsApart) putApart(limb, local);
        const auto readOffsets = [&] {
            for (Limb& limb : m_limbs)
                if (counts(limb)) limb.offset = offsetOf(limb);
        };
        readOffsets();
        // Meshes whose shins are also their feet turn with them, which moves their soles.
        if (m_shinsAreFeet && reachPlaces(local)) readOffsets();
        for (std::size_t l = 0; l < m_limbs.size(); ++l)
            for (std::size_t axis = 0; axis < 3; ++axis)
                along[l][axis].push_back(m_limbs[l].offset[static_cast<int>(axis)]);
    }
    for (std::size_t l = 0; l < m_limbs.size(); ++l) {
        if (!counts(m_limbs[l])) continue;
        const std::vector<double> stillness = stillnessOf(times, feet[l], m_limbs[l].ownLength);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            ClipTrack& track = m_limbs[l].offsets[axis];
            track = ClipTrack(times, std::move(along[l][axis]), repeats);
            track.dropOutliers();
            track.smooth(kShakes);
            if (axis != 1 && m_limbs[l].widening != Vector3::Zero()) track.hold(stillness);
        }
    }
    std::vector<double> needs(times.size(), 0);
    for (std::size_t i = 0; i < times.size(); ++i) {
        readMotion(times[i]);
        for (std::size_t l = 0; l < m_limbs.size(); ++l)
            if (const Limb& limb = m_limbs[l]; counts(limb))
                needs[i] = std::max(needs[i],
                                    loweringFor(limb, roots[l][i], scaledPlace(limb) + offsetAt(limb, times[i])));
    }
    m_lowering = ClipTrack(times, std::move(needs), repeats);
    m_lowering.dropOutliers();
    m_lowering.widen(kAround);
    m_lowering.smooth(kAround);
}

/// True if the motion is in its first pose again, wherever it has gone: it is made to repeat.
bool Retargeter::isAsAtFirst(const WorldPose& first) const
{
    constexpr double kSame = 0.02; // [rad]
    for (const JointPair& pair : m_pairs)
        if (m_source.rotation[at(pair.source)].angularDistance(first.rotation[at(pair.source)]) > kSame) return false;
    return true;
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

/// Where the motion has a foot, scaled.
Vector3 Retargeter::scaledPlace(const Limb& limb) const
{
    const Vector3 end = m_alignment.worldFromMotion * m_source.position[at(limb.source[2])];
    return scaledMiddle() + limb.scale * (end - middleOfLegs());
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
    return 1 - share * share * (3 - 2 * share);
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
