#include "core/retarget/ClipSurvey.h"
#include "core/retarget/Retargeter.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace tendon {
namespace {

std::string noteText(const char* format, auto... values)
{
    char buffer[200];
    std::snprintf(buffer, sizeof buffer, format, values...);
    return buffer;
}

} // namespace

/// [m] The height of the floor by a motion that moves nowhere: the low end of its lowest points.
double Retargeter::lowestAlong(const std::vector<Sole>& soles, const std::vector<WorldPose>& poses) const
{
    std::vector<double> heights;
    for (const WorldPose& pose : poses) {
        double lowest = std::numeric_limits<double>::infinity();
        for (const Sole& sole : soles)
            lowest = std::min(lowest, sole.lowest(pose.position, pose.rotation, m_alignment.worldFromMotion));
        heights.push_back(lowest);
    }
    const auto low = heights.begin() + static_cast<std::ptrdiff_t>(heights.size() / 4);
    std::nth_element(heights.begin(), low, heights.end());
    return *low;
}

/// True if a clip is far below the floor of all clips of its file, as one is whose hips stay at the origin, or is not
/// while they are: then it says itself where its floor is.
bool Retargeter::isOnAnotherFloor(const ReferencePose& motion, const std::vector<WorldPose>& own,
                                  const std::vector<WorldPose>& all) const
{
    const auto level = standingHeight(m_motion, motion.pose, all, m_alignment.worldFromMotion),
               ownLevel = standingHeight(m_motion, motion.pose, own, m_alignment.worldFromMotion);
    if (!m_facts.motionLegs || !level || !ownLevel) return false;
    const double legs = *m_facts.motionLegs;
    return *ownLevel < *level - 0.25 * legs || *level < -0.5 * legs;
}

/// A figure stands on its soles. Its hips are as much higher than the motion's, scaled, as its ankles are; and its feet
/// are where their lowest points are as high as the motion's, scaled. A character that is the motion's own with longer
/// or shorter bones keeps everything in proportion instead.
void Retargeter::prepareSoles(const ReferencePose& motion, const ReferencePose& character,
                              const std::vector<WorldPose>& poses)
{
    if (!m_facts.characterLegs || !m_facts.motionLegs) return;
    const double legs = *m_facts.motionLegs, ownLegs = *m_facts.characterLegs, k = m_facts.legScale;
    const Quaternion& world = m_alignment.worldFromMotion;
    ReferencePose standing = motion;
    if (motion.soles.empty()) standing.pose = withFlatFeet(m_motion, motion.pose, world);
    const auto level = standingHeight(m_motion, standing.pose, poses, world);
    if (!level) return;
    std::vector<Sole> soles, ownSoles = character.soles;
    if ((world * Vector3::UnitY()).y() > 0.999) soles = motion.soles;
    const double there = ankleHeightOfMotion(standing, soles, *level);
    if (soles.empty()) soles = solesOfJoints(m_motion, standing.pose, world, there, legs);

    const bool isItsOwn = m_alignment.isSameShape ||
                          (ownSoles.empty() && (m_alignment.isSameSkeleton || m_alignment.areBonesParallel));
    auto here = anklesAboveSoles(ownSoles, character.pose, Quaternion::Identity());
    if (here && (*here < -0.1 * ownLegs || *here > 0.8 * ownLegs)) here.reset(), ownSoles.clear(); // these are no feet
    if (!here) {
        here = ankleHeightOfBones(standing, character, there);
        ownSoles = solesOfJoints(m_character, character.pose, Quaternion::Identity(), *here, ownLegs);
    }

    // Where the motion's feet stand, against the floor.
    const double above = *level - there;
    std::vector<double> hips;
    for (const WorldPose& pose : poses) hips.push_back((world * pose.position[at(m_motionHips)]).y());
    std::nth_element(hips.begin(), hips.begin() + static_cast<std::ptrdiff_t>(hips.size() / 2), hips.end());
    const bool hangsAtOrigin = above < -0.5 * legs && std::abs(hips[hips.size() / 2]) < 0.35 * legs;
    const bool isOff = !isItsOwn && std::abs(above) > 0.02 * legs && std::abs(above) < 0.12 * legs;
    if (hangsAtOrigin)
        m_facts.notes.push_back(
            noteText("The motion's hips stay at the origin, its feet %.2f m below it; the character "
                     "stands on the floor instead.",
                     -above));
    else if (isOff)
        m_facts.notes.push_back(noteText("The motion's feet stand %.1f cm %s the floor; the character's stand on it.",
                                         std::abs(above) * 100, above > 0 ? "above" : "below"));
    m_motionFloor = hangsAtOrigin ? lowestAlong(soles, poses) : isOff ? above : 0;
    m_soleRise = (isItsOwn ? 0 : *here - k * there) - k * m_motionFloor;
    if (isItsOwn) return;
    preparePelvis(standing, character);
    for (Limb& limb : m_limbs) {
        if (!limb.roles.isLeg) continue;
        for (const Sole& sole : soles)
            if (sole.foot == m_motion.first(limb.roles.end)) limb.sole = sole;
        for (const Sole& sole : ownSoles)
            if (sole.foot == m_character.first(limb.roles.end)) limb.ownSole = sole;
        if (limb.sole.points.empty() || limb.ownSole.points.empty()) continue;
        limb.isInProportion = false;
        prepareFoot(limb, standing.pose, character);
        const JointIndex foot = m_pairs[limb.pair[2]].target;
        for (const SolePoint& point : limb.ownSole.points)
            for (const SolePoint::Share& share : point.shares)
                m_shinsAreFeet = m_shinsAreFeet || !m_character.rig->isAtOrBelow(share.joint, foot);
    }
    noteProportions();
}

