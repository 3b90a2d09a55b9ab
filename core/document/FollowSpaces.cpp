#include "core/document/FollowSpaces.h"

#include "core/document/Posing.h"
#include "core/document/Reparent.h"
#include "core/math/Convert.h"
#include "core/runtime/KeySampling.h"
#include "core/scene/Check.h"
#include "core/scene/Corrections.h"
#include "core/scene/FollowSpace.h"
#include "core/scene/KeyEdit.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace tendon {
namespace {

const PendingValues kNoPending;

/// The channels of a handle that are given in the space of `place`.
std::vector<Property> placesWith(const Handle& handle, Property place)
{
    if (place == Property::Pole) return {Property::Pole};
    std::vector<Property> places = {Property::GoalPosition, Property::GoalRotation};
    for (int i = 0; i < handle.curvePoints; ++i) places.push_back(curvePoint(i));
    return places;
}

/// What is keyed when the space changes: what the handle meets, and what else has keys already.
std::vector<Property> placesToKey(const Clip& clip, const Handle& handle, Property place)
{
    const std::vector<Property> met = targetChannels(handle);
    std::vector<Property> places = placesWith(handle, place);
    std::erase_if(places, [&](Property p) {
        const bool isMet = p == Property::Pole || std::find(met.begin(), met.end(), p) != met.end();
        return !isMet && clip.find({handle.id.value, p}) == nullptr;
    });
    return places;
}

/// A place in the space that it is to be in, as a function of time, before anything is changed.
class FormerPlace
{
public:
    FormerPlace(const Draft& draft, const Handle& handle, Property place)
        : m_draft(draft), m_handle(handle), m_place(place)
    {
    }

    [[nodiscard]] Result<ChannelValue> in(ObjectId space, Time time) const
    {
        const Clip* clip = m_draft.clip();
        const ObjectId own = spaceOfValue(m_draft.scene, clip, m_handle, m_place, time);
        const PendingValues& pending = time == m_draft.time() ? m_draft.edit.pending : kNoPending;
        const ChannelId channel{m_handle.id.value, m_place};
        const ChannelLayers layers = sampleLayers(m_draft.scene, clip, pending, channel, time);
        const ChannelValue value = withoutCorrection(m_place, channelValue(m_draft, channel, time), layers.correction,
                                                     layers.weight);
        if (own == space) return value;
        const auto from = worldOfSpace(m_draft, m_draft.scene, clip, pending, time, own),
                   to = worldOfSpace(m_draft, m_draft.scene, clip, pending, time, space);
        if (!from || !to) return from ? to.error() : from.error();
        if (!(std::abs(to->linear().determinant()) > 0))
            return Error{ErrorCode::InvalidArgument,
                         inQuotes(nameOf(m_draft.scene, space)) +
                             " is scaled to nothing, so nothing can keep its place in it",
                         ""};
        return valueInSpace(m_place, value, Affine(to->inverse() * *from));
    }

    /// Per second, from `time` to a quarter of a frame later (or earlier: by < 0).
    [[nodiscard]] Result<ChannelValue> slope(ObjectId space, Time time, double by) const
    {
        const Time other{time.ticks + m_draft.scene.fps.timeOf(by).ticks - m_draft.scene.fps.timeOf(0).ticks};
        const auto at = in(space, time), beside = in(space, other);
        if (!at || !beside) return at ? beside.error() : at.error();
        ChannelValue slope{};
        const double seconds = other.seconds() - time.seconds();
        for (std::size_t c = 0; c < 3; ++c) slope[c] = ((*beside)[c] - (*at)[c]) / seconds;
        return slope;
    }

private:
    const Draft& m_draft;
    const Handle& m_handle;
    Property m_place;
};

/// The keys that a switch of spaces adds to one channel: at the frame before as it was, and at the frame.
class SwitchKeys
{
public:
    SwitchKeys(const Draft& draft, const Handle& handle, Property place, Time before, Time at, ObjectId from)
        : m_former(draft, handle, place), m_place(place), m_before(before), m_at(at), m_from(from)
    {
        if (const KeyList* keys = draft.clip()->find({handle.id.value, place})) m_keys = *keys;
        m_hasOwnBefore = spaceOfValue(draft.scene, draft.clip(), handle, place, before) == from;
        m_isPosed = at == draft.time() && draft.edit.pending.count({handle.id.value, place}) != 0;
    }

