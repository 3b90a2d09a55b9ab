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

/// The file to write.
struct PatchTarget
{
    std::string fileName; ///< "walk.glb", "walk.gltf"
    bool isBinary = true;
};

struct PatchedGltf
{
    std::vector<OutputFile> files; ///< those beside first, the main file last
    Issues issues;
};

/// The source with the clips as animations. Only `animations`, `accessors`, `bufferViews`, `buffers` and the `matrix`
/// of animated nodes change in the JSON; new data is appended to the BIN chunk of a .glb, or written to a file
/// beside. A clip replaces the source animation with its name and keeps that animation's channels for what
/// Tendon does not drive (morph weights, cameras, props); with `onlyTheseClips` all other animations are removed. A
/// .glb holds everything; a .gltf gets copies of the files beside the source. Errors: a source that
/// is damaged or refers to something outside its folder.
[[nodiscard]] Result<PatchedGltf> patchGltf(const PatchSource& source, const Scene& scene,
                                            const std::vector<BakedClip>& clips, const PatchTarget& target,
                                            bool onlyTheseClips);

/// The name of a buffer's file: that of the .gltf with the hash of the bytes, so that another content has another name
/// and a .gltf never stands beside a buffer that is not its own, whenever a machine stops.
[[nodiscard]] std::string bufferName(const std::string& gltfName, const Bytes& bytes);

/// True for a name that bufferName() gives to buffers of that .gltf.
[[nodiscard]] bool isBufferName(const std::string& name, const std::string& gltfName);

/// A .glb of ours as a .gltf with its binary in a file beside.
[[nodiscard]] Result<std::vector<OutputFile>> splitGlb(const Bytes& glb, const std::string& fileName);

} // namespace tendon::gltf
