#include "core/document/LoopClosing.h"

#include "core/document/KeyInsertion.h"
#include "core/document/MirrorPose.h"
#include "core/math/Convert.h"
#include "core/math/RotationVector.h"
#include "core/runtime/KeySampling.h"
#include "core/runtime/PoseSampler.h"
#include "core/scene/RestPose.h"

#include <algorithm>
#include <array>
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
        if (options.range) m_begin = options.range->from, m_end = options.range->to;
        m_from = scene.fps.timeOf(scene.fps.frameAt(m_end) - options.frames);
        if (scene.find(options.root) == nullptr) return;
        const auto [first, last] = options.solvedRoot.value_or(
            std::pair(worldAtTime(scene, clip, options.root, m_begin), worldAtTime(scene, clip, options.root, m_end)));
        const auto heading = [&](const Affine& world) { return headingOf(scene, options.root, world, options.axis); };
        const Affine travel = heading(last) * heading(first).inverse();
        m_parent = worldInRestPose(scene, scene.find(options.root)->parent);
        m_start = first.translation();
        m_way = travel * m_start - m_start;
        const Quaternion turned = rotationOf(travel);
        m_turn = 2 * std::atan2(turned.y(), turned.w());
        // What goes on, round by round: all of it, the way alone, or the turn where it began.
        m_travel = travel;
        if (!options.keepsTurn) m_travel = Affine(Eigen::Translation3d(m_way));
        if (!options.keepsTravel)
            m_travel = options.keepsTurn ? turnedAbout(m_start, m_turn) : Affine(Affine::Identity());
        m_localTravel = m_parent.inverse() * m_travel * m_parent;
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
            if (isRoot && removes() && isTurning(channel.property)) continue;
            result.channels[channel] = Shared(closed(channel, *keys, isRoot, isHandle));
        }
        if (m_scene.find(m_options.root) == nullptr || !(only.empty() || only.count(m_options.root) != 0))
            return result;
        if (m_options.solvedRoot) return result; // its handle's goal has been closed
        if (removes())
            removeFromRoot(result);
        else
            closeRoot(result);
        return result;
    }