    [[nodiscard]] Result<std::vector<Key>> make(ObjectId to, Time until, bool hasBefore) const
    {
        std::vector<Key> made;
        if (hasBefore) {
            const auto key = before();
            if (!key) return key.error();
            made.push_back(*key);
        }
        const auto key = at(to, until);
        if (!key) return key.error();
        made.push_back(*key);
        return made;
    }

private:
    /// Where the goal moves before and after: within `until`, where the space changes again.
    [[nodiscard]] bool isKeyedBefore() const { return m_keys.countUpTo({m_at.ticks - 1}) > 0; }
    [[nodiscard]] bool isKeyedAfter(Time until) const { return m_keys.countUpTo(until) > m_keys.countUpTo(m_at); }

    /// As it was there, with the tangents that the curve had.
    [[nodiscard]] Result<Key> before() const
    {
        if (const Key* there = m_hasOwnBefore ? m_keys.at(m_before) : nullptr) {
            Key key = *there;
            const Tangents tangents = tangentsAt(m_keys, m_place, m_keys.countUpTo(m_before) - 1);
            if (!isStored(key.tangents)) key.tangents = TangentMode::Free;
            key.in = tangents.in, key.out = tangents.out;
            return key;
        }
        const auto value = m_former.in(m_from, m_before);
        if (!value) return value.error();
        Key key{.time = m_before, .value = *value, .interpolation = interpolation(m_before)};
        const bool isCurved = key.interpolation == Interpolation::Bezier && isKeyedBefore() && !isQuaternion(m_place);
        if (!isCurved) return key;
        const auto in = m_former.slope(m_from, m_before, -kStep), out = m_former.slope(m_from, m_before, kStep);
        if (!in || !out) return in ? out.error() : in.error();
        key.tangents = TangentMode::Aligned;
        for (std::size_t c = 0; c < 3; ++c) key.in[c] = key.out[c] = ((*in)[c] + (*out)[c]) / 2;
        return key;
    }

    /// Where it was, in the new space, with the speed that it had in it.
    [[nodiscard]] Result<Key> at(ObjectId to, Time until) const
    {
        const auto value = m_former.in(to, m_at);
        if (!value) return value.error();
        const Key* there = m_keys.at(m_at);
        Key key{.time = m_at,
                .value = *value,
                .interpolation = there != nullptr ? there->interpolation : interpolation(m_at)};
        const bool isCurved = interpolation(m_before) == Interpolation::Bezier && isKeyedBefore() &&
                              !isQuaternion(m_place) && !m_isPosed;
        if (!isCurved) return key;
        const auto in = m_former.slope(to, m_at, -kStep), out = m_former.slope(to, m_at, kStep);
        if (!in || !out) return in ? out.error() : in.error();
        const bool goesOn = isKeyedAfter(until);
        key.tangents = there != nullptr || !goesOn ? TangentMode::Free : TangentMode::Aligned;
        key.in = *in, key.out = goesOn ? *out : ChannelValue{}; // what is let go stays where it is
        if (goesOn && there == nullptr)
            for (std::size_t c = 0; c < 3; ++c) key.in[c] = key.out[c] = ((*in)[c] + (*out)[c]) / 2;
        return key;
    }

    /// Of the segment that a time is in.
    [[nodiscard]] Interpolation interpolation(Time time) const
    {
        const std::size_t count = m_keys.countUpTo(time);
        return count == 0 ? usualInterpolation(m_place) : m_keys[count - 1].interpolation;
    }

