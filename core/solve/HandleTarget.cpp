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

HandleTarget sampleTarget(const CompiledRig& rig, std::size_t index, PoseSampler& sampler, const PendingValues& pending,
                          Time time, const ModelPose& model)
{
    const Handle& handle = rig.handles[index];
    const auto value = [&](Property property) { return sampler.handleValue(index, property, pending, time); };
    HandleTarget target;
    target.goal = goalInWorld(
        worldFromGoalSpace(rig, handle, model),
        {toVector(value(Property::GoalPosition)), unitQuaternion(toQuaternion(value(Property::GoalRotation)))});
    if (handle.poleTarget.isValid() && handle.hasPole)
        target.pole = model.modelFromJoint[at(rig.index(handle.poleTarget))].translation();
    else if (handle.hasPole)
        target.pole = toVector(value(Property::Pole));
    target.twist = value(Property::Twist)[0];
    target.blend = std::clamp(value(Property::Blend)[0], 0.0, 1.0);
    target.weight = std::max(value(Property::Weight)[0], 0.0);
    return target;
}

} // namespace tendon
