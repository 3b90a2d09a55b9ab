#include "core/io/export/gltf/GltfGeometry.h"

#include "core/io/export/prepare/Influences.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <limits>

namespace tendon::gltf {

namespace {

/// Vectors of `N` floats one after the other.
template <typename Vector>
std::span<const float> flat(const std::vector<Vector>& vectors)
{
    static_assert(sizeof(Vector) == Vector::SizeAtCompileTime * sizeof(float));
    return {reinterpret_cast<const float*>(vectors.data()), vectors.size() * Vector::SizeAtCompileTime};
}

template <typename Vector>
std::size_t addAttribute(DataWriter& data, const std::vector<Vector>& values, const char* type, bool withRange = false)
{
    data.beginView(DataWriter::Use::Vertices);
    const std::size_t accessor = data.addFloats(flat(values), type, withRange);
    data.endView();
    return accessor;
}

/// Unit normals; one that vanishes points up, since a zero normal is not valid.
std::vector<Eigen::Vector3f> unitNormals(const std::vector<Eigen::Vector3f>& normals)
{
    std::vector<Eigen::Vector3f> result;
    result.reserve(normals.size());
    for (const Eigen::Vector3f& normal : normals) {
        const Eigen::Vector3d n = normal.cast<double>();
        result.push_back(n.norm() > 1e-12 ? Eigen::Vector3f(n.normalized().cast<float>())
                                          : Eigen::Vector3f(Eigen::Vector3f::UnitY()));
    }
    return result;
}

std::size_t addIndices(DataWriter& data, const Mesh& mesh)
{
    data.beginView(DataWriter::Use::Indices);
    std::size_t accessor = 0;
    if (mesh.positions.size() < std::numeric_limits<std::uint16_t>::max()) {
        std::vector<std::uint16_t> narrow;
        narrow.reserve(mesh.indices.size());
        for (const std::uint32_t index : mesh.indices) narrow.push_back(static_cast<std::uint16_t>(index));
        accessor = data.addShorts(narrow, "SCALAR");
    } else {
        accessor = data.addInts(mesh.indices, "SCALAR");
    }
    data.endView();
    return accessor;
}

/// JOINTS_n and WEIGHTS_n for n below maxInfluences / 4.
void addSkinning(DataWriter& data, const Mesh& mesh, const SkinningOptions& options, Json& attributes)
{
    const std::size_t count = mesh.positions.size(), sets = options.maxInfluences > 4 ? 2 : 1;
    std::vector<std::vector<std::uint16_t>> joints(sets, std::vector<std::uint16_t>(4 * count, 0));
    std::vector<std::vector<float>> weights(sets, std::vector<float>(4 * count, 0));
    for (std::size_t v = 0; v < count; ++v) {
        const std::vector<Influence> influences = influencesOf(mesh.skin, v, 4 * sets);
        float rest = 1; // the first weight takes what rounding leaves over
        for (std::size_t i = influences.size(); i-- > 0;) {
            const auto weight = i == 0 ? rest : static_cast<float>(influences[i].weight);
            rest -= weight;
            if (weight <= 0) continue;
            joints[i / 4][4 * v + i % 4] = influences[i].joint;
            weights[i / 4][4 * v + i % 4] = weight;
        }
    }
    for (std::size_t set = 0; set < sets; ++set) {
        data.beginView(DataWriter::Use::Vertices);
        if (mesh.skin.joints.size() <= 256) {
            const Bytes narrow(joints[set].begin(), joints[set].end());
            attributes["JOINTS_" + std::to_string(set)] = data.addBytes(narrow, "VEC4");
        } else {
            attributes["JOINTS_" + std::to_string(set)] = data.addShorts(joints[set], "VEC4");
        }
        data.endView();
        data.beginView(DataWriter::Use::Vertices);
        attributes["WEIGHTS_" + std::to_string(set)] = data.addFloats(weights[set], "VEC4", false);
        data.endView();
    }
}

/// Index of the texture in `json`, or -1 when its image is of a format that glTF cannot hold.
int writeTexture(Json& json, DataWriter& data, const Texture& texture, Issues& issues)
{
    if (texture.mimeType != "image/png" && texture.mimeType != "image/jpeg") {
        issues.push_back({.severity = Severity::Warning,
                          .text = "the image is " +
                                  (texture.mimeType.empty() ? "of an unknown format" : texture.mimeType) +
                                  " and was left out; convert it to PNG or JPEG",
                          .where = "texture " + texture.name});
        return -1;
    }
    Json image{{"bufferView", data.addBlob(texture.encoded)}, {"mimeType", texture.mimeType}};
    if (!texture.name.empty()) image["name"] = texture.name;
    Json& images = editArray(json, "images");
    images.push_back(std::move(image));
    Json& textures = editArray(json, "textures");
    textures.push_back({{"source", images.size() - 1}});
    return static_cast<int>(textures.size()) - 1;
}

std::vector<double> clampedColour(std::span<const float> colour)
{
    std::vector<double> result;
    for (const float c : colour) result.push_back(std::clamp(static_cast<double>(c), 0.0, 1.0));
    return result;
}

Json materialJson(const Material& material, const std::vector<int>& textureIndex)
{
    const auto texture = [&](std::int32_t index) {
        return index >= 0 && static_cast<std::size_t>(index) < textureIndex.size()
                   ? textureIndex[static_cast<std::size_t>(index)]
                   : -1;
    };
    Json surface{{"baseColorFactor", clampedColour({material.baseColour.data(), 4})}};
    if (const int t = texture(material.baseColourTexture); t >= 0) surface["baseColorTexture"] = {{"index", t}};
    surface["metallicFactor"] = std::clamp(static_cast<double>(material.metallic), 0.0, 1.0);
    surface["roughnessFactor"] = std::clamp(static_cast<double>(material.roughness), 0.0, 1.0);
    if (const int t = texture(material.metallicRoughnessTexture); t >= 0)
        surface["metallicRoughnessTexture"] = {{"index", t}};

    Json json = Json::object();
    if (!material.name.empty()) json["name"] = material.name;
    json["pbrMetallicRoughness"] = std::move(surface);
    if (const int t = texture(material.normalTexture); t >= 0) {
        json["normalTexture"] = {{"index", t}};
        if (material.normalScale != 1) json["normalTexture"]["scale"] = material.normalScale;
    }
    if (const int t = texture(material.occlusionTexture); t >= 0) {
        json["occlusionTexture"] = {{"index", t}};
        if (material.occlusionStrength != 1)
            json["occlusionTexture"]["strength"] = std::clamp(static_cast<double>(material.occlusionStrength), 0.0,
                                                              1.0);
    }
    if (const int t = texture(material.emissiveTexture); t >= 0) json["emissiveTexture"] = {{"index", t}};
    if (!material.emissive.isZero()) json["emissiveFactor"] = clampedColour({material.emissive.data(), 3});
    if (material.isTransparent)
        json["alphaMode"] = "BLEND";
    else if (material.isCutOut) {
        json["alphaMode"] = "MASK";
        if (material.alphaCutoff != 0.5f)
            json["alphaCutoff"] = std::max(static_cast<double>(material.alphaCutoff), 0.0);
    }
    if (material.isDoubleSided) json["doubleSided"] = true;
    return json;
}

} // namespace

Json writePrimitive(DataWriter& data, const Mesh& mesh, const SkinningOptions& options)
{
    const std::size_t count = mesh.positions.size();
    Json attributes{{"POSITION", addAttribute(data, mesh.positions, "VEC3", true)}};
    if (mesh.normals.size() == count) attributes["NORMAL"] = addAttribute(data, unitNormals(mesh.normals), "VEC3");
    if (mesh.textureCoordinates.size() == count)
        attributes["TEXCOORD_0"] = addAttribute(data, mesh.textureCoordinates, "VEC2");
    if (mesh.colours.size() == count) attributes["COLOR_0"] = addAttribute(data, mesh.colours, "VEC4");
    if (!mesh.skin.isRigid()) addSkinning(data, mesh, options, attributes);

    Json primitive{{"attributes", std::move(attributes)}};
    if (!mesh.indices.empty()) primitive["indices"] = addIndices(data, mesh);
    for (const MorphTarget& target : mesh.morphTargets) {
        Json deltas{{"POSITION", addAttribute(data, target.positionDeltas, "VEC3", true)}};
        if (target.normalDeltas.size() == count) deltas["NORMAL"] = addAttribute(data, target.normalDeltas, "VEC3");
        editArray(primitive, "targets").push_back(std::move(deltas));
    }
    return primitive;
}

void writeMaterials(Json& json, DataWriter& data, const ModelAsset& model, Issues& issues)
{
    std::vector<int> textureIndex;
    for (const Texture& texture : model.textures) textureIndex.push_back(writeTexture(json, data, texture, issues));
    for (const Material& material : model.materials)
        editArray(json, "materials").push_back(materialJson(material, textureIndex));
}

} // namespace tendon::gltf
