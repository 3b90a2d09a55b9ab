#include "core/io/export/gltf/GltfWriter.h"

#include "core/io/export/gltf/GltfAnimation.h"
#include "core/io/export/gltf/GltfGeometry.h"
#include "core/io/export/gltf/SkinTree.h"
#include "core/io/export/prepare/MorphWeights.h"
#include "core/io/export/prepare/SteppedPaths.h"
#include "core/io/formats/gltf/GltfFile.h"
#include "core/scene/SegmentMesh.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace tendon {

namespace {

using namespace gltf;

std::vector<double> numbers(std::span<const double> values) { return {values.begin(), values.end()}; }

/// Members translation, rotation, scale of a node, those that are not the default.
void setTransform(Json& node, const LocalTransform& local)
{
    const Eigen::Vector4d q = local.rotation.normalized().coeffs();
    if (!local.translation.isZero(0)) node["translation"] = numbers({local.translation.data(), 3});
    if (q != Eigen::Vector4d(0, 0, 0, 1)) node["rotation"] = numbers({q.data(), 4});
    if (local.scale != Vector3::Ones()) node["scale"] = numbers({local.scale.data(), 3});
}

bool hasTextures(const Material& m)
{
    return std::max({m.baseColourTexture, m.normalTexture, m.metallicRoughnessTexture, m.emissiveTexture,
                     m.occlusionTexture}) >= 0;
}

Json cameraJson(const ModelCamera& camera)
{
    Json json{{"name", camera.name}};
    Json lens = Json::object();
    if (camera.projection == ModelCamera::Projection::Orthographic) {
        json["type"] = "orthographic";
        lens["xmag"] = camera.halfHeight * (camera.aspect > 0 ? camera.aspect : 1);
        lens["ymag"] = camera.halfHeight;
    } else {
        json["type"] = "perspective";
        if (camera.aspect > 0) lens["aspectRatio"] = camera.aspect;
        lens["yfov"] = camera.fieldOfView;
    }
    if (std::isfinite(camera.farPlane)) lens["zfar"] = camera.farPlane;
    lens["znear"] = camera.nearPlane;
    json[json["type"].get<std::string>()] = std::move(lens);
    return json;
}

Json lightJson(const ModelLight& light)
{
    static constexpr const char* kTypes[] = {"directional", "point", "spot"};
    Json json{{"name", light.name}, {"type", kTypes[static_cast<std::size_t>(light.kind)]}};
    if (light.colour != Eigen::Vector3f::Ones())
        json["color"] = std::vector<float>(light.colour.data(), light.colour.data() + 3);
    json["intensity"] = light.intensity;
    if (light.kind != ModelLight::Kind::Directional && std::isfinite(light.range)) json["range"] = light.range;
    constexpr double kMinEdge = 1e-6; // glTF wants the inner cone to be smaller
    if (light.kind == ModelLight::Kind::Spot)
        json["spot"] = {{"innerConeAngle", std::min(light.innerCone, light.outerCone * (1 - kMinEdge))},
                        {"outerConeAngle", light.outerCone}};
    return json;
}

/// One export: the document under construction.
class Writer
{
public:
    Writer(const Scene& scene, const GltfWriterOptions& options)
        : m_scene(scene), m_options(options), m_data(m_file.json, 0, m_file.bin)
    {
        m_file.hasBin = true;
        m_file.json = {{"asset", {{"version", "2.0"}, {"generator", "Tendon"}}},
                       {"scene", 0},
                       {"scenes", Json::array({{{"nodes", Json::array()}}})},
                       {"nodes", Json::array()}};
    }

    Result<WrittenGltf> write(const std::vector<BakedClip>& clips)
    {
        addJoints();
        addModel();
        addCamerasAndLights();
        addEmpties();
        addSegments();
        if (m_file.json["nodes"].empty())
            return Error{ErrorCode::InvalidArgument, "there is nothing to export: no joint and no mesh", "scene"};
        for (const BakedClip& clip : clips)
            if (const auto added = addClip(clip); !added) return added.error();

        if (m_file.bin.empty())
            m_file.hasBin = false;
        else {
            editArray(m_file.json, "buffers").push_back({{"byteLength", 0}});
            m_data.finish();
        }
        auto glb = glbBytes(m_file);
        if (!glb) return glb.error();
        return WrittenGltf{std::move(*glb), std::move(m_nodeOf), std::move(m_issues)};
    }

private:
    Json& nodes() { return m_file.json["nodes"]; }

