#pragma once

#include "core/io/export/fbx/FbxNode.h"
#include "core/io/export/fbx/MeshGroups.h"
#include "core/runtime/BakedClip.h"
#include "core/scene/Scene.h"

#include <map>
#include <string>
#include <vector>

namespace tendon::fbx {

/// Objects of a file under construction and how they are connected. Ids count up, so that the same scene gives the same
/// bytes.
class Objects
{
public:
    /// A new object; `kind` is its record ("Model"), `className` what stands behind its name ("SubDeformer"), `subtype`
    /// its last property ("LimbNode"). The record is valid until the next object is added.
    Node& add(std::string_view kind, std::string_view name, std::string_view className, std::string_view subtype);
    [[nodiscard]] std::int64_t lastId() const { return m_nextId - 1; }

    void connect(std::int64_t child, std::int64_t parent) { m_connections.add("C").text("OO").id(child).id(parent); }
    void connect(std::int64_t child, std::int64_t parent, std::string_view property)
    {
        m_connections.add("C").text("OP").id(child).id(parent).text(property);
    }

    [[nodiscard]] const Node& objects() const { return m_objects; }
    [[nodiscard]] const Node& connections() const { return m_connections; }
    [[nodiscard]] const std::map<std::string, std::int32_t>& counts() const { return m_counts; }

private:
    Node m_objects{"Objects"}, m_connections{"Connections"};
    std::int64_t m_nextId = 1'000'000;
    std::map<std::string, std::int32_t> m_counts; ///< by kind
};

/// Ids of materials by their place in the model; pictures are embedded. What FBX readers cannot show is left out.
[[nodiscard]] std::vector<std::int64_t> addMaterials(Objects& objects, const ModelAsset& model);

/// The geometry of meshes in one, with its morph targets, whose channels' ids are appended; its id.
std::int64_t addGeometry(Objects& objects, const MeshGroup& group, std::vector<std::int64_t>& morphChannels);

/// The skin deformer of a geometry. `modelOf` are the ids of the joints' models.
void addSkin(Objects& objects, const Mesh& mesh, std::int64_t geometry, const std::map<JointId, std::int64_t>& modelOf);

/// What makes a camera of a node ("Camera"), or a light ("Light"), which it is called like.
void addCamera(Objects& objects, const ModelCamera& camera, std::string_view name, std::int64_t model);
void addLight(Objects& objects, const ModelLight& light, std::string_view name, std::int64_t model);

/// Ids of the channels of a mesh's morph targets, and how much of each is added at the samples of a clip.
struct MorphTracks
{
    std::vector<std::int64_t> channels;
    std::vector<double> weights; ///< (samples x channels)
};

/// The stack, layer and curves of one clip.
void addClip(Objects& objects, const BakedClip& clip, const std::map<JointId, std::int64_t>& modelOf,
             const std::vector<MorphTracks>& morphs);

/// 16 numbers, column by column.
[[nodiscard]] inline std::vector<double> numbersOf(const Affine& transform)
{
    const Eigen::Matrix4d matrix = transform.matrix();
    return {matrix.data(), matrix.data() + 16};
}

} // namespace tendon::fbx