    static constexpr double kStep = 0.25; // [frames] long enough for a solved pose, short enough for a curve
    FormerPlace m_former;
    Property m_place;
    Time m_before, m_at;
    KeyList m_keys;
    ObjectId m_from = 0;
    bool m_hasOwnBefore = false; ///< at the frame before it is given in m_from already
    bool m_isPosed = false;      ///< there by hand, so that it has no speed
};

/// Error: the handle has no pole of its own.
Result<void> checkPole(const Scene& scene, const Handle& handle)
{
    if (!handle.hasPole)
        return Error{ErrorCode::InvalidArgument, "it has no pole that could follow; give it one with setHandle pole",
                     handle.name};
    if (!handle.poleTarget.isValid()) return {};
    return Error{ErrorCode::InvalidArgument,
                 "its pole is at the joint " + inQuotes(nameOf(scene, handle.poleTarget.value)) +
                     "; set poleTarget to null first",
                 handle.name};
}

/// The clip's keys of a space begin with what was followed before there were any.
Result<void> keyFormerSpace(Draft& draft, ClipId clip, const Handle& handle, Property place, Time at)
{
    const ChannelId channel{handle.id.value, spaceOf(place)};
    const Clip& keyed = *draft.scene.find(clip);
    if (keyed.find(channel) != nullptr) return {};
    Time first = draft.scene.fps.timeOf(draft.scene.firstFrame);
    for (const Property p : placesWith(handle, place))
        if (const KeyList* keys = keyed.find({handle.id.value, p})) first = std::min(first, keys->front().time);
    if (first >= at) return {};
    const Key key{.time = first, .value = draft.scene.staticValue(channel)};
    return draft.take(setKey(std::move(draft.scene), clip, channel, key));
}

/// Where a key of a place was before an edit: a time of the clip before.
std::optional<Time> formerTimeOf(const Draft& draft, ClipId clip, ChannelId channel, const KeyList* before,
                                 const Key& key)
{
    for (const MovedKey& moved : draft.movedKeys)
        if (moved.clip == clip && moved.channel == channel && moved.to == key.time) return moved.from;
    const Key* there = before == nullptr ? nullptr : before->at(key.time);
    return there != nullptr && there->value == key.value ? std::optional(key.time) : std::nullopt;
}

/// Converts the keys of one channel that are in another space now.
Result<void> keepPlacesOf(Draft& draft, const Scene& before, ClipId clipId, const Handle& handle, Property place,
                          Layer layer)
{
    if (layer == Layer::Corrections && isQuaternion(place)) return {}; // a turn on the right is the same in every space
    const Clip& clip = *draft.scene.find(clipId);
    const Clip& was = *before.find(clipId);
    const ChannelId channel{handle.id.value, place, layer};
    const KeyList* keys = clip.find(channel);
    const Handle* former = before.find(handle.id);
    if (keys == nullptr || former == nullptr) return {};
    std::vector<Key> kept = keys->toVector();
    bool isChanged = false;
    for (Key& key : kept) {
        const auto origin = formerTimeOf(draft, clipId, channel, was.find(channel), key);
        if (!origin) continue;
        const ObjectId from = spaceOfValue(before, &was, *former, place, *origin);
        const ObjectId to = spaceOfValue(draft.scene, &clip, handle, place, key.time);
        if (from == to) continue;
        const auto worldFromOld = worldOfSpace(draft, before, &was, {}, *origin, from);
        const auto worldFromNew = worldOfSpace(draft, draft.scene, &clip, {}, key.time, to);
        if (!worldFromOld || !worldFromNew) return worldFromOld ? worldFromNew.error() : worldFromOld.error();
        const Affine newFromOld = worldFromNew->inverse() * *worldFromOld;
        if (!newFromOld.matrix().allFinite()) continue;
        key.value = layer == Layer::Keys ? valueInSpace(place, key.value, newFromOld)
                                         : slopeInSpace(place, key.value, newFromOld);
        key.in = slopeInSpace(place, key.in, newFromOld);
        key.out = slopeInSpace(place, key.out, newFromOld);
        isChanged = true;
    }
    return isChanged ? draft.take(replaceKeys(std::move(draft.scene), clipId, channel, std::move(kept)))
                     : Result<void>();
}

/// Where the space of a place changes, its correction is keyed on both sides, with the direction that it had in the
/// world; later keys are turned by keepPlaces().
Result<void> keyCorrectionAcross(Draft& draft, const Scene& former, ClipId clipId, ChannelId place, ObjectId to,
                                 Time before, Time at)
{
    const ChannelId channel = inLayer(place, Layer::Corrections);
    const Clip& clip = *former.find(clipId);
    const KeyList* keys = clip.find(channel);
    if (keys == nullptr || isQuaternion(place.property)) return {};
    const ObjectId from = spaceOfValue(former, &clip, *former.find(HandleId{place.target}), place.property, at);
    const auto worldFromOld = worldOfSpace(draft, former, &clip, {}, at, from);
    const auto worldFromNew = worldOfSpace(draft, former, &clip, {}, at, to);
    if (!worldFromOld || !worldFromNew) return worldFromOld ? worldFromNew.error() : worldFromOld.error();
    const Affine newFromOld = worldFromNew->inverse() * *worldFromOld;
    const auto keyOf = [&](Time time) {
        const std::size_t count = keys->countUpTo(time);
        Key key{.time = time,
                .value = sampleKeys(*keys, place.property, time),
                .interpolation = count == 0 ? Interpolation::Bezier : (*keys)[count - 1].interpolation};
        if (keys->at(time) != nullptr) return *keys->at(time);
        if (key.interpolation != Interpolation::Bezier || count == 0 || count == keys->size()) return key;
        const std::int64_t step = draft.scene.fps.timeOf(0.125).ticks; // the curve goes on as it was
        const ChannelValue earlier = sampleKeys(*keys, place.property, {time.ticks - step}),
                           later = sampleKeys(*keys, place.property, {time.ticks + step});
        key.tangents = TangentMode::Aligned;
        for (std::size_t c = 0; c < 3; ++c) key.in[c] = key.out[c] = (later[c] - earlier[c]) / Time{2 * step}.seconds();
        return key;
    };
    Key after = keyOf(at);
    for (ChannelValue* value : {&after.value, &after.in, &after.out})
        *value = slopeInSpace(place.property, *value, newFromOld);
    for (const Key& key : {keyOf(before), after})
        if (const auto keyed = draft.take(setKey(std::move(draft.scene), clipId, channel, key)); !keyed) return keyed;
    return {};
}

/// A time at which keys change what is followed.
struct Switch
{
    Time at;
    ObjectId from = 0, to = 0;

