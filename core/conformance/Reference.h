#pragma once

#include <tendon/sdk/Goal.h>
#include <tendon/sdk/Model.h>

#include <Eigen/Geometry>

#include <span>
#include <vector>

/// Kinematics and errors as the SDK's comments define them, by plain matrices: what solvers are judged by. Nothing of
/// solvers/kit's kinematics is used, so that a mistake there shows.
namespace tendon::conformance {

struct ReferenceFrame
{
    Eigen::Vector3d position = Eigen::Vector3d::Zero();
    Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();
    double scale = 1;
};

/// Where each body stands [model space]. `stretch` (n or empty) lengthens each body's base translation.
[[nodiscard]] std::vector<ReferenceFrame> referenceFrames(const sdk::Model& model, std::span<const double> base,
                                                          std::span<const double> q,
                                                          std::span<const double> stretch = {});

struct ReferenceError
{
    double position = 0; ///< [m]
    double rotation = 0; ///< [rad]
    bool isOpen =
        false; ///< the goal stands where rounding decides whether it asks anything (a pole of a nearly straight chain)
};

[[nodiscard]] ReferenceError referenceError(const sdk::Model& model, const sdk::Goal& goal,
                                            const std::vector<ReferenceFrame>& frames);

[[nodiscard]] bool asksPosition(const sdk::Goal& goal); ///< and means it: the weight is above 0
[[nodiscard]] bool asksRotation(const sdk::Goal& goal);
[[nodiscard]] inline bool isActive(const sdk::Goal& goal) { return asksPosition(goal) || asksRotation(goal); }

/// True when the error is within the goal's tolerances times `slack`.
[[nodiscard]] bool isWithin(const sdk::Goal& goal, const ReferenceError& error, double slack);

/// The point of the goal's body that is to meet it.
[[nodiscard]] Eigen::Vector3d effector(const sdk::Goal& goal, const std::vector<ReferenceFrame>& frames);

/// The bend of a chain, seen from its start: the mean of its inner joints; the line start -> effector; how many inner
/// joints.
struct Bend
{
    Eigen::Vector3d start, span, bend;
    int inner = 0;
};
[[nodiscard]] Bend bendOf(const sdk::Model& model, const sdk::Goal& goal, const std::vector<ReferenceFrame>& frames);

/// By how much a configuration is beyond the model's limits [rad | m]: exactly for single DOFs; for balls, whose limits
/// are read off a quaternion, less 1e-9 rad of rounding. DOFs marked in `locked` do not count.
[[nodiscard]] double limitExcess(const sdk::Model& model, std::span<const double> q,
                                 std::span<const std::uint8_t> locked);

} // namespace tendon::conformance
