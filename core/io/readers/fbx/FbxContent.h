#pragma once

#include "core/base/Result.h"
#include "core/io/model/SourceModel.h"

#include <optional>
#include <span>

namespace tendon::fbx {

/// A node ("Model") of a file.
struct ContentNode
{
    std::string name;
    std::int32_t parent = -1; ///< -1 = the scene
    LocalTransform rest;
    std::optional<LocalTransform> saved;          ///< the pose in which it was saved, if that is not `rest`
    Affine nodeFromGeometry = Affine::Identity(); ///< for its meshes only, not for its children
    /// The binding of its mesh: node of the joint, and the transform from the node's space to the joint's.
    std::vector<std::pair<std::int32_t, Affine>> bindings;
    std::vector<double> shapeWeights; ///< of its mesh's morph targets at rest; 1 = the whole target
};

/// Hierarchy, poses and motion of a version 7 FBX file. Assimp loses geometric transforms, bind poses, scale
/// inheritance, layers, curves between keys, morph weights and the length of takes.
struct Content
{
    std::vector<ContentNode> nodes; ///< parents first, children in the file's order, depth first; then leaves
    std::size_t ownNodes = 0;       ///< how many of them are the file's own
    /// By node of the file: the leaf with its scale, meshes and bindings if it was split (SplitTransform), else -1.
    std::vector<std::int32_t> leafOf;
    std::vector<SourceAnimation> animations; ///< nodes by their index here
    std::vector<SourceCamera> cameras;       ///< nodes by their index here; in the file's unit
    std::vector<SourceLight> lights;
    double framesPerSecond = 0;
    bool hasBones = false; ///< it has a skeleton: limb nodes, or nodes that meshes are bound to
    Issues issues;
};

/// Errors: the file is corrupt, or has an unsupported version.
[[nodiscard]] Result<Content> readContent(std::span<const std::uint8_t> file);

} // namespace tendon::fbx
