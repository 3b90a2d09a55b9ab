#pragma once

#include "core/math/Transform.h"

#include <cmath>
#include <numbers>

namespace tendon {

// A rotation as a vector: its axis, as long as its angle [rad]. Also known as the exponential map.

[[nodiscard]] inline Quaternion rotationFromVector(const Vector3& vector)
{
    const double angle = vector.norm();
    return angle > 0 ? Quaternion(Eigen::AngleAxisd(angle, vector / angle)) : Quaternion::Identity();
}

/// The vector of a rotation, at most half a turn long, or the one with more turns that is nearer to `near` (so that 370
/// degrees stay 370 degrees).
[[nodiscard]] inline Vector3 vectorFromRotation(const Quaternion& rotation, const Vector3& near = Vector3::Zero())
{
    const Eigen::AngleAxisd turn(rotation.normalized());
    const double turns = std::round((turn.axis().dot(near) - turn.angle()) / (2 * std::numbers::pi));
    return (turn.angle() + 2 * std::numbers::pi * turns) * turn.axis();
}

} // namespace tendon
