#pragma once

#include "core/base/Issue.h"
#include "core/base/Result.h"
#include "core/io/readback/Original.h"
#include "core/io/readback/ReadBack.h"

#include <map>
#include <string>

namespace tendon {

/// Where a glTF file has what it is compared for.
struct GltfJoints
{
    std::map<JointId, std::size_t> nodeOf;     ///< of the joints that the file holds
    Affine sceneFromFile = Affine::Identity(); ///< unit and axes of the file to metres and +Y up
};

/// Plays a .glb or .gltf with GltfPlayback and compares it with the original: every joint's world position and axes at
/// every sample of every clip; the vertices of every mesh, morphed and skinned, at a few samples; cameras and lights at
/// the first. Of a file that cannot be read everything is missing.
[[nodiscard]] Result<ReadBack> checkGltf(const std::string& path, const Original& original, const GltfJoints& joints,
                                         Issues& issues);

} // namespace tendon
