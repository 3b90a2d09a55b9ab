#pragma once

#include "core/runtime/BakedClip.h"
#include "core/scene/Scene.h"

#include <map>
#include <vector>

namespace tendon::fbx {

/// How far to move the bind pose of each joint that slides in a clip, in the world [m]: some millionths of the
/// skeleton's size. If a bone's bind pose lies exactly on the tip of its parent, Blender ties it to that tip and drops
/// its sliding.
[[nodiscard]] std::map<JointId, Vector3> bindGaps(const Scene& scene, const std::vector<BakedClip>& clips);

} // namespace tendon::fbx
