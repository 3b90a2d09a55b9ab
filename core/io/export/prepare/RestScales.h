#pragma once

#include "core/runtime/BakedClip.h"
#include "core/scene/Scene.h"

#include <vector>

namespace tendon {

struct Rescaled
{
    Scene scene;
    std::vector<BakedClip> clips;
};

/// The same motion with joints that do not scale at rest: what a joint scales evenly goes into the lengths below it, so
/// that a skeleton in another unit under a root of scale 100 becomes one in metres. Joints stay where they are and turn
/// as they do, vertices too; only their scale is another. Scales that are uneven or mirror stay. Players whose bones
/// know no scale (Blender) lose what such a root holds.
[[nodiscard]] Rescaled withoutRestScales(Scene scene, std::vector<BakedClip> clips);

/// The same motion with ends of chains that are not scaled unevenly in their bind pose (those that no skin binds: at
/// rest): what they are scaled by goes into what hangs on them, below them nothing would be sheared. Where there are
/// clips, these alone say how such an end is scaled, its rest pose does not; the same goes for an end that is flat at
/// rest. Blender's bones cannot be scaled where they are bound.
[[nodiscard]] Rescaled withoutEndScales(Scene scene, std::vector<BakedClip> clips);

} // namespace tendon
