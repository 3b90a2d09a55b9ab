#pragma once

#include "core/math/Transform.h"

namespace tendon {

/// `q` unchanged if it is unit up to rounding, otherwise scaled to unit length; the identity if its length is 0.
[[nodiscard]] Quaternion unitQuaternion(const Quaternion& q);

/// From `a` (u = 0) to `b` (u = 1) along the shorter great arc at constant speed (Shoemake 1985). Both are unit. Exact
/// at the ends; the result for `b` may be -b, the same rotation.
[[nodiscard]] Quaternion slerp(const Quaternion& a, const Quaternion& b, double u);

/// The rotation by `turn` (unit) again and again, the shorter way: `times` need not be a whole number.
[[nodiscard]] Quaternion power(const Quaternion& turn, double times);

/// Cubic Hermite interpolation of one number from `a` to `b`, which are `seconds` apart, with slopes per second;
/// 0 <= u <= 1. The formula of glTF's CUBICSPLINE. Exact at the ends.
[[nodiscard]] constexpr double hermite(double a, double slopeA, double b, double slopeB, double seconds, double u)
{
    const double u2 = u * u, u3 = u2 * u;
    return (2 * u3 - 3 * u2 + 1) * a + seconds * (u3 - 2 * u2 + u) * slopeA + (3 * u2 - 2 * u3) * b +
           seconds * (u3 - u2) * slopeB;
}

/// The parameter u at which a cubic Bezier with the control points 0, outWeight, 1 - inWeight and 1 is at `x`; all
/// three are 0 ... 1, and so the Bezier never goes back (its slope, a quadratic, has no two different roots within: the
/// condition that CSS, Blender and Maya hold their curves of time to). By bisection, so that u never decreases where x
/// increases, to the last bit. Exact at the ends.
[[nodiscard]] double bezierParameter(double x, double outWeight, double inWeight);

/// A number on a two-dimensional cubic Bezier from `a` to `b`, which are `seconds` apart; slopes are per second, and
/// each tangent reaches over its weight, a share of the time between. `u` comes from bezierParameter(). With weights of
/// 1/3 the curve is that of hermite(), up to rounding.
[[nodiscard]] constexpr double weightedBezier(double a, double slopeA, double outWeight, double b, double slopeB,
                                              double inWeight, double seconds, double u)
{
    const double v = 1 - u;
    const double leaving = a + seconds * outWeight * slopeA, arriving = b - seconds * inWeight * slopeB;
    return v * v * v * a + 3 * u * v * (v * leaving + u * arriving) + u * u * u * b;
}

} // namespace tendon
