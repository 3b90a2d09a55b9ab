#include "core/runtime/KeySampling.h"

#include "core/math/Convert.h"
#include "core/math/Interpolate.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tendon {
namespace {

ChannelValue held(const ChannelValue& value, Property property)
{
    return isQuaternion(property) ? toValue(unitQuaternion(toQuaternion(value))) : value;
}

double dot(const ChannelValue& a, const ChannelValue& b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

ChannelValue negated(const ChannelValue& value) { return {-value[0], -value[1], -value[2], -value[3]}; }

bool isSame(const ChannelValue& a, const ChannelValue& b, Property property)
{
    return a == b || (isQuaternion(property) && a == negated(b));
}

/// A quaternion key's value in the sign that is nearer to `reference`; others as they are.
ChannelValue alignedTo(const ChannelValue& reference, const ChannelValue& value, Property property)
{
    return isQuaternion(property) && dot(reference, value) < 0 ? negated(value) : value;
}

/// Fritsch and Butland, "A method for constructing local monotone piecewise cubic interpolants", 1984.
double monotoneSlope(double before, double secondsBefore, double after, double secondsAfter)
{
    if (before * after <= 0) return 0;
    const double weightBefore = 2 * secondsAfter + secondsBefore;
    const double weightAfter = secondsAfter + 2 * secondsBefore;
    return (weightBefore + weightAfter) / (weightBefore / before + weightAfter / after);
}

/// Between keys that say the same nothing moves, not even by rounding: a still goal is still to the bit.
bool isStill(double from, double leaving, double to, double arriving)
{
    return from == to && leaving == 0 && arriving == 0;
}

double secondsBetween(const Key& a, const Key& b) { return Time{b.time.ticks - a.time.ticks}.seconds(); }

ChannelValue automaticSlope(const KeyList& keys, Property property, std::size_t index)
{
    ChannelValue slope{};
    if (index == 0 || index + 1 == keys.size()) return slope;
    const Key &before = keys[index - 1], &key = keys[index], &after = keys[index + 1];
    const ChannelValue from = alignedTo(key.value, before.value, property);
    const ChannelValue to = alignedTo(key.value, after.value, property);
    const double secondsBefore = secondsBetween(before, key), secondsAfter = secondsBetween(key, after);
    for (std::size_t c = 0; c < slope.size(); ++c)
        slope[c] = monotoneSlope((key.value[c] - from[c]) / secondsBefore, secondsBefore,
                                 (to[c] - key.value[c]) / secondsAfter, secondsAfter);
    return slope;
}

/// The slopes of the straight lines to the neighbours; 0 for a single key.
Tangents linearTangents(const KeyList& keys, Property property, std::size_t index)
{
    const Key& key = keys[index];
    const auto toward = [&](const Key& other) {
        const ChannelValue value = alignedTo(key.value, other.value, property);
        const double seconds = secondsBetween(key, other);
        ChannelValue slope{};
        for (std::size_t c = 0; c < slope.size(); ++c) slope[c] = (value[c] - key.value[c]) / seconds;
        return slope;
    };
    const bool hasBefore = index > 0, hasAfter = index + 1 < keys.size();
    if (!hasBefore && !hasAfter) return {};
    const ChannelValue in = toward(keys[hasBefore ? index - 1 : index + 1]);
    return {in, hasAfter ? toward(keys[index + 1]) : in};
}

ChannelValue sampleBezier(const KeySegment& segment, Property property, double u)
{
    const double seconds = secondsBetween(*segment.left, *segment.right);
    ChannelValue to = segment.right->value, arriving = segment.arriving;
    // Between two keys with stored tangents a quaternion runs just as glTF says, sign and all; where a tangent is ours
    // it takes the shorter way.
    const bool isVerbatim = isStored(segment.left->tangents) && isStored(segment.right->tangents);
    if (isQuaternion(property) && !isVerbatim && dot(segment.left->value, to) < 0) {
        to = negated(to);
        arriving = negated(arriving);
    }
    const double outWeight = segment.left->outWeight, inWeight = segment.right->inWeight;
    const bool isWeighted = outWeight != kEvenWeight || inWeight != kEvenWeight;
    const double along = isWeighted ? bezierParameter(u, outWeight, inWeight) : u;
    ChannelValue value{};
    for (std::size_t c = 0; c < value.size(); ++c) {
        const double from = segment.left->value[c];
        value[c] = isStill(from, segment.leaving[c], to[c], arriving[c]) ? from
                   : isWeighted ? weightedBezier(from, segment.leaving[c], outWeight, to[c], arriving[c], inWeight,
                                                 seconds, along)
                                : hermite(from, segment.leaving[c], to[c], arriving[c], seconds, u);
    }
    return held(value, property);
}

ChannelValue sampleLinear(const KeySegment& segment, Property property, double u)
{
    const ChannelValue &from = segment.left->value, &to = segment.right->value;
    if (isQuaternion(property) && isSame(from, to, property)) return held(from, property);
    if (isQuaternion(property))
        return toValue(slerp(unitQuaternion(toQuaternion(from)), unitQuaternion(toQuaternion(to)), u));
    ChannelValue value{};
    for (std::size_t c = 0; c < value.size(); ++c)
        value[c] = from[c] == to[c] ? from[c] : (1 - u) * from[c] + u * to[c];
    return value;
}

/// The value in a later or earlier cycle, each of which begins where the one before ended.
ChannelValue shifted(const KeyList& keys, Property property, const ChannelValue& value, std::int64_t cycles)
{
    const ChannelValue &first = keys.front().value, &last = keys.back().value;
    if (isQuaternion(property)) {
        const Quaternion turn = unitQuaternion(toQuaternion(last)) * unitQuaternion(toQuaternion(first)).conjugate();
        const Quaternion turned = power(unitQuaternion(turn), static_cast<double>(cycles)) * toQuaternion(value);
        return toValue(unitQuaternion(turned));
    }
    ChannelValue moved = value;
    for (std::size_t c = 0; c < moved.size(); ++c) moved[c] += static_cast<double>(cycles) * (last[c] - first[c]);
    return moved;
}

/// Precondition: isInfinite(keys, time).
ChannelValue sampleInfinite(const KeyList& keys, Property property, Time time)
{
    const bool isAfter = time > keys.back().time;
    const Infinity infinity = isAfter ? keys.after() : keys.before();
    const Key& end = isAfter ? keys.back() : keys.front();
    if (infinity == Infinity::Linear) {
        const ChannelValue slope = isAfter ? slopeAfter(keys, property) : slopeBefore(keys, property);
        const double seconds = Time{time.ticks - end.time.ticks}.seconds();
        ChannelValue value = end.value;
        for (std::size_t c = 0; c < value.size(); ++c) value[c] += seconds * slope[c];
        return value;
    }
    if (keys.size() == 1) return held(end.value, property);
    const Repeat repeat = repeatAt(keys, time);
    const ChannelValue value = sampleSegment(segmentAt(keys, property, repeat.inside), property, repeat.inside);
    return infinity == Infinity::CycleOffset ? shifted(keys, property, value, repeat.cycles) : value;
}

/// The slope of the curve at one end, seen from outside.
ChannelValue slopeAtEnd(const KeyList& keys, Property property, bool isLast)
{
    const std::size_t segment = keys.size() - 2; // the last one
    const Interpolation interpolation = keys.size() == 1 || !isLast ? keys.front().interpolation
                                                                    : keys[segment].interpolation;
    const std::size_t end = isLast ? keys.size() - 1 : 0;
    if (interpolation == Interpolation::Step) return {};
    const Tangents tangents = interpolation == Interpolation::Linear ? linearTangents(keys, property, end)
                                                                     : tangentsAt(keys, property, end);
    return isLast ? tangents.out : tangents.in;
}

} // namespace

Repeat repeatAt(const KeyList& keys, Time time)
{
    const std::int64_t first = keys.front().time.ticks, last = keys.back().time.ticks, period = last - first;
    Repeat repeat{.inside = time};
    if (period == 0 || (time.ticks >= first && time.ticks <= last)) return repeat;
    const bool isAfter = time.ticks > last;
    std::int64_t phase = 0; // of the cycle
    if (isAfter) {
        repeat.cycles = (time.ticks - first - 1) / period;
        phase = time.ticks - first - repeat.cycles * period;
    } else {
        repeat.cycles = -((first - time.ticks + period - 1) / period);
        phase = time.ticks - first - repeat.cycles * period;
    }
    const Infinity infinity = isAfter ? keys.after() : keys.before();
    repeat.isBackward = infinity == Infinity::Oscillate && repeat.cycles % 2 != 0;
    repeat.inside.ticks = repeat.isBackward ? last - phase : first + phase;
    return repeat;
}

std::vector<RepeatedKey> keysWithin(const KeyList& keys, Property property, Time from, Time to, Time closest)
{
    std::vector<RepeatedKey> found;
    if (keys.isEmpty() || to < from) return found;
    const std::size_t n = keys.size();
    const std::int64_t period = keys.back().time.ticks - keys.front().time.ticks;
    const bool isRepeated = n > 1 &&
                            period / static_cast<std::int64_t>(n - 1) >= std::max<std::int64_t>(closest.ticks, 1);
    const auto addKey = [&](std::size_t index, Time time, bool isBackward) {
        RepeatedKey repeated{.time = time, .key = &keys[index], .held = {}};
        const bool isHeld = index > 0 && keys[index - 1].interpolation == Interpolation::Step &&
                            !isSame(keys[index - 1].value, keys[index].value, property);
        (isBackward ? repeated.jumpsAfter : repeated.jumpsBefore) = isHeld;
        if (isHeld) repeated.held.ticks = keys[index].time.ticks - keys[index - 1].time.ticks;
        found.push_back(repeated);
    };
    const auto addCycle = [&](std::int64_t cycle, Infinity infinity) {
        const bool isBackward = infinity == Infinity::Oscillate && cycle % 2 != 0;
        const std::int64_t start = keys.front().time.ticks + cycle * period;
        for (std::size_t k = 0; k < n; ++k) {
            const std::size_t index = isBackward ? n - 1 - k : k;
            const Key& key = keys[index];
            const Time time{isBackward ? start + (keys.back().time.ticks - key.time.ticks)
                                       : key.time.ticks + cycle * period};
            if (time < from) continue;
            if (time > to) break;
            addKey(index, time, isBackward);
            // The moment of the seam belongs to the cycle that is nearer to the keys.
            if (infinity != Infinity::Cycle || k != (cycle < 0 ? n - 1 : 0)) continue;
            const bool isHeldUpTo = cycle < 0 && keys[n - 2].interpolation == Interpolation::Step;
            const bool isJump = !isSame(keys.front().value, keys[isHeldUpTo ? n - 2 : n - 1].value, property);
            (cycle < 0 ? found.back().jumpsBefore : found.back().jumpsAfter) = isJump;
            found.back().held.ticks = isJump ? period : 0;
        }
    };
    if (isRepeated && isRepeat(keys.before()) && from < keys.front().time) {
        const std::int64_t earliest = repeatAt(keys, from).cycles;
        const std::int64_t latest = to < keys.front().time ? repeatAt(keys, to).cycles : -1;
        for (std::int64_t cycle = earliest; cycle <= latest; ++cycle) addCycle(cycle, keys.before());
    }
    for (std::size_t k = from <= keys.front().time ? 0 : keys.countUpTo({from.ticks - 1}); k < n; ++k) {
        if (keys[k].time > to) break;
        addKey(k, keys[k].time, false);
    }
    if (isRepeated && isRepeat(keys.after()) && to > keys.back().time) {
        const std::int64_t earliest = from > keys.back().time ? repeatAt(keys, from).cycles : 1;
        const std::int64_t latest = repeatAt(keys, to).cycles;
        for (std::int64_t cycle = earliest; cycle <= latest; ++cycle) addCycle(cycle, keys.after());
    }
    return found;
}

ChannelValue slopeBefore(const KeyList& keys, Property property) { return slopeAtEnd(keys, property, false); }

ChannelValue slopeAfter(const KeyList& keys, Property property) { return slopeAtEnd(keys, property, true); }

Tangents tangentsAt(const KeyList& keys, Property property, std::size_t index)
{
    return tangentsAt(keys, property, index, keys[index].tangents);
}

Tangents tangentsAt(const KeyList& keys, Property property, std::size_t index, TangentMode mode)
{
    if (isStored(mode)) return {keys[index].in, keys[index].out};
    if (mode == TangentMode::Flat) return {};
    if (mode == TangentMode::Linear) return linearTangents(keys, property, index);
    const ChannelValue slope = automaticSlope(keys, property, index);
    return {slope, slope};
}

ObjectId spaceAt(const KeyList& spaces, Time time)
{
    return static_cast<ObjectId>(sampleKeys(spaces, Property::Space, time)[0]);
}

bool isBetweenSpaces(const KeyList& keys, const KeyList& spaces, Time time)
{
    const ObjectId space = spaceAt(spaces, time);
    const std::size_t next = keys.countUpTo(time);
    const auto isElsewhere = [&](std::size_t index) { return spaceAt(spaces, keys[index].time) != space; };
    if (next > 0 && keys[next - 1].time == time) return false;
    return (next > 0 && isElsewhere(next - 1)) || (next < keys.size() && isElsewhere(next));
}

KeyList withinSpaces(const KeyList& keys, Property place, const KeyList& spaces)
{
    const std::vector<Key> all = keys.toVector();
    std::vector<Key> result = all;
    for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
        const ObjectId space = spaceAt(spaces, all[begin].time);
        for (end = begin + 1; end < all.size() && spaceAt(spaces, all[end].time) == space;) ++end;
        if (begin == 0 && end == all.size()) return keys;
        const KeyList run(std::vector<Key>(all.begin() + static_cast<std::ptrdiff_t>(begin),
                                           all.begin() + static_cast<std::ptrdiff_t>(end)));
        for (const std::size_t edge : {begin, end - 1}) {
            if (isStored(all[edge].tangents)) continue;
            const Tangents tangents = tangentsAt(run, place, edge - begin);
            result[edge].tangents = TangentMode::Free;
            result[edge].in = tangents.in;
            result[edge].out = tangents.out;
        }
        for (std::size_t i = begin + 1; i < end; ++i) { // stored tangents take quaternions by their signs
            if (all[i].tangents == result[i].tangents && all[i - 1].tangents == result[i - 1].tangents) continue;
            if (!isQuaternion(place) || dot(result[i - 1].value, result[i].value) >= 0) continue;
            result[i].value = negated(result[i].value);
            result[i].in = negated(result[i].in);
            result[i].out = negated(result[i].out);
        }
    }
    return KeyList(std::move(result), keys);
}

