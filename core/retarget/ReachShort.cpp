#include "core/retarget/ClipSurvey.h"
#include "core/retarget/Retargeter.h"
#include "core/roles/RoleNames.h"
#include "core/runtime/ForwardKinematics.h"

#include <algorithm>
#include <cmath>
#include <limits>

// Limbs that end before their feet or hands do, see ShortLimbs.h.

namespace tendon {

void Retargeter::prepareShortLimbs(const Scene& scene, const ReferencePose& motion, const std::vector<WorldPose>& poses)
{
    const CompiledRig& rig = *m_character.rig;
    LocalPose local;
    local.joints = rig.rest;
    ModelPose rest;
    forwardKinematics(rig, local, rest);
    m_shortLimbs = shortLimbsOf(scene, m_character, rest);
    std::erase_if(m_shortLimbs, [&](const ShortLimb& limb) {
        return !limbLength(m_motion, motion.pose, limb.roles) || m_pairOf[at(limb.upper)] < 0;
    });
    if (m_shortLimbs.empty()) return;
    std::string names;
    double length = 0;
    int legs = 0;
    const auto placeOf = [&](JointIndex joint) -> Vector3 { return rest.modelFromJoint[at(joint)].translation(); };
    Vector3 middle = Vector3::Zero();
    for (ShortLimb& limb : m_shortLimbs) {
        const std::string name = roleInWords(limb.roles.end);
        names += (names.empty() ? "" : ", ") + name;
        if (limb.roles.isLeg) length += limb.length, middle += placeOf(limb.upper), ++legs;
        // A joint in the middle of the pelvis leads to the leg and is none of its bones.
        for (const ShortLimb& other : m_shortLimbs)
            if (other.upper != limb.upper && !limb.isOneBone &&
                (placeOf(limb.upper) - placeOf(other.upper)).norm() < 0.01 * limb.length)
                limb.isOneBone = true, leaveToHips(limb.upper);
    }
    m_facts.notes.push_back("The character has no " + names +
                            ": these limbs point to where the motion's ends are. Where its knees and elbows bend they "
                            "cannot follow, so feet slide and hands are farther away.");
    const auto motionLegs = meanLimbLength(m_motion, motion.pose, true);
    if (legs == 0 || !motionLegs || m_facts.characterLegs) return;
    const Quaternion toCarrier = rotationOf(rest.modelFromJoint[at(m_carrier)]).conjugate();
    for (ShortLimb& limb : m_shortLimbs) limb.rootFromMiddle = toCarrier * (placeOf(limb.upper) - middle / legs);
    // It stands on their ends: from the roots of its legs to the floor, against the motion's.
    constexpr double kUsual = 0.1; // of a leg
    const auto level = standingHeight(m_motion, motion.pose, poses, m_alignment.worldFromMotion);
    m_ankleHeight = level.value_or(kUsual * *motionLegs);
    const double ankle = std::abs(m_ankleHeight) < 0.3 * *motionLegs ? std::max(m_ankleHeight, 0.0)
                                                                     : kUsual * *motionLegs;
    m_facts.legScale = length / legs / (*motionLegs + ankle);
    m_standsOnShortLegs = true;
}

/// A joint that turns as the hips do, whatever the motion's joint of its role does.
void Retargeter::leaveToHips(JointIndex joint)
{
    const auto pair = static_cast<std::size_t>(m_pairOf[at(joint)]),
               hips = static_cast<std::size_t>(m_pairOf[at(m_carrier)]);
    m_pairs[pair].follows = Follows::Trunk;
    m_pairs[pair].start = m_pairs[pair].source = m_pairs[hips].source;
    m_pairs[pair].second = -1;
    const std::vector<LocalTransform>& rest = m_character.rig->rest;
    Quaternion toHips = Quaternion::Identity();
    for (JointIndex above = joint; above != m_carrier && above >= 0; above = m_character.rig->parent[at(above)])
        toHips = rest[at(above)].rotation * toHips;
    m_alignment.rotation[pair] = (m_alignment.rotation[hips] * toHips).normalized();
    m_sourceToTarget[pair] = (m_sourceToTarget[hips] * toHips).normalized();
}

/// The last joints of short limbs point from where the motion's are to where its limbs end.
void Retargeter::aimShortLimbs()
{
    for (const ShortLimb& limb : m_shortLimbs) {
        const JointIndex from = m_motion.first(limb.isOneBone ? limb.roles.upper : limb.roles.lower),
                         to = m_motion.first(limb.roles.end);
        const Vector3 way = m_alignment.worldFromMotion *
                            Vector3(m_source.position[at(to)] - m_source.position[at(from)]);
        Quaternion& turn = m_turn[static_cast<std::size_t>(m_pairOf[at(limb.last)])];
        if (way.norm() > 1e-9) turn = (shortestRotation(turn * limb.way, way) * turn).normalized();
    }
}

/// [m] How high the middle of the legs is, so that the lower one of them ends as high as the motion's, scaled.
double Retargeter::heightOnShortLegs() const
{
    const Quaternion& world = m_alignment.worldFromMotion;
    const Quaternion& hips = m_turn[static_cast<std::size_t>(m_pairOf[at(m_carrier)])];
    double lift = std::numeric_limits<double>::infinity(), lowest = lift;
    for (const ShortLimb& limb : m_shortLimbs) {
        if (!limb.roles.isLeg) continue;
        const JointIndex foot = m_motion.first(limb.roles.end);
        lift = std::min(lift, (world * m_source.position[at(foot)]).y() - m_ankleHeight);
        double end = (hips * limb.rootFromMiddle).y() +
                     (m_turn[static_cast<std::size_t>(m_pairOf[at(limb.last)])] * limb.way).y();
        if (limb.last != limb.upper)
            end += (m_turn[static_cast<std::size_t>(m_pairOf[at(limb.upper)])] * limb.lastFromUpper).y();
        lowest = std::min(lowest, end);
    }
    return m_facts.legScale * lift - lowest;
}

} // namespace tendon
