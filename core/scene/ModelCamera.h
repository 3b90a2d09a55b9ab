#pragma once

#include "core/base/Id.h"
#include "core/math/Transform.h"

#include <limits>
#include <numbers>
#include <string>

namespace tendon {

/// Where a camera or a light hangs. It looks or shines along its own -Z, +Y up.
struct Mount
{
    JointId joint; ///< that carries it; none: it stands in the world
    Affine jointFromMount =
        Affine::Identity(); ///< to the joint's space, or the world's; turns and shifts, scales nothing
};

/// A camera of a model, as glTF has it.
struct ModelCamera
{
    enum class Projection { Perspective, Orthographic };

    std::string name;
    Mount mount;
    Projection projection = Projection::Perspective;
    double fieldOfView = 0.7; ///< [rad] of the whole height of the picture; of a perspective camera
    double halfHeight = 1;    ///< [m] of the picture; of an orthographic camera
    double aspect = 0;        ///< width / height of the picture; 0 = that of whatever it is shown in
    double nearPlane = 0.1;   ///< [m] from the camera
    double farPlane = std::numeric_limits<double>::infinity(); ///< [m] from the camera
};

/// A light of a model, as glTF's KHR_lights_punctual has it.
struct ModelLight
{
    enum class Kind { Directional, Point, Spot };

    std::string name;
    Mount mount;
    Kind kind = Kind::Point;
    Eigen::Vector3f colour{1, 1, 1}; ///< linear
    double intensity = 1;            ///< [cd] of a point or a spot light, [lx] of a directional one
    double range = std::numeric_limits<double>::infinity(); ///< [m] how far it reaches; of a point or a spot light
    double innerCone = 0;                    ///< [rad] from the axis of a spot light to where it begins to fade
    double outerCone = std::numbers::pi / 4; ///< [rad] from the axis to where it is dark
};

/// False when the numbers make no picture: angles beyond half a turn, planes in the wrong order, ...
[[nodiscard]] bool isUsable(const ModelCamera& camera);
/// False when the numbers make no light: a negative colour, an inner cone outside the outer, ...
[[nodiscard]] bool isUsable(const ModelLight& light);

/// Takes all lengths `factor` times.
void multiplyLengths(ModelCamera& camera, double factor);
void multiplyLengths(ModelLight& light, double factor);

} // namespace tendon
