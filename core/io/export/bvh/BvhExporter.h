#pragma once

#include "core/io/export/base/Exporter.h"

namespace tendon {

[[nodiscard]] Exporter bvhExporter();

} // namespace tendon
