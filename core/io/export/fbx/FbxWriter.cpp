#include "core/io/export/fbx/FbxWriter.h"

#include "core/io/export/fbx/BindGaps.h"
#include "core/io/export/fbx/FbxScene.h"
#include "core/io/export/prepare/MorphWeights.h"
#include "core/io/formats/fbx/FbxTime.h"
#include "core/math/Degrees.h"
#include "core/math/RotationOrder.h"
#include "core/scene/SegmentMesh.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace tendon {
namespace fbx {

Node& Objects::add(std::string_view kind, std::string_view name, std::string_view className, std::string_view subtype)
{
    ++m_counts[std::string(kind)];
    return m_objects.add(kind).id(m_nextId++).objectName(name, className).text(subtype);
}

} // namespace fbx

namespace {

using namespace fbx;

/// FBX's own number of a frame rate.
std::int32_t timeModeOf(FrameRate fps)
{
    for (const TimeMode& mode : kTimeModes)
        if (std::abs(fps.perSecond() - mode.framesPerSecond) < 1e-9) return mode.number;
    return kCustomTimeMode;
}

/// One export: the document under construction.
class FbxBuilder
{
public:
    FbxBuilder(const Scene& scene, const FbxOptions& options) : m_scene(scene), m_options(options) {}

    Result<WrittenFbx> write(const std::vector<BakedClip>& clips)
    {
        if (m_scene.joints->empty() && (!m_scene.model || m_scene.model->meshes.empty()))
            return Error{ErrorCode::InvalidArgument, "there is nothing to export: no joint and no mesh", "scene"};
        if (m_scene.model) m_materials = addMaterials(m_objects, *m_scene.model);
        if (m_scene.model) nameWhatIsLost(*m_scene.model);
        m_gaps = bindGaps(m_scene, clips);
        addJoints();
        addMeshes();
        addCamerasAndLights();
        addEmpties();
        bindUnbound();
        addPose();
        nameWhatSlides(clips);
        for (const BakedClip& clip : clips) addClip(m_objects, m_scene, clip, m_modelOf, morphsOf(clip));
        WrittenFbx written;
        written.bytes = fileBytes(topLevel(clips));
        written.nameOf = m_nameOf;
        written.issues = m_issues;
        if (written.bytes.size() > std::numeric_limits<std::uint32_t>::max())
            return Error{ErrorCode::LimitExceeded,
                         "the model is larger than the 4 GiB that FBX can hold; export to .glb", "scene"};
        return written;
    }

private:
    /// What the format, or what programs read of it, has no place for.
    void nameWhatIsLost(const ModelAsset& model)
    {
        const auto lost = [&](const char* what, const std::string& where) {
            m_issues.push_back({Severity::Warning, what, where});
        };
        for (const Material& material : model.materials)
            if (material.metallicRoughnessTexture >= 0)
                lost("its picture of metal and roughness was left out, because FBX has no place for it; the factors "
                     "are written",
                     "material " + material.name);
        std::set<std::string> named;
        for (const Mesh& mesh : model.meshes)
            if (mesh.hasMoreTextureCoordinates && named.insert(mesh.name).second)
                lost("only its first set of texture coordinates was written", "mesh " + mesh.name);
    }

    /// Joints with a moving translation below another joint, which Blender drops where it connects the two bones.
    void nameWhatSlides(const std::vector<BakedClip>& clips)
    {
        constexpr double kSeen = 1e-4; // [m]
        std::string names;
        int count = 0;
        for (const Joint& joint : *m_scene.joints) {
            const auto slidesIn = [&](const BakedClip& clip) {
                const auto at = std::find(clip.joints.begin(), clip.joints.end(), joint.id);
                if (at == clip.joints.end()) return false;
                for (std::size_t i = static_cast<std::size_t>(at - clip.joints.begin()); i < clip.locals.size();
                     i += clip.joints.size())
                    if ((clip.locals[i].translation - joint.rest.translation).norm() > kSeen) return true;
                return false;
            };
            if (!joint.parent.isValid() || !std::any_of(clips.begin(), clips.end(), slidesIn)) continue;
            if (count++ < 4) names += (names.empty() ? "" : ", ") + joint.name;
        }
        if (count == 0) return;
        m_issues.push_back(
            {Severity::Info,
             "the bones slide or stretch. Blender connects a bone of an FBX to its parent where they "
             "touch, and then keeps it there: select all bones in Edit Mode and choose Armature, Parent, "
             "Disconnect Bone after the import, or export .glb",
             count > 4 ? names + " and " + std::to_string(count - 4) + " more" : names});
    }

