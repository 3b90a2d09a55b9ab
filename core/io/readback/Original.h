#pragma once

#include "core/runtime/BakedClip.h"
#include "core/scene/Scene.h"

#include <cstddef>
#include <limits>
#include <vector>

namespace tendon {

/// What a file is compared with: the scene and the bake that an export was given, before anything was prepared for the
/// format. Borrows both.
struct Original
{
    const Scene& scene;
    const std::vector<BakedClip>& clips;
    /// The influences per vertex that the file was asked to keep.
    std::size_t maxInfluences = std::numeric_limits<std::size_t>::max();
    bool hasModel = true;          ///< the file should hold meshes, cameras and lights
    bool hasSegments = true;       ///< it should hold the drawn segments of joints
    bool keepsOtherMotion = false; ///< it may move morph targets of clips that the original has no morph curves for
};

} // namespace tendon