    bool operator==(const Switch&) const = default;
};

std::vector<Switch> switchesOf(const KeyList* spaces)
{
    std::vector<Switch> switches;
    for (std::size_t i = 1; spaces != nullptr && i < spaces->size(); ++i) {
        const auto from = static_cast<ObjectId>((*spaces)[i - 1].value[0]),
                   to = static_cast<ObjectId>((*spaces)[i].value[0]);
        if (from != to) switches.push_back({(*spaces)[i].time, from, to});
    }
    return switches;
}

bool has(const std::vector<Switch>& switches, const Switch& one)
{
    return std::find(switches.begin(), switches.end(), one) != switches.end();
}

/// Where a switch of spaces stood before an edit moved it; none: it is new.
std::optional<Time> formerTimeOf(const Draft& draft, ClipId clip, ChannelId spaces, const Switch& now,
                                 const std::vector<Switch>& was, const std::vector<Switch>& all)
{
    for (const MovedKey& moved : draft.movedKeys) {
        const Switch before{moved.from, now.from, now.to};
        if (moved.clip == clip && moved.channel == spaces && moved.to == now.at && has(was, before) &&
            !has(all, before))
            return moved.from;
    }
    return std::nullopt;
}

/// The keys of one channel around a switch of spaces that an edit has moved, or made. What it follows in the frames
/// that belong to it now holds it, so a hand stays on its prop; where that is the world, or the switch is new, it is
/// where it was. It does not jump: the key at the switch and that of the frame before are at one place.
class MovedSwitch
{
public:
    MovedSwitch(Draft& draft, const Draft& former, const Handle& handle, Property place, const Switch& at,
                std::optional<Time> was)
        : m_draft(draft), m_former(former), m_handle(handle), m_place(place), m_switch(at), m_was(was)
    {
        if (const KeyList* keys = draft.scene.find(former.edit.currentClip)->find({handle.id.value, place}))
            m_keys = *keys;
        const FrameRate fps = draft.scene.fps;
        m_before = fps.timeOf(fps.frameAt(at.at) - 1);
        m_isPassed = was && *was > at.at; // it is earlier now
    }

