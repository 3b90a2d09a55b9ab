#include "core/retarget/Retargeter.h"

#include "core/math/Degrees.h"
#include "core/math/RotationVector.h"
#include "core/retarget/ClipSurvey.h"
#include "core/runtime/ForwardKinematics.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace tendon {
namespace {

/// [m] The size of a figure by its bones between joints with roles.
double sizeOf(const std::vector<JointPair>& pairs, const WorldPose& pose, bool ofMotion)
{
    double size = 0;
    for (const JointPair& pair : pairs) {
        if (pair.parent < 0 || pair.role.empty()) continue;
        const JointPair& above = pairs[static_cast<std::size_t>(pair.parent)];
        if (above.start < 0 || pair.start < 0) continue;
        size += ofMotion ? (pose.position[at(pair.start)] - pose.position[at(above.start)]).norm()
                         : (pose.position[at(pair.target)] - pose.position[at(above.target)]).norm();
    }
    return size;
}

/// True if the clip scales a joint: to something else than what it rests with.
bool isScaled(const Clip& clip, const CompiledRig& rig, JointIndex joint)
{
    constexpr double kNoticed = 1e-4;
    for (int axis = 0; axis < 3; ++axis)
        if (const KeyList* keys = clip.find({rig.id[at(joint)].value, offsetBy(Property::Sx, axis)})) {
            const double rest = rig.rest[at(joint)].scale[axis];
            for (std::size_t k = 0; k < keys->size(); ++k)
                if (std::abs((*keys)[k].value[0] - rest) > kNoticed * std::abs(rest)) return true;
        }
    return false;
}

std::string text(const char* format, auto... values)
{
    char buffer[200];
    std::snprintf(buffer, sizeof buffer, format, values...);
    return buffer;
}

} // namespace

std::vector<std::string> inWords(const RetargetFacts& facts)
{
    std::vector<std::string> lines;
    lines.push_back(text("%d of %d roles matched", facts.roles.matched, facts.roles.all));
    if (facts.isSameSkeleton) lines.emplace_back("the same skeleton: rotations are taken over as they are");
    if (facts.armsDiffer > 1 / kDegrees) lines.push_back(text("arms differ by %.0f°", facts.armsDiffer * kDegrees));
    if (facts.motionLegs && facts.characterLegs)
        lines.push_back(text("legs are %.2f m here, %.2f m in the motion", *facts.characterLegs, *facts.motionLegs));
    for (const Unpaired& one : facts.unpaired)
        if (!one.isOfMotion) lines.push_back(one.role + ": " + one.reason);
    lines.insert(lines.end(), facts.notes.begin(), facts.notes.end());
    return lines;
}

