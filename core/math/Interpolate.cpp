#include "core/math/Interpolate.h"

#include <cmath>

namespace tendon {

Quaternion unitQuaternion(const Quaternion& q)
{
    const double squared = q.squaredNorm();
    if (std::abs(squared - 1) < 1e-15) return q;
    if (!(squared > 0)) return Quaternion::Identity();
    Quaternion unit = q;
    unit.coeffs() /= std::sqrt(squared);
    return unit;
}

Quaternion slerp(const Quaternion& a, const Quaternion& b, double u)
{
    const double sign = a.dot(b) < 0 ? -1 : 1;
    if (u <= 0) return a;
    Quaternion end = b;
    end.coeffs() *= sign;
    if (u >= 1) return end;

    // The angle by atan2 of half difference and half sum: exact where acos of the dot product is not.
    const double angle = 2 * std::atan2((end.coeffs() - a.coeffs()).norm(), (end.coeffs() + a.coeffs()).norm());
    const double sine = std::sin(angle);
    Quaternion between;
    if (sine > 1e-9)
        between.coeffs() = (std::sin((1 - u) * angle) * a.coeffs() + std::sin(u * angle) * end.coeffs()) / sine;
    else
        between.coeffs() = (1 - u) * a.coeffs() + u * end.coeffs();
    return unitQuaternion(between);
}

Quaternion power(const Quaternion& turn, double times)
{
    const double sign = turn.w() < 0 ? -1 : 1;
    const Vector3 axis = turn.vec();
    const double sine = axis.norm();
    if (sine == 0) return Quaternion::Identity();
    const double half = times * std::atan2(sine, sign * turn.w());
    Quaternion result;
    result.w() = std::cos(half);
    result.vec() = (sign * std::sin(half) / sine) * axis;
    return result;
}

double bezierParameter(double x, double outWeight, double inWeight)
{
    if (x <= 0) return 0;
    if (x >= 1) return 1;
    const auto at = [&](double u) {
        const double v = 1 - u;
        return 3 * u * v * (v * outWeight + u * (1 - inWeight)) + u * u * u;
    };
    // Two times take the same way until a middle lies between them, which holds whatever rounding makes of `at`.
    double low = 0, high = 1;
    for (int i = 0; i < 60; ++i) {
        const double middle = (low + high) / 2;
        if (at(middle) <= x)
            low = middle;
        else
            high = middle;
    }
    return low;
}

} // namespace tendon
