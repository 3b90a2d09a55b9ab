#pragma once

#include "core/io/project/ProjectFile.h"

#include <cmath>

namespace tendon::test {

/// A tube of `rings` times 100 vertices around a chain of 300 joints; each vertex has four influences.
[[nodiscard]] inline Project longTube(int rings = 1000)
{
    Project project;
    Scene& scene = project.scene;
    constexpr int kJoints = 300, kSides = 100;
    std::vector<Joint> joints(kJoints);
    Mesh mesh;
    for (int j = 0; j < kJoints; ++j) {
        joints[j].id = {scene.takeId()};
        joints[j].name = "joint" + std::to_string(j);
        if (j > 0) joints[j].parent = joints[j - 1].id;
        joints[j].rest.translation = Vector3(0, j > 0 ? 2.0 / kJoints : 0, 0);
        mesh.skin.joints.push_back(joints[j].id);
        Affine jointFromMesh = Affine::Identity();
        jointFromMesh.translation() = Vector3(0, -2.0 * j / kJoints, 0);
        mesh.skin.jointFromMesh.push_back(jointFromMesh);
    }
    scene.joints = joints;
    for (int r = 0; r < rings; ++r)
        for (int k = 0; k < kSides; ++k) {
            const float turn = 6.2831853f * static_cast<float>(k) / kSides;
            mesh.normals.emplace_back(std::cos(turn), 0.0f, std::sin(turn));
            mesh.positions.push_back(0.3f * mesh.normals.back() +
                                     Eigen::Vector3f(0, 2.0f * static_cast<float>(r) / static_cast<float>(rings), 0));
            mesh.skin.influenceBegin.push_back(static_cast<std::uint32_t>(mesh.skin.influenceJoint.size()));
            for (int i = 0; i < 4; ++i) {
                mesh.skin.influenceJoint.push_back(
                    static_cast<std::uint16_t>(std::min(r * kJoints / rings + i, kJoints - 1)));
                mesh.skin.influenceWeight.push_back(0.25f);
            }
            if (r + 1 == rings) continue;
            const auto at = [&](int ring, int side) {
                return static_cast<std::uint32_t>(ring * kSides + side % kSides);
            };
            mesh.indices.insert(mesh.indices.end(),
                                {at(r, k), at(r + 1, k), at(r, k + 1), at(r, k + 1), at(r + 1, k), at(r + 1, k + 1)});
        }
    mesh.skin.influenceBegin.push_back(static_cast<std::uint32_t>(mesh.skin.influenceJoint.size()));
    ModelAsset model;
    model.meshes = {mesh};
    scene.model = std::make_shared<const ModelAsset>(std::move(model));
    return project;
}

} // namespace tendon::test