    [[nodiscard]] Result<void> put()
    {
        if (m_was) dropBorder();
        const auto made = keys();
        if (!made) return made.error();
        for (const Key& key : *made) m_keys.insertOrReplace(key);
        return m_draft.take(replaceKeys(std::move(m_draft.scene), m_former.edit.currentClip,
                                        {m_handle.id.value, m_place}, m_keys.toVector()));
    }

private:
    [[nodiscard]] bool wasMovedTo(Time time) const
    {
        return std::any_of(m_draft.movedKeys.begin(), m_draft.movedKeys.end(), [&](const MovedKey& moved) {
            return moved.channel == ChannelId{m_handle.id.value, m_place} && moved.to == time;
        });
    }

    /// The key of the frame before the switch goes with it: in its old place it would be among those of the other
    /// space.
    void dropBorder()
    {
        const FrameRate fps = m_draft.scene.fps;
        const Time border = fps.timeOf(fps.frameAt(*m_was) - 1);
        const KeyList* was = m_former.clip()->find({m_handle.id.value, m_place});
        const bool isPair = was != nullptr && was->at(border) != nullptr && was->at(*m_was) != nullptr;
        if (isPair && m_isPassed && border >= m_switch.at && !wasMovedTo(border)) m_keys.erase(border);
    }

    [[nodiscard]] Affine world(Time time, ObjectId space) const
    {
        const Clip* clip = m_draft.scene.find(m_former.edit.currentClip);
        const auto found = worldOfSpace(m_draft, m_draft.scene, clip, {}, time, space);
        return found ? *found : Affine(Affine::Identity());
    }

    /// The key that the object which has more frames now holds it by; null: the world has them, or it has no key.
    [[nodiscard]] const Key* held(ObjectId holder) const
    {
        if (!m_was || holder == 0) return nullptr;
        if (m_isPassed) {
            const std::size_t i = m_keys.countUpTo({m_switch.at.ticks - 1});
            return i < m_keys.size() ? &m_keys[i] : nullptr;
        }
        const std::size_t count = m_keys.countUpTo({m_switch.at.ticks - 1});
        return count > 0 ? &m_keys[count - 1] : nullptr;
    }

    [[nodiscard]] Result<std::vector<Key>> keys()
    {
        const ObjectId holder = m_isPassed ? m_switch.to : m_switch.from;
        std::vector<Key> made;
        if (const Key* hold = held(holder)) {
            Key flat = *hold; // it stays from here on, or up to here
            if (isStored(flat.tangents)) {
                flat.tangents = TangentMode::Free;
                const bool isConverted = !m_isPassed && flat.time == *m_was; // its slope was that of the other space
                if (m_isPassed || isConverted) flat.in = {};
                if (!m_isPassed) flat.out = {};
            }
            made.push_back(flat);
            const auto keyAt = [&](Time time, ObjectId space) {
                Key key{.time = time, .value = flat.value, .interpolation = flat.interpolation};
                if (space != holder)
                    key.value = valueInSpace(m_place, flat.value,
                                             Affine(world(time, space).inverse() * world(time, holder)));
                return key;
            };
            if (isFree(m_before)) made.push_back(keyAt(m_before, m_switch.from));
            if (isFree(m_switch.at) || letsGo()) made.push_back(keyAt(m_switch.at, m_switch.to));
            return made;
        }
        SwitchKeys as(m_former, m_handle, m_place, m_before, m_switch.at, m_switch.from);
        const auto both = as.make(m_switch.to, {std::numeric_limits<std::int64_t>::max()}, true);
        if (!both) return both.error();
        for (const Key& key : *both)
            if (isFree(key.time) || (key.time == m_switch.at && letsGo())) made.push_back(key);
        return made;
    }

