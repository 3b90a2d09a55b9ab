#pragma once

#include "core/io/export/base/Exporter.h"

namespace tendon {

[[nodiscard]] Exporter jsonTableExporter();
[[nodiscard]] Exporter csvTableExporter();

} // namespace tendon
