#pragma once

#include "core/scene/Scene.h"

namespace tendon {

/// The reflection across the plane through the origin perpendicular to `axis` (0 x, 1 y, 2 z).
[[nodiscard]] Eigen::Matrix3d reflection(int axis);

/// Where the axes of one joint go when it is mirrored onto another: for axis i of the source, `target[i]` is the axis
/// of the other that its image lies along and `sign[i]` is +1 or -1 when it points the same or the other way.
struct AxisMap
{
    std::array<int, 3> target{0, 1, 2};
    Vector3 sign = Vector3::Ones();

    bool operator==(const AxisMap&) const = default;
};

/// The axis map nearest to `image`, a rotation or reflection from the source's axes to the other's. Error: some axis is
/// more than 25 degrees from the nearest axis of the other.
[[nodiscard]] Result<AxisMap> nearestAxisMap(const Eigen::Matrix3d& image);

/// Images of turns (rotation vectors, which keep their sense in the mirror's own direction only) and of moves, from the
/// joint `from` to the joint `to`, each in its own axes after the rest rotation; of moves, in the parents' axes.
[[nodiscard]] Eigen::Matrix3d mirroredTurns(const Scene& scene, const Joint& from, const Joint& to, int mirrorAxis);
[[nodiscard]] Eigen::Matrix3d mirroredMoves(const Scene& scene, const Joint& from, const Joint& to, int mirrorAxis);

/// `from`'s order and freedoms, ball limits, preferred angle and stiffness put onto `to`, axes mapped as given.
[[nodiscard]] Joint withParametersOf(const Joint& from, const Joint& to, const AxisMap& turns, const AxisMap& moves);

} // namespace tendon
