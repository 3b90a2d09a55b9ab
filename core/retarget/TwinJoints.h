#pragma once

#include "core/retarget/RoledFigure.h"

#include <vector>

namespace tendon {

/// The joints of two figures that are one skeleton: the same tree with the same offsets, whatever its joints are called
/// and however they rest.
struct TwinJoints
{
    std::vector<JointIndex> of;   ///< (n of the character) the motion's; -1 = none; empty: these are two skeletons
    std::vector<JointIndex> tops; ///< of the character: above which no joint has a twin; first that of the hips

    [[nodiscard]] bool isEmpty() const { return of.empty(); }
};

/// Twins from the hips up and down, and of what stands beside the topmost: rigs have targets of feet and poles there.
/// Empty unless all joints with roles have one, with the same role.
[[nodiscard]] TwinJoints twinsOf(const RoledFigure& motion, const RoledFigure& character);

} // namespace tendon