private:
    [[nodiscard]] bool removes() const { return !m_options.keepsTravel || !m_options.keepsTurn; }
    static bool isTurning(Property property)
    {
        return property == Property::Rotation || (property >= Property::Rx && property <= Property::Rz);
    }
    static Affine turnedAbout(const Vector3& centre, double turn)
    {
        return Affine(Eigen::Translation3d(centre)) * Affine(Eigen::AngleAxisd(turn, Vector3::UnitY())) *
               Affine(Eigen::Translation3d(-centre));
    }

    /// What is taken out at a time: a share of the way, and of the turn about where the figure began or, if it goes on,
    /// is.
    [[nodiscard]] Affine removedAt(Time time) const
    {
        const double share = static_cast<double>(time.ticks - m_begin.ticks) /
                             static_cast<double>(m_end.ticks - m_begin.ticks);
        Affine removed = Affine::Identity();
        if (!m_options.keepsTurn)
            removed = turnedAbout(m_options.keepsTravel ? rootAt(time, share) : m_start, share * m_turn);
        if (!m_options.keepsTravel) removed = Affine(Eigen::Translation3d(share * m_way)) * removed;
        return removed;
    }

    /// Under a handle on the straight way to its last place.
    [[nodiscard]] Vector3 rootAt(Time time, double share) const
    {
        if (m_options.solvedRoot) return m_start + share * m_way;
        return worldAtTime(m_scene, m_clip, m_options.root, time).translation();
    }

    [[nodiscard]] double weightAt(Time time) const
    {
        if (time <= m_from) return 0;
        const double x = static_cast<double>(time.ticks - m_from.ticks) /
                         static_cast<double>(m_end.ticks - m_from.ticks);
        return x * x * (3 - 2 * x);
    }

    /// Keys up to the last frames, and one at each of those; at each frame of what something is taken out of.
    [[nodiscard]] std::vector<Key> framesOf(const KeyList& keys, Property property, bool isResampled = false) const
    {
        std::vector<Key> result;
        for (std::size_t k = 0; !isResampled && k < keys.size() && keys[k].time <= m_from; ++k)
            result.push_back(keys[k]);
        const double last = m_scene.fps.frameAt(m_end);
        const int frames = isResampled ? static_cast<int>(std::ceil(last - m_scene.fps.frameAt(m_begin) - 1e-3))
                                       : m_options.frames;
        for (int i = frames; i >= 0; --i) {
            const Time time = i == 0 ? m_end : std::max(m_begin, m_scene.fps.timeOf(last - i));
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
        const ChannelValue first = sampleKeys(keys, property, m_begin);
        const bool goesAlong = isHandle && m_scene.find(HandleId{channel.target})->followed().empty();
        const bool isTakenOut = goesAlong && removes() && (isQuaternion(property) || isPlace(property));
        std::vector<Key> result = framesOf(keys, property, isTakenOut);
        ChannelValue last = sampleKeys(keys, property, m_end);
        if (isTakenOut) {
            for (Key& key : result) key.value = without(key.value, property, key.time);
            last = result.back().value;
        }
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

    /// A place or a rotation in the world without what is taken out.
    [[nodiscard]] ChannelValue without(const ChannelValue& value, Property property, Time time) const
    {
        const Affine back = removedAt(time).inverse();
        if (isQuaternion(property)) return toValue((rotationOf(back) * toQuaternion(value)).normalized());
        return toValue(back * toVector(value));
    }

    /// The root's way: where the first frame's place comes to be at the end.
    void closeRoot(Clip& result) const
    {
        const Joint& root = *m_scene.find(m_options.root);
        const auto placeAt = [&](Time time) { return sampleJoint(m_scene, &m_clip, {}, root, time).local.translation; };
        const Vector3 last = placeAt(m_end), wanted = m_localTravel * placeAt(m_begin);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const ChannelId channel{m_options.root.value, kTranslations[axis]};
            const KeyList* keys = m_clip.find(channel);
            if (keys == nullptr || keys->size() < 2) continue;
            const auto i = static_cast<Eigen::Index>(axis);
            std::vector<Key> list = framesOf(*keys, channel.property);
            for (Key& key : list) key.value[0] += weightAt(key.time) * (wanted[i] - last[i]);
            result.channels[channel] = Shared(KeyList(std::move(list), *keys));
        }
    }

    /// The root at each frame without what is taken out, as a place and a whole rotation.
    void removeFromRoot(Clip& result) const
    {
        const Joint& root = *m_scene.find(m_options.root);
        const auto localAt = [&](Time time) {
            const LocalTransform local = sampleJoint(m_scene, &m_clip, {}, root, time).local;
            const Affine back = m_parent.inverse() * removedAt(time).inverse() * m_parent;
            return std::pair<Vector3, Quaternion>(back * local.translation,
                                                  (rotationOf(back) * local.rotation).normalized());
        };
        const auto [first, firstTurn] = localAt(m_begin);
        const auto [last, lastTurn] = localAt(m_end);
        const Vector3 step = m_localTravel * first - last;
        const Vector3 turn = vectorFromRotation(rotationOf(m_localTravel) * firstTurn * lastTurn.conjugate());
        std::array<std::vector<Key>, 3> places;
        std::vector<Key> turns;
        const KeyList timing({{.time = m_begin}, {.time = m_end}});
        for (const Key& frame : framesOf(timing, Property::Tx, true)) {
            const auto [place, rotation] = localAt(frame.time);
            const double weight = weightAt(frame.time);
            Quaternion turned = (rotationFromVector(turn * weight) * rotation).normalized();
            if (!turns.empty() && toQuaternion(turns.back().value).dot(turned) < 0) turned.coeffs() *= -1;
            turns.push_back({.time = frame.time, .value = toValue(turned), .interpolation = Interpolation::Linear});
            for (std::size_t axis = 0; axis < 3; ++axis) {
                const auto i = static_cast<Eigen::Index>(axis);
                places[axis].push_back({.time = frame.time,
                                        .value = {place[i] + weight * step[i]},
                                        .interpolation = Interpolation::Linear});
            }
        }
        const ObjectId id = m_options.root.value;
        for (const Property angle : kAngles) result.channels.erase({id, angle});
        result.channels[{id, Property::Rotation}] = Shared(KeyList(std::move(turns)));
        for (std::size_t axis = 0; axis < 3; ++axis)
            result.channels[{id, kTranslations[axis]}] = Shared(KeyList(std::move(places[axis])));
    }

    const Scene& m_scene;
    const Clip& m_clip;
    const LoopOptions& m_options;
    Time m_begin, m_end, m_from;
    Affine m_parent = Affine::Identity();      ///< of the root, in the world
    Vector3 m_start = Vector3::Zero();         ///< where the root is in the first frame [m]
    Vector3 m_way = Vector3::Zero();           ///< from the first frame to the last [m]
    double m_turn = 0;                         ///< the same of its heading, about +Y [rad]
    Affine m_travel = Affine::Identity();      ///< what goes on from round to round, in the world
    Affine m_localTravel = Affine::Identity(); ///< the same in the space of the root's parent
};

