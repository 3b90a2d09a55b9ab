#include "core/document/LoopClosing.h"

#include "core/document/MirrorPose.h"
#include "core/math/Convert.h"
#include "core/math/RotationVector.h"
#include "core/runtime/KeySampling.h"
#include "core/runtime/PoseSampler.h"
#include "core/scene/RestPose.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace tendon {
namespace {

/// worldFromJoint at a time of a clip, before handles.
Affine worldAtTime(const Scene& scene, const Clip& clip, JointId joint, Time time)
{
    Affine world = Affine::Identity();
    for (const Joint* at = scene.find(joint); at != nullptr; at = scene.find(at->parent))
        world = sampleJoint(scene, &clip, {}, *at, time).local.parentFromJoint() * world;
    return world;
}

class LoopCloser
{
public:
    LoopCloser(const Scene& scene, const Clip& clip, const LoopOptions& options)
        : m_scene(scene), m_clip(clip), m_options(options), m_begin(clip.begin()), m_end(clip.end())
    {
        m_from = scene.fps.timeOf(scene.fps.frameAt(m_end) - options.frames);
        if (scene.find(options.root) == nullptr) return;
        const auto heading = [&](Time time) {
            return headingOf(scene, options.root, worldAtTime(scene, clip, options.root, time), options.axis);
        };
        const Affine first = heading(m_begin), last = heading(m_end);
        m_travel = last * first.inverse();
        const Affine parent = worldInRestPose(scene, scene.find(options.root)->parent);
        m_localTravel = parent.inverse() * m_travel * parent;
    }

    Clip close()
    {
        Clip result = m_clip;
        const std::set<JointId> only(m_options.joints.begin(), m_options.joints.end());
        for (const auto& [channel, keys] : m_clip.channels) {
            if (keys->size() < 2) continue;
            const JointId joint{channel.target};
            if (!only.empty() && only.count(joint) == 0) continue;
            const bool isRoot = joint == m_options.root;
            const bool isHandle = m_scene.find(HandleId{channel.target}) != nullptr;
            if (isRoot && channel.property <= Property::Tz) continue; // all three at once, below
            result.channels[channel] = Shared(closed(channel, *keys, isRoot, isHandle));
        }
        if (only.empty() || only.count(m_options.root) != 0) closeRoot(result);
        return result;
    }

private:
    [[nodiscard]] double weightAt(Time time) const
    {
        if (time <= m_from) return 0;
        const double x = static_cast<double>(time.ticks - m_from.ticks) /
                         static_cast<double>(m_end.ticks - m_from.ticks);
        return x * x * (3 - 2 * x);
    }

    /// Keys up to the last frames, and one at each of those.
    [[nodiscard]] std::vector<Key> framesOf(const KeyList& keys, Property property) const
    {
        std::vector<Key> result;
        for (std::size_t k = 0; k < keys.size() && keys[k].time <= m_from; ++k) result.push_back(keys[k]);
        const double last = m_scene.fps.frameAt(m_end);
        for (int i = m_options.frames; i >= 0; --i) {
            const Time time = i == 0 ? m_end : m_scene.fps.timeOf(last - i);
            if (!result.empty() && result.back().time >= time) continue;
            result.push_back({.time = time,
                              .value = sampleKeys(keys, property, time),
                              .interpolation = isQuaternion(property) ? Interpolation::Linear : Interpolation::Bezier});
        }
        return result;
    }

    [[nodiscard]] KeyList closed(ChannelId channel, const KeyList& keys, bool isRoot, bool isHandle) const
    {
        const Property property = channel.property;
        if (isSpace(property)) return keys;
        const ChannelValue first = sampleKeys(keys, property, m_begin), last = sampleKeys(keys, property, m_end);
        std::vector<Key> result = framesOf(keys, property);
        const bool goesAlong = isHandle && m_options.keepsTravel &&
                               m_scene.find(HandleId{channel.target})->followed().empty();
        if (isQuaternion(property)) {
            Quaternion goal = toQuaternion(first);
            if (isRoot) goal = rotationOf(m_localTravel) * goal;
            if (goesAlong) goal = rotationOf(m_travel) * goal;
            const Vector3 turn = vectorFromRotation(goal * toQuaternion(last).conjugate());
            for (Key& key : result)
                if (const double weight = weightAt(key.time); weight > 0)
                    key.value = toValue((rotationFromVector(turn * weight) * toQuaternion(key.value)).normalized());
            return KeyList(std::move(result), keys);
        }
        ChannelValue wanted = first;
        if (goesAlong && isPlace(property)) wanted = toValue(m_travel * toVector(first));
        for (Key& key : result) {
            for (std::size_t i = 0; i < 4; ++i) key.value[i] += weightAt(key.time) * (wanted[i] - last[i]);
            if (property == Property::Blend) key.value[0] = std::clamp(key.value[0], 0.0, 1.0);
            if (property == Property::Weight) key.value[0] = std::max(0.0, key.value[0]);
        }
        return KeyList(std::move(result), keys);
    }

    /// The root's way: where the first frame's place comes to be at the end.
    void closeRoot(Clip& result) const
    {
        const ObjectId id = m_options.root.value;
        const Joint* root = m_scene.find(m_options.root);
        if (root == nullptr) return;
        const auto placeAt = [&](Time time) {
            return sampleJoint(m_scene, &m_clip, {}, *root, time).local.translation;
        };
        const Vector3 last = placeAt(m_end), wanted = m_localTravel * placeAt(m_begin);
        // The way that is taken out when there is to be none, in the parent's axes.
        const Affine parent = worldInRestPose(m_scene, root->parent);
        const Vector3 way = m_options.keepsTravel
                                ? Vector3(Vector3::Zero())
                                : Vector3(parent.linear().inverse() *
                                          Vector3(parent.linear() * Vector3(wanted - placeAt(m_begin))));
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const ChannelId channel{id, kTranslations[axis]};
            const KeyList* keys = m_clip.find(channel);
            if (keys == nullptr || keys->size() < 2) continue;
            const auto i = static_cast<Eigen::Index>(axis);
            std::vector<Key> list = framesOf(*keys, channel.property);
            for (Key& key : list) {
                const double share = static_cast<double>(key.time.ticks - m_begin.ticks) /
                                     static_cast<double>(m_end.ticks - m_begin.ticks);
                key.value[0] += weightAt(key.time) * (wanted[i] - last[i]) - share * way[i];
            }
            result.channels[channel] = Shared(KeyList(std::move(list), *keys));
        }
    }

    const Scene& m_scene;
    const Clip& m_clip;
    const LoopOptions& m_options;
    Time m_begin, m_end, m_from;
    Affine m_travel = Affine::Identity();      ///< from the first frame to the last, in the world
    Affine m_localTravel = Affine::Identity(); ///< the same in the space of the root's parent
};

} // namespace

Result<Clip> closedLoop(const Scene& scene, const Clip& clip, const LoopOptions& options)
{
    const double length = scene.fps.frameAt(clip.end()) - scene.fps.frameAt(clip.begin());
    if (options.frames < 1 || options.frames > length)
        return Error{ErrorCode::InvalidArgument,
                     "must be from 1 to the length of the clip, which is " +
                         std::to_string(static_cast<int>(std::floor(length))) + " frames",
                     "frames"};
    return LoopCloser(scene, clip, options).close();
}

} // namespace tendon
