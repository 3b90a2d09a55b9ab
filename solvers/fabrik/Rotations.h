#pragma once

#include <tendon/kit/Rotation.h>

/// Rotations as passes need them: many, one after the other, so that a division saved is time saved.
namespace tendon::fabrik {

/// A quaternion that is a unit but for rounding, with that rounding halved: one Newton step instead of a root and a
/// quotient.
[[nodiscard]] inline kit::Quaternion nearUnit(const kit::Quaternion& q)
{
    kit::Quaternion result = q;
    result.coeffs() *= 1.5 - 0.5 * q.squaredNorm();
    return result;
}

/// kit::leastRotation for the usual case, where neither has no length and they are not opposite; otherwise that.
[[nodiscard]] inline kit::Quaternion looking(const kit::Vector3& from, const kit::Vector3& to)
{
    const double scale = std::sqrt(from.squaredNorm() * to.squaredNorm());
    const double w = scale + from.dot(to);
    if (!(w > 1e-9 * scale) || scale < 1e-140) return kit::leastRotation(from, to);
    const double k = 1 / std::sqrt(2 * scale * w); // |(w, from x to)|^2 = 2 scale w
    const kit::Vector3 v = from.cross(to) * k;
    return {w * k, v[0], v[1], v[2]};
}

} // namespace tendon::fabrik
