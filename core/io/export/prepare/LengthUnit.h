#pragma once

#include "core/runtime/BakedClip.h"
#include "core/scene/Scene.h"

namespace tendon {

/// A scene or clip with every length multiplied by `factor`, for formats in another unit than metres. Static values,
/// keys, handles and clips of the scene stay as they are: exports take motion from bakes.
[[nodiscard]] Scene withLengthsTimes(const Scene& scene, double factor);
[[nodiscard]] BakedClip withLengthsTimes(const BakedClip& clip, double factor);

} // namespace tendon
