#pragma once

#include "core/base/Issue.h"
#include "core/base/Result.h"
#include "core/io/readback/ReadBack.h"
#include "core/runtime/BakedClip.h"
#include "core/scene/Scene.h"

#include <map>

namespace tendon {

/// What a file was written from, as its reader should find it.
struct Expected
{
    const Scene& scene;
    const std::vector<BakedClip>& clips;
    std::map<JointId, std::size_t> nodeOf;     ///< of the joints that were written
    Affine sceneFromFile = Affine::Identity(); ///< unit and axes of the file to metres and +Y up
};

/// Plays a .glb or .gltf with GltfPlayback and compares: every joint's world position at every sample of every clip,
/// and the skinned vertices of every mesh of the scene at a few samples. A file that cannot be read is all missing.
[[nodiscard]] Result<ReadBack> checkGltf(const std::string& path, const Expected& expected, Issues& issues);

} // namespace tendon