Result<Retargeter> Retargeter::create(const Scene& motion, const Clip& clip, RoleMap motionRoles,
                                      const Scene& character, RoleMap characterRoles, const RetargetOptions& options)
{
    const auto motionRig = compile(motion);
    if (!motionRig) return motionRig.error();
    const auto characterRig = compile(character);
    if (!characterRig) return characterRig.error();
    Retargeter made({*motionRig, std::move(motionRoles)}, {*characterRig, std::move(characterRoles)});
    made.m_facts.roles = countRoles(made.m_motion, made.m_character);
    made.m_facts.unpaired = unpairedRoles(made.m_motion, made.m_character);
    const bool takesOver = options.align != RestAlign::Rest && options.armSpread == 0 && !options.scale;
    if (takesOver) made.m_twins = twinsOf(made.m_motion, made.m_character);
    const std::string missing = missingRoles(made.m_motion, made.m_character);
    if (!missing.empty() && made.m_twins.isEmpty())
        return Error{ErrorCode::InvalidArgument,
                     text("%d of %d roles matched. Hips and at least one limb are needed; %s.",
                          made.m_facts.roles.matched, made.m_facts.roles.all, missing.c_str()),
                     ""};
    auto motionRest = motionReference(motion, made.m_motion, clip, options.align, options.frame);
    if (!motionRest) return motionRest.error();
    ReferencePose characterRest = characterReference(character, made.m_character);
    if (!motionRest->note.empty()) made.m_facts.notes.push_back(motionRest->note);
    if (!characterRest.note.empty()) made.m_facts.notes.push_back("On the character " + characterRest.note + ".");

    made.prepareSource(motion, clip);
    // Of all the clips of the file: where one ends and another begins, nothing pops.
    const std::vector<const Clip*> clips = clipsToSurvey(motion, clip);
    std::vector<WorldPose> poses = posesAlong(motion, made.m_motion, clips);
    std::vector<bool> moved(made.m_motion.rig->jointCount(), false);
    for (const auto& [channel, keys] : clip.channels)
        if (const JointIndex joint = made.m_motion.rig->index(JointId{channel.target}); joint >= 0)
            moved[at(joint)] = true;
    made.m_pairs = pairJoints(made.m_motion, made.m_character, moved);
    made.m_alignment = alignRest(made.m_motion, *motionRest, made.m_character, characterRest, made.m_pairs,
                                 options.align, trunksOf(made.m_motion, poses));
    for (std::string& note : made.m_alignment.notes) made.m_facts.notes.push_back(std::move(note));
    made.m_facts.armsDiffer = made.m_alignment.armsDiffer;
    made.m_facts.isSameSkeleton = made.m_alignment.isSameSkeleton || !made.m_twins.isEmpty();
    made.m_reachesHands = options.handReach;

    made.prepareBase(character);
    made.prepareRoot(*motionRest, characterRest);
    made.prepareShortLimbs(character, *motionRest, poses);
    made.prepareShares(clip, motion.fps);
    made.prepareLimbs(*motionRest, characterRest, options, poses);
    if (!made.m_twins.isEmpty()) {
        made.prepareTwins(clip);
        return made;
    }
    made.noteScale(clip);
    if (clips.size() > 1)
        if (auto own = posesAlong(motion, made.m_motion, {&clip}); made.isOnAnotherFloor(*motionRest, own, poses))
            poses = std::move(own);
    made.prepareSoles(*motionRest, characterRest, poses);
    made.prepareAxisGroups();
    made.prepareCarried(clip, *motionRest);
    made.levelHips(poses);
    made.prepareTracks(clip, motion.fps);

    for (const JointPair& pair : made.m_pairs)
        if (made.m_groupOf[at(pair.target)] < 0) made.m_turned.push_back(pair.target);
    for (const AxisGroup& group : made.m_groups)
        made.m_turned.insert(made.m_turned.end(), group.joints.begin(), group.joints.end());
    std::sort(made.m_turned.begin(), made.m_turned.end());
    made.m_moved.push_back(made.m_carrier);
    for (const Shift& shift : made.m_shifts) made.m_moved.push_back(shift.target);
    for (const Limb& limb : made.m_limbs)
        if (limb.standsApart) made.m_moved.push_back(made.m_pairs[limb.pair[2]].target);
    return made;
}

void Retargeter::prepareSource(const Scene& scene, const Clip& clip)
{
    m_sampler = std::make_unique<PoseSampler>(m_motion.rig);
    m_sampler->prepare(scene, &clip);
    m_motionHips = m_motion.first("hips");
    for (const LimbRoles& limb : kLimbs)
        if (limb.isLeg && m_motion.has(limb.upper) && m_character.has(limb.upper))
            m_motionThighs.push_back(m_motion.first(limb.upper));
    if (m_motionThighs.size() % 2 != 0) m_motionThighs.clear(); // the middle is between both sides
}

void Retargeter::prepareBase(const Scene& scene)
{
    PoseSampler still(m_character.rig);
    still.prepare(scene, nullptr);
    still.sample({}, {}, m_base);
    m_model.modelFromJoint.resize(m_character.rig->jointCount());
    m_worldRotation.resize(m_character.rig->jointCount());
    m_worldPosition.resize(m_character.rig->jointCount());
}