    std::string uniqueName(const std::string& wanted)
    {
        std::string name = wanted.empty() ? "node" : wanted;
        for (int i = 2; !m_names.insert(name).second; ++i) name = wanted + "_" + std::to_string(i);
        return name;
    }

    std::int64_t addModel(std::string_view name, std::string_view type, const LocalTransform& local,
                          std::int64_t parent)
    {
        Node& model = m_objects.add("Model", name, "Model", type);
        const std::int64_t id = m_objects.lastId();
        model.add("Version", 232);
        const Vector3 angles = anglesFromRotation(local.rotation, RotationOrder::XYZ, Vector3::Zero()) * kDegrees;
        const Vector3 &t = local.translation, &s = local.scale;
        Properties(model)
            .flag("RotationActive", true)
            .choice("InheritType", 1) // scales act on children as matrices do
            .integer("DefaultAttributeIndex", 0)
            .vector("Lcl Translation", "Lcl Translation", t[0], t[1], t[2])
            .vector("Lcl Rotation", "Lcl Rotation", angles[0], angles[1], angles[2])
            .vector("Lcl Scaling", "Lcl Scaling", s[0], s[1], s[2]);
        model.add("Shading").flag(true);
        model.add("Culling", "CullingOff");
        m_objects.connect(id, parent);
        m_bindPose.emplace_back(id, Affine::Identity());
        return id;
    }

    void addAttribute(std::string_view name, std::string_view type, const char* flags, std::int64_t model)
    {
        m_objects.add("NodeAttribute", name, "NodeAttribute", type).add("TypeFlags", flags);
        m_objects.connect(m_objects.lastId(), model);
    }

    void addJoints()
    {
        if (m_scene.joints->empty()) return;
        for (const Joint& joint : *m_scene.joints) m_nameOf[joint.id] = uniqueName(joint.name);
        std::map<JointId, std::vector<const Joint*>> childrenOf;
        for (const Joint& joint : *m_scene.joints) childrenOf[joint.parent].push_back(&joint);
        const std::size_t roots = childrenOf[JointId{}].size();
        if (m_options.hasArmature || roots > 1) {
            const bool isNamed = m_scene.model && !m_scene.model->skeletonName.empty();
            const std::string armature = uniqueName(isNamed ? m_scene.model->skeletonName : "Armature");
            m_armature = addModel(armature, "Null", {}, 0);
            addAttribute(armature, "Null", "Null", m_armature);
        }
        if (!m_options.hasArmature && roots > 1)
            m_issues.push_back(
                {Severity::Warning,
                 "there are " + std::to_string(roots) + " root joints: a null above them holds them together", ""});
        std::vector<const Joint*> waiting = childrenOf[JointId{}];
        std::reverse(waiting.begin(), waiting.end());
        while (!waiting.empty()) {
            const Joint& joint = *waiting.back();
            waiting.pop_back();
            addJoint(joint);
            const auto& children = childrenOf[joint.id];
            waiting.insert(waiting.end(), children.rbegin(), children.rend());
        }
    }

    void addJoint(const Joint& joint)
    {
        const auto parent = m_modelOf.find(joint.parent);
        const std::string& name = m_nameOf[joint.id];
        const std::int64_t model = addModel(name, "LimbNode", joint.rest,
                                            parent == m_modelOf.end() ? m_armature : parent->second);
        addAttribute(name, "LimbNode", "Skeleton", model);
        m_modelOf[joint.id] = model;
        const auto above = m_restWorld.find(joint.parent);
        const Affine local = joint.rest.parentFromJoint();
        m_restWorld[joint.id] = above == m_restWorld.end() ? local : Affine(above->second * local);
        m_placeInPose[joint.id] = m_bindPose.size() - 1;
        m_jointAt[m_bindPose.size() - 1] = &joint;
        m_bindPose.back().second = gapOf(joint.id) * m_restWorld[joint.id];
    }

