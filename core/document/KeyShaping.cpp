#include "core/document/KeyShaping.h"

#include "core/math/Convert.h"
#include "core/math/Interpolate.h"
#include "core/math/Transform.h"
#include "core/runtime/CurveSlope.h"
#include "core/runtime/KeySampling.h"

#include <cmath>
#include <numbers>

namespace tendon {
namespace {

constexpr double kHalfTurn = std::numbers::pi;

constexpr double kSame = 1e-9; ///< of two angles that are equally near, the one that the key has stays

/// The angle plus as few whole turns as bring it nearest to `near`.
double nearestTurn(double angle, double near)
{
    const double turns = (near - angle) / (2 * kHalfTurn);
    return angle + 2 * kHalfTurn * std::copysign(std::floor(std::abs(turns) + 0.5 - kSame), turns);
}

/// `value` with the sign in which, as a quaternion, it is nearer to `near`.
ChannelValue inSignOf(const ChannelValue& near, const ChannelValue& value, Property property)
{
    const double dot = near[0] * value[0] + near[1] * value[1] + near[2] * value[2] + near[3] * value[3];
    if (!isQuaternion(property) || dot >= 0) return value;
    return {-value[0], -value[1], -value[2], -value[3]};
}

/// A part of the way from one value to another: quaternions along the shorter arc, in the sign of `from`.
ChannelValue toward(const ChannelValue& from, const ChannelValue& to, Property property, double part)
{
    if (isQuaternion(property))
        return inSignOf(from, toValue(slerp(toQuaternion(from), toQuaternion(to), part)), property);
    ChannelValue value{};
    for (std::size_t c = 0; c < value.size(); ++c)
        value[c] = from[c] == to[c] ? from[c] : from[c] + part * (to[c] - from[c]);
    return value;
}

/// A key between its neighbours after one pass of smoothing. `part`: of the way to the line between them.
Key smoothed(const Key& before, Key key, const Key& after, Property property, double part)
{
    const double seconds = Time{after.time.ticks - before.time.ticks}.seconds();
    const double u = static_cast<double>(key.time.ticks - before.time.ticks) /
                     static_cast<double>(after.time.ticks - before.time.ticks);
    const ChannelValue line = toward(before.value, after.value, property, u);
    const ChannelValue from = inSignOf(key.value, before.value, property);
    const ChannelValue to = inSignOf(from, after.value, property);
    for (ChannelValue Key::*slope : {&Key::in, &Key::out})
        for (std::size_t c = 0; c < key.in.size(); ++c)
            if (isStored(key.tangents)) (key.*slope)[c] += part * ((to[c] - from[c]) / seconds - (key.*slope)[c]);
    key.value = toward(key.value, line, property, part);
    return key;
}

} // namespace

std::vector<Key> withoutTurns(std::vector<Key> keys)
{
    for (std::size_t k = 1; k < keys.size(); ++k)
        keys[k].value[0] = nearestTurn(keys[k].value[0], keys[k - 1].value[0]);
    return keys;
}

std::array<std::vector<Key>, 3> nearestTriples(std::array<std::vector<Key>, 3> angles, RotationOrder order)
{
    const auto middle = static_cast<std::size_t>(productOrder(order)[1]);
    for (std::size_t k = 1; k < angles[0].size(); ++k) {
        Vector3 before, same, other;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const auto i = static_cast<Eigen::Index>(axis);
            const double value = angles[axis][k].value[0];
            before[i] = angles[axis][k - 1].value[0];
            same[i] = nearestTurn(value, before[i]);
            other[i] = nearestTurn(axis == middle ? kHalfTurn - value : kHalfTurn + value, before[i]);
        }
        const bool isOther = (other - before).norm() < (same - before).norm() - kSame;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            Key& key = angles[axis][k];
            key.value[0] = (isOther ? other : same)[static_cast<Eigen::Index>(axis)];
            if (!isOther || axis != middle) continue;
            key.in[0] = -key.in[0];
            key.out[0] = -key.out[0];
        }
    }
    return angles;
}

std::vector<Key> smoothedKeys(const KeyList& keys, Property property, const std::vector<bool>& chosen, double amount,
                              int passes)
{
    std::vector<Key> now = keys.toVector();
    for (int pass = 0; pass < passes; ++pass) {
        const std::vector<Key> before = now;
        for (std::size_t k = 1; k + 1 < now.size(); ++k)
            if (chosen[k]) now[k] = smoothed(before[k - 1], before[k], before[k + 1], property, amount / 2);
    }
    return now;
}

std::vector<Key> onWholeFrames(std::vector<Key> keys, const KeyList& curve, Property property, FrameRate fps)
{
    for (Key& key : keys) {
        const Time there = fps.timeOf(std::round(fps.frameAt(key.time)));
        if (there == key.time) continue;
        key.time = there;
        const ChannelValue value = sampleKeys(curve, property, there);
        key.value = isStored(key.tangents) ? withSignOf(key.value, value, property) : value;
    }
    return keys;
}

} // namespace tendon
