#pragma once

#include <tendon/kit/Rotation.h>
#include <tendon/sdk/Model.h>

#include <span>
#include <type_traits>

/// Forward kinematics of a sdk::Model: the frame of every body for a configuration, and how configurations move.
/// Everything takes the base of *this* solve: lengths belong to the problem, not to the model.
namespace tendon::kit {

using sdk::DofKind;
using sdk::JointKind;
using sdk::Model;

inline constexpr int kBaseStride = 8; ///< translation 3, rotation 4, uniform scale 1

/// The frame of a body: model space from body space, point = position + rotation * (scale * local).
template <class T>
struct Frame
{
    Vec3<T> position = Vec3<T>::Zero();
    Quat<T> rotation = Quat<T>::Identity();
    T scale = T(1);

    [[nodiscard]] Vec3<T> point(const Vec3<T>& local) const { return position + rotation * Vec3<T>(local * scale); }
};

[[nodiscard]] inline const sdk::JointTraits& traitsOf(const Model& model, int body)
{
    return sdk::traits(model.kind[body]);
}

/// Number of DOFs of a body that have a coordinate of their own: all but the three of a quaternion, which come last.
/// The quaternion's first coordinate has this index among the body's own coordinates.
inline int singleDofs(const Model& model, int body)
{
    return model.vBegin[body + 1] - model.vBegin[body] - (traitsOf(model, body).hasQuaternion ? 3 : 0);
}

/// Number of sliding DOFs of a body; they come before its turning ones.
inline int slidingDofs(const Model& model, int body)
{
    int count = 0;
    for (int v = model.vBegin[body]; v < model.vBegin[body + 1]; ++v) count += model.dofKind[v] == DofKind::Sliding;
    return count;
}

/// How far the slides at `q` (the body's own coordinates) move the body, in its parent's space.
template <class T>
Vec3<T> slide(const Model& model, int body, const T* q)
{
    Vec3<T> result = Vec3<T>::Zero();
    for (int v = model.vBegin[body], k = 0; v < model.vBegin[body + 1] && model.dofKind[v] == DofKind::Sliding;
         ++v, ++k)
        for (int i = 0; i < 3; ++i) result[i] += q[k] * T(model.axis[3 * v + i]);
    return result;
}

/// The turning part of the joint's motion at `q` (the body's own coordinates).
template <class T>
Quat<T> motion(const Model& model, int body, const T* q)
{
    if (traitsOf(model, body).hasQuaternion) return quaternionAt(q + singleDofs(model, body));
    const int begin = model.vBegin[body], end = model.vBegin[body + 1];
    int v = begin + slidingDofs(model, body);
    if (v == end) return Quat<T>::Identity();
    Quat<T> result = turn(&model.axis[3 * v], q[v - begin]);
    for (++v; v < end; ++v) result = result * turn(&model.axis[3 * v], q[v - begin]);
    return result;
}

/// The frame of one body from its parent's. `base` and `q` are whole arrays.
template <class T>
Frame<T> bodyFrame(const Model& model, int body, const Frame<T>& parent, std::span<const double> base, const T* q)
{
    const double* b = base.data() + kBaseStride * body;
    const T* own = q + model.qBegin[body];
    Frame<T> result;
    const Vec3<T> translation = Vec3<T>{T(b[0]), T(b[1]), T(b[2])} + slide(model, body, own);
    const Quat<T> rotation{T(b[6]), T(b[3]), T(b[4]), T(b[5])};
    result.position = parent.point(translation);
    result.rotation = parent.rotation * rotation;
    if (slidingDofs(model, body) < model.vBegin[body + 1] - model.vBegin[body])
        result.rotation = result.rotation * motion(model, body, own);
    result.scale = parent.scale * T(b[7]);
    return result;
}

/// Fills the frames (n) of `bodies`, which must hold every parent before its children.
template <class T>
void forwardKinematics(const Model& model, std::span<const double> base, std::span<const T> q,
                       std::span<const std::int32_t> bodies, std::span<Frame<T>> frames)
{
    const Frame<T> world;
    for (const std::int32_t body : bodies) {
        const std::int32_t parent = model.parent[body];
        frames[body] = bodyFrame(model, body, parent < 0 ? world : frames[parent], base, q.data());
    }
}

/// Fills the frames (n) of all bodies.
template <class T>
void forwardKinematics(const Model& model, std::span<const double> base, std::span<const T> q,
                       std::span<Frame<T>> frames)
{
    const Frame<T> world;
    for (std::int32_t body = 0; body < model.bodyCount; ++body) {
        const std::int32_t parent = model.parent[body];
        frames[body] = bodyFrame(model, body, parent < 0 ? world : frames[parent], base, q.data());
    }
}

/// Moves one body's coordinates by its part of the tangent: q + dv, for quaternions q * exp(dv). `from`, `to`: the
/// body's own coordinates (may be one array); `dv`: its own DOFs. All-zero steps keep every bit.
template <class T>
void integrateBody(const Model& model, int body, const T* from, const T* dv, T* to)
{
    const int singles = singleDofs(model, body);
    for (int k = 0; k < singles; ++k) to[k] = from[k] + dv[k];
    if (!traitsOf(model, body).hasQuaternion) return;
    const Vec3<T> turning = vectorAt(dv + singles);
    if constexpr (std::is_floating_point_v<T>) // a scalar with derivatives has some at 0, too
        if (turning[0] == 0 && turning[1] == 0 && turning[2] == 0) {
            for (int k = 0; k < 4; ++k) to[singles + k] = from[singles + k];
            return;
        }
    Quat<T> rotation = quaternionAt(from + singles) * expMap(turning);
    rotation.normalize();
    store(rotation, to + singles);
}

/// integrateBody for every body: the one way a configuration takes a step.
template <class T>
void integrate(const Model& model, std::span<const T> q, std::span<const T> dv, std::span<T> result)
{
    for (std::int32_t body = 0; body < model.bodyCount; ++body)
        integrateBody(model, body, q.data() + model.qBegin[body], dv.data() + model.vBegin[body],
                      result.data() + model.qBegin[body]);
}

/// The step that takes one body's coordinates `from` to `to`: the inverse of integrateBody, turning parts at most pi.
inline void differenceBody(const Model& model, int body, const double* from, const double* to, double* dv)
{
    const int singles = singleDofs(model, body);
    for (int k = 0; k < singles; ++k) dv[k] = to[k] - from[k];
    if (!traitsOf(model, body).hasQuaternion) return;
    const Vector3 turning = logMap(Quaternion(quaternionAt(from + singles).conjugate() * quaternionAt(to + singles)));
    for (int k = 0; k < 3; ++k) dv[singles + k] = turning[k];
}

} // namespace tendon::kit
