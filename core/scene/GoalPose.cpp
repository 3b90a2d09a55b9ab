#include "core/scene/GoalPose.h"

#include "core/math/Interpolate.h"

namespace tendon {

GoalPose goalInWorld(const Affine& worldFromGoalSpace, const GoalPose& inSpace)
{
    return {worldFromGoalSpace * inSpace.position, unitQuaternion(rotationOf(worldFromGoalSpace) * inSpace.rotation)};
}

GoalPose goalInSpace(const Affine& worldFromGoalSpace, const GoalPose& inWorld)
{
    return {worldFromGoalSpace.inverse() * inWorld.position,
            unitQuaternion(rotationOf(worldFromGoalSpace).conjugate() * inWorld.rotation)};
}

ChangeOfSpace changeOfSpace(const Affine& worldFromNew, const Affine& worldFromOld)
{
    return {worldFromNew.inverse() * worldFromOld, rotationOf(worldFromNew).conjugate() * rotationOf(worldFromOld)};
}

ChangeOfSpace intoWorld(const Affine& worldFromOld) { return {worldFromOld, rotationOf(worldFromOld)}; }

ChangeOfSpace outOfWorld(const Affine& worldFromNew)
{
    return {worldFromNew.inverse(), rotationOf(worldFromNew).conjugate()};
}

Affine affineOf(const GoalPose& goal)
{
    Affine worldFromGoal = Affine::Identity();
    worldFromGoal.linear() = goal.rotation.toRotationMatrix();
    worldFromGoal.translation() = goal.position;
    return worldFromGoal;
}

} // namespace tendon
