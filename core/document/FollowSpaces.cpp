#include "core/document/FollowSpaces.h"

#include "core/document/KeyInsertion.h"
#include "core/document/MovedSwitches.h"
#include "core/document/Posing.h"
#include "core/document/Reparent.h"
#include "core/document/SwitchKeys.h"
#include "core/math/Convert.h"
#include "core/math/SmoothStep.h"
#include "core/runtime/CurveKeys.h"
#include "core/runtime/CurveSlope.h"
#include "core/runtime/KeySampling.h"
#include "core/scene/Check.h"
#include "core/scene/Corrections.h"
#include "core/scene/FollowSpace.h"
#include "core/scene/KeyEdit.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>

namespace tendon {
namespace {

const PendingValues kNoPending;

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

/// The clip's keys of a space begin with what was followed before there were any, or before the first of them.
Result<void> keyFormerSpace(Draft& draft, ClipId clip, const Handle& handle, Property place, Time at)
{
    const ChannelId channel{handle.id.value, spaceOf(place)};
    const Clip& keyed = *draft.scene.find(clip);
    const KeyList* spaces = keyed.find(channel);
    if (spaces != nullptr && spaces->front().time <= at) return {};
    Time first = draft.scene.fps.timeOf(draft.scene.firstFrame);
    for (const Property p : placesWith(handle, place))
        if (const KeyList* keys = keyed.find({handle.id.value, p})) first = std::min(first, keys->front().time);
    if (first >= at) return {};
    const Key key{.time = first,
                  .value = spaces != nullptr ? sampleKeys(*spaces, channel.property, at)
                                             : draft.scene.staticValue(channel)};
    return draft.take(setKey(std::move(draft.scene), clip, channel, key));
}

/// Where a key of a place was before an edit: a time of the clip before.
std::optional<Time> formerTimeOf(const Draft& draft, ClipId clip, ChannelId channel, const KeyList* before,
                                 const Key& key)
{
    for (const MovedKey& moved : draft.movedKeys)
        if (moved.clip == clip && moved.channel == channel && moved.to == key.time)
            return moved.how == MovedKey::How::Pasted ? std::nullopt : std::optional(moved.from);
    const Key* there = before == nullptr ? nullptr : before->at(key.time);
    return there != nullptr && there->value == key.value ? std::optional(key.time) : std::nullopt;
}

/// How values of a place change into another space around a moment, in which the two may move against each other.
struct MovingChange
{
    ChangeOfSpace now, earlier, later;
    double seconds = 0; ///< from the earlier one to the later one