/// The joint that carries the figure, and the constants that take the motion's turns over.
void Retargeter::prepareRoot(const ReferencePose& motion, const ReferencePose& character)
{
    const CompiledRig& rig = *m_character.rig;
    const JointIndex hips = m_character.first("hips");
    m_carrier = hips;
    for (const JointPair& pair : m_pairs)
        while (!pair.role.empty() && !standsApart(pair) && m_carrier >= 0 && !rig.isAtOrBelow(pair.target, m_carrier))
            m_carrier = rig.parent[at(m_carrier)];
    if (m_carrier < 0) {
        m_carrier = hips;
        m_facts.notes.emplace_back(
            "The character's parts have no joint in common; only what is below the hips travels.");
    }
    if (m_carrier != hips) {
        // It turns as the hips do, and they ride on it.
        JointPair pair{.target = m_carrier,
                       .start = m_motionHips,
                       .source = m_motion.last("hips"),
                       .follows = Follows::Root,
                       .role = {}};
        const auto hipsPair = std::find_if(m_pairs.begin(), m_pairs.end(),
                                           [&](const JointPair& p) { return p.target == hips; });
        const Quaternion turn = m_alignment.rotation[static_cast<std::size_t>(hipsPair - m_pairs.begin())] *
                                character.pose.rotation[at(hips)].conjugate();
        m_pairs.push_back(std::move(pair));
        m_alignment.rotation.push_back((turn * character.pose.rotation[at(m_carrier)]).normalized());
    }
    m_pairOf.assign(rig.jointCount(), -1);
    for (std::size_t p = 0; p < m_pairs.size(); ++p) m_pairOf[at(m_pairs[p].target)] = static_cast<int>(p);

    const Quaternion& world = m_alignment.worldFromMotion;
    for (std::size_t p = 0; p < m_pairs.size(); ++p) {
        const auto constant = [&](JointIndex joint) {
            return Quaternion((world * motion.pose.rotation[at(joint)]).conjugate() * m_alignment.rotation[p])
                .normalized();
        };
        m_sourceToTarget.push_back(constant(m_pairs[p].source));
        m_secondToTarget.push_back(m_pairs[p].second >= 0 ? constant(m_pairs[p].second) : Quaternion::Identity());
    }
    m_turn.resize(m_pairs.size());

    const auto middle = [&](const RoledFigure& figure, const WorldPose& pose) -> Vector3 {
        Vector3 sum = Vector3::Zero();
        int count = 0;
        for (const LimbRoles& limb : kLimbs)
            if (limb.isLeg && m_motion.has(limb.upper) && m_character.has(limb.upper))
                sum += pose.position[at(figure.first(limb.upper))], ++count;
        return m_motionThighs.empty() ? pose.position[at(figure.first("hips"))] : Vector3(sum / count);
    };
    m_middleFromCarrier = character.pose.rotation[at(m_carrier)].conjugate() *
                          (middle(m_character, character.pose) - character.pose.position[at(m_carrier)]);
    const auto legs = meanLimbLength(m_motion, motion.pose, true),
               ownLegs = meanLimbLength(m_character, character.pose, true);
    m_facts.motionLegs = legs, m_facts.characterLegs = ownLegs;
    const double size = sizeOf(m_pairs, motion.pose, true), ownSize = sizeOf(m_pairs, character.pose, false);
    m_facts.legScale = legs && ownLegs ? *ownLegs / *legs : size > 1e-9 && ownSize > 1e-9 ? ownSize / size : 1;
}

/// How joints between two of the motion's share in the turn from one to the other.
void Retargeter::prepareShares(const Clip& clip, FrameRate fps)
{
    m_share.resize(m_pairs.size());
    if (std::none_of(m_pairs.begin(), m_pairs.end(), [](const JointPair& pair) { return pair.second >= 0; })) return;
    const std::vector<Time> times = frameTimes(clip, fps);
    std::vector<std::vector<Quaternion>> turns(m_pairs.size());
    for (const Time time : times) {
        readMotion(time);
        for (std::size_t p = 0; p < m_pairs.size(); ++p)
            if (const JointPair& pair = m_pairs[p]; pair.second >= 0)
                turns[p].push_back(turnAs(pair.source, m_sourceToTarget[p]).conjugate() *
                                   turnAs(pair.second, m_secondToTarget[p]));
    }
    for (std::size_t p = 0; p < m_pairs.size(); ++p)
        if (m_pairs[p].second >= 0) m_share[p] = TurnShare(times, turns[p]);
}

