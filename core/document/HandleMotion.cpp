#include "core/document/HandleMotion.h"

#include "core/document/Posing.h"
#include "core/math/Convert.h"
#include "core/runtime/KeySampling.h"
#include "core/scene/Check.h"
#include "core/scene/FollowSpace.h"
#include "core/scene/FrameNumber.h"
#include "core/scene/KeyEdit.h"
#include "core/solve/HandleSwitch.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <set>

namespace tendon {
namespace {

/// Between two keys a goal may be off the motion by this share of the chain's length, and by this angle [rad]; what
/// turns the chain about the line to its goal by more, as it moves the joints between less.
constexpr double kNear = 1e-3, kNearAngle = 0.0035, kNearTwist = 0.02, kPoleShare = 20;
constexpr std::size_t kMostBetween =
    2000; ///< keys between those of the motion: a clip of hours is not filled with them

/// The times at which joints have keys of where they are or how they are turned.
std::set<Time> keyTimes(const Clip& clip, const std::set<ObjectId>& joints)
{
    std::set<Time> times;
    for (const auto& [channel, keys] : clip.channels) {
        if (joints.count(channel.target) == 0) continue;
        for (std::size_t i = 0; i < keys->size(); ++i) times.insert((*keys)[i].time);
    }
    return times;
}

/// A joint, or one above it, is posed without a key.
bool isPosed(const Scene& scene, const PendingValues& pending, JointId joint)
{
    for (; joint.isValid(); joint = scene.find(joint)->parent)
        if (std::any_of(pending.begin(), pending.end(),
                        [&](const auto& entry) { return entry.first.target == joint.value; }))
            return true;
    return false;
}

double restLength(const Scene& scene, const Handle& handle)
{
    double length = handle.offset.norm();
    for (const JointId joint : chain(scene, handle.start, handle.end))
        if (joint != handle.start) length += scene.find(joint)->rest.translation.norm();
    return length;
}

/// What a handle has to be keyed with so that it shows a motion: at the times of the motion's keys, and at frames
/// between them where the goal would leave the motion.
class MatchedMotion
{
public:
    MatchedMotion(SolvedPoses& poses, const Scene& scene, const Clip& clip, const Handle& handle)
        : m_poses(poses), m_scene(scene), m_clip(clip), m_handle(handle), m_near(kNear * restLength(scene, handle))
    {
    }

    [[nodiscard]] Result<void> match()
    {
        std::set<ObjectId> joints; // where the end is in the world
        for (JointId joint = m_handle.end; joint.isValid(); joint = m_scene.find(joint)->parent)
            joints.insert(joint.value);
        for (JointId joint : followedJoints(m_scene, m_handle)) // and what it is seen from
            for (; joint.isValid(); joint = m_scene.find(joint)->parent) joints.insert(joint.value);
        for (const HandleId followed : followedHandles(m_scene, m_handle)) joints.insert(followed.value);
        std::set<Time> due = keyTimes(m_clip, joints);
        m_most = due.size() + kMostBetween;
        while (!due.empty()) {
            for (const Time time : due)
                if (const auto matched = valuesAt(time); !matched) return matched.error();
            m_times.merge(due);
            auto more = timesToAdd();
            if (!more) return more.error();
            due = *std::move(more);
        }
        return {};
    }

    [[nodiscard]] std::size_t timeCount() const { return m_times.size(); }

    [[nodiscard]] std::map<ChannelId, std::vector<Key>> keys() const
    {
        std::map<ChannelId, std::vector<Key>> keys;
        for (const Time time : m_times)
            for (const ChannelWrite& write : m_values.at(time))
                keys[write.channel].push_back(
                    {.time = time, .value = write.value, .interpolation = usualInterpolation(write.channel)});
        return keys;
    }

private:
    [[nodiscard]] Result<const ChannelWrites*> valuesAt(Time time)
    {
        if (const auto known = m_values.find(time); known != m_values.end()) return &known->second;
        auto matched = switchHandle(m_poses, m_scene, &m_clip, {}, time, m_handle.id, SwitchTo::Ik);
        if (!matched) return matched.error();
        std::erase_if(matched->writes,
                      [](const ChannelWrite& write) { return write.channel.property == Property::Blend; });
        return &m_values.emplace(time, std::move(matched->writes)).first->second;
    }

    /// The middle frames of the gaps in which the keys so far leave the motion. A key that is almost on a frame is on
    /// it.
    [[nodiscard]] Result<std::set<Time>> timesToAdd()
    {
        std::map<ChannelId, KeyList> curves;
        for (auto& [channel, list] : keys()) curves.emplace(channel, KeyList(std::move(list)));
        std::set<Time> more;
        for (auto next = m_times.begin(); next != m_times.end(); ++next) {
            if (next == m_times.begin()) continue;
            const double before = m_scene.fps.frameAt(*std::prev(next)), after = m_scene.fps.frameAt(*next),
                         first = std::floor(before + nearWholeFrame(before)) + 1,
                         last = std::ceil(after - nearWholeFrame(after)) - 1;
            if (first > last) continue;
            for (const double share : {0.5, 0.25, 0.75}) {
                const auto leaves = leavesAt(curves, m_scene.fps.timeOf(std::round(first + share * (last - first))));
                if (!leaves) return leaves.error();
                if (!*leaves) continue;
                const Time middle = m_scene.fps.timeOf(std::round(0.5 * (first + last)));
                if (middle > *std::prev(next) && middle < *next && m_times.size() + more.size() < m_most)
                    more.insert(middle);
                break;
            }
        }
        return more;
    }

