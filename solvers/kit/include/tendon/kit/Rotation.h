#pragma once

#include <Eigen/Geometry>

#include <cmath>

/// Rotations as quaternions (xyzw in memory) and rotation vectors (axis times angle [rad]). Templates take double or an
/// automatic-differentiation scalar.
namespace tendon::kit {

template <class T>
using Vec3 = Eigen::Matrix<T, 3, 1>;
template <class T>
using Mat3 = Eigen::Matrix<T, 3, 3>;
template <class T>
using Quat = Eigen::Quaternion<T>;

using Vector3 = Vec3<double>;
using Matrix3 = Mat3<double>;
using Quaternion = Quat<double>;

/// A quaternion from four consecutive numbers xyzw.
template <class T>
Quat<T> quaternionAt(const T* xyzw)
{
    return {xyzw[3], xyzw[0], xyzw[1], xyzw[2]};
}

template <class T>
void store(const Quat<T>& rotation, T* xyzw)
{
    for (int i = 0; i < 4; ++i) xyzw[i] = rotation.coeffs()[i];
}

template <class T>
Vec3<T> vectorAt(const T* xyz)
{
    return {xyz[0], xyz[1], xyz[2]};
}

/// The rotation about a constant unit axis by an angle that may carry derivatives.
template <class T>
Quat<T> turn(const double* unitAxis, const T& angle)
{
    using std::cos;
    using std::sin;
    const T half = angle * T(0.5);
    const T s = sin(half);
    return {cos(half), s * T(unitAxis[0]), s * T(unitAxis[1]), s * T(unitAxis[2])};
}

/// The rotation whose rotation vector is `v`.
template <class T>
Quat<T> expMap(const Vec3<T>& v)
{
    using std::cos;
    using std::sin;
    using std::sqrt;
    const T squared = v.squaredNorm();
    if (squared < T(1e-8)) { // series: the next term is below the last bit
        const T k = T(0.5) - squared * T(1.0 / 48.0);
        return {T(1) - squared * T(0.125), k * v[0], k * v[1], k * v[2]};
    }
    const T angle = sqrt(squared);
    const T k = sin(angle * T(0.5)) / angle;
    return {cos(angle * T(0.5)), k * v[0], k * v[1], k * v[2]};
}

/// The rotation vector of a unit quaternion, of length at most pi.
template <class T>
Vec3<T> logMap(const Quat<T>& rotation)
{
    using std::atan2;
    using std::sqrt;
    const T sign = rotation.w() < T(0) ? T(-1) : T(1);
    const T w = rotation.w() * sign;
    const Vec3<T> v(rotation.x() * sign, rotation.y() * sign, rotation.z() * sign);
    const T squared = v.squaredNorm();
    if (squared < T(1e-10)) return v * (T(2) / w * (T(1) - squared / (T(3) * w * w)));
    const T n = sqrt(squared);
    return v * (T(2) * atan2(n, w) / n);
}

/// The angle of a rotation [rad], 0 ... pi.
inline double rotationAngle(const Quaternion& rotation)
{
    return 2 * std::atan2(rotation.vec().norm(), std::abs(rotation.w()));
}

inline Matrix3 skew(const Vector3& v)
{
    Matrix3 result;
    result << 0, -v[2], v[1], v[2], 0, -v[0], -v[1], v[0], 0;
    return result;
}

/// d log(exp(w) exp(v)) / dw at w = 0: the inverse of the left Jacobian of SO(3) (Sola, Deray and Atchuthan 2018,
/// "A micro Lie theory", eq. 146). Finite up to and including |v| = pi.
inline Matrix3 leftJacobianInverse(const Vector3& v)
{
    const double squared = v.squaredNorm();
    const Matrix3 cross = skew(v);
    double k = 1.0 / 12.0 + squared / 720.0;
    if (squared > 1e-6) {
        const double angle = std::sqrt(squared);
        const double half = 0.5 * angle;
        k = (1 - half * std::cos(half) / std::sin(half)) / squared;
    }
    return Matrix3::Identity() - 0.5 * cross + k * cross * cross;
}

/// A unit vector perpendicular to `v`, chosen the same way for every v of one direction; x for a zero vector.
inline Vector3 anyPerpendicular(const Vector3& v)
{
    const Vector3 a = v.cwiseAbs();
    if (a.maxCoeff() == 0) return Vector3::UnitX();
    const Vector3 other = a[0] <= a[1] && a[0] <= a[2] ? Vector3::UnitX()
                          : a[1] <= a[2]               ? Vector3::UnitY()
                                                       : Vector3::UnitZ();
    return v.cross(other).normalized();
}

/// The smallest rotation that takes the direction of `from` to that of `to`; identity when either has no length.
inline Quaternion leastRotation(const Vector3& from, const Vector3& to)
{
    const double scale = from.norm() * to.norm();
    if (!(scale > 0)) return Quaternion::Identity();
    const double w = scale + from.dot(to);
    if (w < 1e-14 * scale) { // opposite: half a turn about any perpendicular
        const Vector3 axis = anyPerpendicular(from);
        return {0, axis[0], axis[1], axis[2]};
    }
    const Vector3 v = from.cross(to);
    return Quaternion(w, v[0], v[1], v[2]).normalized();
}

} // namespace tendon::kit
