#pragma once

#include "core/base/Id.h"

#include <array>
#include <compare>
#include <optional>
#include <string_view>

namespace tendon {

/// What a channel controls. propertyName() is its name in scripts, files and the interface.
enum class Property : std::uint8_t {
    // joints
    Tx,
    Ty,
    Tz, ///< [m] translation in the parent's space
    Rx,
    Ry,
    Rz, ///< [rad] angle from rest, in the joint's rotation order
    Sx,
    Sy,
    Sz,
    Rotation, ///< local rotation, unit quaternion xyzw; if set or keyed, it replaces Rx, Ry, Rz
    // handles
    GoalPosition, ///< [m] in the space that the goal follows: see Space
    GoalRotation, ///< unit quaternion xyzw, in the same space
    Pole,         ///< [m] a point in the space that the pole follows
    Twist,        ///< [rad]
    Blend,        ///< 0 FK ... 1 IK
    Weight,       ///< >= 0
    Roll,         ///< [rad] of a chain along a curve: turns all of it
    Space,        ///< what the goal follows: the id of a joint or a handle, 0 = the world; held from key to key
    PoleSpace,    ///< the same of the pole
    CurvePoint,   ///< [m] the first control point of a curve, in the goal's space; the others follow: see curvePoint()
};

inline constexpr int kMaxCurvePoints = 64;
inline constexpr int kPropertyCount = static_cast<int>(Property::CurvePoint) + kMaxCurvePoints;

/// Control point `index` (0 ... kMaxCurvePoints - 1) of a handle's curve.
[[nodiscard]] constexpr Property curvePoint(int index)
{
    return static_cast<Property>(static_cast<int>(Property::CurvePoint) + index);
}
[[nodiscard]] constexpr bool isCurvePoint(Property p) { return p >= Property::CurvePoint; }
/// Precondition: isCurvePoint(property).
[[nodiscard]] constexpr int curveIndex(Property property)
{
    return static_cast<int>(property) - static_cast<int>(Property::CurvePoint);
}

/// 1, 3 (vector) or 4 (quaternion) numbers.
[[nodiscard]] int componentCount(Property property);
/// The property for an axis (0 = x, 1 = y, 2 = z), given the one for x: Tx, Rx or Sx.
[[nodiscard]] constexpr Property offsetBy(Property first, int axis)
{
    return static_cast<Property>(static_cast<int>(first) + axis);
}
[[nodiscard]] constexpr bool isQuaternion(Property p) { return p == Property::Rotation || p == Property::GoalRotation; }
inline constexpr std::array<Property, 3> kTranslations = {Property::Tx, Property::Ty, Property::Tz};
inline constexpr std::array<Property, 3> kAngles = {Property::Rx, Property::Ry, Property::Rz};
inline constexpr std::array<Property, 3> kScalings = {Property::Sx, Property::Sy, Property::Sz};
/// What a handle's goal or pole follows: an object, not a number.
[[nodiscard]] constexpr bool isSpace(Property p) { return p == Property::Space || p == Property::PoleSpace; }
/// A place or rotation of a handle that is given in a space.
[[nodiscard]] constexpr bool isPlace(Property p)
{
    return p == Property::GoalPosition || p == Property::GoalRotation || p == Property::Pole || isCurvePoint(p);
}
/// The channel that says in which space a place is given. Precondition: isPlace(place).
[[nodiscard]] constexpr Property spaceOf(Property place)
{
    return place == Property::Pole ? Property::PoleSpace : Property::Space;
}
/// True if the numbers are degrees in the interface and radians here.
[[nodiscard]] constexpr bool isAngle(Property p)
{
    return p == Property::Rx || p == Property::Ry || p == Property::Rz || p == Property::Twist || p == Property::Roll;
}
[[nodiscard]] std::string_view propertyName(Property property); ///< "tx", "goal.position", "curve.0", ...
[[nodiscard]] std::optional<Property> propertyFromName(std::string_view name);

/// The two layers of a clip: its keys, and its corrections, which are added on top of them: see Corrections.h.
enum class Layer : std::uint8_t {
    Keys,
    Corrections,
};
[[nodiscard]] std::string_view layerName(Layer layer); ///< "keys", "corrections"
[[nodiscard]] std::optional<Layer> layerFromName(std::string_view name);

/// A property of one object, in one of the layers. The weight of a clip's corrections is the property Weight of the
/// clip itself.
struct ChannelId
{
    ObjectId target = 0;
    Property property = Property::Tx;
    Layer layer = Layer::Keys;

    auto operator<=>(const ChannelId&) const = default;
};

/// The same property in another layer.
[[nodiscard]] constexpr ChannelId inLayer(ChannelId channel, Layer layer)
{
    channel.layer = layer;
    return channel;
}
/// Whether corrections can have the property: all but what a handle follows, which is no number.
[[nodiscard]] constexpr bool isCorrectable(Property p) { return !isSpace(p); }

/// The numbers of one channel: componentCount() of them, then zeros.
using ChannelValue = std::array<double, 4>;

} // namespace tendon
