#include "core/document/LoopClosing.h"

#include "core/document/HandleMotion.h"
#include "core/document/KeyInsertion.h"
#include "core/document/MirrorPose.h"
#include "core/math/Convert.h"
#include "core/math/RotationVector.h"
#include "core/math/SmoothStep.h"
#include "core/runtime/KeySampling.h"
#include "core/runtime/PoseSampler.h"
#include "core/scene/Check.h"
#include "core/scene/FollowSpace.h"
#include "core/scene/HandleChannels.h"
#include "core/scene/KeyEdit.h"
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

/// The keys with one at a time within them, which has slopes of its own: each side stays as it is without the other.
KeyList cutAt(const KeyList& keys, Property property, Time time)
{
    if (isInfinite(keys, time) || keys.countUpTo(time) == 0) return keys;
    KeyList cut = withKeyOnCurve(withFollowingSigns(keys, property), property, time);
    const std::size_t index = cut.countUpTo(time) - 1;
    Key key = cut[index];
    const bool isCurved = key.interpolation == Interpolation::Bezier ||
                          (index > 0 && cut[index - 1].interpolation == Interpolation::Bezier);
    if (!isCurved || isStored(key.tangents)) return cut;
    const Tangents tangents = tangentsAt(cut, property, index);
    key.tangents = TangentMode::Free;
    key.in = tangents.in, key.out = tangents.out;
    cut.insertOrReplace(key);
    return cut;
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
            if (keys->size() < 2 && !isPlaceOfHandle(channel)) continue;
            const JointId joint{channel.target};
            if (!only.empty() && only.count(joint) == 0) continue;
            const bool isRoot = joint == m_options.root;
            if (isPlaceOfHandle(channel)) {
                if (keys->size() > 1 || goesOn()) result.channels[channel] = Shared(closedPlace(channel, *keys));
                continue;
            }
            if (isRoot && channel.property <= Property::Tz) continue; // all three at once, below
            if (isRoot && removes() && isTurning(channel.property)) continue;
            result.channels[channel] = Shared(closed(channel, *keys, isRoot));
        }
        if (only.empty() && goesOn())
            for (const Handle& handle : *m_scene.handles) closeUnkeyed(handle, result);
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
        return smoothStep(x);
    }

    /// Keys up to the last frames, which show what they did, and one at each of those; at each frame of what something
    /// is taken out of.
    [[nodiscard]] std::vector<Key> framesOf(const KeyList& keys, Property property, bool isResampled = false) const
    {
        std::vector<Key> result;
        if (!isResampled) result = keysUpTo(keys, property, m_from);
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

    /// The keys up to a time, with one there where a curve is cut, whatever comes after them.
    static std::vector<Key> keysUpTo(const KeyList& keys, Property property, Time time)
    {
        const KeyList cut = cutAt(keys, property, time);
        std::vector<Key> list = cut.toVector();
        list.resize(cut.countUpTo(time));
        return list;
    }

    [[nodiscard]] bool isPlaceOfHandle(ChannelId channel) const
    {
        return channel.layer == Layer::Keys && isPlace(channel.property) &&
               m_scene.find(HandleId{channel.target}) != nullptr;
    }

    /// Whether the end of the loop is elsewhere than its beginning.
    [[nodiscard]] bool goesOn() const { return m_way.norm() > 1e-9 || std::abs(m_turn) > 1e-9; }

    /// What a handle's goal, pole or curve is given in at a time: 0 = the world.
    [[nodiscard]] ObjectId spaceOfPlace(ChannelId channel, Time time) const
    {
        const KeyList* spaces = m_clip.find({channel.target, spaceOf(channel.property)});
        if (spaces != nullptr) return spaceAt(*spaces, time);
        const Handle& handle = *m_scene.find(HandleId{channel.target});
        return channel.property == Property::Pole ? handle.poleFollow : handle.follow;
    }

    /// The space that the curve is in on both sides of a time; none between two.
    [[nodiscard]] std::optional<ObjectId> spaceAround(ChannelId channel, const KeyList& keys, Time time) const
    {
        const KeyList* spaces = m_clip.find({channel.target, spaceOf(channel.property)});
        if (spaces != nullptr && isBetweenSpaces(keys, *spaces, time)) return std::nullopt;
        return spaceOfPlace(channel, time);
    }

    /// A goal, pole or curve. What is in the world goes with the figure: the way is taken out of it, or goes on in it.
    [[nodiscard]] KeyList closedPlace(ChannelId channel, const KeyList& keys) const
    {
        const Property property = channel.property;
        const ObjectId lastSpace = spaceOfPlace(channel, m_end);
        const KeyList shown = m_clip.find(channel) == nullptr ? keys : shownKeys(m_clip, channel);
        KeyList result;
        for (const Key& key : shown.toVector())
            if (key.time <= m_end) result.insertOrReplace(key);
        const double last = m_scene.fps.frameAt(m_end);
        const int frames = static_cast<int>(std::ceil(last - m_scene.fps.frameAt(m_begin) - 1e-3));
        for (int i = frames; i >= 0; --i) {
            const Time time = i == 0 ? m_end : std::max(m_begin, m_scene.fps.timeOf(last - i));
            const auto space = spaceAround(channel, keys, time);
            const bool isTakenOut = removes() && space == ObjectId{0}, isBlended = time >= m_from && space == lastSpace;
            if (!isTakenOut && !isBlended && i != 0) continue;
            if (!isTakenOut && time <= m_from && keys.at(time) != nullptr) continue;
            Key key{.time = time,
                    .value = sampleKeys(shown, property, time),
                    .interpolation = isQuaternion(property) ? Interpolation::Linear : Interpolation::Bezier};
            result.insertOrReplace(key);
        }
        if (!removes() && spaceAround(channel, keys, m_from)) // up to there the curve stays
            for (const Key& key : keysUpTo(shown, property, m_from)) result.insertOrReplace(key);
        std::vector<Key> list = result.toVector();
        if (removes())
            for (Key& key : list)
                if (spaceOfPlace(channel, key.time) == 0) key = without(key, property);

        // From here on it is in the space of the end, and turns into the first frame's place in that.
        Time from = m_from;
        for (std::size_t i = list.size() - 1; i > 0 && list[i].time > m_from; --i)
            if (spaceOfPlace(channel, list[i - 1].time) != lastSpace) {
                from = list[i].time;
                break;
            }
        const auto weightOf = [&](Time time) {
            if (spaceOfPlace(channel, time) != lastSpace || time < from) return 0.0;
            if (time >= m_end) return 1.0;
            const double x = static_cast<double>(time.ticks - from.ticks) /
                             static_cast<double>(m_end.ticks - from.ticks);
            return smoothStep(x);
        };
        const ChannelValue reached = list.back().value, wanted = firstPlaceIn(lastSpace, channel, shown);
        const Vector3 turn = isQuaternion(property)
                                 ? vectorFromRotation(toQuaternion(wanted) * toQuaternion(reached).conjugate())
                                 : Vector3::Zero();
        for (Key& key : list) {
            const double weight = weightOf(key.time);
            if (weight <= 0) continue;
            if (isQuaternion(property))
                key.value = toValue((rotationFromVector(turn * weight) * toQuaternion(key.value)).normalized());
            else
                for (std::size_t i = 0; i < 3; ++i) key.value[i] += weight * (wanted[i] - reached[i]);
        }
        return KeyList(std::move(list), keys);
    }

    /// Where it is in the first frame, as the end of the loop has it.
    [[nodiscard]] ChannelValue firstPlaceIn(ObjectId space, ChannelId channel, const KeyList& shown) const
    {
        const ChannelValue first = sampleKeys(shown, channel.property, m_begin);
        const ObjectId own = spaceOfPlace(channel, m_begin);
        if (own == space && space != 0) return first;
        const auto worldOf = [&](ObjectId object) -> Affine {
            return object == 0 || !m_options.firstWorldOf ? Affine(Affine::Identity()) : m_options.firstWorldOf(object);
        };
        const Affine worldFromSpace = space == 0 ? Affine(m_travel.inverse()) : worldOf(space);
        return valueInSpace(channel.property, first, changeOfSpace(worldFromSpace, worldOf(own)));
    }

    /// What of the figure's handles stands in the world without keys would stay behind.
    void closeUnkeyed(const Handle& handle, Clip& result) const
    {
        const bool isOfFigure = handle.start == m_options.root || isAncestor(m_scene, m_options.root, handle.start);
        if (!isOfFigure || handle.isCarried() || isBlendedOut(m_scene, m_clip, handle)) return;
        std::vector<Property> places = targetChannels(handle);
        places.push_back(Property::Pole);
        for (const Property place : places) {
            const ChannelId channel{handle.id.value, place};
            const bool isInWorld = (place == Property::Pole ? handle.poleFollow : handle.follow) == 0;
            if (!isInWorld || m_clip.find(channel) != nullptr || !readsChannel(handle, place)) continue;
            if (m_clip.find({channel.target, spaceOf(place)}) != nullptr) continue;
            const KeyList still({{.time = m_begin, .value = m_scene.staticValue(channel)}});
            result.channels[channel] = Shared(closedPlace(channel, still));
        }
    }

    [[nodiscard]] KeyList closed(ChannelId channel, const KeyList& keys, bool isRoot) const
    {
        const Property property = channel.property;
        if (isSpace(property)) return keys;
        const ChannelValue first = sampleKeys(keys, property, m_begin);
        std::vector<Key> result = framesOf(keys, property);
        const ChannelValue last = sampleKeys(keys, property, m_end);
        if (isQuaternion(property)) {
            Quaternion goal = toQuaternion(first);
            if (isRoot) goal = rotationOf(m_localTravel) * goal;
            const Vector3 turn = vectorFromRotation(goal * toQuaternion(last).conjugate());
            for (Key& key : result)
                if (const double weight = weightAt(key.time); weight > 0)
                    key.value = toValue((rotationFromVector(turn * weight) * toQuaternion(key.value)).normalized());
            return KeyList(std::move(result), keys);
        }
        const ChannelValue wanted = first;
        for (Key& key : result) {
            for (std::size_t i = 0; i < 4; ++i) key.value[i] += weightAt(key.time) * (wanted[i] - last[i]);
            if (property == Property::Blend) key.value[0] = std::clamp(key.value[0], 0.0, 1.0);
            if (property == Property::Weight) key.value[0] = std::max(0.0, key.value[0]);
        }
        return KeyList(std::move(result), keys);
    }

    /// A place or a rotation in the world without what is taken out.
    [[nodiscard]] Key without(Key key, Property property) const
    {
        const Affine back = removedAt(key.time).inverse();
        key.value = valueInSpace(property, key.value, intoWorld(back));
        const Vector3 speed = m_options.keepsTravel ? Vector3(Vector3::Zero())
                                                    : Vector3(m_way / Time{m_end.ticks - m_begin.ticks}.seconds());
        for (ChannelValue* slope : {&key.in, &key.out}) {
            *slope = slopeInSpace(property, *slope, intoWorld(back));
            for (std::size_t i = 0; i < 3 && isStored(key.tangents) && !isQuaternion(property); ++i)
                (*slope)[i] -= speed[static_cast<Eigen::Index>(i)];
        }
        return key;
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

/// A key of the channel at a time would be in one of two spaces, while the goal is on its way from the one to the
/// other.
bool isOnItsWay(const Clip& clip, ChannelId channel, Time time)
{
    if (channel.layer != Layer::Keys || !isPlace(channel.property)) return false;
    const KeyList* spaces = clip.find({channel.target, spaceOf(channel.property)});
    return spaces != nullptr && isBetweenSpaces(*clip.find(channel), *spaces, time);
}

/// The keys of a channel as the clip shows them, cut at some times.
KeyList shownAndCut(const Clip& clip, ChannelId channel, std::initializer_list<Time> times)
{
    KeyList keys = shownKeys(clip, channel);
    for (const Time time : times)
        if (!isOnItsWay(clip, channel, time)) keys = cutAt(keys, channel.property, time);
    return keys;
}

/// The same motion within a span, with keys within it alone.
Clip partOf(const Clip& clip, TimeSpan span)
{
    Clip part = clip;
    for (const auto& [channel, keys] : clip.channels) {
        if (keys->size() < 2) continue; // it is the same everywhere
        KeyList list = shownAndCut(clip, channel, {span.from, span.to});
        for (const Time border : {span.from, span.to})
            if (list.at(border) == nullptr && !isOnItsWay(clip, channel, border))
                list.insertOrReplace(keyOnCurve(*keys, channel.property, border)); // beyond the keys
        const bool needsFormer = isOnItsWay(clip, channel, span.from), needsNext = isOnItsWay(clip, channel, span.to);
        std::vector<Key> within;
        for (const Key& key : list.toVector()) {
            const bool isNeeded = (needsFormer && key.time < span.from &&
                                   keys->countUpTo(key.time) == keys->countUpTo(span.from)) ||
                                  (needsNext && key.time > span.to &&
                                   keys->countUpTo(key.time) == keys->countUpTo(span.to) + 1);
            if ((key.time >= span.from && key.time <= span.to) || isNeeded) within.push_back(key);
        }
        part.channels.insert_or_assign(channel, KeyList(std::move(within), *keys));
    }
    return part;
}

/// What a change of a part of a clip makes of the clip. `former` and `next`: the frames beside the part, up to which
/// and from which on a curve is as it was, though the keys that shape it there lie far apart.
Clip withPart(const Clip& clip, const Clip& part, const Clip& changed, TimeSpan span, Time former, Time next)
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
        if (all != nullptr) {
            KeyList own = shownAndCut(clip, channel, {span.from, span.to, next});
            const Key *was = own.at(span.from), *now = keys->at(span.from);
            const bool isSame = was != nullptr && now != nullptr && was->value == now->value;
            if (isSame && !list.empty() && list.front().time == span.from) { // the curve comes to it as it did
                Key& first = list.front();
                first.out = tangentsAt(*keys, channel.property, keys->countUpTo(span.from) - 1).out;
                first.in = tangentsAt(own, channel.property, own.countUpTo(span.from) - 1).in;
                if (first.interpolation == Interpolation::Bezier || first.in != ChannelValue{})
                    first.tangents = TangentMode::Free;
            }
            if (!isSame && !isOnItsWay(clip, channel, former)) own = cutAt(own, channel.property, former);
            for (const Key& key : own.toVector())
                if (key.time < span.from || key.time > span.to) list.push_back(key);
        }
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
    const Time former = scene.fps.timeOf(scene.fps.frameAt(span.from) - 1),
               next = scene.fps.timeOf(scene.fps.frameAt(span.to) + 1);
    return options.trims ? closed : withPart(clip, part, closed, span, former, next);
}

} // namespace tendon