    /// The slope in the new space of what has `value` and `slope` in the old one, as it is seen in the world.
    [[nodiscard]] ChannelValue slope(Property place, const ChannelValue& value, ChannelValue slope) const
    {
        slope = slopeInSpace(place, slope, now);
        if (!earlier.isFinite() || !later.isFinite()) return slope;
        const ChannelValue is = valueInSpace(place, value, now),
                           before = withSignOf(is, valueInSpace(place, value, earlier), place),
                           after = withSignOf(is, valueInSpace(place, value, later), place);
        for (std::size_t c = 0; c < slope.size(); ++c) slope[c] += (after[c] - before[c]) / seconds;
        return slope;
    }
};

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
    std::optional<Quaternion> last; // turn of the key before
    for (Key& key : kept) {
        const auto origin = formerTimeOf(draft, clipId, channel, was.find(channel), key);
        if (!origin) continue;
        const ObjectId from = spaceOfValue(before, &was, *former, place, *origin);
        const ObjectId to = spaceOfValue(draft.scene, &clip, handle, place, key.time);
        if (from == to) continue;
        const auto changeAt = [&](std::int64_t by) -> Result<ChangeOfSpace> {
            const auto worldFromOld = worldOfSpace(draft, before, &was, {}, {origin->ticks + by}, from);
            const auto worldFromNew = worldOfSpace(draft, draft.scene, &clip, {}, {key.time.ticks + by}, to);
            if (!worldFromOld || !worldFromNew) return worldFromOld ? worldFromNew.error() : worldFromOld.error();
            return changeOfSpace(*worldFromNew, *worldFromOld);
        };
        const auto change = changeAt(0);
        if (!change) return change.error();
        if (!change->isFinite()) continue;
        isChanged = true;
        if (layer == Layer::Corrections || !isStored(key.tangents)) {
            const ChannelValue value = key.value;
            key.value = layer == Layer::Keys ? valueInSpace(place, value, *change)
                                             : slopeInSpace(place, value, *change);
            key.in = slopeInSpace(place, key.in, *change);
            key.out = slopeInSpace(place, key.out, *change);
        } else {
            const std::int64_t step = draft.scene.fps.timeOf(0.125).ticks - draft.scene.fps.timeOf(0).ticks;
            const auto earlier = changeAt(-step), later = changeAt(step);
            if (!earlier || !later) return earlier ? later.error() : earlier.error();
            MovingChange moving{*change, *earlier, *later, Time{2 * step}.seconds()};
            if (last && last->coeffs().dot(moving.now.turn.coeffs()) < 0) moving.now.turn.coeffs() *= -1;
            last = moving.now.turn; // stored slopes go by the signs of their values
            key.in = moving.slope(place, key.value, key.in);
            key.out = moving.slope(place, key.value, key.out);
            key.value = valueInSpace(place, key.value, moving.now);
        }
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
    const ChangeOfSpace change = changeOfSpace(*worldFromNew, *worldFromOld);
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
        *value = slopeInSpace(place.property, *value, change);
    for (const Key& key : {keyOf(before), after})
        if (const auto keyed = draft.take(setKey(std::move(draft.scene), clipId, channel, key)); !keyed) return keyed;
    return {};
}

/// Where a place goes from space to space, its correction is keyed on both sides, each as its own space has it: no
/// number of the one is added in the other, so that the correction comes and goes without a leap.
Result<void> splitCorrection(Draft& draft, ClipId clipId, const Handle& handle, Property place)
{
    const ChannelId channel{handle.id.value, place, Layer::Corrections};
    const Clip clip = *draft.scene.find(clipId);
    const KeyList *keys = clip.find(channel), *base = clip.find(inLayer(channel, Layer::Keys)),
                  *spaces = clip.find({handle.id.value, spaceOf(place)});
    if (keys == nullptr || base == nullptr || spaces == nullptr || isQuaternion(place)) return {};
    KeyList split = *keys;
    const auto keyIn = [&](ObjectId space, Time time) -> Result<Key> {
        const auto worldFromNew = worldOfSpace(draft, draft.scene, &clip, {}, time, space);
        if (!worldFromNew) return worldFromNew.error();
        std::map<ObjectId, ChangeOfSpace> changes; // at this moment
        std::vector<Key> seen = split.toVector();
        for (Key& key : seen) {
            const std::size_t count = base->countUpTo(key.time);
            const ObjectId own = spaceAt(*spaces, (*base)[count > 0 ? count - 1 : 0].time);
            if (own == space) continue;
            if (changes.count(own) == 0) {
                const auto worldFromOld = worldOfSpace(draft, draft.scene, &clip, {}, time, own);
                if (!worldFromOld) return worldFromOld.error();
                changes[own] = changeOfSpace(*worldFromNew, *worldFromOld);
            }
            if (!changes[own].isFinite()) continue; // it is scaled to nothing
            for (ChannelValue* value : {&key.value, &key.in, &key.out})
                *value = slopeInSpace(place, *value, changes[own]);
        }
        return keyOnCurve(KeyList(std::move(seen), split), place, time);
    };
    for (std::size_t i = 0; i + 1 < base->size(); ++i) {
        const Time before = (*base)[i].time, at = (*base)[i + 1].time;
        const ObjectId from = spaceAt(*spaces, before), to = spaceAt(*spaces, at);
        if (from == to || isInfinite(split, before) || isInfinite(split, at)) continue;
        const auto end = keyIn(from, before), begin = keyIn(to, at);
        if (!end || !begin) return end ? begin.error() : end.error();
        const auto isShown = [&](const Key& key) {
            constexpr double kSameCorrection = 1e-9; // of its size
            const Vector3 shown = toVector(sampleKeys(split, place, key.time)), wanted = toVector(key.value);
            return split.at(key.time) != nullptr || (shown - wanted).norm() <= kSameCorrection * wanted.norm();
        };
        if (isShown(*end) && isShown(*begin)) continue;
        for (const Key& key : {*end, *begin})
            if (split.at(key.time) == nullptr) split.insertOrReplace(key);
    }
    if (split == *keys) return {};
    return draft.take(replaceKeys(std::move(draft.scene), clipId, channel, split.toVector()));
}

/// A place that moves on its own from the begin of a span on is where it was in each frame, up to its last key within
/// the span, as `space` has it.
Result<void> keepFrames(Draft& draft, const Draft& former, const Handle& handle, Property property, ObjectId space,
                        TimeSpan span)
{
    const ChannelId channel{handle.id.value, property};
    const KeyList was = *former.clip()->find(channel);
    std::set<Time> times{span.from};
    for (std::size_t k = was.countUpTo(span.from); k < was.size() && was[k].time <= span.to; ++k)
        times.insert(was[k].time);
    if (times.size() < 2) return {}; // it goes along
    const FormerPlace place(former, handle, property);
    std::map<Time, ChannelValue> known;
    std::optional<Error> failure;
    const auto valueAt = [&](Time time) {
        const auto [entry, isNew] = known.try_emplace(time);
        if (!isNew) return entry->second;
        const auto value = place.in(space, time);
        if (!value) failure = value.error();
        return entry->second = value ? *value : ChannelValue{};
    };
    KeyList keys = *draft.clip()->find(channel);
    const Key begin = *keys.at(span.from);
    for (Key key : CurveKeys(draft.scene.fps, property, valueAt).through(times, false).toVector()) {
        if (key.time == span.from) key.in = begin.in; // it comes here as it did
        if (key.time == *times.rbegin()) {            // it goes on as it did
            key.interpolation = was.at(key.time)->interpolation;
            key.out = slopeWithin(valueAt, property, key, {key.time.ticks + draft.scene.fps.timeOf(8).ticks});
        }
        if (key.in != key.out) key.tangents = TangentMode::Free;
        keys.insertOrReplace(key);
    }
    if (failure) return *failure;
    return draft.take(replaceKeys(std::move(draft.scene), draft.edit.currentClip, channel, keys.toVector()));
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
                                         Time time) -> ChangeOfSpace {
        const Clip* current = scene.find(draft.edit.currentClip);
        const bool isHidden = current != nullptr && current->find(channel) != nullptr;
        const bool isNow = clip == nullptr && !isHidden;
        const Clip* playing = isNow ? current : clip == nullptr ? nullptr : scene.find(clip->id);
        const PendingValues& pending = isNow ? draft.edit.pending : kNoPending;
        const Time at = isNow ? scene.fps.timeOf(draft.edit.frame) : time;
        const auto worldFromOld = worldOfSpace(draft, scene, playing, pending, at, from);
        const auto worldFromNew = worldOfSpace(draft, scene, playing, pending, at, to);
        if (!worldFromOld || !worldFromNew) return {};
        return changeOfSpace(*worldFromNew, *worldFromOld);
    };
}

std::optional<ChannelValue> valueBetweenSpaces(const Draft& draft, ChannelId channel, Time time)
{
    const Handle* handle = isPlace(channel.property) ? draft.scene.find(HandleId{channel.target}) : nullptr;
    const Clip* clip = draft.clip();
    const KeyList* keys = handle == nullptr || clip == nullptr ? nullptr : clip->find(channel);
    const KeyList* spaces = keys == nullptr ? nullptr : clip->find({channel.target, spaceOf(channel.property)});
    if (spaces == nullptr) return std::nullopt;
    if (!isInfinite(*keys, time) && !isBetweenSpaces(*keys, *spaces, time)) return std::nullopt;
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

std::optional<Eigen::Matrix3d> correctionBetweenSpaces(const Draft& draft, ChannelId channel, Time time)
{
    const Clip* clip = draft.clip();
    const KeyList* keys = clip == nullptr ? nullptr : clip->find(channel);
    const KeyList* spaces = keys == nullptr ? nullptr : clip->find({channel.target, spaceOf(channel.property)});
    if (spaces == nullptr || isInfinite(*keys, time)) return std::nullopt;
    const KeySegment segment = segmentAt(*keys, channel.property, time);
    if (segment.left == nullptr || segment.right == nullptr || segment.left->time == time) return std::nullopt;
    const auto world = [&](Time of) {
        return worldOfSpace(draft, draft.scene, clip, kNoPending, time, spaceAt(*spaces, of));
    };
    const auto from = world(segment.left->time), to = world(segment.right->time), own = world(time);
    if (!from || !to || !own) return std::nullopt;
    const double u = (time.seconds() - segment.left->time.seconds()) /
                     (segment.right->time.seconds() - segment.left->time.seconds());
    const Interpolation interpolation = segment.left->interpolation;
    const double share = interpolation == Interpolation::Bezier   ? smoothStep(u) // as sampleTarget() goes over
                         : interpolation == Interpolation::Linear ? u
                                                                  : 0;
    const Eigen::Matrix3d moved = own->linear().inverse() * ((1 - share) * from->linear() + share * to->linear());
    if (!moved.allFinite() || !(std::abs(moved.determinant()) > 0)) return std::nullopt;
    return moved;
}

Result<Key> keyInSpace(const Draft& draft, const Handle& handle, Property place, Key key, ObjectId space)
{
    const ObjectId own = spaceOfValue(draft.scene, draft.clip(), handle, place, key.time);
    if (own == space) return key;
    const auto from = worldOfSpace(draft, draft.scene, draft.clip(), kNoPending, key.time, own),
               to = worldOfSpace(draft, draft.scene, draft.clip(), kNoPending, key.time, space);
    if (!from || !to) return from ? to.error() : from.error();
    const ChangeOfSpace change = changeOfSpace(*to, *from);
    if (!change.isFinite()) return key; // it is scaled to nothing
    key.value = valueInSpace(place, key.value, change);
    key.in = slopeInSpace(place, key.in, change);
    key.out = slopeInSpace(place, key.out, change);
    return key;
}

Result<void> keySpace(Draft& draft, HandleId id, Property place, ObjectId space, double frame, bool keepsFrames)
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
    std::optional<Draft> asItWas;
    if (keepsFrames) asItWas.emplace(draft);
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
        const ChannelId channel{id.value, property};
        if (unchanged.find(*clip)->find(channel) == nullptr || made.size() < 2) continue;
        // Up to the switch the curve is as it was: the key before keeps its slopes.
        constexpr Time kNever{std::numeric_limits<std::int64_t>::max()};
        const KeyList shown = shownKeys(*unchanged.find(*clip), channel), &now = *draft.clip()->find(channel);
        const KeyList kept = isQuaternion(property) ? withFormerTurn(now, shown, property, before, fps)
                                                    : withFormerCurve(now, shown, property, before, kNever);
        if (const auto put = draft.take(replaceKeys(std::move(draft.scene), *clip, channel, kept.toVector())); !put)
            return put;
        if (!asItWas) continue;
        if (const auto same = keepFrames(draft, *asItWas, handle, property, space, {at, until}); !same) return same;
    }
    return {};
}

