#pragma once

#include "core/math/Transform.h"

#include <array>

namespace tendon {

/// The order in which the turns about x, y and z are applied, first letter first, as Maya and 3ds Max name it:
/// XYZ turns about x, then y, then z, each about the fixed axes: R = Rz * Ry * Rx.
enum class RotationOrder { XYZ, YZX, ZXY, XZY, YXZ, ZYX };

/// The axes in the order of the matrix product, left to right: for XYZ {2, 1, 0}.
[[nodiscard]] std::array<int, 3> productOrder(RotationOrder order);

/// The rotation made of turns by `angles` [rad] about x, y, z.
[[nodiscard]] Quaternion rotationFromAngles(const Vector3& angles, RotationOrder order);

/// Angles [rad] about x, y, z whose rotation is `rotation`, the set nearest to `near` (so that 370 degrees stay 370).
/// At gimbal lock the first applied angle keeps its value in `near`.
[[nodiscard]] Vector3 anglesFromRotation(const Quaternion& rotation, RotationOrder order, const Vector3& near);

} // namespace tendon
