#include "core/runtime/PoseSampler.h"

#include "core/scene/Corrections.h"
#include "core/scene/RestPose.h"

#include <algorithm>

namespace tendon {
namespace {

int axisOf(Property property, Property first) { return static_cast<int>(property) - static_cast<int>(first); }

/// Calls f(first, last) for the run of entries of a map by ChannelId that belong to one object, if it has any.
template <typename Map, typename F>
void forTarget(const Map& channels, ObjectId target, F&& f)
{
    const auto first = channels.lower_bound({target, Property::Tx});
    auto last = first;
    while (last != channels.end() && last->first.target == target) ++last;
    if (first != last) f(first, last);
}

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

JointPose poseIn(const LocalPose& pose, JointIndex joint)
{
    const std::size_t i = at(joint);
    return {pose.joints[i], pose.angles[i], pose.isReadOff[i] != 0};
}

void put(const JointPose& now, JointIndex joint, LocalPose& pose)
{
    const std::size_t i = at(joint);
    pose.joints[i] = now.local;
    pose.angles[i] = now.angles;
    pose.isReadOff[i] = now.isReadOff ? 1 : 0;
}

ChannelValue defaultOf(const Handle& handle, Property property)
{
    if (property == Property::Space) return {static_cast<double>(handle.follow)};
    if (property == Property::PoleSpace) return {static_cast<double>(handle.poleFollow)};
    if (property == Property::GoalRotation) return {0, 0, 0, 1};
    if (property == Property::Blend || property == Property::Weight) return {1};
    return {};
}

} // namespace

double correctionsWeight(const Scene& scene, const Clip* clip, const PendingValues& pending, Time time)
{
    if (clip == nullptr || !clip->hasCorrectionsOn) return 0;
    const ChannelId channel = clip->correctionsWeight();
    const auto posed = pending.find(channel);
    const KeyList* keys = clip->find(channel);
    const ChannelValue weight = posed != pending.end() ? posed->second
                                : keys != nullptr      ? sampleKeys(*keys, channel.property, time)
                                                       : scene.staticValue(channel);
    return std::clamp(weight[0], 0.0, 1.0);
}

ChannelLayers sampleLayers(const Scene& scene, const Clip* clip, const PendingValues& pending, ChannelId channel,
                           Time time)
{
    const bool isKeyed = clip != nullptr && clip->find(channel) != nullptr;
    const KeyList* corrections = clip == nullptr ? nullptr : clip->find(inLayer(channel, Layer::Corrections));
    ChannelLayers layers;
    layers.base = isKeyed ? sampleKeys(shownKeys(*clip, channel), channel.property, time) : scene.staticValue(channel);
    layers.hasCorrection = corrections != nullptr;
    layers.correction = layers.hasCorrection ? sampleKeys(*corrections, channel.property, time)
                                             : noCorrection(channel.property);
    layers.weight = correctionsWeight(scene, clip, pending, time);
    return layers;
}

ChannelValue sampleChannel(const Scene& scene, const Clip* clip, const PendingValues& pending, ChannelId channel,
                           Time time)
{
    if (const auto found = pending.find(channel); found != pending.end()) return found->second;
    if (channel.layer == Layer::Corrections) {
        const KeyList* keys = clip == nullptr ? nullptr : clip->find(channel);
        return keys != nullptr ? sampleKeys(*keys, channel.property, time) : noCorrection(channel.property);
    }
    const ChannelLayers layers = sampleLayers(scene, clip, pending, channel, time);
    return corrected(channel.property, layers.base, layers.correction, layers.weight);
}

JointLayers sampleLayers(const Scene& scene, const Clip* clip, const PendingValues& pending, const Joint& joint,
                         Time time)
{
    JointLayers layers{.base = staticPose(scene, joint), .corrections = {}};
    if (clip == nullptr) return layers;
    JointChannels keyed;
    forTarget(clip->channels, joint.id.value, [&](auto first, auto last) {
        for (auto at = first; at != last; ++at)
            if (!at->second->isEmpty())
                (at->first.layer == Layer::Keys ? keyed : layers.corrections)
                    .set(at->first.property, sampleKeys(*at->second, at->first.property, time));
    });
    layers.base = posed(layers.base, keyed, restPose(joint).local.rotation, joint.rotationOrder);
    layers.weight = correctionsWeight(scene, clip, pending, time);
    return layers;
}

JointPose sampleJoint(const Scene& scene, const Clip* clip, const PendingValues& pending, const Joint& joint, Time time)
{
    const Quaternion rest = restPose(joint).local.rotation;
    const JointLayers layers = sampleLayers(scene, clip, pending, joint, time);
    const JointPose pose = corrected(layers.base, layers.corrections, layers.weight, rest, joint.rotationOrder);
    JointChannels posedByHand;
    forTarget(pending, joint.id.value, [&](auto first, auto last) {
        for (auto at = first; at != last; ++at) posedByHand.set(at->first.property, at->second);
    });
    return posed(pose, posedByHand, rest, joint.rotationOrder);
}

ChannelValue PoseSampler::Track::at(Time time)
{
    if (isInfinite(*keys, time)) return sampleKeys(*keys, property, time);
    if (!segment.contains(time)) segment = segmentAt(*keys, property, time);
    return sampleSegment(segment, property, time);
}

PoseSampler::PoseSampler(std::shared_ptr<const CompiledRig> rig) : m_rig(std::move(rig))
{
    m_handleBegin.push_back(0);
    for (std::size_t i = 0; i < m_rig->handles.size(); ++i) {
        const Handle& handle = m_rig->handles[i];
        m_handleBegin.push_back(m_handleBegin.back() +
                                static_cast<std::size_t>(axisOf(Property::CurvePoint, Property::GoalPosition)) +
                                static_cast<std::size_t>(handle.curvePoints));
    }
}

bool PoseSampler::prepare(const Scene& scene, const Clip* clip)
{
    bool isChanged = false;
    const bool isSameClip = clip == nullptr ? !m_clip : m_clip && clip == &**m_clip;
    if (!m_isPrepared || !scene.statics.isSame(m_statics)) {
        m_statics = scene.statics;
        layOutStatics(*m_statics);
        isChanged = true;
    }
    if (!m_isPrepared || !isSameClip) {
        m_clip.reset();
        for (const Shared<Clip>& candidate : scene.clips)
            if (clip == &*candidate) m_clip = candidate;
        if (clip != nullptr && !m_clip) m_clip = Shared<Clip>(*clip);
        layOutKeys(m_clip ? &**m_clip : nullptr);
        isChanged = true;
    }
    m_isPrepared = true;
    return isChanged;
}

void PoseSampler::apply(const JointChannels& channels, JointIndex joint, LocalPose& pose) const
{
    put(posed(poseIn(pose, joint), channels, m_rig->rest[at(joint)].rotation, m_rig->order[at(joint)]), joint, pose);
}

void PoseSampler::correct(const JointChannels& corrections, double weight, JointIndex joint, LocalPose& pose) const
{
    const std::size_t i = at(joint);
    put(corrected(poseIn(pose, joint), corrections, weight, m_rig->rest[i].rotation, m_rig->order[i]), joint, pose);
}

std::optional<std::size_t> PoseSampler::handleChannel(std::size_t handle, Property property) const
{
    if (property < Property::GoalPosition) return std::nullopt;
    const std::size_t channel = m_handleBegin[handle] +
                                static_cast<std::size_t>(axisOf(property, Property::GoalPosition));
    return channel < m_handleBegin[handle + 1] ? std::optional(channel) : std::nullopt;
}

bool PoseSampler::isHandleKeyed(std::size_t index, Property property) const
{
    const auto channel = handleChannel(index, property);
    return channel && m_handleTracks[*channel] >= 0;
}

void PoseSampler::layOutStatics(const StaticValues& statics)
{
    const std::size_t n = m_rig->jointCount();
    m_staticPose.joints.assign(m_rig->rest.begin(), m_rig->rest.end());
    m_staticPose.angles.assign(n, Vector3::Zero());
    m_staticPose.isReadOff.assign(n, 0);

    m_staticHandles.clear();
    for (std::size_t handle = 0; handle < m_rig->handles.size(); ++handle)
        for (int property = static_cast<int>(Property::GoalPosition);
             m_staticHandles.size() < m_handleBegin[handle + 1]; ++property)
            m_staticHandles.push_back(defaultOf(m_rig->handles[handle], static_cast<Property>(property)));

    for (std::size_t joint = 0; joint < n; ++joint)
        forTarget(statics, m_rig->id[joint].value, [&](auto first, auto last) {
            JointChannels channels;
            for (auto at = first; at != last; ++at) channels.set(at->first.property, at->second);
            apply(channels, static_cast<JointIndex>(joint), m_staticPose);
        });
    for (std::size_t handle = 0; handle < m_rig->handles.size(); ++handle)
        forTarget(statics, m_rig->handles[handle].id.value, [&](auto first, auto last) {
            for (auto at = first; at != last; ++at)
                if (const auto channel = handleChannel(handle, at->first.property))
                    m_staticHandles[*channel] = at->second;
        });
}

void PoseSampler::layOutKeys(const Clip* clip)
{
    m_tracks.clear();
    m_keyedJoints.clear();
    m_separated.clear();
    m_handleTracks.assign(m_handleBegin.back(), -1);
    m_handleCorrections.assign(m_handleBegin.back(), -1);
    m_hasCorrections = false;
    m_weightTrack = -1;
    if (clip == nullptr) return;
    const auto addTracks = [&](auto first, auto last, Layer layer, auto&& use) {
        for (auto at = first; at != last; ++at) {
            if (at->second->isEmpty() || at->first.layer != layer) continue;
            use(at->first.property);
            m_tracks.push_back({&*at->second, at->first.property, {}});
        }
    };
    for (std::size_t joint = 0; joint < m_rig->jointCount(); ++joint)
        forTarget(clip->channels, m_rig->id[joint].value, [&](auto first, auto last) {
            const std::size_t begin = m_tracks.size();
            addTracks(first, last, Layer::Keys, [](Property) {});
            const std::size_t end = m_tracks.size();
            if (clip->hasCorrectionsOn) addTracks(first, last, Layer::Corrections, [](Property) {});
            m_hasCorrections = m_hasCorrections || m_tracks.size() > end;
            m_keyedJoints.push_back({static_cast<JointIndex>(joint), begin, end, m_tracks.size()});
        });
    for (std::size_t handle = 0; handle < m_rig->handles.size(); ++handle)
        forTarget(clip->channels, m_rig->handles[handle].id.value, [&](auto first, auto last) {
            const auto into = [&](std::vector<std::int32_t>& tracks) {
                return [&](Property property) {
                    if (const auto channel = handleChannel(handle, property))
                        tracks[*channel] = static_cast<std::int32_t>(m_tracks.size());
                };
            };
            addTracks(first, last, Layer::Keys, into(m_handleTracks));
            separateSpaces(handle);
            const std::size_t end = m_tracks.size();
            if (clip->hasCorrectionsOn) addTracks(first, last, Layer::Corrections, into(m_handleCorrections));
            m_hasCorrections = m_hasCorrections || m_tracks.size() > end;
        });
    if (!m_hasCorrections) return;
    if (const KeyList* weights = clip->find(clip->correctionsWeight())) {
        m_weightTrack = static_cast<std::int32_t>(m_tracks.size());
        m_tracks.push_back({weights, Property::Weight, {}});
    }
}

PoseSampler::Track* PoseSampler::handleTrack(std::size_t index, Property property)
{
    const auto channel = handleChannel(index, property);
    const std::int32_t track = channel ? m_handleTracks[*channel] : -1;
    return track < 0 ? nullptr : &m_tracks[static_cast<std::size_t>(track)];
}

PoseSampler::Track* PoseSampler::handleCorrection(std::size_t index, Property property)
{
    const auto channel = handleChannel(index, property);
    const std::int32_t track = channel ? m_handleCorrections[*channel] : -1;
    return track < 0 ? nullptr : &m_tracks[static_cast<std::size_t>(track)];
}

double PoseSampler::weightOfCorrections(const PendingValues& pending, Time time)
{
    if (!m_hasCorrections) return 0;
    const ChannelId channel = (*m_clip)->correctionsWeight();
    const auto posed = pending.find(channel), none = pending.end();
    double weight = 1;
    if (posed != none)
        weight = posed->second[0];
    else if (m_weightTrack >= 0)
        weight = m_tracks[static_cast<std::size_t>(m_weightTrack)].at(time)[0];
    else if (const auto stated = m_statics->find(channel); stated != m_statics->end())
        weight = stated->second[0];
    return std::clamp(weight, 0.0, 1.0);
}

/// Where spaces are keyed, tangents at the borders of spaces must not look across them.
void PoseSampler::separateSpaces(std::size_t handle)
{
    for (std::size_t channel = m_handleBegin[handle]; channel < m_handleBegin[handle + 1]; ++channel) {
        if (m_handleTracks[channel] < 0) continue;
        Track& track = m_tracks[static_cast<std::size_t>(m_handleTracks[channel])];
        const Track* spaces = isPlace(track.property) ? handleTrack(handle, spaceOf(track.property)) : nullptr;
        if (spaces == nullptr) continue;
        m_separated.push_back(std::make_unique<KeyList>(withinSpaces(*track.keys, track.property, *spaces->keys)));
        track.keys = m_separated.back().get();
    }
}

void PoseSampler::sample(const PendingValues& pending, Time time, LocalPose& pose)
{
    pose.joints.assign(m_staticPose.joints.begin(), m_staticPose.joints.end());
    pose.angles.assign(m_staticPose.angles.begin(), m_staticPose.angles.end());
    pose.isReadOff.assign(m_staticPose.isReadOff.begin(), m_staticPose.isReadOff.end());
    const double weight = weightOfCorrections(pending, time);
    const auto channelsOf = [&](std::size_t begin, std::size_t end) {
        JointChannels channels;
        for (std::size_t track = begin; track < end; ++track)
            channels.set(m_tracks[track].property, m_tracks[track].at(time));
        return channels;
    };
    for (const KeyedJoint& keyed : m_keyedJoints) {
        apply(channelsOf(keyed.trackBegin, keyed.trackEnd), keyed.joint, pose);
        if (weight > 0 && keyed.correctionEnd > keyed.trackEnd)
            correct(channelsOf(keyed.trackEnd, keyed.correctionEnd), weight, keyed.joint, pose);
    }
    if (pending.empty()) return;
    forEachTarget(pending, [&](ObjectId target, auto first, auto last) {
        const JointIndex joint = m_rig->index(JointId{target});
        if (joint < 0) return;
        JointChannels channels;
        for (auto at = first; at != last; ++at) channels.set(at->first.property, at->second);
        apply(channels, joint, pose);
    });
}

ChannelValue PoseSampler::handleValue(std::size_t index, Property property, const PendingValues& pending, Time time)
{
    if (!pending.empty()) {
        const auto found = pending.find({m_rig->handles[index].id.value, property});
        if (found != pending.end()) return found->second;
    }
    const ChannelValue base = baseOfHandle(index, property, time);
    Track* correction = m_hasCorrections ? handleCorrection(index, property) : nullptr;
    if (correction == nullptr) return base;
    return corrected(property, base, correction->at(time), weightOfCorrections(pending, time));
}

ChannelValue PoseSampler::baseOfHandle(std::size_t index, Property property, Time time)
{
    const std::size_t channel = *handleChannel(index, property);
    const std::int32_t track = m_handleTracks[channel];
    return track < 0 ? m_staticHandles[channel] : m_tracks[static_cast<std::size_t>(track)].at(time);
}

ObjectId PoseSampler::handleSpace(std::size_t index, Property place, const PendingValues& pending, Time time)
{
    const Property space = spaceOf(place);
    if (handleTrack(index, place) == nullptr)
        return static_cast<ObjectId>(m_staticHandles[*handleChannel(index, space)][0]);
    return static_cast<ObjectId>(handleValue(index, space, pending, time)[0]);
}

PoseSampler::Place PoseSampler::handlePlace(std::size_t index, Property property, const PendingValues& pending,
                                            Time time)
{
    Track* track = handleTrack(index, property);
    const Track* spaces = track == nullptr ? nullptr : handleTrack(index, spaceOf(property));
    const bool isPosed = !pending.empty() && pending.count({m_rig->handles[index].id.value, property}) != 0;
    Place place;
    if (spaces == nullptr || isPosed) {
        place.space = handleSpace(index, property, pending, time);
        place.value = handleValue(index, property, pending, time);
        return place;
    }
    if (Track* correction = m_hasCorrections ? handleCorrection(index, property) : nullptr) {
        place.correction = correction->at(time);
        place.weight = weightOfCorrections(pending, time);
    }
    const KeyList& keys = *track->keys;
    const bool isBeyond = isInfinite(keys, time);
    const Infinity infinity = time > keys.back().time ? keys.after() : keys.before();
    place.inside = isBeyond && isRepeat(infinity) ? repeatAt(keys, time).inside
                   : isBeyond                     ? (time > keys.back().time ? keys.back() : keys.front()).time
                                                  : time;
    if (!track->segment.contains(place.inside)) track->segment = segmentAt(keys, property, place.inside);
    const KeySegment& segment = track->segment;
    const Key &left = segment.left != nullptr ? *segment.left : *segment.right,
              &right = segment.right != nullptr ? *segment.right : *segment.left;
    place.space = spaceAt(*spaces->keys, left.time);
    place.nextSpace = spaceAt(*spaces->keys, right.time);
    place.isBetween = place.space != place.nextSpace && place.inside != left.time;
    if (place.isBetween) {
        place.segment = segment;
    } else if (isBeyond && infinity == Infinity::CycleOffset &&
               spaceAt(*spaces->keys, keys.front().time) != spaceAt(*spaces->keys, keys.back().time)) {
        place.value = sampleSegment(segment, property, place.inside); // two spaces have no difference to go on by
    } else {
        place.value = sampleKeys(keys, property, time);
    }
    if (!place.isBetween) place.value = corrected(property, place.value, place.correction, place.weight);
    return place;
}

} // namespace tendon
