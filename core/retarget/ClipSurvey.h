#pragma once

#include "core/retarget/RoledFigure.h"
#include "core/scene/Scene.h"

namespace tendon {

/// The times at which a clip is sampled: its first and last key, and every frame between. A frame that keys are almost
/// on is where they are: files state their time a frame with few digits (0.033333), and a motion is what its keys say.
[[nodiscard]] std::vector<Time> frameTimes(const Clip& clip, FrameRate fps);

/// Poses of a clip at some of its frames, its first and last among them: enough to tell how it goes on the whole. What
/// is between frames does not count: there, formats differ.
[[nodiscard]] std::vector<WorldPose> posesAlong(const Scene& scene, const RoledFigure& figure, const Clip& clip);

/// [m] How high the ankles are while feet stand: the low end of those heights at which feet are as flat as in
/// `reference`; where none ever is, of all. None without feet. `turn` turns the motion's world upright.
[[nodiscard]] std::optional<double> standingHeight(const RoledFigure& figure, const WorldPose& reference,
                                                   const std::vector<WorldPose>& poses, const Quaternion& turn);

/// Where a figure faces in a motion, in its own world, if it does so all the time; none of one that turns. By hips and
/// shoulders.
[[nodiscard]] std::optional<Vector3> steadyFront(const RoledFigure& figure, const std::vector<WorldPose>& poses);

/// The axis about which a limb bends in a motion, in the space of its upper joint; none where it hardly bends, or to
/// all sides.
[[nodiscard]] std::optional<Vector3> bendAxis(const RoledFigure& figure, const LimbRoles& limb, JointIndex upper,
                                              const std::vector<WorldPose>& poses);

} // namespace tendon
