#include "core/io/readers/assimp/DrawnConversion.h"
#include "core/io/readers/assimp/SceneNodes.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace tendon::assimp {
namespace {

/// One bone of one mesh that has a node.
struct Bound
{
    const aiBone* bone = nullptr;
    std::int32_t node = -1;
};

std::vector<Bound> bonesOf(const aiMesh& mesh, const SceneNodes& nodes, Issues& issues)
{
    std::vector<Bound> bound;
    for (unsigned b = 0; b < mesh.mNumBones; ++b) {
        const aiBone& bone = *mesh.mBones[b];
        const std::int32_t node = nodes.find(bone.mName);
        const std::string where = std::string("mesh ") + mesh.mName.C_Str();
        if (node < 0)
            issues.push_back({Severity::Warning,
                              std::string("its bone \"") + bone.mName.C_Str() + "\" has no node; it was left out",
                              where});
        else
            bound.push_back({&bone, node});
        if (node >= 0 && nodes.isShared(bone.mName))
            issues.push_back(
                {Severity::Warning,
                 std::string("several nodes are named \"") + bone.mName.C_Str() + "\"; its bone is bound to the first",
                 where});
    }
    return bound;
}

/// Influences by vertex from Assimp's lists by bone. Weights that are no positive number bind nothing.
void bind(const std::vector<Bound>& bones, std::size_t vertexCount, SourceMesh& source)
{
    Skin& skin = source.mesh.skin;
    std::vector<std::vector<std::pair<std::uint16_t, float>>> influences(vertexCount);
    for (std::size_t b = 0; b < bones.size(); ++b) {
        source.jointNodes.push_back(bones[b].node);
        skin.jointFromMesh.push_back(affineOf(bones[b].bone->mOffsetMatrix));
        for (unsigned w = 0; w < bones[b].bone->mNumWeights; ++w) {
            const aiVertexWeight& weight = bones[b].bone->mWeights[w];
            if (weight.mVertexId < vertexCount && weight.mWeight > 0 && std::isfinite(weight.mWeight))
                influences[weight.mVertexId].emplace_back(static_cast<std::uint16_t>(b), weight.mWeight);
        }
    }
    skin.influenceBegin.push_back(0);
    for (const auto& vertex : influences) {
        for (const auto& [joint, weight] : vertex) {
            skin.influenceJoint.push_back(joint);
            skin.influenceWeight.push_back(weight);
        }
        skin.influenceBegin.push_back(static_cast<std::uint32_t>(skin.influenceJoint.size()));
    }
}

template <typename Vector>
bool areFinite(const std::vector<Vector>& vectors)
{
    return std::all_of(vectors.begin(), vectors.end(), [](const Vector& v) { return v.allFinite(); });
}

Error damaged(const aiMesh& mesh, const char* what)
{
    return {ErrorCode::InvalidArgument, std::string(what) + "; the file is damaged",
            std::string("mesh ") + mesh.mName.C_Str()};
}

/// Indices and numbers that Assimp hands on unchecked.
Result<void> checkDrawn(const aiMesh& from, const Mesh& mesh)
{
    for (const std::uint32_t index : mesh.indices)
        if (index >= mesh.positions.size()) return damaged(from, "a triangle refers to a vertex that does not exist");
    if (!areFinite(mesh.positions)) return damaged(from, "a vertex is not finite");
    for (const MorphTarget& target : mesh.morphTargets)
        if (!areFinite(target.positionDeltas)) return damaged(from, "a morph target is not finite");
    return {};
}

/// What is drawn with but does not carry the shape may be given up.
void dropUnusable(Mesh& mesh)
{
    if (!areFinite(mesh.normals)) mesh.normals.clear();
    if (!areFinite(mesh.textureCoordinates)) mesh.textureCoordinates.clear();
    if (!areFinite(mesh.colours)) mesh.colours.clear();
    for (MorphTarget& target : mesh.morphTargets)
        if (!areFinite(target.normalDeltas)) target.normalDeltas.clear();
}

} // namespace

Result<void> readMeshes(const aiScene& scene, const SceneNodes& nodes, SourceModel& model)
{
    std::set<std::int32_t> joints;
    for (std::size_t n = 0; n < nodes.all().size(); ++n) {
        const aiNode& node = *nodes.all()[n];
        for (unsigned m = 0; m < node.mNumMeshes; ++m) {
            const aiMesh& from = *scene.mMeshes[node.mMeshes[m]];
            SourceMesh source;
            source.node = static_cast<std::int32_t>(n);
            source.mesh = convert(from);
            if (source.mesh.name.empty()) source.mesh.name = node.mName.C_Str();
            if (source.mesh.indices.empty()) continue; // points and lines are not drawn
            if (const auto checked = checkDrawn(from, source.mesh); !checked) return checked.error();
            dropUnusable(source.mesh);
            if (const auto bones = bonesOf(from, nodes, model.issues); !bones.empty()) {
                if (bones.size() > limits::kJoints) return damaged(from, "it has more bones than are supported");
                bind(bones, source.mesh.positions.size(), source);
                joints.insert(source.jointNodes.begin(), source.jointNodes.end());
            }
            model.meshes.push_back(std::move(source));
        }
    }
    model.skinJoints.assign(joints.begin(), joints.end());
    return {};
}

} // namespace tendon::assimp
