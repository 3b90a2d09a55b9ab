#pragma once

#include "core/math/Transform.h"

#include <array>

namespace tendon {

/// The order in which rotations about x, y and z are applied, named as in Maya and 3ds Max, first letter first:
/// XYZ rotates about x, then y, then z, each about the fixed axes: R = Rz * Ry * Rx.
enum class RotationOrder { XYZ, YZX, ZXY, XZY, YXZ, ZYX };

/// The axes in the order of the matrix product, from left to right: {2, 1, 0} for XYZ.
[[nodiscard]] std::array<int, 3> productOrder(RotationOrder order);

/// The rotation by `angles` [rad] about x, y, z.
[[nodiscard]] Quaternion rotationFromAngles(const Vector3& angles, RotationOrder order);

/// The angles [rad] about x, y, z of a rotation, those nearest to `near` (so that 370 degrees stay 370 degrees).
/// At gimbal lock the first applied angle keeps its value from `near`.
[[nodiscard]] Vector3 anglesFromRotation(const Quaternion& rotation, RotationOrder order, const Vector3& near);

} // namespace tendon