KeyList shownKeys(const Clip& clip, ChannelId channel)
{
    const KeyList& keys = *clip.find(channel);
    if (channel.layer != Layer::Keys || !isPlace(channel.property)) return keys;
    const KeyList* spaces = clip.find({channel.target, spaceOf(channel.property)});
    return spaces == nullptr ? keys : withinSpaces(keys, channel.property, *spaces);
}

KeyList withFollowingSigns(const KeyList& keys, Property property)
{
    if (!isQuaternion(property)) return keys;
    std::vector<Key> list = keys.toVector();
    bool isChanged = false, isNegated = false;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const bool isVerbatim = i > 0 && list[i - 1].interpolation == Interpolation::Bezier &&
                                isStored(list[i - 1].tangents) && isStored(list[i].tangents);
        if (i > 0 && !isVerbatim) isNegated = dot(list[i - 1].value, list[i].value) < 0;
        if (!isNegated) continue;
        for (ChannelValue* value : {&list[i].value, &list[i].in, &list[i].out}) *value = negated(*value);
        isChanged = true;
    }
    return isChanged ? KeyList(std::move(list), keys) : keys;
}

KeySegment segmentAt(const KeyList& keys, Property property, Time time)
{
    const std::size_t next = keys.countUpTo(time);
    KeySegment segment;
    if (next > 0) segment.left = &keys[next - 1];
    if (next < keys.size()) segment.right = &keys[next];
    const bool isCurved = segment.left != nullptr && segment.right != nullptr &&
                          segment.left->interpolation == Interpolation::Bezier;
    if (isCurved) {
        segment.leaving = tangentsAt(keys, property, next - 1).out;
        segment.arriving = tangentsAt(keys, property, next).in;
    }
    return segment;
}

ChannelValue sampleSegment(const KeySegment& segment, Property property, Time time)
{
    if (segment.left == nullptr) return held(segment.right->value, property);
    const bool isHeld = segment.right == nullptr || time == segment.left->time ||
                        segment.left->interpolation == Interpolation::Step;
    if (isHeld) return held(segment.left->value, property);
    const double u = static_cast<double>(time.ticks - segment.left->time.ticks) /
                     static_cast<double>(segment.right->time.ticks - segment.left->time.ticks);
    return segment.left->interpolation == Interpolation::Linear ? sampleLinear(segment, property, u)
                                                                : sampleBezier(segment, property, u);
}

ChannelValue sampleKeys(const KeyList& keys, Property property, Time time)
{
    if (isInfinite(keys, time)) return sampleInfinite(keys, property, time);
    return sampleSegment(segmentAt(keys, property, time), property, time);
}

} // namespace tendon