void Retargeter::prepareLimbs(const ReferencePose& motion, const ReferencePose& character,
                              const RetargetOptions& options, const std::vector<WorldPose>& poses)
{
    m_facts.scale = options.scale.value_or(m_facts.legScale);
    const auto axes = trunkAxes(m_character, character.pose);
    const CompiledRig& rig = *m_character.rig;
    const Vector3 forward = axes ? Vector3(*axes * Vector3::UnitZ()) : Vector3(Vector3::UnitZ());
    for (const LimbRoles& roles : kLimbs) {
        const auto length = limbLength(m_motion, motion.pose, roles),
                   own = limbLength(m_character, character.pose, roles);
        if (!length || !own || *length < 1e-9) continue;
        Limb limb;
        limb.roles = roles;
        const std::array names{roles.upper, roles.lower, roles.end};
        std::array<Vector3, 3> place;
        for (std::size_t part = 0; part < 3; ++part) {
            const JointIndex target = m_character.first(names[part]);
            limb.source[part] = m_motion.first(names[part]);
            limb.pair[part] = static_cast<std::size_t>(m_pairOf[at(target)]);
            place[part] = character.pose.position[at(target)];
        }
        limb.scale = roles.isLeg ? m_facts.legScale : *own / *length;
        limb.length = *length, limb.ownLength = *own;
        const JointIndex shin = m_pairs[limb.pair[1]].target;
        limb.standsApart = !rig.isAtOrBelow(m_pairs[limb.pair[2]].target, shin);
        limb.endFromLower = character.pose.rotation[at(shin)].conjugate() * (place[2] - place[1]);
        limb.widening = roles.isLeg ? wideningOf(limb, motion, character) : Vector3(Vector3::Zero());
        limb.isInProportion = isInProportion(limb, motion, character);
        limb.hinge = restHingeOf(limb, place, character, forward, poses);
        if (!roles.isLeg && options.armSpread != 0) {
            // Opening an arm swings it away from the body, about the front.
            const JointIndex joint = m_pairs[limb.pair[0]].target;
            const Quaternion aligned = m_alignment.rotation[limb.pair[0]] *
                                       character.pose.rotation[at(joint)].conjugate();
            limb.opening = aligned * forward *
                           (roles.upper.substr(0, 4) == "left" ? options.armSpread : -options.armSpread);
        }
        m_limbs.push_back(limb);
    }
}

/// The axis about which a limb bends while it is near straight, in the space of its upper joint: the motion's own knee
/// knows best how it bends; of one that is straight, as knees do. `place` is where the parts of the limb rest.
Vector3 Retargeter::restHingeOf(const Limb& limb, const std::array<Vector3, 3>& place, const ReferencePose& character,
                                const Vector3& forward, const std::vector<WorldPose>& poses) const
{
    if (const auto bend = bendAxis(m_motion, limb.roles, m_pairs[limb.pair[0]].source, poses))
        return m_sourceToTarget[limb.pair[0]].conjugate() * *bend;
    const Vector3 upper = place[1] - place[0], lower = place[2] - place[1];
    const bool isKnee = limb.roles.isLeg && limb.roles.upper.find("Front") == std::string_view::npos;
    Vector3 hinge = upper.cross(lower);
    constexpr double kBent = 5 / kDegrees;
    if (hinge.norm() < std::sin(kBent) * upper.norm() * lower.norm())
        hinge = isKnee ? forward.cross(upper) : upper.cross(forward);
    if (hinge.norm() < 1e-9) hinge = upper.unitOrthogonal();
    return character.pose.rotation[at(m_pairs[limb.pair[0]].target)].conjugate() * hinge.normalized();
}

/// True for a foot that does not hang from its shin, as rigs with feet for handles have them.
bool Retargeter::standsApart(const JointPair& pair) const
{
    for (const LimbRoles& limb : kLimbs)
        if (pair.role == limb.end && m_character.has(limb.lower))
            return !m_character.rig->isAtOrBelow(pair.target, m_character.first(limb.lower));
    return false;
}

/// Where the roots of the legs are not where scaling puts them, by more than what passes for a way to stand, feet are
/// as much farther apart or nearer: else thighs would lean. It turns with the foot, so that a foot that stands stays.
/// In the space of the motion's foot, [m] of the character.
Vector3 Retargeter::wideningOf(const Limb& limb, const ReferencePose& motion, const ReferencePose& character) const
{
    constexpr double kNoticed = 0.06; // of a leg: 3.4 degrees
    const Quaternion& world = m_alignment.worldFromMotion;
    Vector3 off = rootOffset(limb, motion, character);
    off.y() = 0;
    const double legs = m_facts.characterLegs.value_or(1);
    if (off.norm() < kNoticed * legs) return Vector3::Zero();
    return (world * motion.pose.rotation[at(limb.source[2])]).conjugate() * off;
}

/// From the place where scaling puts the root of a leg to where the character has it, in the turned world.
Vector3 Retargeter::rootOffset(const Limb& limb, const ReferencePose& motion, const ReferencePose& character) const
{
    const Quaternion turn = m_alignment.rotation[static_cast<std::size_t>(m_pairOf[at(m_carrier)])] *
                            character.pose.rotation[at(m_carrier)].conjugate();
    Vector3 middle = Vector3::Zero();
    for (const JointIndex thigh : m_motionThighs)
        middle += motion.pose.position[at(thigh)] / static_cast<double>(m_motionThighs.size());
    if (m_motionThighs.empty()) middle = motion.pose.position[at(m_motionHips)];
    const Vector3 ownMiddle = character.pose.position[at(m_carrier)] +
                              character.pose.rotation[at(m_carrier)] * m_middleFromCarrier;
    const Vector3 root = motion.pose.position[at(limb.source[0])],
                  own = character.pose.position[at(m_pairs[limb.pair[0]].target)];
    return turn * Vector3(own - ownMiddle) - limb.scale * (m_alignment.worldFromMotion * Vector3(root - middle));
}

