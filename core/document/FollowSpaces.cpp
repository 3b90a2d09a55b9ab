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
        return Error{ErrorCode::InvalidArgument, "it has no pole that could follow; give it a pole first", handle.name};
    if (!handle.poleTarget.isValid()) return {};
    return Error{ErrorCode::InvalidArgument,
                 "its pole is at the joint " + inQuotes(nameOf(scene, handle.poleTarget.value)) +
                     "; make it a point of its own first",
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

bool isSamePlace(Property place, const ChannelValue& a, const ChannelValue& b)
{
    constexpr double kSame = 1e-7; // [m], of a quaternion's numbers: rounding through a few transforms
    double apart = 0, mirrored = 0;
    for (std::size_t c = 0; c < a.size(); ++c) {
        apart = std::max(apart, std::abs(a[c] - b[c]));
        mirrored = std::max(mirrored, std::abs(a[c] + b[c]));
    }
    return apart < kSame || (isQuaternion(place) && mirrored < kSame);
}

/// The keys of one channel around a switch of spaces that an edit has moved, or made. An object holds a goal that
/// stands still in its space up to the switch, or from it on. Of a moved switch, the two keys (at its frame and on the
/// frame before) go along with it; what is held stays held, by the same place, in all frames that its holder has now.
/// From holder to holder, and when it is let go, it goes on from where it is. What nothing holds is where it was.
class MovedSwitch
{
public:
    MovedSwitch(Draft& draft, const Draft& former, const Handle& handle, Property place, const std::vector<Switch>& all,
                std::size_t index, std::optional<Time> was)
        : m_draft(draft), m_former(former), m_handle(handle), m_place(place), m_all(all), m_index(index),
          m_switch(all[index]), m_was(was), m_formerPlace(former, handle, place)
    {
        if (const KeyList* keys = draft.scene.find(former.edit.currentClip)->find({handle.id.value, place}))
            m_keys = *keys;
        m_before = frameBefore(m_switch.at);
    }

    [[nodiscard]] Result<void> put()
    {
        findHolds();
        if (const auto put = m_first || m_second ? keyHeld() : keyWhereItWas(); !put) return put;
        return m_draft.take(replaceKeys(std::move(m_draft.scene), m_former.edit.currentClip,
                                        {m_handle.id.value, m_place}, m_keys.toVector()));
    }

private:
    [[nodiscard]] Time frameBefore(Time time) const
    {
        const FrameRate fps = m_draft.scene.fps;
        return fps.timeOf(fps.frameAt(time) - 1);
    }
    [[nodiscard]] bool isEarlier() const { return m_switch.at < *m_was; }
    [[nodiscard]] bool isFree(Time time) const { return m_keys.at(time) == nullptr; }
    [[nodiscard]] bool wasMovedTo(Time time) const
    {
        return std::any_of(m_draft.movedKeys.begin(), m_draft.movedKeys.end(), [&](const MovedKey& moved) {
            return moved.clip == m_former.edit.currentClip && moved.to == time &&
                   moved.channel == ChannelId{m_handle.id.value, m_place};
        });
    }
    [[nodiscard]] bool isOfAnother(Time time) const
    {
        return std::any_of(m_all.begin(), m_all.end(), [&](const Switch& each) {
            return !(each == m_switch) && (time == each.at || time == frameBefore(each.at));
        });
    }

    // ---- what holds

    /// Before the edit: the value at the switch's own key on each side, if an object holds it by that.
    void findHolds()
    {
        if (!m_was) return;
        m_wasBefore = frameBefore(*m_was);
        const KeyList* keys = m_former.clip()->find({m_handle.id.value, m_place});
        const auto space = [&](Time time) {
            return spaceOfValue(m_former.scene, m_former.clip(), m_handle, m_place, time);
        };
        const Key *before = keys->at(m_wasBefore), *at = keys->at(*m_was);
        if (before == nullptr || at == nullptr) return;
        m_at = *at;
        m_keyBefore = *before;
        const std::size_t i = keys->countUpTo(*m_was) - 1;
        const auto isStill = [&](const Key& own, std::size_t other) {
            return other >= keys->size() || space((*keys)[other].time) != space(own.time) ||
                   isSamePlace(m_place, (*keys)[other].value, own.value);
        };
        if (m_switch.from != 0 && (i < 2 || isStill(*before, i - 2))) m_first = before->value;
        if (m_switch.to != 0 && isStill(*at, i + 1)) m_second = at->value;
        m_heldAt = at->value;
        if (!m_first || m_index == 0) return; // the hold may have begun elsewhere by now
        const Key* begin = keyOfFormer(m_all[m_index - 1].at, *keys);
        if (const Key* now = m_keys.at(m_all[m_index - 1].at))
            if (begin != nullptr && isSamePlace(m_place, begin->value, *m_first)) m_hold = now->value;
    }

    /// The key, before the edit, of a switch that may have moved.
    [[nodiscard]] const Key* keyOfFormer(Time at, const KeyList& keys) const
    {
        for (const MovedKey& moved : m_draft.movedKeys)
            if (moved.clip == m_former.edit.currentClip && moved.to == at &&
                moved.channel == ChannelId{m_handle.id.value, spaceOf(m_place)})
                return keys.at(moved.from);
        return keys.at(at);
    }

    /// The object had the goal by `value` at that time already.
    [[nodiscard]] bool hadBy(ObjectId space, Time time, const ChannelValue& value) const
    {
        const auto found = m_formerPlace.in(space, time);
        return found && isSamePlace(m_place, *found, value);
    }

    // ---- keys

    [[nodiscard]] ChannelValue seenFrom(ObjectId to, ObjectId holder, const ChannelValue& value, Time time) const
    {
        if (to == holder) return value;
        const Clip* clip = m_draft.scene.find(m_former.edit.currentClip);
        const auto from = worldOfSpace(m_draft, m_draft.scene, clip, kNoPending, time, holder),
                   into = worldOfSpace(m_draft, m_draft.scene, clip, kNoPending, time, to);
        if (!from || !into || !(std::abs(into->linear().determinant()) > 0)) return value;
        return valueInSpace(m_place, value, Affine(into->inverse() * *from));
    }

    /// A key at which the goal goes along with its holder, seen from a space.
    [[nodiscard]] Key along(ObjectId to, ObjectId holder, const ChannelValue& value, Time time,
                            Interpolation interpolation) const
    {
        Key key{.time = time, .value = seenFrom(to, holder, value, time), .interpolation = interpolation};
        if (to == holder || isQuaternion(m_place)) return key;
        const std::int64_t step = m_draft.scene.fps.timeOf(0.125).ticks - m_draft.scene.fps.timeOf(0).ticks;
        const ChannelValue earlier = seenFrom(to, holder, value, {time.ticks - step}),
                           later = seenFrom(to, holder, value, {time.ticks + step});
        key.tangents = TangentMode::Free;
        for (std::size_t c = 0; c < 3; ++c) key.in[c] = (later[c] - earlier[c]) / Time{2 * step}.seconds();
        return key;
    }

    /// Leaves out the two keys of the switch, what lies in frames that a holder has now, and what it was held by in
    /// frames that it has no more.
    void dropPassed()
    {
        const Time from = std::min(*m_was, m_switch.at), to = std::max(*m_was, m_switch.at);
        const bool isHeldNow = (isEarlier() ? m_second : m_first).has_value();
        const std::optional<ChannelValue>& lost = isEarlier() ? m_first : m_second;
        const KeyList* former = m_former.clip()->find({m_handle.id.value, m_place});
        for (const Key& key : m_keys.toVector()) {
            if (wasMovedTo(key.time) || isOfAnother(key.time)) continue;
            const Key* was = former->at(key.time);
            const bool isOwn = key.time == *m_was || key.time == m_wasBefore;
            const bool isPassed = key.time >= from && key.time < to;
            const bool isOfLost = lost && was != nullptr && isSamePlace(m_place, was->value, *lost);
            if (isOwn || isInTheWay(key.time) || (isPassed && (isHeldNow || isOfLost))) m_keys.erase(key.time);
        }
    }

    /// The frames of the way from a holder to the next key, or to it from the last one, are kept free where the switch
    /// has come nearer: nothing leaps.
    [[nodiscard]] bool isInTheWay(Time time) const
    {
        const KeyList& former = *m_former.clip()->find({m_handle.id.value, m_place});
        const std::size_t i = former.countUpTo(*m_was) - 1;
        const auto isWithin = [&](std::int64_t ticks, std::int64_t way) {
            return ticks > 0 && ticks < std::min(way, std::abs(m_switch.at.ticks - m_was->ticks));
        };
        if (m_first && !m_second && !isEarlier() && i + 1 < former.size())
            return isWithin(time.ticks - m_switch.at.ticks, former[i + 1].time.ticks - m_was->ticks);
        if (m_second && !m_first && isEarlier() && i >= 2)
            return isWithin(m_before.ticks - time.ticks, m_wasBefore.ticks - former[i - 2].time.ticks);
        return false;
    }

    [[nodiscard]] Result<void> keyHeld()
    {
        dropPassed();
        const ObjectId from = m_switch.from, to = m_switch.to;
        const Time at = m_switch.at;
        const bool isByFirst = m_first && (!isEarlier() || hadBy(from, m_before, *m_first));
        const bool isBySecond = !m_first && (isEarlier() || hadBy(to, at, *m_second));
        Key before, begin;
        if (isByFirst) {
            const ChannelValue held = m_hold ? *m_hold : *m_first;
            before = along(from, from, held, m_before, m_keyBefore.interpolation);
            begin = along(to, from, held, at, m_at.interpolation);
        } else if (isBySecond) {
            before = along(from, to, *m_second, m_before, m_keyBefore.interpolation);
            before.out = before.in;
            begin = along(to, to, *m_second, at, m_at.interpolation);
        } else {
            const auto was = m_formerPlace.in(from, m_before), now = m_formerPlace.in(to, at);
            if (!was || !now) return was ? now.error() : was.error();
            before = {.time = m_before, .value = *was, .interpolation = m_keyBefore.interpolation};
            begin = {.time = at, .value = *now, .interpolation = m_at.interpolation};
        }
        m_keys.insertOrReplace(before);
        m_keys.insertOrReplace(begin);
        if (!isSamePlace(m_place, begin.value, m_heldAt)) goOn(m_index, begin.value, m_heldAt);
        return {};
    }

    /// What stood still from a switch on stands still at its new place, and is passed on from there.
    void goOn(std::size_t index, const ChannelValue& value, const ChannelValue& former)
    {
        const bool isLast = index + 1 == m_all.size();
        for (std::size_t i = m_keys.countUpTo(m_all[index].at); i < m_keys.size(); ++i) {
            Key key = m_keys[i];
            if ((!isLast && key.time >= m_all[index + 1].at) || !isSamePlace(m_place, key.value, former)) return;
            key.value = value;
            m_keys.insertOrReplace(key);
            if (isLast || key.time != frameBefore(m_all[index + 1].at)) continue;
            const Switch& next = m_all[index + 1];
            const Key* there = m_keys.at(next.at);
            if (there == nullptr) return;
            const Key was = *there;
            const Key begin = along(next.to, next.from, value, next.at, was.interpolation);
            m_keys.insertOrReplace(begin);
            goOn(index + 1, begin.value, was.value);
            return;
        }
    }

    [[nodiscard]] Result<void> keyWhereItWas()
    {
        if (m_was && isEarlier()) { // in its old place the key of the frame before would be among the other space's
            const Time border = frameBefore(*m_was);
            const KeyList* was = m_former.clip()->find({m_handle.id.value, m_place});
            const bool isPair = was != nullptr && was->at(border) != nullptr && was->at(*m_was) != nullptr;
            if (isPair && border >= m_switch.at && !wasMovedTo(border)) m_keys.erase(border);
        }
        SwitchKeys as(m_former, m_handle, m_place, m_before, m_switch.at, m_switch.from);
        const auto both = as.make(m_switch.to, {std::numeric_limits<std::int64_t>::max()}, true);
        if (!both) return both.error();
        const bool letsGo = m_was && m_switch.to == 0 && wasMovedTo(m_switch.at);
        for (const Key& key : *both)
            if (isFree(key.time) || (key.time == m_switch.at && letsGo)) m_keys.insertOrReplace(key);
        return {};
    }

    Draft& m_draft;
    const Draft& m_former; ///< before the edit, in the clip
    const Handle& m_handle;
    Property m_place;
    const std::vector<Switch>& m_all; ///< of the clip as it is now
    std::size_t m_index;
    Switch m_switch;
    std::optional<Time> m_was;
    FormerPlace m_formerPlace; ///< where it was before the edit
    KeyList m_keys;
    Time m_before, m_wasBefore;                    ///< the frames before the switch, now and then
    Key m_keyBefore, m_at;                         ///< the two keys of the switch, then
    ChannelValue m_heldAt{};                       ///< the value of the second
    std::optional<ChannelValue> m_first, m_second; ///< what the object of each side holds it by; none: it holds nothing
    std::optional<ChannelValue> m_hold;            ///< the first, if another switch of the edit has changed it
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
    for (std::size_t i = 0; i < now.size(); ++i) {
        if (has(was, now[i])) continue;
        const auto from = formerTimeOf(draft, clipId, spaces, now[i], was, now);
        for (const Property property : placesWith(handle, place)) {
            if (before.find(clipId)->find({handle.id.value, property}) == nullptr) continue;
            if (draft.scene.find(clipId)->find({handle.id.value, property}) == nullptr) continue;
            if (const auto put = MovedSwitch(draft, former, handle, property, now, i, from).put(); !put) return put;
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
