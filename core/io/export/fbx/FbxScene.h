#pragma once

#include "core/io/export/fbx/FbxNode.h"
#include "core/io/export/fbx/MeshGroups.h"
#include "core/runtime/BakedClip.h"
#include "core/scene/Scene.h"

#include <map>
#include <string>
#include <vector>

namespace tendon::fbx {

/// The objects of a file under construction and their connections. Ids count up, so the same scene gives the same
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

/// Ids of the materials in the model's order; textures are embedded. What FBX readers cannot show is left out.
[[nodiscard]] std::vector<std::int64_t> addMaterials(Objects& objects, const ModelAsset& model);

/// Adds a geometry with its morph targets and appends the ids of their channels. Returns the geometry's id.
std::int64_t addGeometry(Objects& objects, const MeshGroup& group, std::vector<std::int64_t>& morphChannels);

/// Adds the skin deformer of a geometry. `modelOf` has the ids of the joints' models.
void addSkin(Objects& objects, const Mesh& mesh, std::int64_t geometry, const std::map<JointId, std::int64_t>& modelOf);

/// Adds the attribute that makes a node a camera ("Camera") or a light ("Light"), with the name of the node.
void addCamera(Objects& objects, const ModelCamera& camera, std::string_view name, std::int64_t model);
void addLight(Objects& objects, const ModelLight& light, std::string_view name, std::int64_t model);

/// The channels of a mesh's morph targets, and their weights at the samples of a clip.
struct MorphTracks
{
    std::vector<std::int64_t> channels;
    std::vector<double> weights; ///< (samples x channels)
};

/// Adds the stack, layer and curves of one clip. Keys of stepped paths are held, and steps are on their frames.
void addClip(Objects& objects, const Scene& scene, const BakedClip& clip,
             const std::map<JointId, std::int64_t>& modelOf, const std::vector<MorphTracks>& morphs);

/// 16 numbers, column by column.
[[nodiscard]] inline std::vector<double> numbersOf(const Affine& transform)
{
    const Eigen::Matrix4d matrix = transform.matrix();
    return {matrix.data(), matrix.data() + 16};
}

} // namespace tendon::fbx
