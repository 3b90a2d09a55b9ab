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

JointIndex carrierOf(const CompiledRig& rig, const Handle& handle)
{
    return handle.isCarried() ? rig.parent[at(rig.index(handle.start))] : -1;
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
    const JointIndex carrier = carrierOf(rig, handle);
    const Affine worldFromSpace = worldFromGoalSpace(rig, handle, model);
    // Static values are in the space of the joint that carries the handle.
    const auto spaceOf = [&](Property property) -> Affine {
        const bool isCarried = carrier >= 0 && !sampler.isHandleKeyed(index, property) &&
                               pending.count({handle.id.value, property}) == 0;
        if (isCarried) return model.modelFromJoint[at(carrier)];
        return property == Property::Pole ? Affine(Affine::Identity()) : worldFromSpace;
    };
    const GoalPose inSpace{toVector(value(Property::GoalPosition)),
                           unitQuaternion(toQuaternion(value(Property::GoalRotation)))};
    target.goal = goalInWorld(spaceOf(Property::GoalPosition), inSpace);
    if (carrier >= 0) target.goal.rotation = goalInWorld(spaceOf(Property::GoalRotation), inSpace).rotation;
    target.pole = !handle.hasPole ? std::nullopt
                  : handle.poleTarget.isValid()
                      ? place(handle.poleTarget)
                      : std::optional<Vector3>(spaceOf(Property::Pole) * toVector(value(Property::Pole)));
    target.twist = value(Property::Twist)[0];
    target.roll = value(Property::Roll)[0];
    target.blend = std::clamp(value(Property::Blend)[0], 0.0, 1.0);
    target.weight = std::max(value(Property::Weight)[0], 0.0);
    target.curve.clear();
    for (int i = 0; i < handle.curvePoints; ++i)
        target.curve.push_back(spaceOf(curvePoint(i)) * toVector(value(curvePoint(i))));
    target.startUp = place(handle.startUp);
    target.endUp = place(handle.endUp);
}

} // namespace tendon
