#pragma once

#include "core/scene/JointPose.h"

#include <vector>

namespace tendon {

/// The motion of a ball joint by a rotation vector [rad], brought into its limits.
[[nodiscard]] Quaternion turnWithin(const BallLimits& limits, const Vector3& turn);

/// One limit of a joint that a pose is beyond.
struct PassedLimit
{
    enum class Kind { Turn, Slide, Swing, Twist };

    Kind kind = Kind::Turn;
    int axis = 0;     ///< 0 x, 1 y, 2 z; of a ball joint its twist axis
    double by = 0;    ///< [rad] or, of a slide, [m]; above 0
    double limit = 0; ///< the end of the range that was passed; 0 of a swing, whose limit is an ellipse
};

/// The limits that a joint's turning axes, or its ball, are beyond in a pose, and those of its slides. Axes that are
/// not active, and so do not move in a solve, have none.
[[nodiscard]] std::vector<PassedLimit> passedTurningLimits(const Joint& joint, const JointPose& pose);
[[nodiscard]] std::vector<PassedLimit> passedSlidingLimits(const Joint& joint, const JointPose& pose);

/// A joint turned to `local` as far as its limits allow: each active turning axis stops at its own. `angles` are those
/// near which `local` is read, and what an axis is beyond its limit there it may keep.
[[nodiscard]] JointPose turnedWithinLimits(const Joint& joint, const Quaternion& local, const Vector3& angles);

} // namespace tendon
