#include "core/solve/HandleTarget.h"

#include "core/math/Convert.h"
#include "core/math/Interpolate.h"

#include <algorithm>

namespace tendon {

Affine worldFromGoalSpace(const CompiledRig& rig, const Handle& handle, const ModelPose& model)
{
    const JointIndex followed = handle.follow.isValid() ? rig.index(handle.follow) : -1;
    return followed < 0 ? Affine(Affine::Identity()) : model.modelFromJoint[at(followed)];
}

void sampleTarget(const CompiledRig& rig, std::size_t index, PoseSampler& sampler, const PendingValues& pending,
                  Time time, const ModelPose& model, HandleTarget& target)
{
    const Handle& handle = rig.handles[index];
    const auto value = [&](Property property) { return sampler.handleValue(index, property, pending, time); };
    const auto place = [&](JointId joint) -> std::optional<Vector3> {
        if (!joint.isValid()) return std::nullopt;
        return Vector3(model.modelFromJoint[at(rig.index(joint))].translation());
    };
    const Affine worldFromSpace = worldFromGoalSpace(rig, handle, model);
    target.goal = goalInWorld(worldFromSpace, {toVector(value(Property::GoalPosition)),
                                               unitQuaternion(toQuaternion(value(Property::GoalRotation)))});
    target.pole = !handle.hasPole               ? std::nullopt
                  : handle.poleTarget.isValid() ? place(handle.poleTarget)
                                                : std::optional(toVector(value(Property::Pole)));
    target.twist = value(Property::Twist)[0];
    target.roll = value(Property::Roll)[0];
    target.blend = std::clamp(value(Property::Blend)[0], 0.0, 1.0);
    target.weight = std::max(value(Property::Weight)[0], 0.0);
    target.curve.clear();
    for (int i = 0; i < handle.curvePoints; ++i)
        target.curve.push_back(worldFromSpace * toVector(value(curvePoint(i))));
    target.startUp = place(handle.startUp);
    target.endUp = place(handle.endUp);
}

} // namespace tendon