    /// What moves the bind pose of a joint aside, in the world.
    [[nodiscard]] Eigen::Translation3d gapOf(JointId joint) const
    {
        const auto gap = m_gaps.find(joint);
        return Eigen::Translation3d(gap == m_gaps.end() ? Vector3(Vector3::Zero()) : gap->second);
    }

    /// Joints that no skin binds (the ends of fingers) stood in the bind pose as they do at rest, seen from their
    /// parent.
    void bindUnbound()
    {
        for (const auto& [place, joint] : m_jointAt) {
            const auto above = m_placeInPose.find(joint->parent);
            if (above != m_placeInPose.end() && !m_isBound.contains(joint->id))
                m_bindPose[place].second = gapOf(joint->id) * m_bindPose[above->second].second *
                                           joint->rest.parentFromJoint();
        }
    }

    void addMeshes()
    {
        if (m_scene.model)
            for (MeshGroup& group : groupMeshes(m_scene.model->meshes)) {
                Skin& skin = group.mesh.skin;
                for (std::size_t j = 0; !skin.isRigid() && j < skin.joints.size(); ++j)
                    skin.jointFromMesh[j] = skin.jointFromMesh[j] * gapOf(skin.joints[j]).inverse();
                addMesh(group);
            }
        std::int64_t material = 0;
        for (const Joint& joint : *m_scene.joints) {
            Mesh mesh = segmentMesh(joint.segment);
            if (mesh.positions.empty()) continue;
            mesh.name = joint.name + " segment";
            if (material == 0) material = addSegmentMaterial();
            const std::int64_t model = addModel(uniqueName(mesh.name), "Mesh", {}, m_modelOf[joint.id]);
            m_bindPose.back().second = m_restWorld[joint.id];
            std::vector<std::int64_t> none;
            m_objects.connect(addGeometry(m_objects, {mesh, {0}, {}}, none), model);
            m_objects.connect(material, model);
        }
    }

    void addCamerasAndLights()
    {
        if (!m_scene.model) return;
        // FBX cameras look along +X of their node, +Y up, and lights shine along -Y.
        Eigen::Matrix3d mountFromCamera, mountFromLight;
        mountFromCamera << -Vector3::UnitZ(), Vector3::UnitY(), Vector3::UnitX();
        mountFromLight << Vector3::UnitX(), Vector3::UnitZ(), -Vector3::UnitY();
        for (const ModelCamera& camera : m_scene.model->cameras) {
            const std::string name = uniqueName(camera.name);
            addCamera(m_objects, camera, name, hang(camera.mount, mountFromCamera, name, "Camera"));
        }
        for (const ModelLight& light : m_scene.model->lights) {
            const std::string name = uniqueName(light.name);
            addLight(m_objects, light, name, hang(light.mount, mountFromLight, name, "Light"));
        }
    }

    void addEmpties()
    {
        if (!m_scene.model) return;
        for (const ModelEmpty& empty : m_scene.model->empties) {
            const std::string name = uniqueName(empty.name);
            addAttribute(name, "Null", "Null", hang(empty.mount, Eigen::Matrix3d::Identity(), name, "Null"));
        }
    }

    std::int64_t hang(const Mount& mount, const Eigen::Matrix3d& mountFromNode, const std::string& name,
                      std::string_view type)
    {
        const Affine jointFromNode = mount.jointFromMount * Affine(mountFromNode);
        const auto joint = m_modelOf.find(mount.joint);
        const std::int64_t model = addModel(name, type, decompose(jointFromNode),
                                            joint == m_modelOf.end() ? 0 : joint->second);
        m_bindPose.back().second = joint == m_modelOf.end() ? jointFromNode
                                                            : Affine(m_restWorld[mount.joint] * jointFromNode);
        return model;
    }

    std::int64_t addSegmentMaterial()
    {
        ModelAsset asset;
        Material& material = asset.materials.emplace_back();
        material.name = "Segments";
        material.baseColour = {0.42f, 0.47f, 0.55f, 1};
        return addMaterials(m_objects, asset).front();
    }