    /// A key that is moved with its switch takes its pose along onto an object. The world has it where it is let go.
    [[nodiscard]] bool letsGo() const { return m_was && m_switch.to == 0 && wasMovedTo(m_switch.at); }
    [[nodiscard]] bool isFree(Time time) const { return m_keys.at(time) == nullptr; }

    Draft& m_draft;
    const Draft& m_former; ///< before the edit, in the clip
    const Handle& m_handle;
    Property m_place;
    Switch m_switch;
    std::optional<Time> m_was;
    KeyList m_keys;
    Time m_before;
    bool m_isPassed = false;
};

/// Keys goals and poles at switches of spaces that an edit has moved or made.
Result<void> keySwitches(Draft& draft, const Scene& before, ClipId clipId, const Handle& handle, Property place)
{
    const ChannelId spaces{handle.id.value, spaceOf(place)};
    const std::vector<Switch> was = switchesOf(before.find(clipId)->find(spaces)),
                              now = switchesOf(draft.scene.find(clipId)->find(spaces));
    if (was == now) return {};
    Draft former = draft;
    former.scene = before;
    if (former.edit.currentClip != clipId) former.edit.pending.clear();
    former.edit.currentClip = clipId;
    for (const Switch& each : now) {
        if (has(was, each)) continue;
        const auto from = formerTimeOf(draft, clipId, spaces, each, was, now);
        for (const Property property : placesWith(handle, place)) {
            if (before.find(clipId)->find({handle.id.value, property}) == nullptr) continue;
            if (draft.scene.find(clipId)->find({handle.id.value, property}) == nullptr) continue;
            if (const auto put = MovedSwitch(draft, former, handle, property, each, from).put(); !put) return put;
        }
    }
    return {};
}

bool haveSameKeys(const Clip& a, const Clip& b, ChannelId channel)
{
    const KeyList *one = a.find(channel), *other = b.find(channel);
    return one == other || (one != nullptr && other != nullptr && *one == *other);
}

} // namespace

Result<Affine> worldOfSpace(const Draft& draft, const Scene& scene, const Clip* clip, const PendingValues& pending,
                            Time time, ObjectId space)
{
    if (scene.find(HandleId{space}) == nullptr) return worldOf(draft, scene, clip, pending, time, JointId{space});
    const auto pose = draft.poses.at(scene, clip, pending, time);
    if (!pose) return pose.error();
    return affineOf((*pose)->targets[scene.handles->placeOf(HandleId{space})].goal);
}

ObjectId spaceOfValue(const Scene& scene, const Clip* clip, const Handle& handle, Property place, Time time)
{
    const ChannelId space{handle.id.value, spaceOf(place)};
    const KeyList* spaces = clip == nullptr || clip->find({handle.id.value, place}) == nullptr ? nullptr
                                                                                               : clip->find(space);
    return spaces != nullptr ? spaceAt(*spaces, time) : static_cast<ObjectId>(scene.staticValue(space)[0]);
}

Result<Affine> worldOfValues(const Draft& draft, const Handle& handle, Property place)
{
    return worldOfSpace(draft, draft.scene, draft.clip(), draft.edit.pending, draft.time(),
                        spaceOfValue(draft.scene, draft.clip(), handle, place, draft.time()));
}

