#pragma once

#include "core/io/export/base/Exporter.h"

namespace tendon {

[[nodiscard]] Exporter glbExporter();
[[nodiscard]] Exporter gltfExporter();

} // namespace tendon