    /// A part without a material gets a plain one, so that slots count alike.
    std::int64_t materialAt(std::int32_t index)
    {
        if (index >= 0 && static_cast<std::size_t>(index) < m_materials.size())
            return m_materials[static_cast<std::size_t>(index)];
        if (m_plain == 0) {
            ModelAsset asset;
            asset.materials.emplace_back().name = "Plain";
            m_plain = addMaterials(m_objects, asset).front();
        }
        return m_plain;
    }

    void addMesh(const MeshGroup& group)
    {
        const Mesh& mesh = group.mesh;
        const Skin& skin = mesh.skin;
        std::int64_t model = 0;
        const std::string name = uniqueName(mesh.node.empty() ? mesh.name : mesh.node);
        if (!skin.isRigid()) {
            model = addModel(name, "Mesh", {}, m_armature);
            for (std::size_t j = 0; j < skin.joints.size(); ++j)
                if (m_isBound.insert(skin.joints[j]).second)
                    if (const auto place = m_placeInPose.find(skin.joints[j]); place != m_placeInPose.end())
                        m_bindPose[place->second].second = skin.jointFromMesh[j].inverse();
        } else if (skin.joints.empty()) {
            model = addModel(name, "Mesh", decompose(skin.worldFromMesh), 0);
            m_bindPose.back().second = skin.worldFromMesh;
        } else {
            model = addModel(name, "Mesh", decompose(skin.jointFromMesh[0]), m_modelOf[skin.joints[0]]);
            m_bindPose.back().second = m_restWorld[skin.joints[0]] * skin.jointFromMesh[0];
        }
        const std::int64_t geometry = addGeometry(m_objects, group, m_morphChannels[group.firstPart]);
        m_objects.connect(geometry, model);
        for (const std::int32_t material : group.materials) m_objects.connect(materialAt(material), model);
        if (!skin.isRigid()) addSkin(m_objects, mesh, geometry, m_modelOf);
    }

    [[nodiscard]] std::vector<MorphTracks> morphsOf(const BakedClip& clip) const
    {
        std::vector<MorphTracks> morphs;
        for (const auto& [mesh, channels] : m_morphChannels)
            if (auto weights = morphWeights(*m_scene.model, mesh, clip); !weights.empty())
                morphs.push_back({channels, std::move(weights)});
        return morphs;
    }

    /// The bind pose of every node: readers that lack one of them bind the skin wrongly.
    void addPose()
    {
        Node& pose = m_objects.add("Pose", "BindPose", "Pose", "BindPose");
        pose.add("Type", "BindPose");
        pose.add("Version", 100);
        pose.add("NbPoseNodes", static_cast<std::int32_t>(m_bindPose.size()));
        for (const auto& [model, matrix] : m_bindPose) {
            Node& node = pose.add("PoseNode");
            node.add("Node").id(model);
            node.add("Matrix").numbers(numbersOf(matrix));
        }
    }

    [[nodiscard]] Node header() const
    {
        Node header("FBXHeaderExtension");
        header.add("FBXHeaderVersion", 1003);
        header.add("FBXVersion", 7400);
        header.add("EncryptionType", 0);
        Node& stamp = header.add("CreationTimeStamp");
        stamp.add("Version", 1000);
        for (const char* part : {"Year", "Month", "Day", "Hour", "Minute", "Second", "Millisecond"})
            stamp.add(part, part[0] == 'Y' ? 1970 : part == std::string_view("Month") || part[0] == 'D' ? 1 : 0);
        header.add("Creator", "Tendon");
        return header;
    }

    [[nodiscard]] Node settings(FrameRate fps, std::int64_t first, std::int64_t last) const
    {
        Node settings("GlobalSettings");
        settings.add("Version", 1000);
        Properties(settings)
            .integer("UpAxis", 1)
            .integer("UpAxisSign", 1)
            .integer("FrontAxis", 2)
            .integer("FrontAxisSign", 1)
            .integer("CoordAxis", 0)
            .integer("CoordAxisSign", 1)
            .integer("OriginalUpAxis", 1)
            .integer("OriginalUpAxisSign", 1)
            .number("UnitScaleFactor", 100 * m_options.metresPerUnit) // centimetres in a unit
            .number("OriginalUnitScaleFactor", 100 * m_options.metresPerUnit)
            .choice("TimeMode", timeModeOf(fps))
            .time("TimeSpanStart", first)
            .time("TimeSpanStop", last)
            .number("CustomFrameRate", timeModeOf(fps) == kCustomTimeMode ? fps.perSecond() : -1);
        return settings;
    }

