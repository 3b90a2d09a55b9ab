#include "core/io/readers/assimp/AssimpModel.h"

#include "core/io/formats/PictureType.h"
#include "core/io/readers/assimp/AssertHandler.h"
#include "core/io/readers/assimp/BvhText.h"
#include "core/io/readers/assimp/ColladaText.h"
#include "core/io/readers/assimp/DrawnConversion.h"
#include "core/io/readers/assimp/FbxStructure.h"
#include "core/io/readers/assimp/FolderSystem.h"
#include "core/io/readers/assimp/SceneNodes.h"

#include <assimp/Importer.hpp>
#include <assimp/config.h>
#include <assimp/postprocess.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <exception>
#include <map>
#include <set>

namespace tendon::assimp {
namespace {

/// Assimp computes with floats: scales that differ by less than this are meant to be one.
constexpr double kScaleNoise = 3e-6;

void snapScale(Vector3& scale)
{
    const double mean = scale.mean();
    if ((scale.array() - mean).abs().maxCoeff() > kScaleNoise * std::abs(mean)) return;
    scale.setConstant(std::abs(mean - 1) <= kScaleNoise ? 1 : mean);
}

Result<void> readNodes(const SceneNodes& nodes, SourceModel& model)
{
    if (nodes.all().size() > limits::kNodes)
        return Error{ErrorCode::LimitExceeded, "it has more nodes than are supported", ""};
    for (std::size_t n = 0; n < nodes.all().size(); ++n) {
        const Affine local = affineOf(nodes.all()[n]->mTransformation);
        const std::string name = nodes.all()[n]->mName.C_Str();
        if (!local.matrix().allFinite())
            return Error{ErrorCode::InvalidArgument, "corrupt file: the transform is not finite", "node " + name};
        SourceNode node;
        node.name = name;
        node.parent = nodes.parentOf(n);
        node.local = decompose(local);
        snapScale(node.local.scale);
        if (!node.local.rotation.coeffs().allFinite() || std::abs(node.local.rotation.norm() - 1) > 1e-6)
            node.local.rotation = Quaternion::Identity(); // flattened to nothing: no rotation is left to be read
        model.nodes.push_back(std::move(node));
    }
    return {};
}

/// Pictures: those inside the file first, then those beside it as materials name them.
class Textures
{
public:
    Textures(const aiScene& scene, const ModelFile& file, SourceModel& model)
        : m_scene(scene), m_file(file), m_model(model)
    {
        for (unsigned t = 0; t < scene.mNumTextures; ++t)
            m_embedded.push_back(add(convert(*scene.mTextures[t]), "picture " + std::to_string(t)));
    }

    std::int32_t indexOf(const char* path)
    {
        const auto embedded = m_scene.GetEmbeddedTextureAndIndex(path);
        if (embedded.first != nullptr) return m_embedded[static_cast<std::size_t>(embedded.second)];
        const auto [entry, isNew] = m_files.try_emplace(path, -1);
        if (isNew) entry->second = load(path);
        return entry->second;
    }

private:
    std::int32_t add(Texture texture, const std::string& called)
    {
        texture.mimeType = pictureTypeOf(texture.encoded);
        if (texture.mimeType != "image/png" && texture.mimeType != "image/jpeg") {
            m_model.issues.push_back({Severity::Warning, "is not a PNG or JPEG file; it was left out",
                                      "texture " + (texture.name.empty() ? called : texture.name)});
            return -1;
        }
        m_model.textures.push_back(std::move(texture));
        return static_cast<std::int32_t>(m_model.textures.size() - 1);
    }

    /// Files name pictures by paths of the machine they were made on: the path as it stands, then its last part alone.
    std::int32_t load(std::string path)
    {
        std::replace(path.begin(), path.end(), '\\', '/');
        auto bytes = m_file.beside(path);
        const std::string last = path.substr(path.rfind('/') + 1);
        if (!bytes && last != path) bytes = m_file.beside(last);
        if (!bytes) {
            m_model.issues.push_back({Severity::Warning, "the image file is not beside the model", "texture " + last});
            return -1;
        }
        return add({last, {}, std::move(*bytes)}, last);
    }

