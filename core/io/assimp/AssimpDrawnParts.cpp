#include "core/io/assimp/AssimpDrawnParts.h"

#include <assimp/DefaultLogger.hpp>
#include <assimp/GltfMaterial.h>
#include <assimp/Importer.hpp>
#include <assimp/material.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <cstdlib>
#include <cstring>
#include <exception>
#include <optional>

namespace tendon::assimp {
namespace {

Eigen::Vector3f vector(const aiVector3D& v) { return {v.x, v.y, v.z}; }

Mesh convert(const aiMesh& from)
{
    Mesh mesh;
    mesh.name = from.mName.C_Str();
    mesh.material = static_cast<std::int32_t>(from.mMaterialIndex);
    for (unsigned v = 0; v < from.mNumVertices; ++v) {
        mesh.positions.push_back(vector(from.mVertices[v]));
        if (from.HasNormals()) mesh.normals.push_back(vector(from.mNormals[v]));
        // Assimp turns v upward; here it grows downward as in glTF.
        if (from.HasTextureCoords(0))
            mesh.textureCoordinates.push_back({from.mTextureCoords[0][v].x, 1 - from.mTextureCoords[0][v].y});
        if (from.HasVertexColors(0)) {
            const aiColor4D& c = from.mColors[0][v];
            mesh.colours.push_back({c.r, c.g, c.b, c.a});
        }
    }
    mesh.indices.reserve(std::size_t{from.mNumFaces} * 3);
    for (unsigned f = 0; f < from.mNumFaces; ++f)
        if (from.mFaces[f].mNumIndices == 3)
            mesh.indices.insert(mesh.indices.end(), from.mFaces[f].mIndices, from.mFaces[f].mIndices + 3);
    return mesh;
}

/// Assimp keeps the whole shape of a morph target; here it is what the shape adds.
MorphTarget convert(const aiAnimMesh& target, const Mesh& mesh)
{
    MorphTarget morph;
    morph.name = target.mName.C_Str();
    morph.positionDeltas.assign(mesh.positions.size(), Eigen::Vector3f::Zero());
    if (target.mNumVertices != mesh.positions.size()) return morph;
    for (unsigned v = 0; v < target.mNumVertices && target.mVertices != nullptr; ++v)
        morph.positionDeltas[v] = vector(target.mVertices[v]) - mesh.positions[v];
    for (unsigned v = 0; v < target.mNumVertices && target.mNormals != nullptr && !mesh.normals.empty(); ++v)
        morph.normalDeltas.push_back(vector(target.mNormals[v]) - mesh.normals[v]);
    return morph;
}

/// "*3" -> 3: the embedded texture that a material names.
std::int32_t textureOf(const aiMaterial& material, const aiScene& scene, aiTextureType type, unsigned slot = 0)
{
    aiString path;
    if (material.Get(AI_MATKEY_TEXTURE(type, slot), path) != aiReturn_SUCCESS || path.length < 2 || path.data[0] != '*')
        return -1;
    const long index = std::strtol(path.data + 1, nullptr, 10);
    return index >= 0 && index < static_cast<long>(scene.mNumTextures) ? static_cast<std::int32_t>(index) : -1;
}

Material convert(const aiMaterial& from, const aiScene& scene)
{
    Material material;
    if (aiString name; from.Get(AI_MATKEY_NAME, name) == aiReturn_SUCCESS) material.name = name.C_Str();
    aiColor4D colour;
    if (from.Get(AI_MATKEY_BASE_COLOR, colour) == aiReturn_SUCCESS ||
        from.Get(AI_MATKEY_COLOR_DIFFUSE, colour) == aiReturn_SUCCESS)
        material.baseColour = {colour.r, colour.g, colour.b, colour.a};
    if (aiColor3D emissive; from.Get(AI_MATKEY_COLOR_EMISSIVE, emissive) == aiReturn_SUCCESS)
        material.emissive = {emissive.r, emissive.g, emissive.b};
    static_cast<void>(from.Get(AI_MATKEY_METALLIC_FACTOR, material.metallic));
    static_cast<void>(from.Get(AI_MATKEY_ROUGHNESS_FACTOR, material.roughness));
    int isTwoSided = 0;
    if (bool two = false; from.Get(AI_MATKEY_TWOSIDED, two) == aiReturn_SUCCESS) isTwoSided = two;
    material.isDoubleSided = isTwoSided != 0;
    if (aiString mode; from.Get(AI_MATKEY_GLTF_ALPHAMODE, mode) == aiReturn_SUCCESS)
        material.isTransparent = std::strcmp(mode.C_Str(), "BLEND") == 0;

    material.baseColourTexture = textureOf(from, scene, aiTextureType_BASE_COLOR);
    if (material.baseColourTexture < 0) material.baseColourTexture = textureOf(from, scene, aiTextureType_DIFFUSE);
    material.normalTexture = textureOf(from, scene, aiTextureType_NORMALS);
    material.metallicRoughnessTexture =
        textureOf(from, scene, AI_MATKEY_GLTF_PBRMETALLICROUGHNESS_METALLICROUGHNESS_TEXTURE);
    material.emissiveTexture = textureOf(from, scene, aiTextureType_EMISSIVE);
    return material;
}

Texture convert(const aiTexture& from)
{
    Texture texture;
    texture.name = from.mFilename.C_Str();
    if (from.mHeight != 0) return texture; // decoded pixels: none of the formats read so far have them
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(from.pcData);
    texture.encoded.assign(bytes, bytes + from.mWidth);
    const std::string hint = from.achFormatHint;
    texture.mimeType = "image/" + (hint == "jpg" ? "jpeg" : hint);
    return texture;
}

} // namespace

Result<DrawnParts> readDrawnParts(std::span<const std::uint8_t> file, const char* suffix)
{
    try {
        Assimp::Importer importer;
        importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_PRESERVE_PIVOTS, false);
        const aiScene* scene = importer.ReadFileFromMemory(file.data(), file.size(), aiProcess_Triangulate, suffix);
        if (scene == nullptr)
            return Error{ErrorCode::InvalidArgument,
                         std::string("its meshes cannot be read: ") + importer.GetErrorString(), ""};
        DrawnParts parts;
        for (unsigned m = 0; m < scene->mNumMeshes; ++m) {
            const aiMesh& from = *scene->mMeshes[m];
            Mesh mesh = convert(from);
            for (unsigned t = 0; t < from.mNumAnimMeshes; ++t)
                mesh.morphTargets.push_back(convert(*from.mAnimMeshes[t], mesh));
            parts.meshes.push_back(std::move(mesh));
        }
        for (unsigned m = 0; m < scene->mNumMaterials; ++m)
            parts.materials.push_back(convert(*scene->mMaterials[m], *scene));
        for (unsigned t = 0; t < scene->mNumTextures; ++t) parts.textures.push_back(convert(*scene->mTextures[t]));
        return parts;
    } catch (const std::exception& exception) {
        return Error{ErrorCode::InvalidArgument, std::string("its meshes cannot be read: ") + exception.what(), ""};
    }
}

} // namespace tendon::assimp
