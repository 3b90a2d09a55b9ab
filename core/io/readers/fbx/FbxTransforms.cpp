#include "core/io/readers/fbx/FbxTransforms.h"

#include "core/math/Degrees.h"

#include <cmath>

namespace tendon::fbx {
namespace {

constexpr double kUneven = 1e-6;

Quaternion turned(const Vector3& degrees, RotationOrder order) { return rotationFromAngles(degrees / kDegrees, order); }

RotationOrder orderOf(int choice)
{
    static constexpr RotationOrder kOrders[] = {RotationOrder::XYZ, RotationOrder::XZY, RotationOrder::YZX,
                                                RotationOrder::YXZ, RotationOrder::ZXY, RotationOrder::ZYX};
    return choice >= 0 && choice < 6 ? kOrders[choice] : RotationOrder::XYZ;
}

ScaleInheritance inheritanceOf(int choice)
{
    return choice == 1   ? ScaleInheritance::AsMatrices
           : choice == 2 ? ScaleInheritance::NotParents
                         : ScaleInheritance::AlongOwnAxes;
}

Eigen::Matrix3d inverseScale(const Vector3& scale)
{
    const auto inverse = [](double s) { return s == 0 ? 0 : 1 / s; }; // what is flat stays so
    return Vector3(inverse(scale[0]), inverse(scale[1]), inverse(scale[2])).asDiagonal();
}

} // namespace

NodeShape::NodeShape(const Object& model) : m_inheritance(inheritanceOf(model.choice("InheritType", 0)))
{
    const Vector3 zero = Vector3::Zero(), one = Vector3::Ones();
    m_rest.translation = model.vector("Lcl Translation", zero);
    m_rest.degrees = model.vector("Lcl Rotation", zero);
    m_rest.scale = model.vector("Lcl Scaling", one);
    if (model.choice("RotationActive", 1) != 0) {
        m_order = orderOf(model.choice("RotationOrder", 0));
        m_before = turned(model.vector("PreRotation", zero), RotationOrder::XYZ);
        m_after = turned(model.vector("PostRotation", zero), RotationOrder::XYZ).conjugate();
    }
    m_rotationOffset = model.vector("RotationOffset", zero);
    m_rotationPivot = model.vector("RotationPivot", zero);
    m_scaleOffset = model.vector("ScalingOffset", zero);
    m_scalePivot = model.vector("ScalingPivot", zero);
    LocalTransform geometry;
    geometry.translation = model.vector("GeometricTranslation", zero);
    geometry.rotation = turned(model.vector("GeometricRotation", zero), RotationOrder::XYZ);
    geometry.scale = model.vector("GeometricScaling", one);
    m_geometry = geometry.parentFromJoint();
}

LocalTransform NodeShape::local(const Moving& moving) const
{
    LocalTransform local;
    local.rotation = (m_before * turned(moving.degrees, m_order) * m_after).normalized();
    local.scale = moving.scale;
    const Vector3 scaled = m_scaleOffset + m_scalePivot - moving.scale.cwiseProduct(m_scalePivot);
    local.translation = moving.translation + m_rotationOffset + m_rotationPivot +
                        local.rotation * (scaled - m_rotationPivot);
    return local;
}

WorldScale worldScaleOf(const WorldScale& parent, const Vector3& parentScale, const LocalTransform& local,
                        ScaleInheritance inheritance)
{
    const Eigen::Matrix3d turn = local.rotation.toRotationMatrix(), scale = local.scale.asDiagonal();
    WorldScale own;
    own.rotation = parent.rotation * turn;
    switch (inheritance) {
    case ScaleInheritance::AsMatrices: own.scaling = turn.transpose() * parent.scaling * turn * scale; break;
    case ScaleInheritance::AlongOwnAxes: own.scaling = parent.scaling * scale; break;
    case ScaleInheritance::NotParents: own.scaling = parent.scaling * inverseScale(parentScale) * scale; break;
    }
    return own;
}

LocalTransform asMatricesMultiply(const WorldScale& parent, const WorldScale& own, const LocalTransform& local,
                                  bool& isExact)
{
    isExact = true;
    // Equal scales along all axes (nearly all files) pass through rotations.
    const double even = parent.scaling.trace() / 3;
    if ((parent.scaling - even * Eigen::Matrix3d::Identity()).cwiseAbs().maxCoeff() <= kUneven * std::abs(even)) {
        LocalTransform result = local;
        const Eigen::Matrix3d scale = own.scaling / even;
        const Eigen::Matrix3d beside = scale - Eigen::Matrix3d(scale.diagonal().asDiagonal());
        if (beside.cwiseAbs().maxCoeff() <= kUneven * scale.diagonal().cwiseAbs().maxCoeff()) {
            if ((scale.diagonal() - local.scale).norm() > 1e-12 * local.scale.norm()) result.scale = scale.diagonal();
            return result;
        }
    }
    const double size = parent.scaling.cwiseAbs().maxCoeff();
    if (!(std::abs(parent.scaling.determinant()) > 1e-12 * size * size * size)) return local; // flat: nothing to undo
    Affine linear = Affine::Identity();
    linear.linear() = parent.scaling.inverse() * local.rotation.toRotationMatrix() * own.scaling;
    LocalTransform result = decompose(linear);
    isExact = (result.parentFromJoint().linear() - linear.linear()).cwiseAbs().maxCoeff() <=
              kUneven * linear.linear().cwiseAbs().maxCoeff();
    result.translation = local.translation;
    return result;
}

SplitTransform splitTransform(const WorldScale& parent, bool isParentSplit, const WorldScale& own,
                              const LocalTransform& local, double even, bool& isExact)
{
    const double undo = even == 0 ? 0 : 1 / even;
    Affine scaled = Affine::Identity();
    scaled.linear() = undo * own.scaling;
    SplitTransform split;
    split.node = {isParentSplit ? Vector3(undo * parent.scaling * local.translation) : local.translation,
                  local.rotation, Vector3::Ones()};
    const Eigen::Matrix3d beside = own.scaling - Eigen::Matrix3d(own.scaling.diagonal().asDiagonal());
    isExact = beside.cwiseAbs().maxCoeff() <= kUneven * own.scaling.cwiseAbs().maxCoeff();
    if (isExact)
        split.leaf.scale = scaled.linear().diagonal();
    else
        split.leaf = decompose(scaled);
    return split;
}

} // namespace tendon::fbx
