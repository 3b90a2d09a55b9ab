#pragma once

#include "core/base/Id.h"
#include "core/math/RotationOrder.h"
#include "core/math/Transform.h"

#include <array>
#include <optional>
#include <string>

namespace tendon {

/// One axis of a joint's freedom, as 3ds Max's joint parameters show it. Turning: radians about the joint's own axis,
/// measured from the rest pose. Sliding: metres, the joint's translation along the axis in its parent's space.
/// `from` may exceed `to` and stays as typed; the range is between the two.
struct AxisFreedom
{
    bool active = false;
    bool limited = false;
    double from = 0;
    double to = 0;
    double ease = 0;                                 ///< 0 ... 1: resists near the ends of the range
    double damping = 0;                              ///< 0 ... 1: resists over the whole range
    std::optional<double> springBack = std::nullopt; ///< value the axis springs back to; none = no spring
    double springTension = 0;                        ///< 0 ... 1

    [[nodiscard]] double lower() const { return from < to ? from : to; }
    [[nodiscard]] double upper() const { return from < to ? to : from; }

    bool operator==(const AxisFreedom&) const = default;
};

/// Limits of a ball joint: how far its twist axis may swing, and the turn about it. All in radians.
struct BallLimits
{
    int twistAxis = 0;                          ///< 0 x, 1 y, 2 z; swing turns about the next two, a and b
    std::optional<std::array<double, 4>> swing; ///< semi-axes +a, -a, +b, -b, each >= 0; none = free
    std::optional<std::array<double, 2>> twist; ///< from, to; none = free

    bool operator==(const BallLimits&) const = default;
};

/// The body drawn for a joint that has no mesh; its volume follows from the shape.
struct Segment
{
    enum class Shape { None, Box, Cylinder, Sphere, Torus, Cone };

    Shape shape = Shape::None;
    /// [m] Box: x, y, z. Cylinder, Cone: radius, height (along +y, standing on the joint). Sphere: radius.
    /// Torus: ring radius, tube radius (axis y). Unused entries 0.
    Vector3 size = Vector3::Zero();
    Vector3 offset = Vector3::Zero();             ///< [m] in joint space
    Quaternion rotation = Quaternion::Identity(); ///< in joint space
    double mass = 0;                              ///< [kg]

    [[nodiscard]] double volume() const; ///< [m^3]

    bool operator==(const Segment& other) const
    {
        return shape == other.shape && size == other.size && offset == other.offset &&
               rotation.coeffs() == other.rotation.coeffs() && mass == other.mass;
    }
};

/// A node of the skeleton: what is turned and what others hang from. A plain value; its parent is named by id.
struct Joint
{
    JointId id;
    std::string name;    ///< unique over joints and handles
    JointId parent;      ///< none = a root
    LocalTransform rest; ///< rest pose
    RotationOrder rotationOrder = RotationOrder::XYZ;

    /// Default: all turning axes active and unlimited, no sliding, as a fresh hierarchy has it in the reference tools.
    std::array<AxisFreedom, 3> turning{{{.active = true}, {.active = true}, {.active = true}}};
    std::array<AxisFreedom, 3> sliding{};
    std::optional<BallLimits> ball; ///< set: a ball joint; `turning` then keeps its values but does not count

    Vector3 preferredAngle = Vector3::Zero(); ///< [rad] about x, y, z, from rest: where a straight chain bends
    double stiffness = 0;                     ///< 0 ... 1
    std::int32_t precedence = 0;              ///< higher takes up motion first
    bool isTerminator = false;                ///< a solve stops here: this joint and its ancestors stay put
    Segment segment;

    std::int32_t sourceNode = -1; ///< node of the source model this joint came from; -1 = made here

    bool operator==(const Joint&) const = default;
};

} // namespace tendon
