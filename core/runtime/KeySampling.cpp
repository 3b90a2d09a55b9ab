#include "core/runtime/KeySampling.h"

#include "core/math/Convert.h"
#include "core/math/Interpolate.h"

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

ChannelValue sampleBezier(const KeySegment& segment, Property property, double u)
{
    const double seconds = secondsBetween(*segment.left, *segment.right);
    ChannelValue to = segment.right->value, arriving = segment.arriving;
    // Between two keys with stored tangents a quaternion runs just as glTF says, sign and all; where a tangent is ours
    // it takes the shorter way.
    const bool isVerbatim = segment.left->tangents == TangentMode::Free && segment.right->tangents == TangentMode::Free;
    if (isQuaternion(property) && !isVerbatim && dot(segment.left->value, to) < 0) {
        to = negated(to);
        arriving = negated(arriving);
    }
    ChannelValue value{};
    for (std::size_t c = 0; c < value.size(); ++c) {
        const double from = segment.left->value[c];
        value[c] = isStill(from, segment.leaving[c], to[c], arriving[c])
                       ? from
                       : hermite(from, segment.leaving[c], to[c], arriving[c], seconds, u);
    }
    return held(value, property);
}

ChannelValue sampleLinear(const KeySegment& segment, Property property, double u)
{
    const ChannelValue &from = segment.left->value, &to = segment.right->value;
    if (isQuaternion(property) && (from == to || from == negated(to))) return held(from, property);
    if (isQuaternion(property))
        return toValue(slerp(unitQuaternion(toQuaternion(from)), unitQuaternion(toQuaternion(to)), u));
    ChannelValue value{};
    for (std::size_t c = 0; c < value.size(); ++c)
        value[c] = from[c] == to[c] ? from[c] : (1 - u) * from[c] + u * to[c];
    return value;
}

} // namespace

Tangents tangentsAt(const KeyList& keys, Property property, std::size_t index)
{
    const Key& key = keys[index];
    if (key.tangents == TangentMode::Free) return {key.in, key.out};
    const ChannelValue slope = automaticSlope(keys, property, index);
    return {slope, slope};
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
    return sampleSegment(segmentAt(keys, property, time), property, time);
}

} // namespace tendon
