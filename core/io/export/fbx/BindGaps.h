#pragma once

#include "core/runtime/BakedClip.h"
#include "core/scene/Scene.h"

#include <map>
#include <vector>

namespace tendon::fbx {

/// Of every joint that slides in a clip how far its bind pose is to be moved aside, in the world [m]: some millionths
/// of the skeleton's size. Blender ties a bone whose bind pose lies exactly on the tip of its parent to that tip, and
/// then drops what slides it.
[[nodiscard]] std::map<JointId, Vector3> bindGaps(const Scene& scene, const std::vector<BakedClip>& clips);

} // namespace tendon::fbx
