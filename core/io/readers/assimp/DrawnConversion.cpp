#include "core/io/readers/assimp/DrawnConversion.h"

#include <assimp/GltfMaterial.h>
#include <assimp/material.h>
#include <assimp/mesh.h>
#include <assimp/texture.h>

namespace tendon::assimp {
namespace {

Eigen::Vector3f vector(const aiVector3D& v) { return {v.x, v.y, v.z}; }

/// Assimp keeps the whole shape of a morph target; here it is what the shape adds.
MorphTarget morphOf(const aiAnimMesh& target, const Mesh& mesh)
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

} // namespace

Mesh convert(const aiMesh& from)
{
    Mesh mesh;
    mesh.name = from.mName.C_Str();
    mesh.material = static_cast<std::int32_t>(from.mMaterialIndex);
    mesh.hasMoreTextureCoordinates = from.HasTextureCoords(1);
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
    for (unsigned t = 0; t < from.mNumAnimMeshes; ++t) mesh.morphTargets.push_back(morphOf(*from.mAnimMeshes[t], mesh));
    return mesh;
}

Material convert(const aiMaterial& from, const TextureIndex& textureAt)
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
    if (aiString mode; from.Get(AI_MATKEY_GLTF_ALPHAMODE, mode) == aiReturn_SUCCESS) {
        material.isTransparent = std::strcmp(mode.C_Str(), "BLEND") == 0;
        material.isCutOut = std::strcmp(mode.C_Str(), "MASK") == 0;
        static_cast<void>(from.Get(AI_MATKEY_GLTF_ALPHACUTOFF, material.alphaCutoff));
    } else if (float opacity = 1;
               from.Get(AI_MATKEY_OPACITY, opacity) == aiReturn_SUCCESS && opacity > 0 && opacity < 1) {
        material.isTransparent = true; // 0 is what programs write that mean nothing by it
        material.baseColour[3] = opacity;
    }

    const auto textureOf = [&](aiTextureType type, unsigned slot = 0) -> std::int32_t {
        aiString path;
        if (from.Get(AI_MATKEY_TEXTURE(type, slot), path) != aiReturn_SUCCESS || path.length == 0) return -1;
        return textureAt(path.C_Str());
    };
    material.baseColourTexture = textureOf(aiTextureType_BASE_COLOR);
    if (material.baseColourTexture < 0) material.baseColourTexture = textureOf(aiTextureType_DIFFUSE);
    material.normalTexture = textureOf(aiTextureType_NORMALS);
    material.metallicRoughnessTexture = textureOf(AI_MATKEY_GLTF_PBRMETALLICROUGHNESS_METALLICROUGHNESS_TEXTURE);
    material.emissiveTexture = textureOf(aiTextureType_EMISSIVE);
    // glTF's occlusion comes as a light map, that of Maya's and 3ds Max's physical materials as what it is.
    material.occlusionTexture = textureOf(aiTextureType_AMBIENT_OCCLUSION);
    if (material.occlusionTexture < 0) material.occlusionTexture = textureOf(aiTextureType_LIGHTMAP);
    static_cast<void>(from.Get(AI_MATKEY_GLTF_TEXTURE_SCALE(aiTextureType_NORMALS, 0), material.normalScale));
    static_cast<void>(from.Get(AI_MATKEY_GLTF_TEXTURE_STRENGTH(aiTextureType_LIGHTMAP, 0), material.occlusionStrength));
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

} // namespace tendon::assimp
