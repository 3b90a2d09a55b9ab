#pragma once

#include "core/base/Id.h"
#include "core/math/Transform.h"

#include <limits>
#include <numbers>
#include <string>

namespace tendon {

/// What a camera, a light or an empty is attached to. A camera or a light points along its own -Z, with +Y up.
struct Mount
{
    JointId joint;                              ///< that carries it; none: fixed in the world
    Affine jointFromMount = Affine::Identity(); ///< rotation and translation only; without a joint: worldFromMount
};

/// A camera of a model, as in glTF.
struct ModelCamera
{
    enum class Projection { Perspective, Orthographic };

    std::string name;
    Mount mount;
    Projection projection = Projection::Perspective;
    double fieldOfView = 0.7; ///< [rad] over the full height of the image (perspective)
    double halfHeight = 1;    ///< [m] of the image (orthographic)
    double aspect = 0;        ///< width / height of the image; 0 = that of the view
    double nearPlane = 0.1;   ///< [m] from the camera
    double farPlane = std::numeric_limits<double>::infinity(); ///< [m] from the camera
};

/// A light of a model, as in glTF's KHR_lights_punctual.
struct ModelLight
{
    enum class Kind { Directional, Point, Spot };

    std::string name;
    Mount mount;
    Kind kind = Kind::Point;
    Eigen::Vector3f colour{1, 1, 1}; ///< linear
    double intensity = 1;            ///< [cd] for point and spot lights, [lx] for directional lights
    double range = std::numeric_limits<double>::infinity(); ///< [m] (point, spot)
    double innerCone = 0;                    ///< [rad] from the axis to where the light starts to fade (spot)
    double outerCone = std::numbers::pi / 4; ///< [rad] angle from the axis at which it is dark (spot)
};

/// A node that holds nothing itself and is no joint, such as a socket for a sword.
struct ModelEmpty
{
    std::string name;
    Mount mount;
};

/// False if the numbers are invalid: an angle above half a turn, planes in the wrong order, ...
[[nodiscard]] bool isUsable(const ModelCamera& camera);
/// False if the numbers are invalid: a negative colour, an inner cone outside the outer one, ...
[[nodiscard]] bool isUsable(const ModelLight& light);

/// Multiplies all lengths by `factor`.
void multiplyLengths(ModelCamera& camera, double factor);
void multiplyLengths(ModelLight& light, double factor);
void multiplyLengths(ModelEmpty& empty, double factor);

} // namespace tendon
