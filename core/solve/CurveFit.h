#pragma once

#include "core/math/Transform.h"

#include <span>
#include <vector>

namespace tendon {

/// The `count` control points (2 or more) of the curve that runs past `places` [m] most closely: it begins at the first
/// of them and ends a little behind the last (2 % of their way), so that a chain that lies there does not run out of
/// curve. At least two places.
[[nodiscard]] std::vector<Vector3> fittedCurve(std::span<const Vector3> places, int count);

/// The same with as few control points as keep the curve within 0.5 % of the places' whole way of each of them: four at
/// least, ten at most.
[[nodiscard]] std::vector<Vector3> fittedCurve(std::span<const Vector3> places);

/// The control points, one more than there are, of the curve that keeps to the curve of these points most closely. The
/// ends stay.
[[nodiscard]] std::vector<Vector3> withOnePointMore(std::span<const Vector3> points);

/// Points on the curve of these control points, evenly spread over its parameter, both ends included.
[[nodiscard]] std::vector<Vector3> curveSamples(std::span<const Vector3> points, int count);

/// The parameter, 0 ... the number of polynomial pieces, at which the curve comes nearest to `place`, and how near [m].
struct NearestOnCurve
{
    double parameter = 0;
    double distance = 0;
};
[[nodiscard]] NearestOnCurve nearestOnCurve(std::span<const Vector3> points, const Vector3& place);

/// Where a control point is to be inserted for the curve to have one more at this parameter.
[[nodiscard]] int insertionIndex(std::span<const Vector3> points, double parameter);

} // namespace tendon