/// True if the end comes to its scaled place by the bones' directions alone.
bool Retargeter::isInProportion(const Limb& limb, const ReferencePose& motion, const ReferencePose& character) const
{
    constexpr double kAlike = 5e-4; // of a bone: well below a millimetre
    const auto source = [&](std::size_t part) -> const Vector3& { return motion.pose.position[at(limb.source[part])]; };
    const auto target = [&](std::size_t part) -> const Vector3& {
        return character.pose.position[at(m_pairs[limb.pair[part]].target)];
    };
    for (std::size_t part = 0; part < 2; ++part) {
        const double bone = (source(part + 1) - source(part)).norm() * limb.scale;
        if (std::abs((target(part + 1) - target(part)).norm() - bone) > kAlike * bone) return false;
    }
    if (!limb.roles.isLeg) return true;
    // A leg's root has to be where scaling puts it.
    return rootOffset(limb, motion, character).norm() < kAlike * limb.scale * (source(1) - source(0)).norm();
}

void Retargeter::prepareAxisGroups()
{
    const CompiledRig& rig = *m_character.rig;
    m_groupOf.assign(rig.jointCount(), -1);
    const auto axisOf = [&](JointIndex joint) {
        const Joint& authored = rig.authored[at(joint)];
        int axis = -1, count = 0;
        for (int k = 0; k < 3; ++k)
            if (authored.turning[static_cast<std::size_t>(k)].active) axis = k, ++count;
        return count == 1 && !authored.ball ? axis : -1;
    };
    std::vector<AxisGroup> groups;
    bool isAxisWise = false;
    for (const JointPair& pair : m_pairs) {
        if (pair.role.empty() || pair.role == "spine" || pair.role == "neck") continue;
        AxisGroup group;
        for (const JointIndex joint : m_character.joints(pair.role))
            if (const int axis = axisOf(joint); axis >= 0) {
                group.joints.push_back(joint);
                group.axes.push_back(axis);
            }
        if (group.joints.empty() || group.joints.size() != m_character.joints(pair.role).size()) continue;
        isAxisWise = isAxisWise || group.joints.size() > 1;
        groups.push_back(std::move(group));
    }
    if (!isAxisWise) return; // a character with hinges: its keys may pass them, and its handles keep to them
    m_groups = std::move(groups);
    for (std::size_t g = 0; g < m_groups.size(); ++g) m_groupOf[at(m_groups[g].joints.front())] = static_cast<int>(g);
}

void Retargeter::prepareCarried(const Clip& clip, const ReferencePose& motion)
{
    m_shiftOf.assign(m_character.rig->jointCount(), -1);
    readMotion(clip.begin());
    for (const JointPair& pair : m_pairs) {
        const bool isOwn = pair.follows == Follows::Carried || (m_alignment.isSameSkeleton && !pair.role.empty());
        if (!isOwn || pair.target == m_carrier || pair.second >= 0 || pair.follows == Follows::Root) continue;
        const JointIndex parent = m_motion.rig->parent[at(pair.source)];
        if (parent < 0) continue;
        Shift shift{.target = pair.target, .source = pair.source};
        shift.rest = motion.pose.rotation[at(parent)].conjugate() *
                     (motion.pose.position[at(pair.source)] - motion.pose.position[at(parent)]);
        // Only where the motion stretches or slides it, or holds it elsewhere than it rests.
        const Vector3 offset = m_source.position[at(pair.source)] - m_source.position[at(parent)];
        double most = (m_source.rotation[at(parent)].conjugate() * offset - shift.rest).norm();
        for (int axis = 0; axis < 3; ++axis)
            if (const KeyList* keys = clip.find(
                    {m_motion.rig->id[at(pair.source)].value, offsetBy(Property::Tx, axis)})) {
                double low = (*keys)[0].value[0], high = low;
                for (std::size_t k = 1; k < keys->size(); ++k) {
                    low = std::min(low, (*keys)[k].value[0]);
                    high = std::max(high, (*keys)[k].value[0]);
                }
                most = std::max(most, high - low);
            }
        if (most < 1e-5) continue;
        m_shiftOf[at(pair.target)] = static_cast<int>(m_shifts.size());
        m_shifts.push_back(shift);
    }
}

