#pragma once

#include "core/base/Issue.h"
#include "core/io/export/gltf/GltfAnimation.h"
#include "core/runtime/BakedClip.h"
#include "core/scene/Scene.h"

#include <vector>

namespace tendon::gltf {

/// The node hierarchy of a glTF file. Lengths in the file's unit, axes as the file has them.
struct SourceNodes
{
    std::vector<int> parent;           ///< (n) -1 at a root
    std::vector<LocalTransform> local; ///< (n) as the file poses it
    std::vector<int> parentsFirst;     ///< (n) every node once, below its parent
};

[[nodiscard]] SourceNodes sourceNodes(const Json& json);

/// The turn from a file whose up axis is x, y or z (0, 1, 2) to +Y up: about z or x, exactly.
[[nodiscard]] Eigen::Matrix3d upright(int upAxis);

/// Replaces the member `matrix` of a node by translation, rotation and scale, at its place; an animated node may have
/// no matrix. Does nothing to a node without one.
void splitMatrix(Json& node);

/// A bake in terms of the source's nodes: the local transform of each node that a joint came from, such that the node's
/// world pose is the joint's at every sample, however the joints have been linked, renamed or put under new parents
/// since. Nodes in between that are no joints keep the transform they have in the file. Joints made in Tendon do not
/// appear. What a node cannot hold (a shear, below a non-uniform scale that was not there) is dropped with an issue.
[[nodiscard]] Result<std::vector<NodeTrack>> tracksForSource(const Scene& scene, const BakedClip& clip,
                                                             const SourceNodes& nodes, Issues& issues);

} // namespace tendon::gltf