    [[nodiscard]] Result<bool> leavesAt(const std::map<ChannelId, KeyList>& curves, Time time)
    {
        const auto values = valuesAt(time);
        if (!values) return values.error();
        return std::any_of((*values)->begin(), (*values)->end(), [&](const ChannelWrite& write) {
            const Property property = write.channel.property;
            const auto curve = curves.find(write.channel);
            if (curve == curves.end()) return false;
            const ChannelValue shown = sampleKeys(curve->second, property, time);
            if (property == Property::GoalRotation)
                return toQuaternion(shown).angularDistance(toQuaternion(write.value)) > kNearAngle;
            if (isAngle(property)) return std::abs(shown[0] - write.value[0]) > kNearTwist;
            const double distance = (toVector(shown) - toVector(write.value)).norm();
            return distance > (property == Property::Pole ? kPoleShare * m_near : m_near);
        });
    }

    SolvedPoses& m_poses;
    const Scene& m_scene;
    const Clip& m_clip;
    const Handle& m_handle;
    double m_near;          ///< [m]
    std::size_t m_most = 0; ///< times
    std::map<Time, ChannelWrites> m_values;
    std::set<Time> m_times;
};

} // namespace

bool movesChain(const Scene& scene, const Clip& clip, JointId start, JointId end)
{
    const std::vector<JointId> joints = chain(scene, start, end);
    return std::any_of(clip.channels.begin(), clip.channels.end(), [&](const auto& entry) {
        const JointId joint{entry.first.target};
        return (joint != end || joints.size() == 1) && std::find(joints.begin(), joints.end(), joint) != joints.end();
    });
}

Result<std::size_t> keyGoalsAlongMotion(Draft& draft, std::span<const HandleId> handles)
{
    // Each time is matched against the motion without these keys, and without the other handles.
    Scene scene = draft.scene;
    for (const HandleId id : handles) {
        auto without = setStatic(std::move(scene), {id.value, Property::Blend}, {0});
        if (!without) return without.error();
        scene = *std::move(without);
    }
    const Clip& clip = *scene.find(draft.edit.currentClip);
    std::size_t most = 0;
    for (const HandleId id : handles) {
        MatchedMotion motion(draft.poses, scene, clip, *scene.find(id));
        if (const auto matched = motion.match(); !matched) return matched.error();
        for (auto& [channel, list] : motion.keys())
            if (const auto keyed = draft.take(replaceKeys(std::move(draft.scene), clip.id, channel, std::move(list)));
                !keyed)
                return keyed.error();
        most = std::max(most, motion.timeCount());
    }
    // A pose that is not keyed yet stays as it is shown.
    const PendingValues pending = draft.edit.pending;
    for (const HandleId id : handles) {
        if (!isPosed(scene, pending, scene.find(id)->end)) continue;
        const auto posed = switchHandle(draft.poses, scene, &clip, pending, draft.time(), id, SwitchTo::Ik);
        if (!posed) return posed.error();
        for (const ChannelWrite& write : posed->writes)
            if (write.channel.property != Property::Blend)
                if (const auto set = poseChannel(draft, write.channel, write.value); !set) return set.error();
    }
    return most;
}

bool isBlendedOut(const Scene& scene, const Clip& clip, const Handle& handle)
{
    const ChannelId blend{handle.id.value, Property::Blend};
    if (clip.find(inLayer(blend, Layer::Corrections)) != nullptr) return false;
    const KeyList* keys = clip.find(blend);
    if (keys == nullptr) return scene.staticValue(blend)[0] <= 0;
    const std::vector<Key> list = keys->toVector();
    return std::all_of(list.begin(), list.end(), [](const Key& key) {
        const bool isFlat = !isStored(key.tangents) || (key.in[0] == 0 && key.out[0] == 0);
        return key.value[0] <= 0 && isFlat;
    });
}

Result<void> keyBlendOff(Draft& draft, const Clip& clip, HandleId handle)
{
    std::optional<Time> first;
    for (const auto& [channel, keys] : clip.channels)
        if (!keys->isEmpty() && (!first || keys->front().time < *first)) first = keys->front().time;
    if (!first) return {};
    return draft.take(replaceKeys(std::move(draft.scene), clip.id, {handle.value, Property::Blend},
                                  {{.time = *first, .value = {0}, .interpolation = Interpolation::Step}}));
}

} // namespace tendon
