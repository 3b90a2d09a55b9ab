#pragma once

#include "core/io/export/base/Exporter.h"

namespace tendon {

/// The steps that make a scene what programs can play: capped influences, no scales at rest, meshes where their joints
/// rest, no uneven scales of ends. They keep the place of every joint, and of every vertex that is not capped.
[[nodiscard]] std::vector<PreparingStep> playableSteps(std::size_t (*maxInfluences)(const ExportPreset&));

} // namespace tendon
