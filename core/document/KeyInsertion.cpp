#include "core/document/KeyInsertion.h"

#include "core/runtime/CurveKeys.h"
#include "core/runtime/KeySampling.h"

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

} // namespace

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
    for (std::size_t i = 0; i < next; ++i) keys.insertOrReplace(shown[i]);
    const Time left = shown[next - 1].time;
    const auto value = [&](Time time) { return sampleKeys(shown, property, time); };
    const KeyList along = CurveKeys(fps, property, value).through({left, before}, false);
    for (Key key : along.toVector()) {
        if (key.time == left) key.in = tangentsAt(shown, property, next - 1).in;
        if (key.time == before) key.interpolation = keys.at(before)->interpolation;
        key.tangents = TangentMode::Free;
        keys.insertOrReplace(key);
    }
    return keys;
}

} // namespace tendon
