#pragma once

#include <tendon/sdk/Joint.h>
#include <tendon/sdk/Layout.h>

#include <cstdint>
#include <span>

namespace tendon::sdk {

/// The structure that moves: what may move and how far. Owned by the host, which keeps it alive and unchanged until the
/// next prepare() or until the solver is destroyed.
///
/// n bodies (one per authored joint), nq coordinates, nv DOFs. Angles in radians, lengths in metres. An absent limit is
/// -infinity or +infinity. lower <= upper always.
struct Model
{
    std::uint32_t size = sizeof(Model);
    std::int32_t bodyCount = 0;       ///< n
    std::int32_t coordinateCount = 0; ///< nq
    std::int32_t dofCount = 0;        ///< nv

    // bodies
    std::span<const std::int32_t> parent; ///< (n)      parent[b] < b, -1 at a root
    std::span<const JointKind> kind;      ///< (n)
    std::span<const std::int32_t> qBegin; ///< (n + 1)  first coordinate of body b; last entry nq
    std::span<const std::int32_t> vBegin; ///< (n + 1)  first DOF of body b; last entry nv

    // DOFs. For Ball and Free: the axes x, y, z, in this order, for sliding and for turning; turning limits infinite.
    std::span<const DofKind> dofKind;      ///< (nv)
    std::span<const double> axis;          ///< (nv x 3) unit; sliding: in the parent's space, turning: in the base's
    std::span<const double> lower;         ///< (nv)     [rad | m]
    std::span<const double> upper;         ///< (nv)     [rad | m]
    std::span<const double> stiffness;     ///< (nv)     0 = takes part fully ... 1 = moves only if it must
    std::span<const double> damping;       ///< (nv)     0 ... 1: resists over the whole range
    std::span<const double> ease;          ///< (nv)     0 ... 1: resists near lower and upper only
    std::span<const double> springRest;    ///< (nv)     [rad | m] value that the DOF springs back to
    std::span<const double> springTension; ///< (nv)     0 = no spring
    std::span<const double> preferred;     ///< (nv)     [rad | m] where a bend should go when the goals leave it open

    // ball joints; rows of kinds without swing limits are not read
    std::span<const double>
        ballSwing; ///< (n x 4) [rad] semi-axes +a, -a, +b, -b of the swing ellipse, >= 0; inf = free
    std::span<const double> ballTwist; ///< (n x 2) [rad] from, to about the twist axis; -inf, inf = free
    std::span<const Axis> ballAxis;    ///< (n)     the twist axis; R = swing * twist

    // bodies as masses
    std::span<const double> mass;             ///< (n)     [kg] 0 where none is authored
    std::span<const double> centre;           ///< (n x 3) [m] centre of mass in body space
    std::span<const std::int32_t> precedence; ///< (n)     higher takes up motion first; only the order matters

    // Append new members above this line.
};

inline constexpr LayoutEntry kModelLayout[] = {
    TENDON_SDK_MEMBER(0, Model, size),
    TENDON_SDK_MEMBER(0, Model, bodyCount),
    TENDON_SDK_MEMBER(0, Model, coordinateCount),
    TENDON_SDK_MEMBER(0, Model, dofCount),
    TENDON_SDK_MEMBER(0, Model, parent),
    TENDON_SDK_MEMBER(0, Model, kind),
    TENDON_SDK_MEMBER(0, Model, qBegin),
    TENDON_SDK_MEMBER(0, Model, vBegin),
    TENDON_SDK_MEMBER(0, Model, dofKind),
    TENDON_SDK_MEMBER(0, Model, axis),
    TENDON_SDK_MEMBER(0, Model, lower),
    TENDON_SDK_MEMBER(0, Model, upper),
    TENDON_SDK_MEMBER(0, Model, stiffness),
    TENDON_SDK_MEMBER(0, Model, damping),
    TENDON_SDK_MEMBER(0, Model, ease),
    TENDON_SDK_MEMBER(0, Model, springRest),
    TENDON_SDK_MEMBER(0, Model, springTension),
    TENDON_SDK_MEMBER(0, Model, preferred),
    TENDON_SDK_MEMBER(0, Model, ballSwing),
    TENDON_SDK_MEMBER(0, Model, ballTwist),
    TENDON_SDK_MEMBER(0, Model, ballAxis),
    TENDON_SDK_MEMBER(0, Model, mass),
    TENDON_SDK_MEMBER(0, Model, centre),
    TENDON_SDK_MEMBER(0, Model, precedence),
};
TENDON_SDK_LISTS_ALL(kModelLayout, Model);

} // namespace tendon::sdk
