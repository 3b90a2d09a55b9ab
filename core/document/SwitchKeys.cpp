#include "core/document/SwitchKeys.h"

#include "core/document/KeyInsertion.h"
#include "core/document/Posing.h"
#include "core/runtime/CurveSlope.h"
#include "core/runtime/KeySampling.h"
#include "core/runtime/PoseSampler.h"
#include "core/scene/Check.h"
#include "core/scene/Corrections.h"
#include "core/scene/KeyEdit.h"

#include <cmath>

namespace tendon {
namespace {

const PendingValues kNonePending;
constexpr double kSlopeSpan = 8; // [frames] whose first tenth is looked at: enough of a solved pose, and of a curve

} // namespace

/// The channels of a handle that are given in the space of `place`.
std::vector<Property> placesWith(const Handle& handle, Property place)
{
    if (place == Property::Pole) return {Property::Pole};
    std::vector<Property> places = {Property::GoalPosition, Property::GoalRotation};
    for (int i = 0; i < handle.curvePoints; ++i) places.push_back(curvePoint(i));
    return places;
}

Result<ChannelValue> FormerPlace::in(ObjectId space, Time time) const
{
    const Clip* clip = m_draft.clip();
    const ObjectId own = spaceOfValue(m_draft.scene, clip, m_handle, m_place, time);
    const PendingValues& pending = time == m_draft.time() ? m_draft.edit.pending : kNonePending;
    const ChannelId channel{m_handle.id.value, m_place};
    const ChannelLayers layers = sampleLayers(m_draft.scene, clip, pending, channel, time);
    const ChannelValue value = withoutCorrection(m_place, channelValue(m_draft, channel, time), layers.correction,
                                                 layers.weight);
    if (own == space) return value;
    const auto from = worldOfSpace(m_draft, m_draft.scene, clip, pending, time, own),
               to = worldOfSpace(m_draft, m_draft.scene, clip, pending, time, space);
    if (!from || !to) return from ? to.error() : from.error();
    if (!(std::abs(to->linear().determinant()) > 0))
        return Error{
            ErrorCode::InvalidArgument,
            inQuotes(nameOf(m_draft.scene, space)) + " is scaled to nothing, so nothing can keep its place in it", ""};
    return valueInSpace(m_place, value, changeOfSpace(*to, *from));
}

bool FormerPlace::changesSpaceAt(Time time) const
{
    const auto spaceAt = [&](Time at) { return spaceOfValue(m_draft.scene, m_draft.clip(), m_handle, m_place, at); };
    return spaceAt(time) != spaceAt({time.ticks - 1});
}

Result<ChannelValue> FormerPlace::slope(ObjectId space, Time time, double by) const
{
    std::optional<Error> failure;
    const auto valueAt = [&](Time at) {
        const auto value = in(space, at);
        if (!value) failure = value.error();
        return value ? *value : ChannelValue{};
    };
    const FrameRate fps = m_draft.scene.fps;
    const Time other{time.ticks + fps.timeOf(by).ticks - fps.timeOf(0).ticks};
    const ChannelValue slope = slopeWithin(valueAt, m_place, {.time = time, .value = valueAt(time)}, other);
    return failure ? Result<ChannelValue>(*failure) : slope;
}

SwitchKeys::SwitchKeys(const Draft& draft, const Handle& handle, Property place, Time before, Time at, ObjectId from)
    : m_former(draft, handle, place), m_place(place), m_before(before), m_at(at), m_from(from)
{
    if (draft.clip()->find({handle.id.value, place}) != nullptr)
        m_keys = shownKeys(*draft.clip(), {handle.id.value, place});
    m_hasOwnBefore = spaceOfValue(draft.scene, draft.clip(), handle, place, before) == from;
    const KeyList* spaces = draft.clip()->find({handle.id.value, spaceOf(place)});
    m_isOnCurve = m_hasOwnBefore && !m_keys.isEmpty() &&
                  (spaces == nullptr || (!isInfinite(m_keys, before) && !isBetweenSpaces(m_keys, *spaces, before)));
    m_isPosed = at == draft.time() && draft.edit.pending.count({handle.id.value, place}) != 0;
}

Result<std::vector<Key>> SwitchKeys::make(ObjectId to, Time until, bool hasBefore) const
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

/// Where the goal moves before and after: within `until`, where the space changes again.
bool SwitchKeys::isKeyedBefore() const { return m_keys.countUpTo({m_at.ticks - 1}) > 0; }
bool SwitchKeys::isKeyedAfter(Time until) const { return m_keys.countUpTo(until) > m_keys.countUpTo(m_at); }

/// As it was there, with the tangents that the curve had.
Result<Key> SwitchKeys::before() const
{
    if (const Key* there = m_hasOwnBefore ? m_keys.at(m_before) : nullptr) {
        Key key = *there;
        const Tangents tangents = tangentsAt(m_keys, m_place, m_keys.countUpTo(m_before) - 1);
        if (!isStored(key.tangents)) key.tangents = TangentMode::Free;
        key.in = tangents.in, key.out = tangents.out;
        return key;
    }
    if (m_isOnCurve) return keyOnCurve(m_keys, m_place, m_before);
    const auto value = m_former.in(m_from, m_before);
    if (!value) return value.error();
    Key key{.time = m_before, .value = *value, .interpolation = interpolation(m_before)};
    const bool isCurved = key.interpolation == Interpolation::Bezier && isKeyedBefore();
    if (!isCurved) return key;
    const auto in = m_former.slope(m_from, m_before, -kSlopeSpan), out = m_former.slope(m_from, m_before, kSlopeSpan);
    if (!in || !out) return in ? out.error() : in.error();
    key.tangents = TangentMode::Aligned;
    for (std::size_t c = 0; c < key.in.size(); ++c) key.in[c] = key.out[c] = ((*in)[c] + (*out)[c]) / 2;
    return key;
}

/// Where it was, in the new space, with the speed that it had in it.
Result<Key> SwitchKeys::at(ObjectId to, Time until) const
{
    const auto value = m_former.in(to, m_at);
    if (!value) return value.error();
    const Key* there = m_keys.at(m_at);
    Key key{
        .time = m_at, .value = *value, .interpolation = there != nullptr ? there->interpolation : interpolation(m_at)};
    const bool isCurved = interpolation(m_before) == Interpolation::Bezier && isKeyedBefore() && !m_isPosed;
    if (!isCurved) return key;
    const auto in = m_former.slope(to, m_at, -kSlopeSpan), out = m_former.slope(to, m_at, kSlopeSpan);
    if (!in || !out) return in ? out.error() : in.error();
    const bool goesOn = isKeyedAfter(until);
    key.tangents = there != nullptr || !goesOn ? TangentMode::Free : TangentMode::Aligned;
    key.in = *in, key.out = goesOn ? *out : ChannelValue{}; // what is let go stays where it is
    if (goesOn && there == nullptr)
        for (std::size_t c = 0; c < key.in.size(); ++c) key.in[c] = key.out[c] = ((*in)[c] + (*out)[c]) / 2;
    return key;
}

/// Of the segment that a time is in.
Interpolation SwitchKeys::interpolation(Time time) const
{
    const std::size_t count = m_keys.countUpTo(time);
    if (count == 0) return usualInterpolation({0, m_place});
    const Interpolation own = m_keys[count - 1].interpolation;
    // What was held on something from a switch on goes on as it moved before.
    const bool isHold = own == Interpolation::Step && count > 1 && time == m_at &&
                        m_former.changesSpaceAt(m_keys[count - 1].time);
    return isHold ? m_keys[count - 2].interpolation : own;
}

} // namespace tendon
