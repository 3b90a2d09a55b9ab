#include "core/runtime/PoseSampler.h"

#include "core/math/Interpolate.h"

namespace tendon {
namespace {

int axisOf(Property property, Property first) { return static_cast<int>(property) - static_cast<int>(first); }

bool isTurningAngle(Property p) { return p >= Property::Rx && p <= Property::Rz; }

/// What poses one joint, gathered channel by channel and then put into the pose.
class JointPoser
{
public:
    JointPoser(const CompiledRig& rig, std::size_t joint, LocalPose& pose) : m_rig(rig), m_joint(joint), m_pose(pose) {}

    void set(Property property, const ChannelValue& value)
    {
        LocalTransform& local = m_pose.local[m_joint];
        if (property <= Property::Tz) {
            local.translation[axisOf(property, Property::Tx)] = value[0];
        } else if (isTurningAngle(property)) {
            m_pose.angles[m_joint][axisOf(property, Property::Rx)] = value[0];
            m_hasAngles = true;
        } else if (property <= Property::Sz) {
            local.scale[axisOf(property, Property::Sx)] = value[0];
        } else if (property == Property::Rotation) {
            m_rotation = unitQuaternion({value[3], value[0], value[1], value[2]});
            m_hasRotation = true;
        }
    }

    /// The rotation, from what was set; left alone when nothing was.
    void finish()
    {
        LocalTransform& local = m_pose.local[m_joint];
        const Quaternion& rest = m_rig.rest[m_joint].rotation;
        const RotationOrder order = m_rig.order[m_joint];
        if (m_hasRotation) {
            local.rotation = m_rotation;
            m_pose.angles[m_joint] = anglesFromRotation(rest.conjugate() * local.rotation, order, Vector3::Zero());
            m_pose.isReadOff[m_joint] = 1;
        } else if (m_hasAngles) {
            local.rotation = rest * rotationFromAngles(m_pose.angles[m_joint], order);
            m_pose.isReadOff[m_joint] = 0;
        }
    }

private:
    const CompiledRig& m_rig;
    std::size_t m_joint;
    LocalPose& m_pose;
    Quaternion m_rotation = Quaternion::Identity();
    bool m_hasRotation = false, m_hasAngles = false;
};

/// Calls f(target, first, last) for each run of entries of a map by ChannelId that belong to one object.
template <typename Map, typename F>
void forEachTarget(const Map& channels, F&& f)
{
    for (auto first = channels.begin(); first != channels.end();) {
        auto last = first;
        while (last != channels.end() && last->first.target == first->first.target) ++last;
        f(first->first.target, first, last);
        first = last;
    }
}

ChannelValue defaultOfHandle(Property property)
{
    if (property == Property::GoalRotation) return {0, 0, 0, 1};
    if (property == Property::Blend || property == Property::Weight) return {1};
    return {};
}

} // namespace

ChannelValue sampleChannel(const Scene& scene, const Clip* clip, const PendingValues& pending, ChannelId channel,
                           Time time)
{
    if (const auto found = pending.find(channel); found != pending.end()) return found->second;
    const KeyList* keys = clip == nullptr ? nullptr : clip->find(channel);
    return keys != nullptr ? sampleKeys(*keys, channel.property, time) : scene.staticValue(channel);
}

ChannelValue PoseSampler::Track::at(Time time)
{
    if (!segment.contains(time)) segment = segmentAt(*keys, property, time);
    return sampleSegment(segment, property, time);
}

PoseSampler::PoseSampler(std::shared_ptr<const CompiledRig> rig) : m_rig(std::move(rig))
{
    for (std::size_t i = 0; i < m_rig->handles.size(); ++i) m_handleIndex.emplace(m_rig->handles[i].id.value, i);
}

void PoseSampler::prepare(const Scene& scene, const Clip* clip)
{
    const bool isSameClip = clip == nullptr ? !m_clip : m_clip && clip == &**m_clip;
    if (m_isPrepared && isSameClip && scene.statics.isSame(m_statics)) return;

    if (!isSameClip) {
        m_clip.reset();
        for (const Shared<Clip>& candidate : scene.clips)
            if (clip == &*candidate) m_clip = candidate;
        if (clip != nullptr && !m_clip) m_clip = Shared<Clip>(*clip);
    }
    m_statics = scene.statics;
    layOutStatics(*m_statics);
    layOutKeys(m_clip ? &**m_clip : nullptr);
    m_isPrepared = true;
}

void PoseSampler::layOutStatics(const StaticValues& statics)
{
    const std::size_t n = m_rig->jointCount();
    m_staticPose.local.assign(m_rig->rest.begin(), m_rig->rest.end());
    m_staticPose.angles.assign(n, Vector3::Zero());
    m_staticPose.isReadOff.assign(n, 0);

    m_handleChannels.assign(m_rig->handles.size() * kHandleProperties, {});
    for (std::size_t i = 0; i < m_handleChannels.size(); ++i)
        m_handleChannels[i].value = defaultOfHandle(
            static_cast<Property>(static_cast<std::size_t>(Property::GoalPosition) + i % kHandleProperties));

    forEachTarget(statics, [&](ObjectId target, auto first, auto last) {
        if (const JointIndex joint = m_rig->index(JointId{target}); joint >= 0) {
            JointPoser poser(*m_rig, static_cast<std::size_t>(joint), m_staticPose);
            for (auto at = first; at != last; ++at) poser.set(at->first.property, at->second);
            poser.finish();
        } else if (const auto handle = m_handleIndex.find(target); handle != m_handleIndex.end()) {
            for (auto at = first; at != last; ++at)
                if (at->first.property >= Property::GoalPosition)
                    m_handleChannels[handle->second * kHandleProperties +
                                     static_cast<std::size_t>(axisOf(at->first.property, Property::GoalPosition))]
                        .value = at->second;
        }
    });
}

void PoseSampler::layOutKeys(const Clip* clip)
{
    m_tracks.clear();
    m_keyedJoints.clear();
    if (clip == nullptr) return;
    forEachTarget(clip->channels, [&](ObjectId target, auto first, auto last) {
        const JointIndex joint = m_rig->index(JointId{target});
        const auto handle = m_handleIndex.find(target);
        if (joint < 0 && handle == m_handleIndex.end()) return;
        const std::size_t begin = m_tracks.size();
        for (auto at = first; at != last; ++at) {
            const Property property = at->first.property;
            if (at->second->isEmpty()) continue;
            if (joint < 0 && property >= Property::GoalPosition)
                m_handleChannels[handle->second * kHandleProperties +
                                 static_cast<std::size_t>(axisOf(property, Property::GoalPosition))]
                    .track = static_cast<std::int32_t>(m_tracks.size());
            m_tracks.push_back({&*at->second, property, {}});
        }
        if (joint >= 0) m_keyedJoints.push_back({joint, begin, m_tracks.size()});
    });
}

void PoseSampler::sampleKeyedJoint(const KeyedJoint& keyed, Time time, LocalPose& pose)
{
    JointPoser poser(*m_rig, static_cast<std::size_t>(keyed.joint), pose);
    for (std::size_t track = keyed.trackBegin; track < keyed.trackEnd; ++track)
        poser.set(m_tracks[track].property, m_tracks[track].at(time));
    poser.finish();
}

void PoseSampler::applyPending(const PendingValues& pending, LocalPose& pose) const
{
    forEachTarget(pending, [&](ObjectId target, auto first, auto last) {
        const JointIndex joint = m_rig->index(JointId{target});
        if (joint < 0) return;
        JointPoser poser(*m_rig, static_cast<std::size_t>(joint), pose);
        for (auto at = first; at != last; ++at) poser.set(at->first.property, at->second);
        poser.finish();
    });
}

void PoseSampler::sample(const PendingValues& pending, Time time, LocalPose& pose)
{
    pose.local.assign(m_staticPose.local.begin(), m_staticPose.local.end());
    pose.angles.assign(m_staticPose.angles.begin(), m_staticPose.angles.end());
    pose.isReadOff.assign(m_staticPose.isReadOff.begin(), m_staticPose.isReadOff.end());
    for (const KeyedJoint& keyed : m_keyedJoints) sampleKeyedJoint(keyed, time, pose);
    if (!pending.empty()) applyPending(pending, pose);
}

ChannelValue PoseSampler::handleValue(std::size_t index, Property property, const PendingValues& pending, Time time)
{
    if (!pending.empty()) {
        const auto found = pending.find({m_rig->handles[index].id.value, property});
        if (found != pending.end()) return found->second;
    }
    const HandleChannel& channel = m_handleChannels[index * kHandleProperties +
                                                    static_cast<std::size_t>(axisOf(property, Property::GoalPosition))];
    return channel.track < 0 ? channel.value : m_tracks[static_cast<std::size_t>(channel.track)].at(time);
}

} // namespace tendon
