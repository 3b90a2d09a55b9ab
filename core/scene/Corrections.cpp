#include "core/scene/Corrections.h"

#include "core/math/Convert.h"
#include "core/math/Interpolate.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tendon {
namespace {

Quaternion turnOf(const ChannelValue& correction, double weight)
{
    const Quaternion whole = unitQuaternion(toQuaternion(correction));
    return weight == 1 ? whole : power(whole, weight);
}

bool isNoTurn(const Quaternion& turn) { return turn.vec().isZero(0); }

bool hasAngles(const JointChannels& channels)
{
    return std::any_of(kAngles.begin(), kAngles.end(),
                       [&](Property p) { return channels.isGiven[static_cast<std::size_t>(p)]; });
}

Vector3 anglesIn(const JointChannels& channels)
{
    Vector3 angles = Vector3::Zero();
    for (int axis = 0; axis < 3; ++axis) {
        const auto index = static_cast<std::size_t>(offsetBy(Property::Rx, axis));
        if (channels.isGiven[index]) angles[axis] = channels.numbers[index];
    }
    return angles;
}

} // namespace

ChannelValue noCorrection(Property property)
{
    return isQuaternion(property) ? ChannelValue{0, 0, 0, 1} : ChannelValue{};
}

ChannelValue corrected(Property property, const ChannelValue& base, const ChannelValue& correction, double weight)
{
    if (weight == 0) return base;
    if (isQuaternion(property)) {
        const Quaternion turn = turnOf(correction, weight);
        return isNoTurn(turn) ? base : toValue(unitQuaternion(unitQuaternion(toQuaternion(base)) * turn));
    }
    ChannelValue shown = base;
    for (std::size_t c = 0; c < shown.size(); ++c)
        if (correction[c] != 0) shown[c] += weight * correction[c]; // a negative zero keeps its sign
    return shown;
}

ChannelValue withoutCorrection(Property property, const ChannelValue& shown, const ChannelValue& correction,
                               double weight)
{
    if (!isQuaternion(property)) return corrected(property, shown, correction, -weight);
    const Quaternion turn = turnOf(correction, weight);
    return isNoTurn(turn) ? shown : toValue(unitQuaternion(unitQuaternion(toQuaternion(shown)) * turn.conjugate()));
}

std::optional<ChannelValue> correctionFor(Property property, const ChannelValue& base, const ChannelValue& shown,
                                          double weight)
{
    if (!(weight > 0)) return std::nullopt;
    if (isQuaternion(property)) {
        Quaternion turn = unitQuaternion(toQuaternion(base)).conjugate() * unitQuaternion(toQuaternion(shown));
        if (turn.w() < 0) turn.coeffs() *= -1; // as corrections beside it have it: the shorter way from none
        const double angle = 2 * std::atan2(turn.vec().norm(), std::abs(turn.w())); // 0 ... pi
        constexpr double kRounding = 1e-9;                                          // [rad]
        if (angle > weight * std::numbers::pi + kRounding) return std::nullopt;
        return toValue(unitQuaternion(weight == 1 ? turn : power(unitQuaternion(turn), 1 / weight)));
    }
    ChannelValue correction{};
    for (std::size_t c = 0; c < correction.size(); ++c) {
        correction[c] = (shown[c] - base[c]) / weight + 0.0;
        if (!std::isfinite(correction[c])) return std::nullopt;
    }
    return correction;
}

std::optional<Quaternion> correctingTurn(const JointPose& base, const JointChannels& corrections, double weight,
                                         RotationOrder order)
{
    if (corrections.rotation) return turnOf(*corrections.rotation, weight);
    if (!base.isReadOff || !hasAngles(corrections)) return std::nullopt;
    return rotationFromAngles(weight * anglesIn(corrections), order);
}

JointPose corrected(JointPose pose, const JointChannels& corrections, double weight, const Quaternion& restRotation,
                    RotationOrder order)
{
    if (weight == 0) return pose;
    for (int axis = 0; axis < 3; ++axis) {
        const auto add = [&](Property first, double& number) {
            const auto index = static_cast<std::size_t>(offsetBy(first, axis));
            if (corrections.isGiven[index]) number += weight * corrections.numbers[index];
        };
        add(Property::Tx, pose.local.translation[axis]);
        add(Property::Sx, pose.local.scale[axis]);
    }
    if (const auto turn = correctingTurn(pose, corrections, weight, order)) {
        if (isNoTurn(*turn)) return pose;
        pose.local.rotation = unitQuaternion(pose.local.rotation * *turn);
        pose.angles = anglesFromRotation(restRotation.conjugate() * pose.local.rotation, order, Vector3::Zero());
        pose.isReadOff = true;
    } else if (hasAngles(corrections)) {
        pose.angles += weight * anglesIn(corrections);
        pose.local.rotation = restRotation * rotationFromAngles(pose.angles, order);
    }
    return pose;
}

} // namespace tendon
