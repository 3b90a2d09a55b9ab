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

/// The same motion without even scales at rest: each goes into the lengths below its joint, so a skeleton in another
/// unit below a root with scale 100 becomes one in metres. The positions and turns of joints and the positions of
/// vertices do not change; only the scales of joints do. Scales that are uneven or mirror are kept. Programs whose
/// bones have no scale (Blender) would drop what such a root scales.
[[nodiscard]] Rescaled withoutRestScales(Scene scene, std::vector<BakedClip> clips);

/// The same motion without uneven scales in the bind pose of joints at the ends of chains (of those without a skin: in
/// the rest pose). The scale goes into what hangs on the end; since no joint is below it, nothing is sheared. If there
/// are clips, only they scale such an end, and its rest pose does not; the same holds for an end that is flat at rest.
/// Blender's bones cannot be scaled where they are bound.
[[nodiscard]] Rescaled withoutEndScales(Scene scene, std::vector<BakedClip> clips);

} // namespace tendon
