#pragma once

#include "core/runtime/CompiledRig.h"
#include "core/runtime/Pose.h"

#include <span>
#include <vector>

namespace tendon {

/// A mesh's skin with its joints looked up in a rig: made once per mesh and rig, used in every frame.
struct SkinBinding
{
    std::vector<JointIndex> joints;    ///< (k) -1 = fixed in the world
    std::vector<Affine> jointFromMesh; ///< (k)
};

/// Precondition: `skin` belongs to the scene that the rig was compiled from. Vertices of a joint that no longer exists
/// stay where they are in the bind pose. A rigid mesh without a joint gets one entry, worldFromMesh.
[[nodiscard]] SkinBinding bindSkin(const CompiledRig& rig, const Skin& skin);

/// Where the k-th joint of the binding takes the mesh as it was bound.
[[nodiscard]] Affine modelFromMesh(const SkinBinding& binding, const ModelPose& pose, std::size_t k);

/// Computes modelFromMesh of every joint of the skin in single precision, for the GPU. `palette` has one entry per
/// joint of the binding.
void skinPalette(const SkinBinding& binding, const ModelPose& pose, std::span<Eigen::Matrix4f> palette);

/// The vertices of a mesh in a pose, on the CPU, in double precision until the last step: the reference for drawing and
/// export. Linear blend skinning, sum_w modelFromJoint * jointFromMesh. `positions` has the size of
/// mesh.positions. [m] model space. Allocates nothing.
void skinVertices(const Mesh& mesh, const SkinBinding& binding, const ModelPose& pose,
                  std::span<Eigen::Vector3f> positions);

} // namespace tendon
