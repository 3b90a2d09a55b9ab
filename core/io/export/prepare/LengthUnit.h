#pragma once

#include "core/io/export/base/Exporter.h"

namespace tendon {

/// A scene or clip with every length multiplied by `factor`, for formats in another unit than metres. Static values,
/// keys, handles and clips of the scene stay as they are, because exports take motion from bakes.
[[nodiscard]] Scene withLengthsTimes(const Scene& scene, double factor);
[[nodiscard]] BakedClip withLengthsTimes(const BakedClip& clip, double factor);

/// The step that turns metres into the preset's unit.
[[nodiscard]] PreparingStep lengthUnitStep();

} // namespace tendon
