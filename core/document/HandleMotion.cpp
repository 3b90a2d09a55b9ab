#include "core/document/HandleMotion.h"

#include "core/document/Posing.h"
#include "core/scene/Check.h"
#include "core/scene/KeyEdit.h"
#include "core/solve/HandleSwitch.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace tendon {
namespace {

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
        const Handle& handle = *scene.find(id);
        std::set<ObjectId> joints; // where the end is in the world
        for (JointId joint = handle.end; joint.isValid(); joint = scene.find(joint)->parent) joints.insert(joint.value);
        const std::set<Time> times = keyTimes(clip, joints);
        std::map<ChannelId, std::vector<Key>> keys;
        for (const Time time : times) {
            const auto matched = switchHandle(draft.poses, scene, &clip, {}, time, id, SwitchTo::Ik);
            if (!matched) return matched.error();
            for (const ChannelWrite& write : matched->writes)
                if (write.channel.property != Property::Blend)
                    keys[write.channel].push_back({.time = time,
                                                   .value = write.value,
                                                   .interpolation = usualInterpolation(write.channel.property)});
        }
        for (auto& [channel, list] : keys)
            if (const auto keyed = draft.take(replaceKeys(std::move(draft.scene), clip.id, channel, std::move(list)));
                !keyed)
                return keyed.error();
        most = std::max(most, times.size());
    }
    return most;
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
