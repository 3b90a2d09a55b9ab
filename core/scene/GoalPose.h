#pragma once

#include "core/math/Transform.h"

namespace tendon {

/// Position and rotation of a handle's goal: in the world, or in the goal's space (what the handle follows), as the
/// variable that holds it says.
struct GoalPose
{
    Vector3 position = Vector3::Zero();           ///< [m]
    Quaternion rotation = Quaternion::Identity(); ///< unit

    bool operator==(const GoalPose& other) const
    {
        return position == other.position && rotation.coeffs() == other.rotation.coeffs();
    }
};

/// A goal given in its space, in the world; and back. The rotation goes by rotationOf(worldFromGoalSpace), so scale and
/// shear move a goal and do not turn it. Each undoes the other, unless the space is flattened: then goalInSpace() is
/// not finite.
[[nodiscard]] GoalPose goalInWorld(const Affine& worldFromGoalSpace, const GoalPose& inSpace);
[[nodiscard]] GoalPose goalInSpace(const Affine& worldFromGoalSpace, const GoalPose& inWorld);

/// The space that follows a goal: its origin and axes. worldFromGoal, if the goal is in the world.
[[nodiscard]] Affine affineOf(const GoalPose& goal);

} // namespace tendon
