#pragma once

#include "core/io/readers/assimp/SceneNodes.h"

#include <cstdint>
#include <span>

namespace tendon::assimp {

/// Puts what the file itself says in the place of what Assimp makes of it: where nodes stand, what meshes are bound
/// with, geometric transforms, takes, morph weights, cameras, lights. False when the file's nodes are not those of
/// Assimp: then the model is as it was and its animations, cameras and lights are still to be read.
[[nodiscard]] bool readFbxStructure(std::span<const std::uint8_t> file, const SceneNodes& nodes, SourceModel& model);

} // namespace tendon::assimp