    [[nodiscard]] Node documents(const std::vector<BakedClip>& clips) const
    {
        Node documents("Documents");
        documents.add("Count", 1);
        Node& document = documents.add("Document").id(999'999).text("Scene").text("Scene");
        if (!clips.empty()) Properties(document).text("ActiveAnimStackName", clips.front().name);
        document.add("RootNode").id(0);
        return documents;
    }

    [[nodiscard]] Node definitions() const
    {
        Node definitions("Definitions");
        definitions.add("Version", 100);
        std::int32_t total = 1;
        for (const auto& [kind, count] : m_objects.counts()) total += count;
        definitions.add("Count", total);
        definitions.add("ObjectType").text("GlobalSettings").add("Count", 1);
        for (const auto& [kind, count] : m_objects.counts())
            definitions.add("ObjectType").text(kind).add("Count", count);
        return definitions;
    }

    [[nodiscard]] Node takes(const std::vector<BakedClip>& clips) const
    {
        Node takes("Takes");
        takes.add("Current", clips.empty() ? std::string_view() : std::string_view(clips.front().name));
        for (const BakedClip& clip : clips) {
            if (clip.times.empty()) continue;
            const std::int64_t first = ticksOf(clip.times.front().seconds()),
                               last = ticksOf(clip.times.back().seconds());
            Node& take = takes.add("Take").text(clip.name);
            take.add("FileName", clip.name + ".tak");
            take.add("LocalTime").id(first).id(last);
            take.add("ReferenceTime").id(first).id(last);
        }
        return takes;
    }

    [[nodiscard]] std::vector<Node> topLevel(const std::vector<BakedClip>& clips) const
    {
        // File id and creation time are a fixed pair that belongs to the footer's id.
        static constexpr std::uint8_t kFileId[] = {0x28, 0xb3, 0x2a, 0xeb, 0xb6, 0x24, 0xcc, 0xc2,
                                                   0xbf, 0xc8, 0xb0, 0x2a, 0xa9, 0x2b, 0xfc, 0xf1};
        std::int64_t first = 0, last = 0;
        FrameRate fps = m_scene.fps;
        if (!clips.empty() && !clips[0].times.empty()) {
            first = ticksOf(clips[0].times.front().seconds());
            last = ticksOf(clips[0].times.back().seconds());
            fps = clips[0].fps;
        }
        std::vector<Node> nodes{header()};
        nodes.emplace_back("FileId").raw(kFileId);
        nodes.emplace_back("CreationTime").text("1970-01-01 10:00:00:000");
        nodes.emplace_back("Creator").text("Tendon");
        nodes.push_back(settings(fps, first, last));
        nodes.push_back(documents(clips));
        nodes.emplace_back("References");
        nodes.push_back(definitions());
        nodes.push_back(m_objects.objects());
        nodes.push_back(m_objects.connections());
        nodes.push_back(takes(clips));
        return nodes;
    }

    const Scene& m_scene;
    FbxOptions m_options;
    Issues m_issues;
    Objects m_objects;
    std::vector<std::int64_t> m_materials;
    std::int64_t m_armature = 0, m_plain = 0;
    std::set<std::string> m_names; ///< of nodes
    std::map<JointId, std::string> m_nameOf;
    std::map<JointId, std::int64_t> m_modelOf;
    std::map<JointId, Affine> m_restWorld;
    std::map<JointId, Vector3> m_gaps;
    std::map<JointId, std::size_t> m_placeInPose;
    std::map<std::size_t, const Joint*> m_jointAt;                    ///< place in the bind pose, parents first
    std::map<std::size_t, std::vector<std::int64_t>> m_morphChannels; ///< by mesh
    std::set<JointId> m_isBound;                                      ///< their bind pose is known from a skin
    std::vector<std::pair<std::int64_t, Affine>> m_bindPose;
};

} // namespace

Result<WrittenFbx> writeFbx(const Scene& scene, const std::vector<BakedClip>& clips, const FbxOptions& options)
{
    return FbxBuilder(scene, options).write(clips);
}

} // namespace tendon
