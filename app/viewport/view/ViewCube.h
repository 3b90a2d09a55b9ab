#pragma once

#include "app/viewport/view/Camera.h"

#include <array>
#include <optional>
#include <vector>

namespace tendon::viewport {

/// The cube in the corner, which shows the camera's orientation. Its faces, edges and corners, 26 places in all, can be
/// clicked. A place is a direction with components -1, 0 or 1: (0, 0, 1) is the front, (1, 1, 1) a corner.
using CubePlace = Eigen::Vector3i;

struct CubeFace
{
    CubePlace place = CubePlace::Zero();
    const char* name = "";
    std::array<Vector2, 4> corners = {}; ///< [px] top left, top right, bottom right, bottom left, in reading direction
    double brightness = 1;               ///< 0 ... 1
};

/// The visible faces. `centre` and `halfSide` (of a cube seen face-on) are in pixels.
[[nodiscard]] std::vector<CubeFace> cubeFaces(const Camera& camera, const Vector2& centre, double halfSide);

/// The place under a pixel; none beside the cube.
[[nodiscard]] std::optional<CubePlace> pickCube(const Camera& camera, const Vector2& centre, double halfSide,
                                                const Vector2& pixel);

/// The area of a place on the visible faces, for highlighting it.
[[nodiscard]] std::vector<std::array<Vector2, 4>> cubeZones(const Camera& camera, const Vector2& centre,
                                                            double halfSide, const CubePlace& place);

/// Looks at the model from a place, without perspective from the sides.
[[nodiscard]] Camera lookingFrom(const Camera& camera, const CubePlace& place);

} // namespace tendon::viewport
