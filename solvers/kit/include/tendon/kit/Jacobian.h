#pragma once

#include <tendon/kit/Kinematics.h>

namespace tendon::kit {

/// What one DOF does to everything that hangs on it, in model space: a turn about `direction` through `pivot`, or a
/// slide along `direction` (its length is the accumulated scale of the space it slides in).
struct DofMotion
{
    Vector3 direction = Vector3::Zero();
    Vector3 pivot = Vector3::Zero();
    bool turns = false;

    /// d(point)/d(dof) of a point that the DOF carries.
    [[nodiscard]] Vector3 velocity(const Vector3& point) const
    {
        return turns ? Vector3(direction.cross(point - pivot)) : direction;
    }

    /// d(rotation)/d(dof) as a rotation vector in model space.
    [[nodiscard]] Vector3 angular() const { return turns ? direction : Vector3::Zero(); }
};

/// The motions of one body's DOFs at the frames of `q`. `result` is the whole array (nv).
inline void dofMotions(const Model& model, int body, std::span<const double> base, std::span<const double> q,
                       std::span<const Frame<double>> frames, std::span<DofMotion> result)
{
    const Frame<double>& frame = frames[body];
    const std::int32_t parent = model.parent[body];
    const Frame<double> world;
    const Frame<double>& above = parent < 0 ? world : frames[parent];
    const int begin = model.vBegin[body], end = model.vBegin[body + 1];
    const bool hasQuaternion = traitsOf(model, body).hasQuaternion;
    const double* own = q.data() + model.qBegin[body];
    Quaternion turned = above.rotation;
    bool isAtBase = false;
    for (int v = begin; v < end; ++v) {
        const Vector3 axis = vectorAt(&model.axis[3 * v]);
        if (model.dofKind[v] == DofKind::Sliding) {
            result[v] = {above.rotation * Vector3(axis * above.scale), frame.position, false};
        } else if (hasQuaternion || end - begin == 1) { // a single axis does not move under its own turn
            result[v] = {frame.rotation * axis, frame.position, true};
        } else {
            if (!isAtBase) turned = turned * quaternionAt(base.data() + kBaseStride * body + 3);
            isAtBase = true;
            result[v] = {turned * axis, frame.position, true};
            turned = turned * turn(&model.axis[3 * v], own[v - begin]);
        }
    }
}

/// Position and orientation Jacobian (6 x nv, position rows first) of a point fixed to a body [model space]. Columns of
/// DOFs that do not carry the body are zero. `motions` must be filled for the body and its ancestors.
template <class Derived>
void pointJacobian(const Model& model, std::span<const DofMotion> motions, int body, const Vector3& point,
                   Eigen::MatrixBase<Derived>& jacobian)
{
    jacobian.setZero();
    for (std::int32_t b = body; b >= 0; b = model.parent[b])
        for (std::int32_t v = model.vBegin[b]; v < model.vBegin[b + 1]; ++v) {
            jacobian.col(v).template head<3>() = motions[v].velocity(point);
            jacobian.col(v).template tail<3>() = motions[v].angular();
        }
}

} // namespace tendon::kit
