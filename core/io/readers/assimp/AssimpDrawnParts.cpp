#include "core/io/readers/assimp/AssimpDrawnParts.h"

#include "core/io/readers/assimp/DrawnConversion.h"

#include <assimp/Importer.hpp>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <cstdlib>
#include <exception>

namespace tendon::assimp {
namespace {

/// "*3" -> 3: the embedded texture that a material names.
std::int32_t embeddedTexture(const aiScene& scene, const char* path)
{
    if (path[0] != '*') return -1;
    const long index = std::strtol(path + 1, nullptr, 10);
    return index >= 0 && index < static_cast<long>(scene.mNumTextures) ? static_cast<std::int32_t>(index) : -1;
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
        for (unsigned m = 0; m < scene->mNumMeshes; ++m) parts.meshes.push_back(convert(*scene->mMeshes[m]));
        const auto textureAt = [scene](const char* path) { return embeddedTexture(*scene, path); };
        for (unsigned m = 0; m < scene->mNumMaterials; ++m)
            parts.materials.push_back(convert(*scene->mMaterials[m], textureAt));
        for (unsigned t = 0; t < scene->mNumTextures; ++t) parts.textures.push_back(convert(*scene->mTextures[t]));
        return parts;
    } catch (const std::exception& exception) {
        return Error{ErrorCode::InvalidArgument, std::string("its meshes cannot be read: ") + exception.what(), ""};
    }
}

} // namespace tendon::assimp