void Retargeter::readMotion(Time time)
{
    m_time = time;
    m_sampler->sample({}, time, m_motionLocal);
    forwardKinematics(*m_motion.rig, m_motionLocal, m_motionModel);
    m_source.take(m_motionModel);
}

/// worldFromJoint of a joint of the character that turns as one of the motion's does.
Quaternion Retargeter::turnAs(JointIndex source, const Quaternion& sourceToTarget) const
{
    return (m_alignment.worldFromMotion * m_source.rotation[at(source)] * sourceToTarget).normalized();
}

void Retargeter::turnPairs()
{
    for (std::size_t p = 0; p < m_pairs.size(); ++p) {
        const JointPair& pair = m_pairs[p];
        m_turn[p] = turnAs(pair.source, m_sourceToTarget[p]);
        if (pair.second < 0) continue;
        const Quaternion between = m_turn[p].conjugate() * turnAs(pair.second, m_secondToTarget[p]);
        m_turn[p] = (m_turn[p] * m_share[p].of(between, m_time, pair.blend)).normalized();
    }
}

void Retargeter::openArms()
{
    const CompiledRig& rig = *m_character.rig;
    for (const Limb& limb : m_limbs) {
        if (limb.opening == Vector3::Zero()) continue;
        const std::size_t upper = limb.pair[0];
        const Quaternion sinceAligned = m_turn[upper] * m_alignment.rotation[upper].conjugate();
        const Quaternion opening = rotationFromVector(sinceAligned * limb.opening);
        for (std::size_t p = 0; p < m_pairs.size(); ++p)
            if (rig.isAtOrBelow(m_pairs[p].target, m_pairs[upper].target))
                m_turn[p] = (opening * m_turn[p]).normalized();
    }
}

Vector3 Retargeter::middleOfLegs() const
{
    Vector3 sum = Vector3::Zero();
    for (const JointIndex thigh : m_motionThighs) sum += m_source.position[at(thigh)];
    const Vector3 middle = m_motionThighs.empty() ? m_source.position[at(m_motionHips)]
                                                  : Vector3(sum / static_cast<double>(m_motionThighs.size()));
    return m_alignment.worldFromMotion * middle;
}

Vector3 Retargeter::scaledMiddle() const
{
    const Vector3 middle = middleOfLegs();
    const double height = m_standsOnShortLegs ? heightOnShortLegs() : m_facts.legScale * middle.y() + m_soleRise;
    return {m_facts.scale * middle.x(), height, m_facts.scale * middle.z()};
}

/// The joint's place in the world by its parent's and its local transform.
void Retargeter::put(JointIndex joint, LocalPose& result)
{
    const JointIndex parent = m_character.rig->parent[at(joint)];
    const Affine parentFromJoint = result.joints[at(joint)].parentFromJoint();
    m_model.modelFromJoint[at(joint)] = parent < 0 ? parentFromJoint
                                                   : m_model.modelFromJoint[at(parent)] * parentFromJoint;
    const Quaternion& local = result.joints[at(joint)].rotation;
    m_worldPosition[at(joint)] = m_model.modelFromJoint[at(joint)].translation();
    m_worldRotation[at(joint)] = parent < 0 ? local : (m_worldRotation[at(parent)] * local).normalized();
}

void Retargeter::compose(LocalPose& result)
{
    const CompiledRig& rig = *m_character.rig;
    for (std::size_t j = 0; j < rig.jointCount(); ++j) {
        const auto joint = static_cast<JointIndex>(j);
        const int pair = m_pairOf[j];
        LocalTransform& local = result.joints[j];
        const JointIndex parent = rig.parent[j];
        if (m_groupOf[j] >= 0) {
            turnAxes(m_groups[static_cast<std::size_t>(m_groupOf[j])], m_turn[static_cast<std::size_t>(pair)], result);
        } else if (pair >= 0) {
            const Quaternion& wanted = m_turn[static_cast<std::size_t>(pair)];
            local.rotation = parent < 0 ? wanted : (m_worldRotation[at(parent)].conjugate() * wanted).normalized();
        }
        if (joint == m_carrier) {
            const Quaternion& turned = m_turn[static_cast<std::size_t>(pair)];
            const Vector3 middle = scaledMiddle() - m_lowering.at(m_time) * Vector3::UnitY();
            const Vector3 place = middle - turned * m_middleFromCarrier;
            local.translation = parent < 0 ? place : Vector3(m_model.modelFromJoint[at(parent)].inverse() * place);
        } else if (m_shiftOf[j] >= 0) {
            const Shift& shift = m_shifts[static_cast<std::size_t>(m_shiftOf[j])];
            const std::size_t above = at(m_motion.rig->parent[at(shift.source)]);
            const Vector3 offset = m_source.position[at(shift.source)] - m_source.position[above];
            const Vector3 moved = m_alignment.worldFromMotion * Vector3(offset - m_source.rotation[above] * shift.rest);
            const Vector3 scaled = m_facts.legScale * moved;
            const Vector3 inParent = parent < 0
                                         ? scaled
                                         : Vector3(m_model.modelFromJoint[at(parent)].linear().inverse() * scaled);
            local.translation = m_base.joints[j].translation + inParent;
        }
        put(joint, result);
    }
}

