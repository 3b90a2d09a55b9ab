#include "core/math/Transform.h"

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
    axes.col(1) = axes.col(1).norm() > 1e-12 ? Vector3(axes.col(1).normalized()) : Vector3(axes.col(0).unitOrthogonal());
    axes.col(2) = axes.col(0).cross(axes.col(1));
    local.rotation = Quaternion(axes).normalized();
    return local;
}

} // namespace tendon
