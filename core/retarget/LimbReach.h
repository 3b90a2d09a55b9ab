#pragma once

#include "core/math/Transform.h"

namespace tendon {

/// The turns, in the world, that bring the end of a limb of two bones to a place.
struct LimbTurns
{
    Quaternion upper = Quaternion::Identity(); ///< of the upper bone
    Quaternion lower = Quaternion::Identity(); ///< of the lower bone, all told
    double shortfall = 0;                      ///< [m] how far the place is out of reach
};

/// From a limb as it stands, its root, middle and end. It keeps the plane in which it bends; a straight one bends about
/// `hinge`, a unit vector (elbows and knees bend by turning about it). The identity, to the bit, where the end is
/// there.
[[nodiscard]] LimbTurns reachTo(const Vector3& root, const Vector3& middle, const Vector3& end, const Vector3& place,
                                const Vector3& hinge);

} // namespace tendon