    std::size_t addNode(Json node)
    {
        nodes().push_back(std::move(node));
        return nodes().size() - 1;
    }
    void addRoot(std::size_t node) { editArray(m_file.json["scenes"][0], "nodes").push_back(node); }
    void addChild(std::size_t parent, std::size_t child) { editArray(nodes()[parent], "children").push_back(child); }

    void addJoints()
    {
        for (const Joint& joint : *m_scene.joints) {
            Json node{{"name", joint.name}};
            setTransform(node, joint.rest);
            m_nodeOf[joint.id] = addNode(std::move(node));
        }
        std::vector<std::size_t> roots;
        for (const Joint& joint : *m_scene.joints) {
            const auto parent = m_nodeOf.find(joint.parent);
            if (parent == m_nodeOf.end())
                roots.push_back(m_nodeOf[joint.id]);
            else
                addChild(parent->second, m_nodeOf[joint.id]);
        }
        // All joints of a skin must have a root in common: several roots are put below one node.
        if (roots.size() > 1 && m_scene.model &&
            std::any_of(m_scene.model->meshes.begin(), m_scene.model->meshes.end(),
                        [](const Mesh& mesh) { return !mesh.skin.isRigid(); })) {
            m_skeleton = addNode({{"name", "Skeleton"}});
            for (const std::size_t root : roots) addChild(*m_skeleton, root);
            roots = {*m_skeleton};
        }
        for (const std::size_t root : roots) addRoot(root);
    }

    void addModel()
    {
        if (!m_scene.model) return;
        writeMaterials(m_file.json, m_data, *m_scene.model, m_issues);
        m_isRigid = std::all_of(m_scene.model->meshes.begin(), m_scene.model->meshes.end(),
                                [](const Mesh& mesh) { return mesh.skin.isRigid(); });
        for (const Mesh& mesh : m_scene.model->meshes) {
            if (mesh.positions.empty()) continue;
            const std::size_t node = addMesh(mesh);
            if (!mesh.morphTargets.empty()) m_morphed.emplace_back(&mesh - m_scene.model->meshes.data(), node);
        }
    }

    std::size_t addMeshJson(const Mesh& mesh, int material)
    {
        Json primitive = writePrimitive(m_data, mesh, {m_options.maxInfluences});
        if (material >= 0) primitive["material"] = material;
        Json json = Json::object();
        if (!mesh.name.empty()) json["name"] = mesh.name;
        json["primitives"] = Json::array({std::move(primitive)});
        if (!mesh.morphTargets.empty()) {
            std::vector<std::string> names;
            std::vector<double> weights;
            for (const MorphTarget& target : mesh.morphTargets) {
                names.push_back(target.name);
                weights.push_back(static_cast<double>(target.restWeight));
            }
            if (std::any_of(weights.begin(), weights.end(), [](double weight) { return weight != 0; }))
                json["weights"] = weights;
            json["extras"] = {{"targetNames", names}};
        }
        Json& meshes = editArray(m_file.json, "meshes");
        meshes.push_back(std::move(json));
        return meshes.size() - 1;
    }

    /// A mesh without texture coordinates gets its material without the textures.
    int materialFor(const Mesh& mesh)
    {
        const auto& materials = m_scene.model->materials;
        if (mesh.material < 0 || static_cast<std::size_t>(mesh.material) >= materials.size()) return -1;
        if (!mesh.textureCoordinates.empty() || !hasTextures(materials[static_cast<std::size_t>(mesh.material)]))
            return mesh.material;
        m_issues.push_back({.severity = Severity::Info,
                            .text = "has no texture coordinates; its material's textures were left out",
                            .where = "mesh " + mesh.name});
        Json& all = m_file.json["materials"];
        Json plain = all[static_cast<std::size_t>(mesh.material)];
        for (const char* name : {"normalTexture", "emissiveTexture", "occlusionTexture"}) plain.erase(name);
        for (const char* name : {"baseColorTexture", "metallicRoughnessTexture"})
            plain["pbrMetallicRoughness"].erase(name);
        all.push_back(std::move(plain));
        return static_cast<int>(all.size()) - 1;
    }

