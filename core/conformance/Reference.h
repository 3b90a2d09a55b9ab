#pragma once

#include <tendon/sdk/Goal.h>
#include <tendon/sdk/Model.h>

#include <Eigen/Geometry>

#include <span>
#include <vector>

/// Kinematics and errors as the SDK's comments define them, by plain matrices, to judge solvers. Uses nothing of
/// solvers/kit's kinematics, so that it finds mistakes there.
namespace tendon::conformance {

struct ReferenceFrame
{
    Eigen::Vector3d position = Eigen::Vector3d::Zero();
    Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();
    double scale = 1;
};

/// The transform of each body in model space. `stretch` (n or empty) lengthens each body's base translation.
[[nodiscard]] std::vector<ReferenceFrame> referenceFrames(const sdk::Model& model, std::span<const double> base,
                                                          std::span<const double> q,
                                                          std::span<const double> stretch = {});

struct ReferenceError
{
    double position = 0;      ///< [m]
    double rotation = 0;      ///< [rad]
    double angleRounding = 0; ///< [rad] by which rounding may change `rotation`
    bool isOpen = false; ///< rounding decides whether the goal has any effect (the pole of a nearly straight chain)
};

[[nodiscard]] ReferenceError referenceError(const sdk::Model& model, const sdk::Goal& goal,
                                            const std::vector<ReferenceFrame>& frames);

[[nodiscard]] bool asksPosition(const sdk::Goal& goal); ///< with a weight above 0
[[nodiscard]] bool asksRotation(const sdk::Goal& goal);
[[nodiscard]] inline bool isActive(const sdk::Goal& goal) { return asksPosition(goal) || asksRotation(goal); }

/// True if the error is within the goal's tolerances times `slack`.
[[nodiscard]] bool isWithin(const sdk::Goal& goal, const ReferenceError& error, double slack);

/// The point on the goal's body that is to meet the goal.
[[nodiscard]] Eigen::Vector3d effector(const sdk::Goal& goal, const std::vector<ReferenceFrame>& frames);

/// The bend of a chain, seen from its start: the mean of its inner joints, which count 1, 1/2, 1/3 ... from the start
/// down; the line start -> effector; how many inner joints.
struct Bend
{
    Eigen::Vector3d start, span, bend;
    int inner = 0;
};
[[nodiscard]] Bend bendOf(const sdk::Model& model, const sdk::Goal& goal, const std::vector<ReferenceFrame>& frames);

/// [rad | m] The largest violation of the model's limits: exact for single DOFs; for balls, whose limits are derived
/// from a quaternion, minus 1e-9 rad for rounding. Ignores DOFs marked in `locked`.
[[nodiscard]] double limitExcess(const sdk::Model& model, std::span<const double> q,
                                 std::span<const std::uint8_t> locked);

} // namespace tendon::conformance
