#include "core/io/readers/assimp/AssimpDrawnParts.h"

#include "core/io/readers/assimp/DrawnConversion.h"

#include <assimp/Importer.hpp>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <charconv>
#include <exception>
#include <string_view>

namespace tendon::assimp {
namespace {

/// "3" -> 3, the number that an image's URI is; -1 for anything else.
std::int32_t textureNumber(std::string_view uri)
{
    std::int32_t number = -1;
    const auto parsed = std::from_chars(uri.data(), uri.data() + uri.size(), number);
    return parsed.ec == std::errc() && parsed.ptr == uri.data() + uri.size() ? number : -1;
}

} // namespace

Result<DrawnParts> readDrawnParts(std::span<const std::uint8_t> glb)
{
    try {
        Assimp::Importer importer;
        const aiScene* scene = importer.ReadFileFromMemory(glb.data(), glb.size(), aiProcess_Triangulate, "glb");
        if (scene == nullptr) {
            const std::string reason = importer.GetErrorString();
            if (reason.find("bad_alloc") != std::string::npos) throw std::bad_alloc(); // Assimp hands on its name
            return Error{ErrorCode::InvalidArgument, "cannot read the meshes: " + reason, ""};
        }
        DrawnParts parts;
        for (unsigned m = 0; m < scene->mNumMeshes; ++m) parts.meshes.push_back(convert(*scene->mMeshes[m]));
        for (unsigned m = 0; m < scene->mNumMaterials; ++m)
            parts.materials.push_back(convert(*scene->mMaterials[m], textureNumber));
        return parts;
    } catch (const std::bad_alloc&) {
        throw; // the import child's own line is better
    } catch (const std::exception& exception) {
        return Error{ErrorCode::InvalidArgument, std::string("cannot read the meshes: ") + exception.what(), ""};
    }
}

} // namespace tendon::assimp
