#include "core/io/export/fbx/MeshGroups.h"

#include <algorithm>

namespace tendon::fbx {
namespace {

bool haveSameAttributes(const Mesh& a, const Mesh& b)
{
    return a.normals.empty() == b.normals.empty() && a.textureCoordinates.empty() == b.textureCoordinates.empty() &&
           a.colours.empty() == b.colours.empty() &&
           std::equal(a.morphTargets.begin(), a.morphTargets.end(), b.morphTargets.begin(), b.morphTargets.end(),
                      [](const MorphTarget& x, const MorphTarget& y) {
                          return x.name == y.name && x.normalDeltas.empty() == y.normalDeltas.empty();
                      });
}

std::size_t placeOf(const Skin& skin, JointId joint)
{
    return static_cast<std::size_t>(std::find(skin.joints.begin(), skin.joints.end(), joint) - skin.joints.begin());
}

bool areBoundAlike(const Skin& a, const Skin& b)
{
    if (a.isRigid() != b.isRigid()) return false;
    if (a.isRigid())
        return a.joints == b.joints && a.worldFromMesh.matrix() == b.worldFromMesh.matrix() &&
               (a.joints.empty() || a.jointFromMesh[0].matrix() == b.jointFromMesh[0].matrix());
    for (std::size_t j = 0; j < b.joints.size(); ++j) {
        const std::size_t place = placeOf(a, b.joints[j]);
        if (place < a.joints.size() && a.jointFromMesh[place].matrix() != b.jointFromMesh[j].matrix()) return false;
    }
    return true;
}

/// The same shape once more: an instance under another node, no part of one mesh.
bool holds(const MeshGroup& group, const Mesh& mesh)
{
    const auto& positions = group.mesh.positions;
    return std::any_of(group.begins.begin(), group.begins.end(), [&](std::size_t begin) {
        return positions.size() - begin >= mesh.positions.size() &&
               std::equal(mesh.positions.begin(), mesh.positions.end(),
                          positions.begin() + static_cast<std::ptrdiff_t>(begin));
    });
}

template <typename T>
void append(std::vector<T>& to, const std::vector<T>& from)
{
    to.insert(to.end(), from.begin(), from.end());
}

void appendSkin(Skin& to, const Skin& from)
{
    if (to.isRigid()) return;
    std::vector<std::uint16_t> place;
    for (std::size_t j = 0; j < from.joints.size(); ++j) {
        place.push_back(static_cast<std::uint16_t>(placeOf(to, from.joints[j])));
        if (place.back() < to.joints.size()) continue;
        to.joints.push_back(from.joints[j]);
        to.jointFromMesh.push_back(from.jointFromMesh[j]);
    }
    const std::uint32_t before = to.influenceBegin.back();
    for (std::size_t v = 1; v < from.influenceBegin.size(); ++v)
        to.influenceBegin.push_back(before + from.influenceBegin[v]);
    for (const std::uint16_t joint : from.influenceJoint) to.influenceJoint.push_back(place[joint]);
    append(to.influenceWeight, from.influenceWeight);
}

void appendMesh(Mesh& to, const Mesh& from)
{
    const auto first = static_cast<std::uint32_t>(to.positions.size());
    append(to.positions, from.positions);
    append(to.normals, from.normals);
    append(to.textureCoordinates, from.textureCoordinates);
    append(to.colours, from.colours);
    for (const std::uint32_t index : from.indices) to.indices.push_back(first + index);
    for (std::size_t t = 0; t < to.morphTargets.size(); ++t) {
        append(to.morphTargets[t].positionDeltas, from.morphTargets[t].positionDeltas);
        append(to.morphTargets[t].normalDeltas, from.morphTargets[t].normalDeltas);
    }
    appendSkin(to.skin, from.skin);
}

} // namespace

std::vector<MeshGroup> groupMeshes(const std::vector<Mesh>& meshes)
{
    std::vector<MeshGroup> groups;
    for (const Mesh& mesh : meshes) {
        if (mesh.positions.empty() || mesh.indices.empty()) continue;
        auto group = std::find_if(groups.begin(), groups.end(), [&](const MeshGroup& candidate) {
            return !mesh.name.empty() && candidate.mesh.name == mesh.name && candidate.mesh.node == mesh.node &&
                   haveSameAttributes(candidate.mesh, mesh) && areBoundAlike(candidate.mesh.skin, mesh.skin) &&
                   !holds(candidate, mesh);
        });
        if (group == groups.end()) {
            groups.push_back({mesh, {}, {}, static_cast<std::size_t>(&mesh - meshes.data()), {0}});
            group = groups.end() - 1;
        } else {
            group->begins.push_back(group->mesh.positions.size());
            appendMesh(group->mesh, mesh);
        }
        auto slot = std::find(group->materials.begin(), group->materials.end(), mesh.material);
        if (slot == group->materials.end()) slot = group->materials.insert(slot, mesh.material);
        group->slotOfTriangle.resize(group->mesh.indices.size() / 3,
                                     static_cast<std::int32_t>(slot - group->materials.begin()));
    }
    return groups;
}

} // namespace tendon::fbx
