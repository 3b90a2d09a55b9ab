#pragma once

#include "core/io/export/base/Exporter.h"

#include <span>
#include <string>
#include <string_view>

namespace tendon {

/// All exporters, the usual ones first. One per suffix.
[[nodiscard]] std::span<const Exporter> exporters();
[[nodiscard]] const Exporter* findExporter(std::string_view suffix); ///< null = there is none

/// ".glb, .gltf, .fbx, .bvh, .json or .csv", for help and messages.
[[nodiscard]] std::string exportSuffixes();

/// The manual's table of formats.
[[nodiscard]] std::string exportersAsMarkdown();

} // namespace tendon