    /// In a file without skins every node with a mesh is a joint to readers, and to our import: what hangs right on a
    /// joint is put on the joint's own node, parts of one mesh as one.
    std::optional<std::size_t> addMeshOfJoint(const Mesh& mesh)
    {
        const bool isRight = m_isRigid && !mesh.skin.joints.empty() &&
                             mesh.skin.jointFromMesh.front().matrix() == Affine::MatrixType::Identity();
        const auto joint = isRight ? m_nodeOf.find(mesh.skin.joints.front()) : m_nodeOf.end();
        if (joint == m_nodeOf.end()) return std::nullopt;
        if (!nodes()[joint->second].contains("mesh")) {
            const std::size_t added = addMeshJson(mesh, materialFor(mesh));
            nodes()[joint->second]["mesh"] = added;
            return joint->second;
        }
        Json& known = m_file.json["meshes"][nodes()[joint->second]["mesh"].get<std::size_t>()];
        if (mesh.name.empty() || known.value("name", "") != mesh.name || known.contains("extras") ||
            !mesh.morphTargets.empty())
            return std::nullopt;
        Json primitive = writePrimitive(m_data, mesh, {m_options.maxInfluences});
        if (const int material = materialFor(mesh); material >= 0) primitive["material"] = material;
        known["primitives"].push_back(std::move(primitive));
        return joint->second;
    }

    std::size_t addMesh(const Mesh& mesh)
    {
        if (const auto joint = addMeshOfJoint(mesh)) return *joint;
        Json node = Json::object();
        if (const std::string& name = mesh.node.empty() ? mesh.name : mesh.node; !name.empty()) node["name"] = name;
        node["mesh"] = addMeshJson(mesh, materialFor(mesh));
        if (!mesh.skin.isRigid()) {
            node["skin"] = skinOf(mesh.skin);
        } else if (mesh.skin.joints.empty()) {
            setTransform(node, decompose(mesh.skin.worldFromMesh));
        } else {
            setTransform(node, decompose(mesh.skin.jointFromMesh.front()));
            if (const auto joint = m_nodeOf.find(mesh.skin.joints.front()); joint != m_nodeOf.end()) {
                const std::size_t index = addNode(std::move(node));
                addChild(joint->second, index);
                return index;
            }
        }
        const std::size_t index = addNode(std::move(node));
        addRoot(index);
        return index;
    }

    /// The skin of a mesh; meshes with equal bindings share one.
    std::size_t skinOf(const Skin& bound)
    {
        const Skin skin = withoutGaps(bound, m_scene);
        std::vector<std::size_t> joints;
        std::vector<float> bind;
        for (std::size_t k = 0; k < skin.joints.size(); ++k) {
            const auto node = m_nodeOf.find(skin.joints[k]);
            joints.push_back(node != m_nodeOf.end() ? node->second : 0);
            const Eigen::Matrix4d matrix = skin.jointFromMesh[k].matrix();
            for (int i = 0; i < 16; ++i) bind.push_back(static_cast<float>(matrix.data()[i])); // both column by column
        }
        for (std::size_t i = 0; i < m_skins.size(); ++i)
            if (m_skins[i].first == joints && m_skins[i].second == bind) return i;

        m_data.beginView(DataWriter::Use::Other);
        const std::size_t matrices = m_data.addFloats(bind, "MAT4", false);
        m_data.endView();
        Json json{{"inverseBindMatrices", matrices}, {"joints", joints}};
        if (m_skeleton && hasSeveralRoots(skin, m_scene)) json["skeleton"] = *m_skeleton;
        editArray(m_file.json, "skins").push_back(std::move(json));
        m_skins.emplace_back(std::move(joints), std::move(bind));
        return m_skins.size() - 1;
    }

    void addCamerasAndLights()
    {
        if (!m_scene.model) return;
        for (const ModelCamera& camera : m_scene.model->cameras) {
            Json& cameras = editArray(m_file.json, "cameras");
            cameras.push_back(cameraJson(camera));
            hang(camera.mount, {{"name", camera.name}, {"camera", cameras.size() - 1}});
        }
        constexpr const char* kLights = "KHR_lights_punctual";
        if (!m_scene.model->lights.empty()) editArray(m_file.json, "extensionsUsed").push_back(kLights);
        for (const ModelLight& light : m_scene.model->lights) {
            Json& lights = editArray(m_file.json["extensions"][kLights], "lights");
            lights.push_back(lightJson(light));
            hang(light.mount, {{"name", light.name}, {"extensions", {{kLights, {{"light", lights.size() - 1}}}}}});
        }
    }

