#pragma once

#include "core/io/readers/assimp/SceneNodes.h"

#include <cstdint>
#include <span>

namespace tendon::assimp {

/// Replaces Assimp's nodes, bindings, geometric transforms, takes, morph weights, cameras and lights by those in the
/// file. False if the file's nodes are not those of Assimp: then the model is unchanged, and its animations, cameras
/// and lights are still to be read. `hasBones` says whether the file has a skeleton.
[[nodiscard]] bool readFbxStructure(std::span<const std::uint8_t> file, const SceneNodes& nodes, SourceModel& model,
                                    bool& hasBones);

} // namespace tendon::assimp
