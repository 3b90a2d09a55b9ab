#include "core/math/Degrees.h"
#include "core/math/RotationVector.h"
#include "core/math/SmoothStep.h"
#include "core/retarget/Retargeter.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

// Feet that are longer and hips that are wider than the motion's: how far they tilt, and which points of a foot stand.

namespace tendon {

/// By how much the hips are wider than hips are.
void Retargeter::preparePelvis(const ReferencePose& motion, const ReferencePose& character)
{
    constexpr double kUsual = 0.2, kWider = 1.3; // of a leg; less is how people differ
    const auto line = [](const RoledFigure& figure, const WorldPose& pose) -> Vector3 {
        const JointIndex left = figure.first("leftUpperLeg"), right = figure.first("rightUpperLeg");
        return left < 0 || right < 0 ? Vector3(Vector3::Zero()) : pose.position[at(left)] - pose.position[at(right)];
    };
    const Vector3 there = line(m_motion, motion.pose), here = line(m_character, character.pose);
    if (there.norm() < 1e-9 || here.norm() < 1e-9) return;
    m_hipLine = character.pose.rotation[at(m_carrier)].conjugate() * here.normalized();
    m_pelvisWider = std::max(
        here.norm() / *m_facts.characterLegs / std::max(there.norm() / *m_facts.motionLegs, kUsual) / kWider, 1.0);
}

/// Which points of a foot are its ends, and by how much it is longer than feet are.
void Retargeter::prepareFoot(Limb& limb, const WorldPose& motion, const ReferencePose& character)
{
    // Of a leg, before and behind the ankle: so long feet are at least. Skeletons end at the balls of their feet.
    constexpr std::array kUsual{0.22, 0.09};
    constexpr double kLonger = 1.2; // less is how feet differ
    const auto there = trunkAxes(m_motion, motion), here = trunkAxes(m_character, character.pose);
    const Quaternion& world = m_alignment.worldFromMotion;
    const Vector3 ahead = there ? Vector3(world * (*there * Vector3::UnitZ())) : Vector3(Vector3::UnitZ()),
                  ownAhead = here ? Vector3(*here * Vector3::UnitZ()) : Vector3(Vector3::UnitZ());
    const Quaternion& rests = character.pose.rotation[at(limb.ownSole.foot)];
    const double lowest = limb.sole.lowest(motion.position, motion.rotation, world);
    limb.heights[0] = (world * motion.position[at(limb.sole.foot)]).y() - lowest;
    limb.soleUp = rests.conjugate() * Vector3::UnitY();
    limb.soleAhead = rests.conjugate() * ownAhead;
    limb.hasEnds = true;
    for (std::size_t end = 0; end < 2; ++end) {
        const double way = end == 0 ? 1 : -1, legs = *m_facts.motionLegs, ownLegs = *m_facts.characterLegs;
        const auto point = limb.sole.end(way * ahead, *m_motion.rig, motion, world, legs);
        const auto own = limb.ownSole.end(way * ownAhead, *m_character.rig, character.pose, Quaternion::Identity(),
                                          ownLegs);
        limb.hasEnds = limb.hasEnds && point && own;
        if (!limb.hasEnds) return;
        limb.ends[end] = *point, limb.ownEnds[end] = *own;
        const Vector3 place = limb.sole.points[*point].at(motion.position, motion.rotation),
                      ownPlace = limb.ownSole.points[*own].at(character.pose.position, character.pose.rotation);
        limb.heights[end + 1] = (world * place).y() - lowest;
        const double reach = way * ahead.dot(world * Vector3(place - motion.position[at(limb.sole.foot)])),
                     ownReach = way * ownAhead.dot(ownPlace - character.pose.position[at(limb.ownSole.foot)]);
        limb.longer[end] = std::max(ownReach / ownLegs / std::max(reach / legs, kUsual[end]) / kLonger, 1.0);
    }
}

/// How much of a stance there is by the height of the hips: 1 on feet, 0 lying down.
double Retargeter::standingShare() const
{
    return smoothStep(0.35, 0.65, (middleOfLegs().y() - m_motionFloor) / *m_facts.motionLegs);
}

/// Hips twice as wide, as toys have them, would lift a thigh's root twice as high where the pelvis dips to one side,
/// and lock the knees: it dips by so much less. Standing figures only.
void Retargeter::levelWidePelvis()
{
    constexpr double kAll = 0.6, kNone = 0.95; // sine of the dip
    if (m_pelvisWider == 1) return;
    const Vector3 line = m_turn[static_cast<std::size_t>(m_pairOf[at(m_carrier)])] * m_hipLine;
    const double dip = line.y(), share = standingShare() * (1 - smoothStep(kAll, kNone, std::abs(dip)));
    const double less = dip * (1 - share * (1 - 1 / m_pelvisWider));
    Vector3 level(line.x(), 0, line.z());
    if (level.norm() < 1e-9) return;
    level *= std::sqrt(1 - less * less) / level.norm();
    const Quaternion turn = shortestRotation(line, Vector3(level + less * Vector3::UnitY()));
    for (std::size_t p = 0; p < m_pairs.size(); ++p)
        if (m_pairs[p].follows == Follows::Root) m_turn[p] = (turn * m_turn[p]).normalized();
}

/// A foot twice as long as feet are, as toys have them, would lift its ankle twice as high when it stands on its toes:
/// it tilts by so much less that its ankle goes no higher than that of a usual one. Near the floor only; in the air it
/// turns as the motion's.
void Retargeter::levelLongFeet()
{
    constexpr double kQuarter = std::numbers::pi / 2, kAll = 75 / kDegrees, kNone = 130 / kDegrees;
    for (const Limb& limb : m_limbs) {
        if (!limb.hasEnds || (limb.longer[0] == 1 && limb.longer[1] == 1)) continue;
        Quaternion& turn = m_turn[limb.pair[2]];
        const Quaternion tilt = shortestRotation(Vector3::UnitY(), turn * limb.soleUp), level = tilt.conjugate() * turn;
        const Vector3 side = Vector3::UnitY().cross(level * limb.soleAhead), about = vectorFromRotation(tilt);
        const double pitch = about.dot(side), longer = limb.longer[pitch > 0 ? 0 : 1], size = std::abs(pitch);
        const double less = std::asin(std::sin(std::min(size, kQuarter)) / longer);
        const double share = standingShare() * shareOfSole(limb) * (1 - smoothStep(kAll, kNone, size));
        const double taken = std::copysign(share * (std::min(size, kQuarter) - less), pitch);
        turn = (rotationFromVector(about - taken * side) * level).normalized();
    }
}

/// Which way each joint is turned, before limbs reach for their places.
void Retargeter::turnJoints()
{
    turnPairs();
    aimShortLimbs();
    levelWidePelvis();
    levelLongFeet();
}

/// The ankle and the two ends of a foot.
std::array<Retargeter::FootPoint, 3> Retargeter::footPoints(const Limb& limb) const
{
    const Vector3 ankle = scaledPlace(limb);
    std::array<FootPoint, 3> points;
    points.fill({ankle, ankle});
    if (!limb.hasEnds) return points;
    const Vector3 toPlace = ankle - m_worldPosition[at(m_pairs[limb.pair[2]].target)];
    for (std::size_t end = 0; end < 2; ++end)
        points[end + 1] = {scaledPoint(limb, limb.sole.points[limb.ends[end]].at(m_source.position, m_source.rotation)),
                           toPlace + limb.ownSole.points[limb.ownEnds[end]].at(m_worldPosition, m_worldRotation)};
    std::array<double, 3> lifts{};
    for (std::size_t i = 0; i < 3; ++i) lifts[i] = points[i].wanted.y() - limb.scale * limb.heights[i];
    for (std::size_t i = 0; i < 3; ++i) points[i].lift = lifts[i] - *std::min_element(lifts.begin(), lifts.end());
    return points;
}

} // namespace tendon
