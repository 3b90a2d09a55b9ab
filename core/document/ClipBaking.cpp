#include "core/document/ClipBaking.h"

#include "core/math/Convert.h"
#include "core/scene/ClipEdit.h"
#include "core/scene/KeyEdit.h"
#include "core/solve/Baker.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace tendon {
namespace {

/// Adds the samples of one channel as keys: none where they are what the static value says, one where they stand still.
Result<void> addSamples(Draft& draft, ClipId clip, ChannelId channel, const std::vector<Time>& times,
                        const std::vector<ChannelValue>& values, bool isKept)
{
    const bool isStill = std::all_of(values.begin(), values.end(),
                                     [&](const ChannelValue& v) { return v == values.front(); });
    if (isStill && !isKept && values.front() == draft.scene.staticValue(channel)) return {};
    std::vector<Key> keys;
    for (std::size_t s = 0; s < (isStill ? 1 : values.size()); ++s)
        keys.push_back({.time = times[s], .value = values[s], .interpolation = Interpolation::Linear});
    return draft.take(replaceKeys(std::move(draft.scene), clip, channel, std::move(keys)));
}

/// What the bake covers: all keys, and the range of the scene if a curve that is not constant beyond its keys moves
/// there.
std::pair<Time, Time> bakedRange(const Scene& scene, const Clip& clip)
{
    std::pair range{clip.begin(), clip.end()};
    const auto goesOn = [](const KeyList& keys) {
        const bool isOpen = keys.before() != Infinity::Constant || keys.after() != Infinity::Constant;
        return isOpen && keys.size() > 1;
    };
    if (std::none_of(clip.channels.begin(), clip.channels.end(),
                     [&](const auto& entry) { return goesOn(*entry.second); }))
        return range;
    range.first = std::min(range.first, scene.fps.timeOf(scene.firstFrame));
    range.second = std::max(range.second, scene.fps.timeOf(scene.lastFrame));
    return range;
}

Result<void> addBakedJoint(Draft& draft, ClipId into, const Clip& source, const BakedClip& baked, std::size_t index)
{
    const Joint joint = *draft.scene.find(baked.joints[index]);
    const std::size_t n = baked.joints.size();
    const auto samples = [&](auto valueOf) {
        std::vector<ChannelValue> values;
        for (std::size_t s = 0; s < baked.times.size(); ++s) values.push_back(valueOf(s * n + index));
        return values;
    };
    const ObjectId id = joint.id.value;
    for (int axis = 0; axis < 3; ++axis) {
        const auto a = static_cast<std::size_t>(axis);
        const auto translations = samples(
            [&](std::size_t at) { return ChannelValue{baked.locals[at].translation[axis]}; });
        if (const auto added = addSamples(draft, into, {id, kTranslations[a]}, baked.times, translations, false);
            !added)
            return added;
        const auto scales = samples([&](std::size_t at) { return ChannelValue{baked.locals[at].scale[axis]}; });
        if (const auto added = addSamples(draft, into, {id, kScalings[a]}, baked.times, scales, false); !added)
            return added;
    }
    const bool isWhole = joint.ball || source.find({id, Property::Rotation}) != nullptr ||
                         draft.scene.statics->count({id, Property::Rotation}) != 0;
    if (isWhole) {
        const auto rotations = samples([&](std::size_t at) { return toValue(baked.locals[at].rotation); });
        const bool hidesAngles = std::any_of(kAngles.begin(), kAngles.end(), [&](Property angle) {
            return draft.scene.statics->count({id, angle}) != 0; // which show while the rotation has no key
        });
        return addSamples(draft, into, {id, Property::Rotation}, baked.times, rotations,
                          baked.isAnimated[index] || hidesAngles);
    }
    for (int axis = 0; axis < 3; ++axis) {
        const auto angles = samples([&](std::size_t at) { return ChannelValue{baked.angles[at][axis]}; });
        if (const auto added = addSamples(draft, into, {id, kAngles[static_cast<std::size_t>(axis)]}, baked.times,
                                          angles, false);
            !added)
            return added;
    }
    return {};
}

} // namespace

Result<ClipId> addBakedClip(Draft& draft, ClipId clip, std::string name)
{
    const Clip source = *draft.scene.find(clip);
    const auto [from, to] = bakedRange(draft.scene, source);
    const auto baked = draft.services.bake(draft.scene, draft.solvers,
                                           {.clip = clip,
                                            .fps = draft.scene.fps,
                                            .from = from,
                                            .to = to,
                                            .threads = 0,
                                            .cancelled = draft.services.cancelled,
                                            .progress = draft.services.progress});
    if (!baked) return baked.error();
    if (const auto added = draft.take(addClip(std::move(draft.scene), std::move(name))); !added)
        return added.error().within("into");
    const ClipId into = draft.scene.clips.back()->id;
    for (std::size_t j = 0; j < baked->joints.size(); ++j)
        if (const auto added = addBakedJoint(draft, into, source, *baked, j); !added) return added.error();
    // The new clip is the joints' alone: its handles let go.
    const ObjectList<Handle> handles = *draft.scene.handles;
    for (const Handle& handle : handles)
        if (const auto keyed = draft.take(setKey(std::move(draft.scene), into, {handle.id.value, Property::Blend},
                                                 {.time = from, .value = {0}, .interpolation = Interpolation::Step}));
            !keyed)
            return keyed.error();
    return into;
}

} // namespace tendon
