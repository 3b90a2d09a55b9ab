#pragma once

#include "core/base/Result.h"
#include "core/math/Transform.h"
#include "core/scene/RoleMap.h"
#include "core/scene/Scene.h"

#include <optional>
#include <utility>
#include <vector>

namespace tendon {

struct LoopOptions
{
    std::optional<TimeSpan> range; ///< the loop; none: from the clip's first key to its last
    bool trims = false;            ///< leaves out keys outside of the range, which else stay as they are
    int frames = 8;                ///< before the end, over which the motion turns into its beginning
    std::vector<JointId> joints;   ///< whose keys change; empty = all, and handles
    bool keepsTravel = true;       ///< false: the way from the first frame to the last is taken out of the whole clip
    bool keepsTurn = true;         ///< false: so is the turn of the heading
    JointId root;                  ///< the joint that carries the figure
    /// Where a handle has the root in the first and in the last frame; none: its own keys move it.
    std::optional<std::pair<Affine, Affine>> solvedRoot;
    int axis = 0; ///< from side to side, as Mirror::axis
};

/// A clip whose last frame is its first: over its last frames all that differs from the first frame is brought in (a
/// smooth step). Travel and heading go on, so that each round begins where the one before ended, unless they are taken
/// out: evenly in time, of the root and of goals that follow nothing. Errors: a loop that is shorter than these frames.
[[nodiscard]] Result<Clip> closedLoop(const Scene& scene, const Clip& clip, const LoopOptions& options);

} // namespace tendon