SpaceBetween spacesOf(const Draft& draft)
{
    return [&draft, scene = draft.scene](ObjectId from, ObjectId to, ChannelId channel, const Clip* clip,
                                         Time time) -> Affine {
        const Clip* current = scene.find(draft.edit.currentClip);
        const bool isHidden = current != nullptr && current->find(channel) != nullptr;
        const bool isNow = clip == nullptr && !isHidden;
        const Clip* playing = isNow ? current : clip == nullptr ? nullptr : scene.find(clip->id);
        const PendingValues& pending = isNow ? draft.edit.pending : kNoPending;
        const Time at = isNow ? scene.fps.timeOf(draft.edit.frame) : time;
        const auto worldFromOld = worldOfSpace(draft, scene, playing, pending, at, from);
        const auto worldFromNew = worldOfSpace(draft, scene, playing, pending, at, to);
        if (!worldFromOld || !worldFromNew) return Affine(Affine::Identity());
        return Affine(worldFromNew->inverse() * *worldFromOld);
    };
}

std::optional<ChannelValue> valueBetweenSpaces(const Draft& draft, ChannelId channel, Time time)
{
    const Handle* handle = isPlace(channel.property) ? draft.scene.find(HandleId{channel.target}) : nullptr;
    const Clip* clip = draft.clip();
    const KeyList* keys = handle == nullptr || clip == nullptr ? nullptr : clip->find(channel);
    const KeyList* spaces = keys == nullptr ? nullptr : clip->find({channel.target, spaceOf(channel.property)});
    if (spaces == nullptr) return std::nullopt;
    const ObjectId space = spaceAt(*spaces, time);
    const KeySegment segment = segmentAt(*keys, channel.property, time);
    const auto isElsewhere = [&](const Key* key) { return key != nullptr && spaceAt(*spaces, key->time) != space; };
    const bool isOnKey = segment.left != nullptr && segment.left->time == time;
    if (!isInfinite(*keys, time) && !isElsewhere(segment.left) && (isOnKey || !isElsewhere(segment.right)))
        return std::nullopt;
    const auto pose = draft.poses.at(draft.scene, clip, kNoPending, time);
    if (!pose) return std::nullopt;
    const HandleTarget target = (*pose)->targets[draft.scene.handles->placeOf(handle->id)];
    if (channel.property == Property::GoalPosition)
        return toValue(goalInSpace(target.worldFromSpace, target.goal).position);
    if (channel.property == Property::GoalRotation)
        return toValue(goalInSpace(target.worldFromSpace, target.goal).rotation);
    if (channel.property != Property::Pole)
        return toValue(Vector3(target.worldFromSpace.inverse() *
                               target.curve[static_cast<std::size_t>(curveIndex(channel.property))]));
    if (!target.pole) return std::nullopt;
    return toValue(Vector3(target.worldFromPoleSpace.inverse() * *target.pole));
}

Result<Key> keyInSpace(const Draft& draft, const Handle& handle, Property place, Key key, ObjectId space)
{
    const ObjectId own = spaceOfValue(draft.scene, draft.clip(), handle, place, key.time);
    if (own == space) return key;
    const auto from = worldOfSpace(draft, draft.scene, draft.clip(), kNoPending, key.time, own),
               to = worldOfSpace(draft, draft.scene, draft.clip(), kNoPending, key.time, space);
    if (!from || !to) return from ? to.error() : from.error();
    const Affine newFromOld = to->inverse() * *from;
    if (!newFromOld.matrix().allFinite()) return key; // it is scaled to nothing
    key.value = valueInSpace(place, key.value, newFromOld);
    key.in = slopeInSpace(place, key.in, newFromOld);
    key.out = slopeInSpace(place, key.out, newFromOld);
    return key;
}

