#include "core/math/RotationOrder.h"

#include <cmath>
#include <numbers>

namespace tendon {
namespace {

constexpr double kPi = std::numbers::pi;

double nearestTurn(double angle, double near) { return angle + 2 * kPi * std::round((near - angle) / (2 * kPi)); }

} // namespace

std::array<int, 3> productOrder(RotationOrder order)
{
    switch (order) {
    case RotationOrder::XYZ: return {2, 1, 0};
    case RotationOrder::YZX: return {0, 2, 1};
    case RotationOrder::ZXY: return {1, 0, 2};
    case RotationOrder::XZY: return {1, 2, 0};
    case RotationOrder::YXZ: return {2, 0, 1};
    case RotationOrder::ZYX: return {0, 1, 2};
    }
    return {2, 1, 0};
}

Quaternion rotationFromAngles(const Vector3& angles, RotationOrder order)
{
    Quaternion rotation = Quaternion::Identity();
    for (const int axis : productOrder(order))
        rotation = rotation * Quaternion(Eigen::AngleAxisd(angles[axis], Vector3::Unit(axis)));
    return rotation;
}

Vector3 anglesFromRotation(const Quaternion& rotation, RotationOrder order, const Vector3& near)
{
    // R = R_i(a) R_j(b) R_k(c), with sign +1 for cyclic (i, j, k). Then R(i,k) = sign * sin b (Shoemake 1994).
    const auto [i, j, k] = productOrder(order);
    const double sign = (j == (i + 1) % 3) ? 1 : -1;
    const Eigen::Matrix3d r = rotation.normalized().toRotationMatrix();

    const double cosB = std::hypot(r(i, i), r(i, j));
    Vector3 first = Vector3::Zero();
    first[j] = std::atan2(sign * r(i, k), cosB);
    if (cosB > 1e-9) {
        first[i] = std::atan2(-sign * r(j, k), r(k, k));
        first[k] = std::atan2(-sign * r(i, j), r(i, i));
    } else {
        first[k] = near[k];
        // With b at a quarter turn the order of the last two does not commute; read a from what is left after both.
        const Eigen::Matrix3d turned = r * (Eigen::AngleAxisd(first[j], Vector3::Unit(j)) *
                                            Eigen::AngleAxisd(near[k], Vector3::Unit(k)))
                                               .inverse()
                                               .toRotationMatrix();
        first[i] = std::atan2(sign * turned(k, j), turned(j, j));
    }

    // The same rotation has a second set of angles: (a + pi, pi - b, c + pi).
    Vector3 second = first;
    second[i] += kPi;
    second[j] = kPi - second[j];
    second[k] += kPi;
    for (int axis = 0; axis < 3; ++axis) {
        first[axis] = nearestTurn(first[axis], near[axis]);
        second[axis] = nearestTurn(second[axis], near[axis]);
    }
    return (second - near).norm() < (first - near).norm() ? second : first;
}

} // namespace tendon