/// A key at the begin or the end of a part, with the slopes that it has among all keys: without those beyond it would
/// have others.
void keyBorder(KeyList& part, const KeyList& all, Property property, Time time)
{
    part.insertOrReplace(keyOnCurve(all, property, time));
    part = withFormerCurve(part, all, property, time, time);
    Key key = *part.at(time);
    if (isQuaternion(property) || isStored(key.tangents)) return;
    const Tangents tangents = tangentsAt(part, property, part.countUpTo(time) - 1);
    key.tangents = TangentMode::Free;
    key.in = tangents.in, key.out = tangents.out;
    part.insertOrReplace(key);
}

/// A goal on its way from one space to another at a time: a key there would be in one of the two.
bool isBetweenSpaces(const Clip& clip, ChannelId channel, const KeyList& keys, Time time)
{
    if (channel.layer != Layer::Keys || !isPlace(channel.property)) return false;
    const KeyList* spaces = clip.find({channel.target, spaceOf(channel.property)});
    const std::size_t next = keys.countUpTo(time);
    return spaces != nullptr && next > 0 && next < keys.size() && keys[next - 1].time != time &&
           spaceAt(*spaces, keys[next - 1].time) != spaceAt(*spaces, keys[next].time);
}

/// The same motion within a span, with keys within it alone.
Clip partOf(const Clip& clip, TimeSpan span)
{
    Clip part = clip;
    for (const auto& [channel, keys] : clip.channels) {
        if (keys->size() < 2) continue; // it is the same everywhere
        KeyList list = *keys;
        for (const Time border : {span.from, span.to})
            if (!isBetweenSpaces(clip, channel, *keys, border)) keyBorder(list, *keys, channel.property, border);
        std::vector<Key> within;
        for (const Key& key : list.toVector()) {
            const bool isNeeded = (key.time < span.from && isBetweenSpaces(clip, channel, *keys, span.from) &&
                                   keys->countUpTo(key.time) == keys->countUpTo(span.from)) ||
                                  (key.time > span.to && isBetweenSpaces(clip, channel, *keys, span.to) &&
                                   keys->countUpTo(key.time) == keys->countUpTo(span.to) + 1);
            if ((key.time >= span.from && key.time <= span.to) || isNeeded) within.push_back(key);
        }
        part.channels.insert_or_assign(channel, KeyList(std::move(within), *keys));
    }
    return part;
}

/// What a change of a part of a clip makes of the clip.
Clip withPart(const Clip& clip, const Clip& part, const Clip& changed, TimeSpan span)
{
    Clip result = clip;
    for (const auto& [channel, keys] : part.channels)
        if (changed.find(channel) == nullptr) result.channels.erase(channel);
    for (const auto& [channel, keys] : changed.channels) {
        const KeyList *before = part.find(channel), *all = clip.find(channel);
        if (before != nullptr && *before == *keys) continue;
        std::vector<Key> list;
        for (const Key& key : keys->toVector())
            if (key.time >= span.from && key.time <= span.to) list.push_back(key);
        if (all != nullptr)
            for (const Key& key : all->toVector())
                if (key.time < span.from || key.time > span.to) list.push_back(key);
        result.channels.insert_or_assign(channel, KeyList(std::move(list), all != nullptr ? *all : *keys));
    }
    return result;
}

} // namespace

Result<Clip> closedLoop(const Scene& scene, const Clip& clip, const LoopOptions& options)
{
    const TimeSpan span = options.range.value_or(TimeSpan{clip.begin(), clip.end()});
    const double length = scene.fps.frameAt(span.to) - scene.fps.frameAt(span.from);
    if (options.frames < 1 || options.frames > length)
        return Error{ErrorCode::InvalidArgument,
                     std::string("must be from 1 to the length of the ") + (options.range ? "range" : "clip") +
                         ", which is " + std::to_string(static_cast<int>(std::floor(length))) + " frames",
                     "frames"};
    if (!options.range) return LoopCloser(scene, clip, options).close();
    const Clip part = partOf(clip, span);
    Clip closed = LoopCloser(scene, part, options).close();
    return options.trims ? closed : withPart(clip, part, closed, span);
}

} // namespace tendon
