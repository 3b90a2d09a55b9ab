#include "core/retarget/RetargetClip.h"

#include "core/math/Convert.h"
#include "core/math/Degrees.h"
#include "core/retarget/ClipSurvey.h"
#include "core/scene/FrameNumber.h"

#include <algorithm>
#include <cmath>

namespace tendon {
namespace {

/// Finds steps of joints that are far beyond those of the motion.
class JumpFinder
{
public:
    JumpFinder(const Retargeter& retargeter, FrameRate fps) : m_retargeter(retargeter), m_fps(fps) {}

    void take(Time time, const LocalPose& pose, std::vector<RetargetJump>& jumps)
    {
        const WorldPose& source = m_retargeter.motionPose();
        const CompiledRig& rig = *m_retargeter.characterRig();
        const std::vector<JointPair>& pairs = m_retargeter.pairs();
        std::vector<Quaternion> motion(pairs.size()), own(pairs.size());
        for (std::size_t p = 0; p < pairs.size(); ++p) {
            // Beside the pair above, on both sides: there may be other joints between.
            const int parent = pairs[p].parent;
            const auto above = static_cast<std::size_t>(std::max(parent, 0));
            const Quaternion world = parent < 0 ? Quaternion::Identity() : source.rotation[at(pairs[above].source)];
            motion[p] = world.conjugate() * source.rotation[at(pairs[p].source)];
            own[p] = pose.joints[at(pairs[p].target)].rotation;
        }
        for (std::size_t p = 0; p < pairs.size() && !m_motion.empty(); ++p) {
            constexpr double kFar = 20 / kDegrees; // as in the solution of a clip
            const double step = own[p].angularDistance(m_own[p]), asked = motion[p].angularDistance(m_motion[p]);
            if (step > kFar + 3 * asked)
                jumps.push_back({rig.id[at(pairs[p].target)], toldFrame(m_fps.frameAt(time)), step});
        }
        m_motion = std::move(motion);
        m_own = std::move(own);
    }

private:
    const Retargeter& m_retargeter;
    FrameRate m_fps;
    std::vector<Quaternion> m_motion, m_own; ///< (pairs) local rotations of the frame before; empty before the first
};

} // namespace

void JointKeys::push(ChannelId channel, Time time, const ChannelValue& value)
{
    m_keys[channel].push_back({.time = time, .value = value, .interpolation = Interpolation::Linear});
}

void JointKeys::add(JointId joint, Time time, const Quaternion& rotation)
{
    const ChannelId channel{joint.value, Property::Rotation};
    const auto former = m_keys.find(channel);
    Quaternion q = rotation;
    if (former != m_keys.end() && toQuaternion(former->second.back().value).dot(q) < 0) q.coeffs() = -q.coeffs();
    push(channel, time, toValue(q));
}

void JointKeys::add(JointId joint, Time time, const Vector3& translation)
{
    for (int axis = 0; axis < 3; ++axis) push({joint.value, offsetBy(Property::Tx, axis)}, time, {translation[axis]});
}

void JointKeys::addScale(JointId joint, Time time, const Vector3& scale)
{
    for (int axis = 0; axis < 3; ++axis) push({joint.value, offsetBy(Property::Sx, axis)}, time, {scale[axis]});
}

void JointKeys::writeInto(SharedMap<ChannelId, Shared<KeyList>>& channels) const
{
    const auto isStill = [](const std::vector<Key>& keys) {
        constexpr double kStill = 1e-10;
        return std::all_of(keys.begin(), keys.end(), [&](const Key& key) {
            for (std::size_t i = 0; i < 4; ++i)
                if (std::abs(key.value[i] - keys.front().value[i]) > kStill) return false;
            return true;
        });
    };
    // A clip that holds one pose is as long as it is.
    const bool holds = std::all_of(m_keys.begin(), m_keys.end(),
                                   [&](const auto& entry) { return isStill(entry.second); });
    for (const auto& [channel, keys] : m_keys) {
        std::vector<Key> written = keys;
        if (isStill(keys)) {
            written = {keys.front()};
            if (holds && keys.size() > 1) written.push_back(keys.back());
        }
        channels[channel] = Shared(KeyList(std::move(written)));
    }
}

std::vector<Time> wholeFrames(const Clip& clip, FrameRate fps)
{
    constexpr double kSame = 1e-3; // [frames]
    std::vector<Time> times;
    for (double frame = std::ceil(fps.frameAt(clip.begin()) - kSame); frame <= fps.frameAt(clip.end()) + kSame; ++frame)
        times.push_back(fps.timeOf(frame));
    if (times.empty()) times.push_back(fps.timeOf(std::round(fps.frameAt(clip.begin()))));
    return times;
}

Result<RetargetedClip> retargetClip(Retargeter& retargeter, const std::vector<Time>& times, FrameRate fps,
                                    const std::function<void(double)>& progress, const std::atomic<bool>* cancelled)
{
    RetargetedClip result;
    result.times = times;
    const CompiledRig& rig = *retargeter.characterRig();
    JointKeys keys;
    JumpFinder jumps(retargeter, fps);
    LocalPose pose;
    for (std::size_t i = 0; i < result.times.size(); ++i) {
        if (cancelled != nullptr && *cancelled) return Error{ErrorCode::Cancelled, "was cancelled", ""};
        const Time time = result.times[i];
        retargeter.pose(time, pose);
        for (const JointIndex joint : retargeter.turned())
            keys.add(rig.id[at(joint)], time, pose.joints[at(joint)].rotation);
        for (const JointIndex joint : retargeter.moved())
            keys.add(rig.id[at(joint)], time, pose.joints[at(joint)].translation);
        for (const JointIndex joint : retargeter.scaled())
            keys.addScale(rig.id[at(joint)], time, pose.joints[at(joint)].scale);
        jumps.take(time, pose, result.jumps);
        if (progress) progress(static_cast<double>(i + 1) / static_cast<double>(result.times.size()));
    }
    keys.writeInto(result.channels);
    return result;
}

} // namespace tendon