/// Turns joints with one axis each so that the last of them comes nearest to a rotation in the world (Gauss-Newton).
void Retargeter::turnAxes(const AxisGroup& group, const Quaternion& wanted, LocalPose& result)
{
    const CompiledRig& rig = *m_character.rig;
    const std::size_t n = group.joints.size();
    std::vector<double> angles(n, 0);
    const JointIndex last = group.joints.back();
    const auto pose = [&] {
        for (std::size_t i = 0; i < n; ++i)
            result.joints[at(group.joints[i])].rotation = rig.rest[at(group.joints[i])].rotation *
                                                          Eigen::AngleAxisd(angles[i], Vector3::Unit(group.axes[i]));
        for (JointIndex joint = group.joints.front(); joint <= last; ++joint)
            if (rig.isAtOrBelow(last, joint)) put(joint, result);
    };
    // The rotation is wanted of the first, as if it turned freely; what comes after it turns along as at rest.
    Quaternion lastInFirst = Quaternion::Identity();
    for (JointIndex joint = last; joint != group.joints.front(); joint = rig.parent[at(joint)])
        lastInFirst = rig.rest[at(joint)].rotation * lastInFirst;
    const Quaternion goal = wanted * lastInFirst;
    pose();
    for (int step = 0; step < 12; ++step) {
        const Vector3 error = vectorFromRotation(goal * m_worldRotation[at(last)].conjugate());
        if (error.norm() < 1e-10) break;
        constexpr int kMostAxes = 6;
        Eigen::Matrix<double, 3, Eigen::Dynamic, 0, 3, kMostAxes> jacobian(
            3, static_cast<Eigen::Index>(std::min<std::size_t>(n, kMostAxes)));
        for (Eigen::Index i = 0; i < jacobian.cols(); ++i)
            jacobian.col(i) = m_worldRotation[at(group.joints[static_cast<std::size_t>(i)])] *
                              Vector3::Unit(group.axes[static_cast<std::size_t>(i)]);
        const Eigen::Matrix3d normal = jacobian * jacobian.transpose() + 1e-6 * Eigen::Matrix3d::Identity();
        const Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kMostAxes, 1> change = jacobian.transpose() *
                                                                                 normal.ldlt().solve(error);
        for (Eigen::Index i = 0; i < jacobian.cols(); ++i) {
            const AxisFreedom& axis = rig.authored[at(group.joints[static_cast<std::size_t>(i)])]
                                          .turning[static_cast<std::size_t>(group.axes[static_cast<std::size_t>(i)])];
            double& angle = angles[static_cast<std::size_t>(i)];
            angle += std::clamp(change[i], -1.0, 1.0);
            if (axis.limited) angle = std::clamp(angle, axis.lower(), axis.upper());
        }
        pose();
    }
}

/// Another skeleton has no use for scale: how large its parts are is its own.
void Retargeter::noteScale(const Clip& clip)
{
    std::string names;
    int count = 0;
    for (std::size_t j = 0; j < m_motion.rig->jointCount(); ++j) {
        const auto joint = static_cast<JointIndex>(j);
        if (!isScaled(clip, *m_motion.rig, joint) || ++count > 4) continue;
        names += (count == 1 ? "" : ", ") + m_motion.name(joint);
    }
    if (count > 0)
        m_facts.notes.push_back("The motion scales joints (" + names + (count > 4 ? ", ..." : "") +
                                "); the character keeps its own scale.");
}

