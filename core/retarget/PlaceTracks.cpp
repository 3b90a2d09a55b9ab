#include "core/math/SmoothStep.h"
#include "core/retarget/ClipSurvey.h"
#include "core/retarget/Retargeter.h"

#include <algorithm>
#include <cmath>

namespace tendon {
namespace {

/// How much of a stance there is in each moment of a point's way: 1 where it rests, nearly 0 in a step.
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

/// How much a point of a foot stands that is higher than another one, by so much of a leg: once a heel is lifted, the
/// toes alone do, however slowly it goes on.
double shareOnFloor(double lift) { return 1 - smoothStep(0.01, 0.04, lift); }

/// Along one axis, what the points of a foot that stand ask of its ankle: where the motion's toes rest while its heel
/// rises, those of a longer foot stay where they are, too.
template <class Points>
std::vector<ClipTrack::Contact> contactsOf(const std::vector<Time>& times, const std::vector<Points>& feet, int axis,
                                           double leg)
{
    std::vector<ClipTrack::Contact> contacts;
    for (std::size_t point = 0; point < feet.front().size(); ++point) {
        ClipTrack::Contact contact;
        std::vector<Vector3> places;
        for (const Points& foot : feet) {
            places.push_back(foot[point].wanted);
            contact.places.push_back(foot[point].wanted[axis] - foot[point].now[axis]);
        }
        contact.stillness = stillnessOf(times, places, leg);
        for (std::size_t i = 0; i < times.size(); ++i) contact.stillness[i] *= shareOnFloor(feet[i][point].lift / leg);
        contacts.push_back(std::move(contact));
    }
    return contacts;
}

} // namespace

/// [m] How far the hips have to come down so that a foot is within reach of a leg's root.
double Retargeter::loweringFor(const Limb& limb, const Vector3& root, const Vector3& foot) const
{
    constexpr double kMost = 0.2; // of a leg
    const Vector3 reach = foot - root;
    const double share = std::min(0.35 + 0.65 * stretchOf(limb), straightest(limb));
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
    std::vector<std::vector<Vector3>> roots(m_limbs.size());
    std::vector<std::vector<std::array<FootPoint, 3>>> feet(m_limbs.size());
    LocalPose local;
    WorldPose first;
    bool repeats = false;
    for (const Time time : times) {
        readMotion(time);
        if (time == times.front()) first = m_source;
        repeats = time == times.back() && isAsAtFirst(first);
        turnJoints();
        local = m_base;
        compose(local);
        for (std::size_t l = 0; l < m_limbs.size(); ++l)
            roots[l].push_back(m_model.modelFromJoint[at(m_pairs[m_limbs[l].pair[0]].target)].translation());
        for (const Limb& limb : m_limbs)
            if (limb.standsApart) putApart(limb, local);
        for (std::size_t l = 0; l < m_limbs.size(); ++l) feet[l].push_back(footPoints(m_limbs[l]));
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
        for (std::size_t axis = 0; axis < 3; ++axis) {
            ClipTrack& track = m_limbs[l].offsets[axis];
            track = ClipTrack(times, std::move(along[l][axis]), repeats);
            track.dropOutliers();
            track.smooth(kShakes);
            if (axis != 1) track.hold(contactsOf(times, feet[l], static_cast<int>(axis), m_limbs[l].ownLength));
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

} // namespace tendon
