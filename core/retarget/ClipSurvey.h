#pragma once

#include "core/retarget/RoledFigure.h"
#include "core/scene/Scene.h"

namespace tendon {

/// The frames of a clip: its first and last key, and every frame between. A frame that keys are almost on is where they
/// are: files state their time a frame with few digits (0.033333), and a motion is what its keys say.
[[nodiscard]] std::vector<Time> frameTimes(const Clip& clip, FrameRate fps);

/// The times that a motion is sampled at: its frames, and keys that lie between them, as of files whose keys fit no
/// rate.
[[nodiscard]] std::vector<Time> motionTimes(const Clip& clip, FrameRate fps);

/// The clips by which the skeleton of a motion is judged: those of its file that have keys, so that all of them are
/// taken alike; of very many some, spread evenly. A clip that is not one of the scene's is judged by itself.
[[nodiscard]] std::vector<const Clip*> clipsToSurvey(const Scene& scene, const Clip& clip);

/// Poses of clips at some of their frames, the first and last of each among them: enough to tell how they go on the
/// whole. What is between frames does not count: there, formats differ.
[[nodiscard]] std::vector<WorldPose> posesAlong(const Scene& scene, const RoledFigure& figure,
                                                const std::vector<const Clip*>& clips);

/// [m] How high the ankles are while feet stand: the low end of those heights at which feet are as flat as in
/// `reference`; where none ever is, of all. None without feet. `turn` turns the motion's world upright.
[[nodiscard]] std::optional<double> standingHeight(const RoledFigure& figure, const WorldPose& reference,
                                                   const std::vector<WorldPose>& poses, const Quaternion& turn);

/// The axes of a figure's trunk in poses that show them, see trunkAxes().
[[nodiscard]] std::vector<Quaternion> trunksOf(const RoledFigure& figure, const std::vector<WorldPose>& poses);

/// The axis about which a limb bends in a motion, in the space of its upper joint; none where it hardly bends, or to
/// all sides.
[[nodiscard]] std::optional<Vector3> bendAxis(const RoledFigure& figure, const LimbRoles& limb, JointIndex upper,
                                              const std::vector<WorldPose>& poses);

} // namespace tendon
