#pragma once

#include <cstdint>
#include <span>

namespace tendon::sdk {

/// How one body may move relative to its parent. The local transform of body b is
///
///     local(b) = Translate(base.t + sum_k slideAxis_k q_k) * Rotate(base.r * motion(q)) * Scale(base.s)
///
/// where `base` belongs to the Problem (it may differ at each frame), sliding axes are in the parent's space and
/// turning axes in the space after base.r. Coordinates and DOFs stand in the order given here.
enum class JointKind : std::int32_t {
    Fixed = 0,     ///< no DOF
    Revolute = 1,  ///< one turning DOF
    Prismatic = 2, ///< one sliding DOF
    Universal = 3, ///< two turning DOFs: motion = R(axis0, q0) R(axis1, q1)
    Ball = 4,      ///< q: unit quaternion xyzw, motion = q; v: rotation vector in the turned frame, q <- q * exp(v)
    Axes = 5,      ///< first the sliding DOFs, then up to three turning ones: motion = R(a0,q0) R(a1,q1) R(a2,q2)
    Free =
        6, ///< q: translation (3, parent space) then quaternion xyzw; v: translation (3) then rotation vector as Ball
};

/// What one DOF does.
enum class DofKind : std::int32_t { Turning = 0, Sliding = 1 };

/// Twist axes of a ball joint and the pair of axes its swing turns about: (a, b) follow the twist axis cyclically.
enum class Axis : std::int32_t { X = 0, Y = 1, Z = 2 };

/// The moving structure: what may move and how far. Immutable while a solver is prepared on it; owned by the host,
/// which keeps it alive and unchanged until the next prepare() or the solver's end.
///
/// n bodies (one per authored joint), nq coordinates, nv DOFs. Angles in radians, lengths in metres. A limit that does
/// not exist is -infinity or +infinity. lower <= upper always.
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

    // DOFs. For Ball and the turning part of Free: the three DOFs x, y, z of the rotation vector, limits infinite.
    std::span<const DofKind> dofKind;      ///< (nv)
    std::span<const double> axis;          ///< (nv x 3) unit; sliding: in the parent's space, turning: in the base's
    std::span<const double> lower;         ///< (nv)     [rad | m]
    std::span<const double> upper;         ///< (nv)     [rad | m]
    std::span<const double> stiffness;     ///< (nv)     0 = takes part fully ... 1 = does not move unless it must
    std::span<const double> damping;       ///< (nv)     0 ... 1: resists over the whole range
    std::span<const double> ease;          ///< (nv)     0 ... 1: resists near lower and upper only
    std::span<const double> springRest;    ///< (nv)     [rad | m] value the DOF springs back to
    std::span<const double> springTension; ///< (nv)     0 = no spring
    std::span<const double> preferred;     ///< (nv)     [rad | m] where a bend should go when the goals leave it open

    // ball joints (rows of other kinds are unread)
    std::span<const double>
        ballSwing; ///< (n x 4) [rad] semi-axes +a, -a, +b, -b of the swing ellipse, all >= 0; inf = free
    std::span<const double> ballTwist; ///< (n x 2) [rad] from, to about the twist axis; -inf, inf = free
    std::span<const Axis> ballAxis;    ///< (n)     the twist axis; R = swing * twist

    // bodies as masses
    std::span<const double> mass;             ///< (n)     [kg] 0 where none is authored
    std::span<const double> centre;           ///< (n x 3) [m] centre of mass in body space
    std::span<const std::int32_t> precedence; ///< (n)     higher takes up motion first; only the order matters
};

} // namespace tendon::sdk
