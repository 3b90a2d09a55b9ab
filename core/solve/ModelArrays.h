#pragma once

#include <tendon/sdk/Model.h>

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace tendon {

/// One DOF of a body that is being added.
struct ModelDof
{
    sdk::DofKind kind = sdk::DofKind::Turning;
    std::array<double, 3> axis = {0, 0, 1}; ///< unit; sliding: in the parent's space, turning: in the base's
    double lower = -std::numeric_limits<double>::infinity(); ///< [rad | m]
    double upper = std::numeric_limits<double>::infinity();  ///< [rad | m]
};

/// The arrays that an sdk::Model looks into, owned and grown body by body.
struct ModelArrays
{
    std::vector<std::int32_t> parent;
    std::vector<sdk::JointKind> kind;
    std::vector<std::int32_t> qBegin = {0}, vBegin = {0};
    std::vector<sdk::DofKind> dofKind;
    std::vector<double> axis, lower, upper, stiffness, damping, ease, springRest, springTension, preferred;
    std::vector<double> ballSwing, ballTwist;
    std::vector<sdk::Axis> ballAxis;
    std::vector<double> mass, centre;
    std::vector<std::int32_t> precedence;

    /// Appends a body and returns its index. `dofs` are those of Revolute, Prismatic, Universal and Axes; Ball and Free
    /// get theirs by themselves, unlimited.
    std::int32_t addBody(std::int32_t parentBody, sdk::JointKind jointKind, std::span<const ModelDof> dofs = {});

    /// Valid until the arrays change or end.
    [[nodiscard]] sdk::Model view() const;

    /// The configuration in which nothing is turned or slid.
    [[nodiscard]] std::vector<double> neutral() const;
};

} // namespace tendon
