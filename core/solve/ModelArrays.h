#pragma once

#include <tendon/sdk/Model.h>

#include <algorithm>
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

/// The arrays that an sdk::Model looks into, owned and grown body by body. Header-only, for tests of solvers as well.
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

    /// Appends a body and returns its index. `dofs` are those that the kind leaves open (Revolute, Prismatic,
    /// Universal, Axes); kinds with a quaternion need none: theirs are about x, y and z, unlimited.
    std::int32_t addBody(std::int32_t parentBody, sdk::JointKind jointKind, std::span<const ModelDof> dofs = {})
    {
        constexpr double kInfinity = std::numeric_limits<double>::infinity();
        const sdk::JointTraits& joint = sdk::traits(jointKind);
        parent.push_back(parentBody);
        kind.push_back(jointKind);
        for (int k = 0; joint.hasQuaternion && k < joint.dofs; ++k) {
            ModelDof dof{.kind = k < joint.slides ? sdk::DofKind::Sliding : sdk::DofKind::Turning, .axis = {0, 0, 0}};
            dof.axis[static_cast<std::size_t>(k % 3)] = 1;
            addDof(dof);
        }
        for (const ModelDof& dof : dofs) addDof(dof);

        const auto dofCount = static_cast<std::int32_t>(dofKind.size());
        qBegin.push_back(qBegin.back() + (dofCount - vBegin.back()) + (joint.hasQuaternion ? 1 : 0));
        vBegin.push_back(dofCount);
        ballSwing.insert(ballSwing.end(), 4, kInfinity);
        ballTwist.insert(ballTwist.end(), {-kInfinity, kInfinity});
        ballAxis.push_back(sdk::Axis::X);
        mass.push_back(0);
        centre.insert(centre.end(), 3, 0.0);
        precedence.push_back(0);
        return static_cast<std::int32_t>(parent.size()) - 1;
    }

    /// Valid until the arrays change or are destroyed.
    [[nodiscard]] sdk::Model view() const
    {
        sdk::Model model;
        model.bodyCount = static_cast<std::int32_t>(parent.size());
        model.coordinateCount = qBegin.back();
        model.dofCount = vBegin.back();
        model.parent = parent;
        model.kind = kind;
        model.qBegin = qBegin;
        model.vBegin = vBegin;
        model.dofKind = dofKind;
        model.axis = axis;
        model.lower = lower;
        model.upper = upper;
        model.stiffness = stiffness;
        model.damping = damping;
        model.ease = ease;
        model.springRest = springRest;
        model.springTension = springTension;
        model.preferred = preferred;
        model.ballSwing = ballSwing;
        model.ballTwist = ballTwist;
        model.ballAxis = ballAxis;
        model.mass = mass;
        model.centre = centre;
        model.precedence = precedence;
        return model;
    }

    /// The configuration in which nothing is turned or slid.
    [[nodiscard]] std::vector<double> neutral() const
    {
        std::vector<double> q(static_cast<std::size_t>(qBegin.back()), 0.0);
        for (std::size_t body = 0; body < kind.size(); ++body)
            if (sdk::traits(kind[body]).hasQuaternion) q[static_cast<std::size_t>(qBegin[body + 1]) - 1] = 1;
        return q;
    }

    /// The end of a body's DOFs that have a coordinate of their own; what follows belongs to its quaternion.
    [[nodiscard]] std::size_t singlesEnd(std::size_t body) const
    {
        return static_cast<std::size_t>(vBegin[body + 1]) - (sdk::traits(kind[body]).hasQuaternion ? 3 : 0);
    }

private:
    void addDof(const ModelDof& dof)
    {
        dofKind.push_back(dof.kind);
        axis.insert(axis.end(), dof.axis.begin(), dof.axis.end());
        lower.push_back(dof.lower);
        upper.push_back(dof.upper);
        for (auto* zeros : {&stiffness, &damping, &ease, &springRest, &springTension}) zeros->push_back(0);
        preferred.push_back(std::clamp(0.0, dof.lower, dof.upper));
    }
};

} // namespace tendon
