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

} // namespace tendon
