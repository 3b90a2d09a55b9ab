#include "core/io/readers/assimp/FbxStructure.h"

#include "core/io/readers/fbx/FbxContent.h"

#include <algorithm>

namespace tendon::assimp {
namespace {

/// Assimp's root comes first, then the file's nodes in their order; names get numbers where they repeat.
bool areTheSame(const fbx::Content& content, const SceneNodes& nodes)
{
    if (nodes.all().size() != content.ownNodes + 1) return false;
    for (std::size_t n = 0; n < content.ownNodes; ++n) {
        const std::string_view name = nodes.all()[n + 1]->mName.C_Str();
        if (nodes.parentOf(n + 1) != content.nodes[n].parent + 1 || !name.starts_with(content.nodes[n].name))
            return false;
    }
    return true;
}

/// What a mesh is drawn with goes from the geometry's space to its node's.
void moveGeometry(const Affine& nodeFromGeometry, Mesh& mesh)
{
    if (nodeFromGeometry.matrix() == Affine::MatrixType::Identity()) return;
    const Eigen::Affine3f move = nodeFromGeometry.cast<float>();
    const Eigen::Matrix3f turn = nodeFromGeometry.linear().inverse().transpose().cast<float>();
    for (auto& position : mesh.positions) position = move * position;
    for (auto& normal : mesh.normals) normal = (turn * normal).normalized();
    for (MorphTarget& target : mesh.morphTargets) {
        for (auto& delta : target.positionDeltas) delta = move.linear() * delta;
        for (auto& delta : target.normalDeltas) delta = turn * delta;
    }
    if (nodeFromGeometry.linear().determinant() < 0)
        for (std::size_t i = 0; i + 2 < mesh.indices.size(); i += 3)
            std::swap(mesh.indices[i + 1], mesh.indices[i + 2]);
}

void bindAsSaid(const fbx::ContentNode& node, SourceMesh& source)
{
    for (std::size_t j = 0; j < source.jointNodes.size(); ++j)
        for (const auto& [joint, jointFromNode] : node.bindings)
            if (joint + 1 == source.jointNodes[j]) {
                source.mesh.skin.jointFromMesh[j] = jointFromNode;
                break;
            }
}

void setRestWeights(const std::vector<double>& weights, Mesh& mesh)
{
    if (weights.size() == mesh.morphTargets.size())
        for (std::size_t t = 0; t < weights.size(); ++t)
            mesh.morphTargets[t].restWeight = static_cast<float>(weights[t]);
}

/// What hung on a node that was split hangs on its leaf.
void addLeaves(const fbx::Content& content, SourceModel& model)
{
    for (std::size_t n = content.ownNodes; n < content.nodes.size(); ++n) {
        SourceNode& leaf = model.nodes.emplace_back();
        leaf.name = content.nodes[n].name;
        leaf.parent = content.nodes[n].parent + 1;
        leaf.local = content.nodes[n].rest;
        model.skinJoints.push_back(static_cast<std::int32_t>(n + 1));
    }
    const auto moveDown = [&](std::int32_t& node) {
        if (node > 0 && content.leafOf[static_cast<std::size_t>(node - 1)] >= 0)
            node = content.leafOf[static_cast<std::size_t>(node - 1)] + 1;
    };
    for (SourceMesh& source : model.meshes) {
        moveDown(source.node);
        for (std::int32_t& joint : source.jointNodes) moveDown(joint);
    }
    for (SourceAnimation& animation : model.animations)
        for (MorphCurve& curve : animation.morphs) moveDown(curve.mesh);
}

} // namespace

bool readFbxStructure(std::span<const std::uint8_t> file, const SceneNodes& nodes, SourceModel& model, bool& hasBones)
{
    auto content = fbx::readContent(file);
    if (!content || !areTheSame(*content, nodes)) return false;
    hasBones = content->hasBones;
    for (std::size_t n = 0; n < content->ownNodes; ++n) {
        SourceNode& node = model.nodes[n + 1];
        node.local = content->nodes[n].rest;
        node.isPosed = content->nodes[n].saved && content->animations.empty(); // takes say where everything is
        if (node.isPosed) node.pose = *content->nodes[n].saved;
    }
    for (SourceMesh& source : model.meshes) {
        if (source.node == 0) continue;
        const fbx::ContentNode& node = content->nodes[static_cast<std::size_t>(source.node - 1)];
        moveGeometry(node.nodeFromGeometry, source.mesh);
        bindAsSaid(node, source);
        setRestWeights(node.shapeWeights, source.mesh);
    }
    for (SourceAnimation& animation : content->animations) {
        for (SourceChannel& channel : animation.channels) ++channel.node;
        for (MorphCurve& morph : animation.morphs) ++morph.mesh;
        model.animations.push_back(std::move(animation));
    }
    for (SourceCamera& camera : content->cameras) ++camera.node;
    for (SourceLight& light : content->lights) ++light.node;
    model.cameras = std::move(content->cameras);
    model.lights = std::move(content->lights);
    if (content->nodes.size() > content->ownNodes) addLeaves(*content, model);
    model.framesPerSecond = content->framesPerSecond;
    model.issues.insert(model.issues.end(), content->issues.begin(), content->issues.end());
    return true;
}

} // namespace tendon::assimp
