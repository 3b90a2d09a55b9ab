#pragma once

#include "core/math/Transform.h"

#include <algorithm>
#include <array>

namespace tendon {

// The only place that converts between arrays of numbers and Eigen's vectors and quaternions. Arrays, files, channels
// and the solver SDK hold quaternions as xyzw; Eigen's constructor takes w first. `numbers` is anything with an index:
// an array, a span, a vector, a pointer. Neither direction changes a number, so quaternions stay as long as they were.

/// The vector of the first three numbers.
template <typename Numbers>
[[nodiscard]] Vector3 toVector(const Numbers& numbers)
{
    return {static_cast<double>(numbers[0]), static_cast<double>(numbers[1]), static_cast<double>(numbers[2])};
}

/// The quaternion of the first four numbers, which are xyzw.
template <typename Numbers>
[[nodiscard]] Quaternion toQuaternion(const Numbers& numbers)
{
    return {static_cast<double>(numbers[3]), static_cast<double>(numbers[0]), static_cast<double>(numbers[1]),
            static_cast<double>(numbers[2])};
}

/// A channel's four numbers: xyz and 0, or xyzw.
[[nodiscard]] inline std::array<double, 4> toValue(const Vector3& v) { return {v.x(), v.y(), v.z(), 0}; }
[[nodiscard]] inline std::array<double, 4> toValue(const Quaternion& q) { return {q.x(), q.y(), q.z(), q.w()}; }

/// Writes three numbers, or four as xyzw, and returns the position after the last.
template <typename Output>
Output writeNumbers(const Vector3& v, Output to)
{
    return std::copy_n(v.data(), 3, to);
}
template <typename Output>
Output writeNumbers(const Quaternion& q, Output to)
{
    return std::copy_n(q.coeffs().data(), 4, to);
}

} // namespace tendon