Result<void> holdInSpace(Draft& draft, HandleId id, ObjectId space, double from, double to)
{
    if (!(from < to)) return Error{ErrorCode::InvalidArgument, "must be after the first frame that is held", "to"};
    if (const auto clip = clipToKey(draft); !clip) return clip.error();
    const Clip former = *draft.clip();
    const ClipId clip = former.id;
    const Handle handle = *draft.scene.find(id);
    const FrameRate fps = draft.scene.fps;
    const Time first = fps.timeOf(from), last = fps.timeOf(to);
    const ObjectId left = spaceOfValue(draft.scene, &former, handle, Property::GoalPosition, last);
    const auto drop = [&](Property property, Time after) -> Result<void> {
        const ChannelId channel{id.value, property};
        const KeyList* keys = draft.clip()->find(channel);
        if (keys == nullptr) return {};
        std::vector<Key> kept = keys->toVector();
        std::erase_if(kept, [&](const Key& key) { return key.time > after && key.time <= last; });
        if (kept.size() == keys->size()) return {};
        return draft.take(replaceKeys(std::move(draft.scene), clip, channel, std::move(kept)));
    };
    if (const auto dropped = drop(Property::Space, {first.ticks - 1}); !dropped) return dropped;
    if (const auto keyed = keySpace(draft, id, Property::GoalPosition, space, from); !keyed) return keyed;
    const std::vector<Property> places = placesToKey(*draft.clip(), handle, Property::GoalPosition);
    for (const Property place : places) {
        if (const auto dropped = drop(place, first); !dropped) return dropped;
        const ChannelId channel{id.value, place};
        const KeyList* keys = draft.clip()->find(channel);
        if (keys == nullptr || keys->at(first) == nullptr) continue;
        Key held = *keys->at(first);
        held.interpolation = Interpolation::Step;
        if (const auto set = draft.take(setKey(std::move(draft.scene), clip, channel, held)); !set) return set;
    }
    if (const auto keyed = keySpace(draft, id, Property::GoalPosition, left, to); !keyed) return keyed;

    // After it each key has the slopes that it had, and the way to the first of them goes as ways do there.
    for (const Property place : places) {
        const ChannelId channel{id.value, place};
        if (former.find(channel) == nullptr || draft.clip()->find(channel) == nullptr) continue;
        KeyList keys = *draft.clip()->find(channel);
        const KeyList was = shownKeys(former, channel);
        if (const Key* there = keys.at(last); there != nullptr) {
            Key released = *there;
            const std::size_t before = was.countUpTo(last);
            released.interpolation = was[before > 0 ? before - 1 : 0].interpolation;
            keys.insertOrReplace(released);
        }
        const std::size_t next = keys.countUpTo(last);
        if (next < keys.size() && was.at(keys[next].time) != nullptr && !isQuaternion(place)) {
            Key key = keys[next];
            const Tangents tangents = tangentsAt(was, place, was.countUpTo(key.time) - 1);
            key.tangents = TangentMode::Free;
            key.in = tangents.in, key.out = tangents.out;
            keys.insertOrReplace(key);
        }
        if (const auto put = draft.take(replaceKeys(std::move(draft.scene), clip, channel, keys.toVector())); !put)
            return put;
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
                const bool areSpacesSame = haveSameKeys(*before.find(clip), *draft.scene.find(clip), space);
                if (isMoved || !areSpacesSame) {
                    for (const Property each : places)
                        for (const Layer layer : {Layer::Keys, Layer::Corrections})
                            if (const auto kept = keepPlacesOf(draft, before, clip, handle, each, layer); !kept)
                                return kept;
                    if (const auto keyed = keySwitches(draft, before, clip, handle, place); !keyed) return keyed;
                }
                for (const Property each : places) {
                    const ChannelId correction{handle.id.value, each, Layer::Corrections};
                    if (areSpacesSame && haveSameKeys(*before.find(clip), *draft.scene.find(clip), correction))
                        continue;
                    if (const auto keyed = splitCorrection(draft, clip, handle, each); !keyed) return keyed;
                }
            }
    }
    return {};
}

} // namespace tendon
