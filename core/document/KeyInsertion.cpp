#include "core/document/KeyInsertion.h"

#include "core/math/Interpolate.h"
#include "core/runtime/CurveKeys.h"
#include "core/runtime/CurveSlope.h"
#include "core/runtime/KeySampling.h"

#include <cmath>

namespace tendon {
namespace {

ChannelValue slopeOf(const KeySegment& segment, Time time)
{
    const double seconds = Time{segment.right->time.ticks - segment.left->time.ticks}.seconds();
    const double u = Time{time.ticks - segment.left->time.ticks}.seconds() / seconds;
    ChannelValue slope{};
    for (std::size_t c = 0; c < slope.size(); ++c) // of the cubic Hermite
        slope[c] = 6 * u * (1 - u) * (segment.right->value[c] - segment.left->value[c]) / seconds +
                   (1 - u) * (1 - 3 * u) * segment.leaving[c] + u * (3 * u - 2) * segment.arriving[c];
    return slope;
}

/// The slopes of a key of `former` on the sides that count there; 0 on the side where nothing changes beyond it.
Tangents shownTangents(const KeyList& former, Property property, Time time)
{
    const std::size_t index = former.countUpTo(time) - 1;
    Tangents tangents = tangentsAt(former, property, index);
    if (index == 0 && former.before() == Infinity::Constant) tangents.in = {};
    if (index + 1 == former.size() && former.after() == Infinity::Constant) tangents.out = {};
    return tangents;
}

double between(double a, double b, double u) { return (1 - u) * a + u * b; }

/// A curved segment cut in two, each a Bezier as the whole is (de Casteljau 1959): the key between them, the slope and
/// weight with which the first leaves, and those with which the second arrives.
struct CutSegment
{
    Key key;
    ChannelValue leaving{}, arriving{};
    double outWeight = kEvenWeight, inWeight = kEvenWeight;
};

CutSegment cutSegment(const KeySegment& segment, Property property, Time time)
{
    const Key &left = *segment.left, &right = *segment.right;
    const double seconds = Time{right.time.ticks - left.time.ticks}.seconds();
    const double share = Time{time.ticks - left.time.ticks}.seconds() / seconds;
    const double outWeight = left.outWeight, inWeight = right.inWeight;
    const bool isWeighted = outWeight != kEvenWeight || inWeight != kEvenWeight;
    const double u = isWeighted ? bezierParameter(share, outWeight, inWeight) : share;
    // The shares of the time at which the handles of both parts end.
    const double first = u * outWeight, last = between(1 - inWeight, 1, u),
                 middle = between(outWeight, 1 - inWeight, u);
    const double reached = between(first, middle, u), goesOn = between(middle, last, u);

    CutSegment cut;
    cut.leaving = segment.leaving, cut.arriving = segment.arriving;
    ChannelValue value{}, slope{};
    for (std::size_t c = 0; c < value.size(); ++c) {
        const double a = left.value[c] + seconds * outWeight * segment.leaving[c],
                     b = right.value[c] - seconds * inWeight * segment.arriving[c];
        const double before = between(between(left.value[c], a, u), between(a, b, u), u),
                     after = between(between(a, b, u), between(b, right.value[c], u), u);
        value[c] = between(before, after, u);
        slope[c] = goesOn > reached ? (after - before) / (seconds * (goesOn - reached)) : 0;
    }
    cut.key = {.time = time,
               .value = sampleSegment(segment, property, time),
               .interpolation = Interpolation::Bezier,
               .tangents = TangentMode::Aligned,
               .in = slope,
               .out = slope};
    if (isWeighted) {
        cut.key.inWeight = (share - reached) / share;
        cut.key.outWeight = (goesOn - share) / (1 - share);
        cut.outWeight = first / share;
        cut.inWeight = (1 - last) / (1 - share);
    }
    if (!isQuaternion(property)) return cut;

    // Numbers of a rotation count by their direction alone. The curve that passes inside of the unit sphere is made to
    // pass on it, by a length that grows evenly toward the cut and back.
    const double length = std::sqrt(value[0] * value[0] + value[1] * value[1] + value[2] * value[2] +
                                    value[3] * value[3]);
    if (!(length > 0)) return cut;
    const double growth = isWeighted ? 0 : (1 / length - 1) / (share * seconds),
                 decline = isWeighted ? 0 : (1 - 1 / length) / ((1 - share) * seconds);
    for (std::size_t c = 0; c < value.size(); ++c) {
        cut.key.value[c] = value[c] / length;
        cut.key.in[c] = slope[c] / length + growth * value[c];
        cut.key.out[c] = slope[c] / length + decline * value[c];
        cut.leaving[c] += growth * left.value[c];
        cut.arriving[c] += decline * right.value[c];
    }
    cut.key.tangents = TangentMode::Free;
    return cut;
}

} // namespace

KeyList withKeyOnCurve(const KeyList& keys, Property property, Time time)
{
    if (keys.at(time) != nullptr) return keys;
    const std::size_t next = keys.countUpTo(time);
    const bool isCut = next > 0 && next < keys.size() && keys[next - 1].interpolation == Interpolation::Bezier;
    const KeyList former = withFollowingSigns(keys, property);
    CutSegment cut;
    if (isCut) cut = cutSegment(segmentAt(former, property, time), property, time);
    const Key key = isCut ? cut.key : keyOnCurve(former, property, time);
    KeyList result = former;
    Key automatic = key;
    automatic.tangents = TangentMode::Auto, automatic.in = automatic.out = {};
    result.insertOrReplace(automatic);
    const bool isAsFound = !isQuaternion(property) && areNear(tangentsAt(result, property, next).in, key.in);
    if (isCut && !isAsFound) result.insertOrReplace(key);
    for (const bool isLater : {false, true}) {
        if (isLater ? next == former.size() : next == 0) continue;
        Key kept = former[isLater ? next : next - 1];
        Tangents was = shownTangents(former, property, kept.time);
        if (isCut) {
            (isLater ? was.in : was.out) = isLater ? cut.arriving : cut.leaving;
            (isLater ? kept.inWeight : kept.outWeight) = isLater ? cut.inWeight : cut.outWeight;
        }
        const std::size_t index = isLater ? next + 1 : next - 1;
        const Tangents now = tangentsAt(result, property, index);
        const bool hasIn = index > 0 && result[index - 1].interpolation == Interpolation::Bezier,
                   hasOut = kept.interpolation == Interpolation::Bezier;
        if ((hasIn && !areNear(now.in, was.in)) || (hasOut && !areNear(now.out, was.out))) {
            kept.tangents = TangentMode::Free;
            kept.in = was.in, kept.out = was.out;
        }
        result.insertOrReplace(kept);
    }
    return result;
}

Key keyOnCurve(const KeyList& keys, Property property, Time time)
{
    if (const Key* there = keys.at(time)) return *there;
    const std::size_t next = keys.countUpTo(time);
    Key key{.time = time,
            .value = sampleKeys(keys, property, time),
            .interpolation = keys[next > 0 ? next - 1 : 0].interpolation};
    const bool isCurved = next > 0 && next < keys.size() && key.interpolation == Interpolation::Bezier;
    if (!isCurved || isQuaternion(property)) return key;
    key.tangents = TangentMode::Aligned;
    key.in = key.out = slopeOf(segmentAt(keys, property, time), time);
    return key;
}

bool canBeSplit(const KeyList& keys, Property property, Time time)
{
    const std::size_t next = keys.countUpTo(time);
    const bool isBetween = next > 0 && next < keys.size();
    if (!isBetween) return !isRepeat(keys.before()) && !isRepeat(keys.after()) && !isInfinite(keys, time);
    const Key &left = keys[next - 1], &right = keys[next];
    if (left.interpolation != Interpolation::Bezier) return true;
    return !isQuaternion(property) && left.outWeight == kEvenWeight && right.inWeight == kEvenWeight;
}

KeyList withFormerCurve(const KeyList& keys, const KeyList& former, Property property, Time from, Time to)
{
    KeyList kept = keys;
    if (isQuaternion(property)) return kept; // stored slopes would go by the signs of the values
    const std::size_t before = keys.countUpTo({from.ticks - 1}), after = keys.countUpTo(to);
    const auto keep = [&](std::size_t index, bool isLater) {
        if (former.at(keys[index].time) == nullptr) return;
        Key key = keys[index];
        const Tangents now = tangentsAt(keys, property, index), was = shownTangents(former, property, key.time);
        const bool isOnCurve = !isLater ||
                               keyOnCurve(former, property, to).value == keyOnCurve(keys, property, to).value;
        const bool hasIn = index > 0 && keys[index - 1].interpolation == Interpolation::Bezier && isOnCurve;
        const bool hasOut = key.interpolation == Interpolation::Bezier;
        if ((!hasIn || now.in == was.in) && (!hasOut || now.out == was.out)) return;
        key.tangents = TangentMode::Free;
        key.in = isOnCurve ? was.in : now.in;
        key.out = was.out;
        kept.insertOrReplace(key);
    };
    if (before > 0) keep(before - 1, false);
    if (after < keys.size()) keep(after, true);
    return kept;
}

KeyList withFormerTurn(KeyList keys, const KeyList& former, Property property, Time before, FrameRate fps)
{
    const std::size_t next = former.countUpTo({before.ticks - 1});
    const bool isCut = next > 0 && next < former.size() && former[next - 1].interpolation == Interpolation::Bezier;
    if (!isCut) return keys;
    const KeyList shown = withFollowingSigns(former, property);
    const Time left = shown[next - 1].time;
    const auto value = [&](Time time) { return sampleKeys(shown, property, time); };
    KeyList along = withKeyOnCurve(shown, property, before);
    for (double frame = std::ceil(fps.frameAt(left)); fps.timeOf(frame) < before; ++frame) {
        const ChannelValue is = sampleKeys(along, property, fps.timeOf(frame)),
                           was = withSignOf(is, value(fps.timeOf(frame)), property);
        const auto isOff = [&](std::size_t c) { return std::abs(is[c] - was[c]) > kCurveTolerance / 2; };
        if (!isOff(0) && !isOff(1) && !isOff(2) && !isOff(3)) continue;
        along = CurveKeys(fps, property, value).through({left, before}, false); // it takes more keys
        break;
    }
    for (std::size_t i = 0; i < next; ++i) keys.insertOrReplace(shown[i]);
    for (std::size_t i = 0; i < along.size(); ++i) {
        if (along[i].time < left || along[i].time > before) continue;
        Key key = along[i];
        const Tangents tangents = tangentsAt(along, property, i);
        key.in = key.time == left ? tangentsAt(shown, property, next - 1).in : tangents.in;
        key.out = tangents.out;
        if (key.time == before) key.interpolation = keys.at(before)->interpolation;
        key.tangents = TangentMode::Free;
        keys.insertOrReplace(key);
    }
    return keys;
}

} // namespace tendon