    const aiScene& m_scene;
    const ModelFile& m_file;
    SourceModel& m_model;
    std::vector<std::int32_t> m_embedded; ///< index in the model, -1 = of no use
    std::map<std::string, std::int32_t> m_files;
};

void readMaterials(const aiScene& scene, const ModelFile& file, SourceModel& model)
{
    Textures textures(scene, file, model);
    for (unsigned m = 0; m < scene.mNumMaterials; ++m)
        model.materials.push_back(
            convert(*scene.mMaterials[m], [&](const char* path) { return textures.indexOf(path); }));
}

/// Assimp multiplies COLLADA's unit into the root node; here it is taken out again and told apart.
void readColladaUnits(std::span<const std::uint8_t> bytes, SourceModel& model)
{
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    const std::string_view meter = attribute(text, "unit", "meter");
    double unit = 0;
    const auto [end, error] = std::from_chars(meter.data(), meter.data() + meter.size(), unit);
    if (error == std::errc() && std::isfinite(unit) && unit > 0) {
        model.metresPerUnit = unit;
        for (SourceNode& node : model.nodes) {
            if (node.parent >= 0) continue;
            node.local.scale /= unit;
            node.local.translation /= unit;
            snapScale(node.local.scale);
        }
    }
    const std::size_t up = text.find("<up_axis>");
    const char axis = up == std::string_view::npos || up + 9 >= text.size() ? 'Y' : text[up + 9];
    model.upAxis = axis == 'Z' ? 2 : axis == 'X' ? 0 : 1;
}

/// Collada says of a node that it is a joint, which Assimp does not hand on: roots that bind nothing are joints too.
void addColladaJoints(std::span<const std::uint8_t> bytes, const SceneNodes& nodes, SourceModel& model)
{
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    std::set<std::int32_t> joints(model.skinJoints.begin(), model.skinJoints.end());
    for (std::size_t at = text.find("<node "); at != text.npos; at = text.find("<node ", at + 1)) {
        const std::string_view tag = text.substr(at, text.find('>', at) - at);
        if (tag.size() > 4096 || tag.find("type=\"JOINT\"") == tag.npos) continue;
        for (const char* key : {"name", "id"}) { // Assimp's name is the one, or the other
            const std::int32_t node = nodes.find(aiString(std::string(attribute(tag, "node", key))));
            if (node < 0) continue;
            if (joints.insert(node).second) model.skinJoints.push_back(node);
            break;
        }
    }
}

void readFbxUnits(const aiScene& scene, SourceModel& model)
{
    if (scene.mMetaData == nullptr) return;
    double centimetres = 1;
    if (float single = 1; scene.mMetaData->Get("UnitScaleFactor", single)) centimetres = static_cast<double>(single);
    static_cast<void>(scene.mMetaData->Get("UnitScaleFactor", centimetres));
    if (std::isfinite(centimetres) && centimetres > 0) model.metresPerUnit = centimetres / 100;
    int upAxis = 1;
    if (scene.mMetaData->Get("UpAxis", upAxis) && upAxis >= 0 && upAxis <= 2) model.upAxis = upAxis;
}

/// FBX tells limbs from nulls; limbs that neither bind vertices nor move are joints all the same.
bool isLimb(const aiScene& scene, const aiNode& node)
{
    bool isNull = true;
    if (node.mMetaData == nullptr || !node.mMetaData->Get("IsNull", isNull) || isNull) return false;
    for (unsigned c = 0; c < scene.mNumCameras; ++c)
        if (scene.mCameras[c]->mName == node.mName) return false;
    for (unsigned l = 0; l < scene.mNumLights; ++l)
        if (scene.mLights[l]->mName == node.mName) return false;
    return true;
}

/// False for the root that Assimp puts above a file's nodes.
bool isRootOfFile(const SceneNodes& nodes, const SourceModel& model)
{
    const LocalTransform& local = model.nodes[0].local;
    return model.format == "bvh" || nodes.all()[0]->mNumMeshes > 0 || nodes.all()[0]->mNumChildren == 0 ||
           !(local == LocalTransform{});
}

/// Finger tips and the ends of toes and heads neither bind vertices nor move of themselves, yet they are where handles
/// want to be: what lies below a joint and holds no mesh, camera or light is a joint too.
void addUnboundJoints(const aiScene& scene, const SceneNodes& nodes, SourceModel& model)
{
    const std::size_t count = nodes.all().size(); // the leaves that FbxStructure adds behind them are joints already
    std::vector<char> isJoint(model.nodes.size(), 0), isFilled(model.nodes.size(), 0);
    for (const std::int32_t joint : model.skinJoints) isJoint[static_cast<std::size_t>(joint)] = 1;
    const std::vector<char> isBound = isJoint;
    for (const SourceAnimation& animation : model.animations)
        for (const SourceChannel& channel : animation.channels) isJoint[static_cast<std::size_t>(channel.node)] = 1;
    for (const SourceCamera& camera : model.cameras) isFilled[static_cast<std::size_t>(camera.node)] = 1;
    for (const SourceLight& light : model.lights) isFilled[static_cast<std::size_t>(light.node)] = 1;
    for (std::size_t n = count; n-- > 0;) { // children stand behind their parents
        if (nodes.all()[n]->mNumMeshes > 0) isFilled[n] = 1;
        if (const std::int32_t parent = nodes.parentOf(n); isFilled[n] && parent >= 0)
            isFilled[static_cast<std::size_t>(parent)] = 1;
    }
    for (std::size_t n = 0; n < count; ++n) {
        const std::int32_t parent = nodes.parentOf(n);
        if (isBound[n] || parent < 0) continue;
        const bool isEnd = !isJoint[n] && isJoint[static_cast<std::size_t>(parent)] && !isFilled[n];
        if (!isEnd && (nodes.all()[n]->mNumMeshes > 0 || !isLimb(scene, *nodes.all()[n]))) continue;
        isJoint[n] = 1;
        model.skinJoints.push_back(static_cast<std::int32_t>(n));
    }
}

Result<SourceModel> convertScene(const aiScene& scene, const ModelFile& file)
{
    SourceModel model;
    model.format = file.format;
    const SceneNodes nodes(scene);
    if (const auto read = readNodes(nodes, model); !read) return read.error();
    if (const auto read = readMeshes(scene, nodes, model); !read) return read.error();
    bool hasBones = false;
    const bool isRead = file.format == "fbx" && readFbxStructure(file.bytes, nodes, model, hasBones);
    if (const auto read = isRead ? Result<void>() : readAnimations(scene, nodes, model); !read) return read.error();
    if (!isRead) readCamerasAndLights(scene, nodes, model);
    if (file.format == "fbx" && !isRead && !model.animations.empty())
        model.issues.push_back(
            {Severity::Info, "curves are read at their keys; between keys the motion is linear", ""});
    readMaterials(scene, file, model);
    for (SourceMesh& mesh : model.meshes)
        if (mesh.mesh.material >= static_cast<std::int32_t>(model.materials.size())) mesh.mesh.material = -1;
    if (file.format == "fbx") {
        readFbxUnits(scene, model);
    } else if (file.format == "dae") {
        readColladaUnits(file.bytes, model);
        addColladaJoints(file.bytes, nodes, model);
        readColladaOptics(file.bytes, model);
    } else {
        model.isUnitStated = false;
    }
    if (hasBones || !model.skinJoints.empty()) addUnboundJoints(scene, nodes, model);
    model.nodes[0].isInScene = isRootOfFile(nodes, model);
    if (model.meshes.empty() && model.skinJoints.empty() && model.animations.empty() && model.nodes.size() < 2)
        return Error{ErrorCode::InvalidArgument, "the file has no skeleton and no mesh", ""};
    return model;
}

} // namespace

Affine affineOf(const aiMatrix4x4& m)
{
    const double w = m.d4 == 0 ? 1 : static_cast<double>(m.d4);
    Affine affine = Affine::Identity();
    affine.matrix().topRows<3>() << m.a1, m.a2, m.a3, m.a4, m.b1, m.b2, m.b3, m.b4, m.c1, m.c2, m.c3, m.c4;
    affine.matrix().topRows<3>() /= w;
    return affine;
}

SceneNodes::SceneNodes(const aiScene& scene)
{
    std::vector<std::pair<const aiNode*, std::int32_t>> waiting{{scene.mRootNode, -1}};
    while (!waiting.empty()) {
        const auto [node, parent] = waiting.back();
        waiting.pop_back();
        const auto index = static_cast<std::int32_t>(m_nodes.size());
        m_nodes.push_back(node);
        m_parents.push_back(parent);
        Named& named = m_byName[node->mName.C_Str()];
        if (named.count++ == 0) named.first = index;
        for (unsigned c = node->mNumChildren; c-- > 0;) waiting.emplace_back(node->mChildren[c], index);
    }
}

std::int32_t SceneNodes::find(const aiString& name) const
{
    const auto found = m_byName.find(name.C_Str());
    return found == m_byName.end() ? -1 : found->second.first;
}

bool SceneNodes::isShared(const aiString& name) const
{
    const auto found = m_byName.find(name.C_Str());
    return found != m_byName.end() && found->second.count > 1;
}

Result<SourceModel> readModel(const ModelFile& file)
{
    const auto failed = [](std::string text) {
        if (text.find("bad_alloc") != std::string::npos)
            throw std::bad_alloc(); // Assimp catches it and hands on its name
        text.erase(std::find(text.begin(), text.end(), '\n'), text.end());
        if (text.find("old format version") != text.npos)
            text = "it is FBX from before 2011, which is not supported; save it as FBX 2014 or later";
        return Error{ErrorCode::InvalidArgument, "cannot read the file: " + text, ""};
    };
    try {
        Issues issues;
        const auto plain = file.format == "bvh" ? plainBvh(file.bytes, issues) : Result(std::vector<std::uint8_t>());
        if (!plain) return plain.error();
        Assimp::Importer importer;
        importer.SetIOHandler(new FolderSystem(file.name, file.format == "bvh" ? *plain : file.bytes,
                                               file.beside));                  // the importer's from here on
        importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_PRESERVE_PIVOTS, false); // true replays up to 320 % wrong
        importer.SetPropertyBool(AI_CONFIG_IMPORT_NO_SKELETON_MESHES, true);
        importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, true);
        importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_USE_COLLADA_NAMES, true); // else ids
        const aiScene* scene = importer.ReadFile(file.name, aiProcess_Triangulate);
        if (scene == nullptr || scene->mRootNode == nullptr) return failed(importer.GetErrorString());
        auto model = convertScene(*scene, file);
        if (model && file.format == "bvh") {
            restoreBlanks(*model);
            addOffsets(*model);
        }
        if (model) model->issues.insert(model->issues.end(), issues.begin(), issues.end());
        if (model && violatedAssertions() > 0)
            model->issues.push_back(
                {Severity::Warning, "Assimp met data that it does not know; parts of the model may be missing", ""});
        return model;
    } catch (const std::bad_alloc&) {
        throw; // the worker's own line says it better
    } catch (const std::exception& exception) {
        return failed(exception.what());
    }
}

} // namespace tendon::assimp
