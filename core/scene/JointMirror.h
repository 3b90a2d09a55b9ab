#pragma once

#include "core/scene/Scene.h"

namespace tendon {

/// The reflection across the plane through the origin perpendicular to `axis` (0 x, 1 y, 2 z).
[[nodiscard]] Eigen::Matrix3d reflection(int axis);

/// Which axes correspond when one joint is mirrored onto another. The image of axis i of the source lies along axis
/// `target[i]` of the other joint; `sign[i]` is +1 if it points the same way, -1 if it points the other way.
struct AxisMap
{
    std::array<int, 3> target{0, 1, 2};
    Vector3 sign = Vector3::Ones();

    bool operator==(const AxisMap&) const = default;
};

/// The axis map nearest to `image`, a rotation or reflection from the source's axes to the other joint's. Error: an
/// axis is more than 25 degrees from the nearest axis of the other joint.
[[nodiscard]] Result<AxisMap> nearestAxisMap(const Eigen::Matrix3d& image);

/// The mirror images of rotation vectors and of translations, from the joint `from` to the joint `to`. Rotations are in
/// the joints' own axes at rest, translations in the axes of their parents.
[[nodiscard]] Eigen::Matrix3d mirroredTurns(const Scene& scene, const Joint& from, const Joint& to, int mirrorAxis);
[[nodiscard]] Eigen::Matrix3d mirroredMoves(const Scene& scene, const Joint& from, const Joint& to, int mirrorAxis);

/// `to` with the motion parameters of `from` (see copyJointParameters()), their axes mapped as given.
[[nodiscard]] Joint withParametersOf(const Joint& from, const Joint& to, const AxisMap& turns, const AxisMap& moves);

} // namespace tendon