    void addEmpties()
    {
        if (!m_scene.model) return;
        for (const ModelEmpty& empty : m_scene.model->empties) hang(empty.mount, {{"name", empty.name}});
    }

    void hang(const Mount& mount, Json node)
    {
        setTransform(node, decompose(mount.jointFromMount));
        const auto joint = m_nodeOf.find(mount.joint);
        const std::size_t index = addNode(std::move(node));
        if (joint == m_nodeOf.end())
            addRoot(index);
        else
            addChild(joint->second, index);
    }

    void addSegments()
    {
        int material = -1;
        for (const Joint& joint : *m_scene.joints) {
            Mesh mesh = segmentMesh(joint.segment);
            if (mesh.positions.empty()) continue;
            mesh.name = joint.name + " segment";
            if (material < 0) material = addSegmentMaterial();
            const std::size_t added = addMeshJson(mesh, material);
            if (const std::size_t node = m_nodeOf[joint.id]; !nodes()[node].contains("mesh"))
                nodes()[node]["mesh"] = added;
            else
                addChild(node, addNode({{"name", mesh.name}, {"mesh", added}}));
        }
    }

    int addSegmentMaterial()
    {
        Json& all = editArray(m_file.json, "materials");
        all.push_back(
            {{"name", "Segments"},
             {"pbrMetallicRoughness",
              {{"baseColorFactor", {0.42, 0.47, 0.55, 1.0}}, {"metallicFactor", 0.1}, {"roughnessFactor", 0.55}}}});
        return static_cast<int>(all.size()) - 1;
    }

    Result<void> addClip(const BakedClip& clip)
    {
        AnimationTracks tracks{.name = clip.name, .seconds = {}, .nodes = {}};
        for (const Time time : clip.times) tracks.seconds.push_back(time.seconds());
        const std::size_t n = clip.joints.size();
        for (std::size_t j = 0; j < n; ++j) {
            NodeTrack track{.node = m_nodeOf.at(clip.joints[j]),
                            .locals = {},
                            .isStepped = steppedPaths(m_scene, clip, clip.joints[j])};
            for (std::size_t s = 0; s < clip.times.size(); ++s) track.locals.push_back(clip.locals[s * n + j]);
            tracks.nodes.push_back(std::move(track));
        }
        if (tracks.nodes.empty() || tracks.seconds.empty()) return {};
        for (const auto& [mesh, node] : m_morphed)
            if (auto weights = morphWeights(*m_scene.model, mesh, clip); !weights.empty())
                tracks.weights.push_back({node, m_scene.model->meshes[mesh].morphTargets.size(), std::move(weights)});
        auto animation = writeTracks(m_data, tracks);
        if (!animation) return animation.error();
        Json named{{"name", clip.name}};
        named.update(*animation);
        editArray(m_file.json, "animations").push_back(std::move(named));
        return {};
    }

    const Scene& m_scene;
    GltfWriterOptions m_options;
    GltfFile m_file;
    DataWriter m_data;
    std::map<JointId, std::size_t> m_nodeOf;
    bool m_isRigid = false;                                     ///< no mesh is skinned
    std::optional<std::size_t> m_skeleton;                      ///< the node above several roots
    std::vector<std::pair<std::size_t, std::size_t>> m_morphed; ///< meshes with morph targets and their nodes
    std::vector<std::pair<std::vector<std::size_t>, std::vector<float>>> m_skins;
    Issues m_issues;
};

} // namespace

Result<WrittenGltf> writeGltf(const Scene& scene, const std::vector<BakedClip>& clips, const GltfWriterOptions& options)
{
    return Writer(scene, options).write(clips);
}

Result<std::vector<std::uint8_t>> writeGlb(const Scene& scene, const std::vector<BakedClip>& clips)
{
    auto written = writeGltf(scene, clips);
    if (!written) return written.error();
    return std::move(written->glb);
}

} // namespace tendon