/// Of one skeleton every joint is posed as in the motion, also those that no role knows.
void Retargeter::prepareTwins(const Clip& clip)
{
    constexpr double kSame = 1e-7; // [rad, m]
    const std::size_t n = m_character.rig->jointCount();
    std::vector<bool> turns(n, false), moves(n, false);
    readMotion(clip.begin());
    LocalPose first = m_base;
    poseTwins(first);
    for (std::size_t j = 0; j < n; ++j) {
        const JointIndex twin = m_twins.of[j];
        if (twin < 0) continue;
        for (int axis = 0; axis < 3; ++axis) {
            const ObjectId id = m_motion.rig->id[at(twin)].value;
            turns[j] = turns[j] || clip.find({id, offsetBy(Property::Rx, axis)}) != nullptr;
            moves[j] = moves[j] || clip.find({id, offsetBy(Property::Tx, axis)}) != nullptr;
        }
        turns[j] = turns[j] || clip.find({m_motion.rig->id[at(twin)].value, Property::Rotation}) != nullptr ||
                   first.joints[j].rotation.angularDistance(m_base.joints[j].rotation) > kSame;
        moves[j] = moves[j] || (first.joints[j].translation - m_base.joints[j].translation).norm() > kSame;
        if (isScaled(clip, *m_motion.rig, twin)) m_scaled.push_back(static_cast<JointIndex>(j));
    }
    // What moves above a topmost twin moves that.
    for (const JointIndex top : m_twins.tops)
        if (top == m_twins.tops.front() || m_motion.rig->parent[at(m_twins.of[at(top)])] >= 0)
            turns[at(top)] = moves[at(top)] = true;
    for (std::size_t j = 0; j < n; ++j) {
        if (turns[j]) m_turned.push_back(static_cast<JointIndex>(j));
        if (moves[j]) m_moved.push_back(static_cast<JointIndex>(j));
    }
}

void Retargeter::poseTwins(LocalPose& result)
{
    for (std::size_t j = 0; j < m_twins.of.size(); ++j)
        if (const JointIndex twin = m_twins.of[j]; twin >= 0) {
            result.joints[j].rotation = m_motionLocal.joints[at(twin)].rotation;
            result.joints[j].translation = m_motionLocal.joints[at(twin)].translation;
        }
    for (const JointIndex joint : m_scaled) {
        const std::size_t twin = at(m_twins.of[at(joint)]);
        const Vector3 &now = m_motionLocal.joints[twin].scale, &rest = m_motion.rig->rest[twin].scale;
        for (int axis = 0; axis < 3; ++axis)
            result.joints[at(joint)].scale[axis] = m_base.joints[at(joint)].scale[axis] *
                                                   (rest[axis] == 0 ? now[axis] : now[axis] / rest[axis]);
    }
    for (const JointIndex top : m_twins.tops) placeTwin(top, result);
}

/// A topmost one where the motion has it in the world. What is scaled to nothing has its turn nevertheless.
void Retargeter::placeTwin(JointIndex top, LocalPose& result) const
{
    const JointIndex there = m_twins.of[at(top)];
    LocalTransform& local = result.joints[at(top)];
    Quaternion turned = Quaternion::Identity();
    for (JointIndex joint = there; joint >= 0; joint = m_motion.rig->parent[at(joint)])
        turned = m_motionLocal.joints[at(joint)].rotation * turned;
    const Quaternion wanted = (m_alignment.worldFromMotion * turned).normalized();
    const Vector3 place = m_alignment.worldFromMotion * m_source.position[at(there)];
    const JointIndex above = m_character.rig->parent[at(top)];
    Affine world = Affine::Identity();
    for (JointIndex joint = above; joint >= 0; joint = m_character.rig->parent[at(joint)])
        world = result.joints[at(joint)].parentFromJoint() * world;
    local.rotation = above < 0 ? wanted : (rotationOf(world).conjugate() * wanted).normalized();
    local.translation = above < 0 ? place : Vector3(world.inverse() * place);
}

void Retargeter::pose(Time time, LocalPose& result)
{
    readMotion(time);
    if (!m_twins.isEmpty()) {
        result = m_base;
        poseTwins(result);
        for (const JointIndex joint : m_turned) result.isReadOff[at(joint)] = 1;
        return;
    }
    turnJoints();
    openArms();
    result = m_base;
    compose(result);
    for (Limb& limb : m_limbs) limb.offset = offsetAt(limb, time);
    reachPlaces(result);
    for (const JointIndex joint : m_turned) result.isReadOff[at(joint)] = 1;
}

} // namespace tendon
