#pragma once

#include "core/document/Arguments.h"
#include "core/document/Draft.h"

#include <span>
#include <vector>

namespace tendon {

// What operations do with the curve that a handle's chain follows.

/// The control point that the field "index" names. Errors: the handle has no curve, or no such point.
[[nodiscard]] Result<int> curvePointIn(const Scene& scene, HandleId id, const Arguments& arguments);
[[nodiscard]] Error noCurve(const Scene& scene, HandleId id);

/// The control points at the current frame [m, in the goal's space].
[[nodiscard]] std::vector<Vector3> curvePoints(const Draft& draft, HandleId id);

/// Gives a handle another curve [m, in the goal's space], or none. Keys and pending values of the former one are gone.
[[nodiscard]] Result<void> replaceCurve(Draft& draft, HandleId id, std::span<const Vector3> points);

/// Gives a handle a curve that runs along its chain as it is posed now, and says how far that moves the joints.
[[nodiscard]] Result<void> layCurveAlongChain(Draft& draft, HandleId id);

} // namespace tendon
