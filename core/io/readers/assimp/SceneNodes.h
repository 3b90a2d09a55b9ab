#pragma once

#include "core/base/Result.h"
#include "core/io/model/SourceModel.h"

#include <assimp/scene.h>

#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace tendon::assimp {

[[nodiscard]] inline Vector3 vectorOf(const aiVector3D& v) { return {v.x, v.y, v.z}; }

/// Assimp's matrices act on columns and are stored by rows; a last element other than 1 (MD5, B3D) is divided out.
[[nodiscard]] Affine affineOf(const aiMatrix4x4& matrix);

/// The nodes of an Assimp scene, parents first, by their index in the SourceModel.
class SceneNodes
{
public:
    explicit SceneNodes(const aiScene& scene);

    [[nodiscard]] const std::vector<const aiNode*>& all() const { return m_nodes; }
    [[nodiscard]] std::int32_t parentOf(std::size_t node) const { return m_parents[node]; }
    /// -1 = not found. Assimp binds bones and channels to nodes by name.
    [[nodiscard]] std::int32_t find(const aiString& name) const;
    [[nodiscard]] bool isShared(const aiString& name) const;

private:
    std::vector<const aiNode*> m_nodes;
    std::vector<std::int32_t> m_parents;
    struct Named
    {
        std::int32_t first = -1;
        int count = 0;
    };
    std::unordered_map<std::string, Named> m_byName;
};

/// The meshes of each node, bound to their bones' nodes; also fills skinJoints.
Result<void> readMeshes(const aiScene& scene, const SceneNodes& nodes, SourceModel& model);

Result<void> readAnimations(const aiScene& scene, const SceneNodes& nodes, SourceModel& model);

void readCamerasAndLights(const aiScene& scene, const SceneNodes& nodes, SourceModel& model);

/// Sets the fields of view from the file's text: Assimp takes the width of an orthographic view for an angle, and
/// ignores a vertical angle on its own.
void readColladaOptics(std::span<const std::uint8_t> file, SourceModel& model);

} // namespace tendon::assimp