/// Says where hips and feet are held more level than the motion's.
void Retargeter::noteProportions()
{
    double longer = 1;
    for (const Limb& limb : m_limbs) longer = std::max({longer, limb.longer[0], limb.longer[1]});
    if (longer > 1)
        m_facts.notes.push_back(noteText("The character's feet are long for its legs; they tilt about %.1f times less "
                                         "than the motion's, so that its knees bend as the motion's do.",
                                         longer));
    if (m_pelvisWider > 1)
        m_facts.notes.push_back(noteText("The character's hips are wide for its legs; they dip about %.1f times less "
                                         "to the side than the motion's, so that its legs reach the floor.",
                                         m_pelvisWider));
}

/// [m] How high the ankles of a character without a mesh are: as its bones say against the motion's.
double Retargeter::ankleHeightOfBones(const ReferencePose& motion, const ReferencePose& character, double there) const
{
    const double ownLegs = *m_facts.characterLegs, k = m_facts.legScale;
    const auto joints = ankleHeightOf(m_character, character.pose, ownLegs);
    if (!joints) return k * there;
    WorldPose upright = motion.pose;
    for (Vector3& place : upright.position) place = m_alignment.worldFromMotion * place;
    const double below = jointsBelowAnkles(m_motion, upright),
                 ownBelow = jointsBelowAnkles(m_character, character.pose);
    const bool areAlike = motion.isStance && below > 1e-6 && std::abs(ownBelow - k * below) < 0.01 * ownLegs;
    if (areAlike) return k * there + ownBelow - k * below;
    return joints->height;
}

/// The hips as much higher as the ankles are while feet stand: the character's feet stand as the motion's do, which
/// need not be as they rest.
void Retargeter::levelHips(const std::vector<WorldPose>& poses)
{
    constexpr double kStands = 0.03; // of a leg
    std::vector<double> rises;
    LocalPose local;
    for (const WorldPose& pose : poses) {
        m_source = pose;
        turnJoints();
        local = m_base;
        compose(local);
        for (const Limb& limb : m_limbs) {
            if (limb.sole.points.empty() || limb.ownSole.points.empty()) continue;
            if (limb.standsApart) putApart(limb, local);
            if (liftOf(limb) < kStands * *m_facts.motionLegs)
                rises.push_back(
                    riseOf(limb, m_worldPosition[at(m_pairs[limb.pair[2]].target)].y(), placeOfAnkle(limb).y()));
        }
    }
    if (rises.size() * 20 < poses.size()) return; // it hardly ever stands
    std::nth_element(rises.begin(), rises.begin() + static_cast<std::ptrdiff_t>(rises.size() / 2), rises.end());
    m_soleRise += rises[rises.size() / 2];
}

/// [m] How high the motion's ankles are above its soles. Captures rest anywhere, and tell it by how they stand.
double Retargeter::ankleHeightOfMotion(const ReferencePose& motion, std::vector<Sole>& soles, double level) const
{
    const double legs = *m_facts.motionLegs;
    const Quaternion& world = m_alignment.worldFromMotion;
    if (const auto mesh = anklesAboveSoles(soles, motion.pose, world);
        mesh && *mesh > -0.1 * legs && *mesh < 0.8 * legs)
        return *mesh;
    soles.clear();
    WorldPose upright = motion.pose;
    for (Vector3& place : upright.position) place = world * place;
    const auto joints = motion.isStance ? ankleHeightOf(m_motion, upright, legs) : std::nullopt;
    if (joints && joints->isSure) return joints->height;
    const double below = motion.isStance ? jointsBelowAnkles(m_motion, upright) : 0;
    constexpr double kSole = 0.15, kDeeper = 0.02; // of a leg: what may be below the joints of toes
    if (level > 0 && level > below - kDeeper * legs && level < below + kSole * legs) return level;
    return joints ? joints->height : 0.1 * legs;
}

} // namespace tendon
