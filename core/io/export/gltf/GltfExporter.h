#pragma once

#include "core/io/export/base/Exporter.h"

namespace tendon {

/// True if a model's source is a VRM avatar (0.x or 1.0), as an extension in the file says.
[[nodiscard]] bool isVrm(const ModelSource& source);

[[nodiscard]] Exporter glbExporter();
[[nodiscard]] Exporter gltfExporter();

} // namespace tendon
