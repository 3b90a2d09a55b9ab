#pragma once

#include "core/base/Issue.h"
#include "core/base/Result.h"
#include "core/runtime/BakedClip.h"
#include "core/scene/Scene.h"

#include <cstdint>
#include <map>
#include <vector>

namespace tendon {

struct GltfWriterOptions
{
    int maxInfluences = 4; ///< 4 or 8 per vertex
};

/// A new file and the nodes of its joints.
struct WrittenGltf
{
    std::vector<std::uint8_t> glb;
    std::map<JointId, std::size_t> nodeOf;
    Issues issues;
};

/// A binary glTF file of the scene, in metres, with the clips as its animations, made from what the scene holds: joints
/// in their rest pose, skinned and rigid meshes, drawn segments, materials, textures, morph targets. Same scene, same
/// bytes. Errors: nothing to write, a clip that glTF cannot hold (it starts before time 0).
[[nodiscard]] Result<WrittenGltf> writeGltf(const Scene& scene, const std::vector<BakedClip>& clips,
                                            const GltfWriterOptions& options = {});

/// Just the file.
[[nodiscard]] Result<std::vector<std::uint8_t>> writeGlb(const Scene& scene, const std::vector<BakedClip>& clips);

} // namespace tendon
