#include "core/runtime/Skinning.h"

namespace tendon {

Affine modelFromMesh(const SkinBinding& binding, const ModelPose& pose, std::size_t k)
{
    const JointIndex joint = binding.joints[k];
    if (joint < 0) return binding.jointFromMesh[k];
    return pose.modelFromJoint[static_cast<std::size_t>(joint)] * binding.jointFromMesh[k];
}

SkinBinding bindSkin(const CompiledRig& rig, const Skin& skin)
{
    if (skin.joints.empty()) return {{-1}, {skin.worldFromMesh}};
    SkinBinding binding;
    for (std::size_t k = 0; k < skin.joints.size(); ++k) {
        const JointIndex joint = rig.index(skin.joints[k]);
        binding.joints.push_back(joint);
        binding.jointFromMesh.push_back(joint < 0 ? skin.worldFromMesh : skin.jointFromMesh[k]);
    }
    return binding;
}

void skinPalette(const SkinBinding& binding, const ModelPose& pose, std::span<Eigen::Matrix4f> palette)
{
    for (std::size_t k = 0; k < binding.joints.size(); ++k)
        palette[k] = modelFromMesh(binding, pose, k).matrix().cast<float>();
}

void skinVertices(const Mesh& mesh, const SkinBinding& binding, const ModelPose& pose,
                  std::span<Eigen::Vector3f> positions)
{
    const Skin& skin = mesh.skin;
    if (skin.isRigid()) {
        const Affine placed = modelFromMesh(binding, pose, 0);
        for (std::size_t v = 0; v < mesh.positions.size(); ++v)
            positions[v] = (placed * mesh.positions[v].cast<double>()).cast<float>();
        return;
    }
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        // One matrix per influence rather than a palette: slower, and nothing to keep between calls.
        const Vector3 bound = mesh.positions[v].cast<double>();
        Vector3 sum = Vector3::Zero();
        for (std::uint32_t i = skin.influenceBegin[v]; i < skin.influenceBegin[v + 1]; ++i)
            sum += static_cast<double>(skin.influenceWeight[i]) *
                   (modelFromMesh(binding, pose, skin.influenceJoint[i]) * bound);
        positions[v] = sum.cast<float>();
    }
}

} // namespace tendon