Result<void> keySpace(Draft& draft, HandleId id, Property place, ObjectId space, double frame)
{
    Handle handle = *draft.scene.find(id);
    if (space == id.value)
        return Error{ErrorCode::InvalidArgument, "a handle cannot follow its own goal; name another object",
                     handle.name};
    if (place == Property::Pole)
        if (const auto has = checkPole(draft.scene, handle); !has) return has;
    const auto clip = clipToKey(draft);
    if (!clip) return clip.error();
    for (const ObjectId needed : {place == Property::Pole ? handle.poleFollow : handle.follow, space})
        if (!handle.mayFollow(needed)) handle.spaces.push_back(needed);
    if (const auto taken = draft.take(changeHandle(draft.scene, handle)); !taken) return taken;
    if (const auto fits = draft.poses.checkHandle(draft.scene, id); !fits) return fits;

    const FrameRate fps = draft.scene.fps;
    const Clip& former = *draft.scene.find(*clip);
    const ChannelId spaceChannel{id.value, spaceOf(place)};
    const KeyList* spaces = former.find(spaceChannel);
    const Time at = keyTime(spaces, fps, frame), before = fps.timeOf(frame - 1);
    const ObjectId was = static_cast<ObjectId>(sampleChannel(draft.scene, &former, {}, spaceChannel, at)[0]);
    Time until{std::numeric_limits<std::int64_t>::max()};
    if (spaces != nullptr && spaces->countUpTo(at) < spaces->size())
        until = {(*spaces)[spaces->countUpTo(at)].time.ticks - 1};

    const Scene unchanged = draft.scene;
    std::map<Property, std::vector<Key>> keys;
    for (const Property property : placesToKey(former, handle, place)) {
        const KeyList* list = former.find({id.value, property});
        const bool hasBefore = frame > draft.scene.firstFrame || (list != nullptr && list->countUpTo(before) > 0);
        const ObjectId from = spaceOfValue(draft.scene, &former, handle, property, before);
        const auto made = SwitchKeys(draft, handle, property, before, at, from).make(space, until, hasBefore);
        if (!made) return made.error();
        keys[property] = *made;
    }
    if (const auto keyed = keyFormerSpace(draft, *clip, handle, place, at); !keyed) return keyed;
    const Key spaceKey{.time = at, .value = {static_cast<double>(space)}};
    if (const auto keyed = draft.take(setKey(std::move(draft.scene), *clip, spaceChannel, spaceKey)); !keyed)
        return keyed;
    if (was == space) return {};
    for (const auto& [property, made] : keys) {
        for (const Key& key : made)
            if (const auto keyed = draft.take(setKey(std::move(draft.scene), *clip, {id.value, property}, key)); !keyed)
                return keyed;
        if (const auto keyed = keyCorrectionAcross(draft, unchanged, *clip, {id.value, property}, space, before, at);
            !keyed)
            return keyed;
        if (at == draft.time()) draft.edit.pending.erase({id.value, property});
    }
    return {};
}

Result<void> keepPlaces(Draft& draft, const Scene& before)
{
    std::vector<ClipId> clips;
    for (const auto& clip : draft.scene.clips)
        if (before.find(clip->id) != nullptr) clips.push_back(clip->id);
    for (const Handle& handle : draft.scene.handles->toVector()) {
        const Handle* former = before.find(handle.id);
        if (former == nullptr || (handle.spaces.empty() && former->spaces.empty())) continue;
        for (const ClipId clip : clips)
            for (const Property place : {Property::GoalPosition, Property::Pole}) {
                const std::vector<Property> places = placesWith(handle, place);
                const bool isMoved = std::any_of(
                    draft.movedKeys.begin(), draft.movedKeys.end(), [&](const MovedKey& moved) {
                        return moved.clip == clip && moved.channel.target == handle.id.value &&
                               std::find(places.begin(), places.end(), moved.channel.property) != places.end();
                    });
                const ChannelId space{handle.id.value, spaceOf(place)};
                if (!isMoved && haveSameKeys(*before.find(clip), *draft.scene.find(clip), space)) continue;
                for (const Property each : places)
                    for (const Layer layer : {Layer::Keys, Layer::Corrections})
                        if (const auto kept = keepPlacesOf(draft, before, clip, handle, each, layer); !kept)
                            return kept;
                if (const auto keyed = keySwitches(draft, before, clip, handle, place); !keyed) return keyed;
            }
    }
    return {};
}

} // namespace tendon
