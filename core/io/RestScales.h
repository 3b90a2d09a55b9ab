#pragma once

#include "core/scene/Scene.h"
#include "core/solve/Baker.h"

#include <vector>

namespace tendon {

struct Rescaled
{
    Scene scene;
    std::vector<BakedClip> clips;
};

/// The same motion with joints that do not scale at rest: what a joint scales evenly goes into the lengths below it, so
/// that a skeleton in another unit under a root of scale 100 becomes one in metres. Joints stay where they are and turn
/// as they do, vertices too; only their scale is another. Uneven scales go from the ends of chains alone, those that mirror stay. Players whose bones know
/// no scale (Blender) lose what such a root holds.
[[nodiscard]] Rescaled withoutRestScales(Scene scene, std::vector<BakedClip> clips);

} // namespace tendon
