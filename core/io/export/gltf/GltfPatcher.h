#pragma once

#include "core/base/Issue.h"
#include "core/base/Result.h"
#include "core/io/base/FileSet.h"
#include "core/io/formats/gltf/GltfJson.h"
#include "core/runtime/BakedClip.h"
#include "core/scene/Scene.h"

#include <string>
#include <vector>

namespace tendon::gltf {

/// The file that an export starts from.
struct PatchSource
{
    std::string bytes;  ///< of the .glb or .gltf
    std::string folder; ///< where the files beside a .gltf are; empty = there are none (an embedded source)
};

/// Where the result goes.
struct PatchTarget
{
    std::string fileName; ///< "walk.glb", "walk.gltf"
    bool isBinary = true;
    bool isBesideSource = false; ///< files beside the source need no copy
};

struct PatchedGltf
{
    std::vector<OutputFile> files; ///< those beside first, the main file last
    Issues issues;
};

/// The source with the clips as animations. The JSON and the binary stay as they are but for `animations`, `accessors`,
/// `bufferViews`, `buffers` and the `matrix` of animated nodes; new data is appended to the BIN chunk of a .glb, or
/// stands in a file <name>.anim.bin of its own. A clip takes the place of the source animation of its name and keeps
/// what that has for things Tendon does not drive (morph weights, cameras, props); with `onlyTheseClips` all other
/// animations go. A .glb holds everything; to a .gltf in another folder the files beside the source come along. Errors:
/// a source that is damaged or refers to something outside its folder.
[[nodiscard]] Result<PatchedGltf> patchGltf(const PatchSource& source, const Scene& scene,
                                            const std::vector<BakedClip>& clips, const PatchTarget& target,
                                            bool onlyTheseClips);

/// A .glb of ours as a .gltf with its binary in a file <name>.bin.
[[nodiscard]] Result<std::vector<OutputFile>> splitGlb(const Bytes& glb, const std::string& fileName);

} // namespace tendon::gltf
