#pragma once

#include "core/runtime/CompiledRig.h"
#include "core/runtime/Pose.h"

#include <string>
#include <vector>

namespace tendon::viewport {

/// One limit of a joint, drawn where it is: what the end of its bone (or of a pointer standing out from it) may reach.
struct LimitShape
{
    enum class Kind { Swing, Twist, Turn, Slide };

    Kind kind = Kind::Turn;
    int axis = 0;                     ///< 0 x, 1 y, 2 z; swing: the twist axis
    Vector3 centre = Vector3::Zero(); ///< [m] the joint; slide: where the slide is at 0
    std::vector<Vector3> rim = {};    ///< [m] from one end of the range to the other; swing: once around
    Vector3 now = Vector3::Zero();    ///< [m] where it stands
    bool isReached = false;           ///< it stands at an end of the range
    double from = 0, to = 0, value = 0; ///< [rad] or [m]; swing: semi-axes +a and -a, and the share of the way to the rim
};

/// The limits that are in force on joint `index`: axes that are active and limited, or a ball's swing and twist. `size` [m]
/// is how far out they are drawn; the direction is that of the bone to the first child that stands apart, else the longest.
[[nodiscard]] std::vector<LimitShape> limitShapes(const CompiledRig& rig, const LocalPose& local, const ModelPose& model,
                                                  JointIndex index, double size);

/// Length of the bone that begins at a joint, or that leads to it when it is the last. [m]
[[nodiscard]] double boneLength(const CompiledRig& rig, const ModelPose& model, JointIndex index);

} // namespace tendon::viewport
