#include "core/solve/ModelArrays.h"

#include <algorithm>

namespace tendon {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

void addDof(ModelArrays& arrays, const ModelDof& dof)
{
    arrays.dofKind.push_back(dof.kind);
    arrays.axis.insert(arrays.axis.end(), dof.axis.begin(), dof.axis.end());
    arrays.lower.push_back(dof.lower);
    arrays.upper.push_back(dof.upper);
    for (auto* zeros : {&arrays.stiffness, &arrays.damping, &arrays.ease, &arrays.springRest, &arrays.springTension})
        zeros->push_back(0);
    arrays.preferred.push_back(std::clamp(0.0, dof.lower, dof.upper));
}

void addThree(ModelArrays& arrays, sdk::DofKind kind)
{
    for (std::size_t k = 0; k < 3; ++k) {
        ModelDof dof{.kind = kind, .axis = {0, 0, 0}};
        dof.axis[k] = 1;
        addDof(arrays, dof);
    }
}

} // namespace

std::int32_t ModelArrays::addBody(std::int32_t parentBody, sdk::JointKind jointKind, std::span<const ModelDof> dofs)
{
    parent.push_back(parentBody);
    kind.push_back(jointKind);
    if (jointKind == sdk::JointKind::Free) addThree(*this, sdk::DofKind::Sliding);
    if (jointKind == sdk::JointKind::Free || jointKind == sdk::JointKind::Ball) addThree(*this, sdk::DofKind::Turning);
    for (const ModelDof& dof : dofs) addDof(*this, dof);

    const auto dofCount = static_cast<std::int32_t>(dofKind.size());
    const bool hasQuaternion = jointKind == sdk::JointKind::Ball || jointKind == sdk::JointKind::Free;
    qBegin.push_back(qBegin.back() + (dofCount - vBegin.back()) + (hasQuaternion ? 1 : 0));
    vBegin.push_back(dofCount);
    ballSwing.insert(ballSwing.end(), 4, kInfinity);
    ballTwist.insert(ballTwist.end(), {-kInfinity, kInfinity});
    ballAxis.push_back(sdk::Axis::X);
    mass.push_back(0);
    centre.insert(centre.end(), 3, 0.0);
    precedence.push_back(0);
    return static_cast<std::int32_t>(parent.size()) - 1;
}

sdk::Model ModelArrays::view() const
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

std::vector<double> ModelArrays::neutral() const
{
    std::vector<double> q(static_cast<std::size_t>(qBegin.back()), 0.0);
    for (std::size_t body = 0; body < kind.size(); ++body)
        if (kind[body] == sdk::JointKind::Ball || kind[body] == sdk::JointKind::Free)
            q[static_cast<std::size_t>(qBegin[body + 1]) - 1] = 1;
    return q;
}

} // namespace tendon
