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

/// From one space that values of goals are given in into another: places by the transforms, rotations by rotationOf()
/// of each, as goalInWorld() has them. Where transforms mirror or stretch, the rotation of their product is another one
/// than the product of their rotations, so a transform alone does not say how rotations change.
struct ChangeOfSpace
{
    Affine newFromOld = Affine::Identity();
    Quaternion turn = Quaternion::Identity(); ///< newFromOld of rotations

    /// False: the new space is scaled to nothing.
    [[nodiscard]] bool isFinite() const { return newFromOld.matrix().allFinite() && turn.coeffs().allFinite(); }
};
[[nodiscard]] ChangeOfSpace changeOfSpace(const Affine& worldFromNew, const Affine& worldFromOld);
[[nodiscard]] ChangeOfSpace intoWorld(const Affine& worldFromOld);
[[nodiscard]] ChangeOfSpace outOfWorld(const Affine& worldFromNew);

/// The space that follows a goal: its origin and axes. worldFromGoal, if the goal is in the world.
[[nodiscard]] Affine affineOf(const GoalPose& goal);

} // namespace tendon
