#include "core/math/Transform.h"

#include <cmath>

namespace tendon {

LocalTransform decompose(const Affine& parentFromJoint)
{
    LocalTransform local;
    local.translation = parentFromJoint.translation();
    Eigen::Matrix3d axes = parentFromJoint.linear();
    for (int c = 0; c < 3; ++c) local.scale[c] = axes.col(c).norm();
    if (axes.determinant() < 0) local.scale.x() = -local.scale.x();

    // Columns made unit; a vanished one is replaced so that the frame stays orthonormal.
    for (int c = 0; c < 3; ++c)
        axes.col(c) = local.scale[c] != 0 ? Vector3(axes.col(c) / local.scale[c]) : Vector3::Zero();
    if (axes.col(0).isZero()) axes.col(0) = axes.col(1).isZero() ? Vector3::UnitX() : axes.col(1).unitOrthogonal();
    axes.col(1) -= axes.col(0).dot(axes.col(1)) * axes.col(0);
    axes.col(1) = axes.col(1).norm() > 1e-12 ? Vector3(axes.col(1).normalized())
                                             : Vector3(axes.col(0).unitOrthogonal());
    axes.col(2) = axes.col(0).cross(axes.col(1));
    local.rotation = Quaternion(axes).normalized();
    return local;
}

Affine withoutScale(const Affine& transform)
{
    const Vector3 back = transform.linear().col(2), up = transform.linear().col(1);
    const Vector3 z = back.norm() > 0 ? Vector3(back.normalized()) : Vector3(Vector3::UnitZ());
    const Vector3 square = up - z.dot(up) * z;
    const Vector3 y = square.norm() > 1e-12 * up.norm() ? Vector3(square.normalized()) : Vector3(z.unitOrthogonal());
    Affine result = Affine::Identity();
    result.linear() << y.cross(z), y, z;
    result.translation() = transform.translation();
    return result;
}

Similarity nearestSimilarity(const Affine& transform)
{
    Similarity result;
    result.translation = transform.translation();
    const double determinant = transform.linear().determinant();
    result.scale = std::cbrt(std::abs(determinant));
    const Eigen::Matrix3d axes = transform.linear() / result.scale;
    // Rounding, also that of files in single precision, is below this, a visible stretch far above.
    constexpr double kSlack = 2e-6;
    result.isExact = determinant > 0 &&
                     (axes.transpose() * axes - Eigen::Matrix3d::Identity()).cwiseAbs().maxCoeff() < kSlack;
    if (result.isExact) {
        result.rotation = Quaternion(axes).normalized();
        return result;
    }
    result.rotation = decompose(transform).rotation;
    if (!(result.scale > 1e-9)) result.scale = 1; // flattened: lengths mean nothing
    return result;
}

Quaternion shortestRotation(const Vector3& from, const Vector3& to)
{
    // Quaternion::FromTwoVectors for all but opposite directions. For those it takes the axis from a JacobiSVD, which
    // costs seconds to compile; any perpendicular serves.
    const Vector3 u = from.normalized(), v = to.normalized();
    const double w = 1 + u.dot(v);
    if (w < Eigen::NumTraits<double>::dummy_precision()) {
        const Vector3 axis = u.unitOrthogonal();
        return Quaternion(0, axis.x(), axis.y(), axis.z());
    }
    const Vector3 axis = u.cross(v);
    return Quaternion(w, axis.x(), axis.y(), axis.z()).normalized();
}

} // namespace tendon
