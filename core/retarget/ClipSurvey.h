#pragma once

#include "core/retarget/RoledFigure.h"
#include "core/scene/Scene.h"

namespace tendon {

/// Poses of a clip, evenly in time, its first and last among them: enough to tell how it goes on the whole.
[[nodiscard]] std::vector<WorldPose> posesAlong(const Scene& scene, const RoledFigure& figure, const Clip& clip);

/// [m] How high the ankles are while feet stand: the low end of those heights at which feet are as flat as in
/// `reference`; where none ever is, of all. None without feet. `turn` turns the motion's world upright.
[[nodiscard]] std::optional<double> standingHeight(const RoledFigure& figure, const WorldPose& reference,
                                                   const std::vector<WorldPose>& poses, const Quaternion& turn);

/// The axis about which a limb bends in a motion, in the space of its upper joint; none where it hardly bends, or to
/// all sides.
[[nodiscard]] std::optional<Vector3> bendAxis(const RoledFigure& figure, const LimbRoles& limb, JointIndex upper,
                                              const std::vector<WorldPose>& poses);

} // namespace tendon
