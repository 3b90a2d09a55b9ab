#pragma once

#include "core/math/Transform.h"

namespace tendon {

/// `q` unchanged if it is unit up to rounding, otherwise scaled to unit length; the identity if its length is 0.
[[nodiscard]] Quaternion unitQuaternion(const Quaternion& q);

/// From `a` (u = 0) to `b` (u = 1) along the shorter great arc at constant speed (Shoemake 1985). Both are unit. Exact
/// at the ends; the result for `b` may be -b, the same rotation.
[[nodiscard]] Quaternion slerp(const Quaternion& a, const Quaternion& b, double u);

/// Cubic Hermite interpolation of one number from `a` to `b`, which are `seconds` apart, with slopes per second;
/// 0 <= u <= 1. The formula of glTF's CUBICSPLINE. Exact at the ends.
[[nodiscard]] constexpr double hermite(double a, double slopeA, double b, double slopeB, double seconds, double u)
{
    const double u2 = u * u, u3 = u2 * u;
    return (2 * u3 - 3 * u2 + 1) * a + seconds * (u3 - 2 * u2 + u) * slopeA + (3 * u2 - 2 * u3) * b +
           seconds * (u3 - u2) * slopeB;
}

} // namespace tendon
