#pragma once

#include "core/document/Arguments.h"
#include "core/document/Draft.h"

#include <span>
#include <vector>

namespace tendon {

/// The solved pose of these joints at the current frame, with the goals of handles that end at one of them and move
/// their chains there.
[[nodiscard]] Result<CopiedPose> copiedPose(Draft& draft, std::span<const JointId> joints);

/// The pose in the mirror across a world axis: of the figure itself, where it is and heads, or of the world.
[[nodiscard]] CopiedPose seenInMirror(const Scene& scene, const CopiedPose& pose, int axis, bool aboutRoot);

/// Poses the joints that the field "joints" names (all of the pose where it is left out), and the handles that move
/// them: see poseShown(). `isMirrored` is for the error of a joint that the pose lacks.
[[nodiscard]] Result<void> putPose(Draft& draft, const CopiedPose& pose, const Arguments& arguments, bool isMirrored);

/// Between two poses of the same joints: 0 `from` ... 1 `to`. What `from` lacks is left out.
[[nodiscard]] CopiedPose blendedPose(const CopiedPose& from, const CopiedPose& to, double weight);

/// Moves the curve of `handle` to these points in the world, as many as it has.
[[nodiscard]] Result<void> poseCurve(Draft& draft, const Handle& handle, std::span<const Vector3> inWorld);

/// Moves and turns the goal of `handle` to where it is to be in the world.
[[nodiscard]] Result<void> poseGoal(Draft& draft, const Handle& handle, const GoalPose& inWorld);

} // namespace tendon
