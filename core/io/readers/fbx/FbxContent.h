#pragma once

#include "core/base/Result.h"
#include "core/io/model/SourceModel.h"

#include <span>

namespace tendon::fbx {

/// A node ("Model") of a file.
struct ContentNode
{
    std::string name;
    std::int32_t parent = -1; ///< -1 = the scene
    LocalTransform rest;
    Affine nodeFromGeometry = Affine::Identity(); ///< where its meshes stand, which its children do not feel
    /// What its mesh was bound with: node of the joint, and from the node's space to the joint's.
    std::vector<std::pair<std::int32_t, Affine>> bindings;
    std::vector<double> shapeWeights; ///< of its mesh's morph targets at rest; 1 = the whole target
};

/// What of an FBX file says how it stands and moves, read by ourselves: Assimp loses geometric transforms, bind poses,
/// scale inheritance, layers, curves between keys, morph weights and the length of takes. Of version 7 files.
struct Content
{
    std::vector<ContentNode> nodes; ///< parents first, children in the file's order, depth first; then leaves
    std::size_t ownNodes = 0;       ///< how many of them are the file's own
    /// By node of the file: the leaf that has its scale, meshes and bindings, where it was split (SplitTransform); else
    /// -1.
    std::vector<std::int32_t> leafOf;
    std::vector<SourceAnimation> animations; ///< nodes by their index here
    std::vector<SourceCamera> cameras;       ///< nodes by their index here; in the file's unit
    std::vector<SourceLight> lights;
    double framesPerSecond = 0;
    Issues issues;
};

/// Error: the file does not hold together, or is of a version that is not read.
[[nodiscard]] Result<Content> readContent(std::span<const std::uint8_t> file);

} // namespace tendon::fbx
