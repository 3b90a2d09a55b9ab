#pragma once

#include "core/base/Id.h"
#include "core/math/RotationOrder.h"
#include "core/math/Transform.h"

#include <array>
#include <optional>
#include <string>

namespace tendon {

/// The freedom of one axis of a joint, with the joint parameters of 3ds Max. Turning: radians about the joint's own
/// axis, from the rest pose. Sliding: metres, the joint's translation along the axis in its parent's space.
/// `from` may be greater than `to` and is stored as typed; the range lies between the two.
struct AxisFreedom
{
    bool active = false;
    bool limited = false;
    double from = 0;
    double to = 0;
    double ease = 0;                                 ///< 0 ... 1: resistance near the ends of the range
    double damping = 0;                              ///< 0 ... 1: resistance over the whole range
    std::optional<double> springBack = std::nullopt; ///< springs back to this value; none: no spring; no effect yet
    double springTension = 0;                        ///< 0 ... 1

    [[nodiscard]] double lower() const { return from < to ? from : to; }
    [[nodiscard]] double upper() const { return from < to ? to : from; }

    bool operator==(const AxisFreedom&) const = default;
};

/// Limits of a ball joint: swing of the twist axis, and twist about it. All in radians.
struct BallLimits
{
    int twistAxis = 0;                          ///< 0 x, 1 y, 2 z; the next two axes are a and b, the axes of swing
    std::optional<std::array<double, 4>> swing; ///< semi-axes +a, -a, +b, -b, each >= 0; none = no limit
    std::optional<std::array<double, 2>> twist; ///< from, to; none = no limit

    bool operator==(const BallLimits&) const = default;
};

/// How fast a joint may be in the solution of a clip, and how much faster or slower from one moment to the next. 0 = no
/// limit.
struct RateLimits
{
    double speed = 0;        ///< [rad/s | m/s]
    double acceleration = 0; ///< [rad/s^2 | m/s^2]

    bool operator==(const RateLimits&) const = default;
};

/// The shape drawn for a joint that has no mesh. Its volume follows from the shape and the size.
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

/// A joint of the skeleton. A plain value: its parent is given by id.
struct Joint
{
    JointId id;
    std::string name;    ///< unique among joints and handles
    JointId parent;      ///< none = a root
    LocalTransform rest; ///< rest pose
    RotationOrder rotationOrder = RotationOrder::XYZ;

    /// Default: all turning axes active and unlimited, no sliding, as new hierarchies have it in other programs.
    std::array<AxisFreedom, 3> turning{{{.active = true}, {.active = true}, {.active = true}}};
    std::array<AxisFreedom, 3> sliding{};
    std::optional<BallLimits> ball; ///< set: a ball joint, for which `turning` keeps its values but is not used

    Vector3 preferredAngle = Vector3::Zero(); ///< [rad] about x, y, z, from rest: to where a straight chain bends
    double stiffness = 0;                     ///< 0 ... 1
    RateLimits turningRates;                  ///< of each turning axis; of a ball joint, of its turning as a whole
    RateLimits slidingRates;                  ///< of each sliding axis
    std::int32_t precedence = 0;              ///< joints of higher precedence move first
    bool isTerminator = false;                ///< solves do not move this joint and its ancestors
    Segment segment;

    std::int32_t sourceNode = -1; ///< index of its node in the source model; -1 = made here

    bool operator==(const Joint&) const = default;
};

} // namespace tendon
