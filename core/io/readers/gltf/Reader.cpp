#include "core/io/readers/gltf/Reader.h"

#include "core/io/readers/gltf/Parts.h"

#include <algorithm>
#include <array>

namespace tendon::gltf {
namespace {

/// Extensions without which a file still reads as the same model: how surfaces look, lights, what the patcher keeps.
bool isHarmless(std::string_view extension)
{
    static constexpr std::array<std::string_view, 10> kKnown = {"KHR_mesh_quantization",   "KHR_texture_transform",
                                                                "KHR_lights_punctual",     "KHR_draco_mesh_compression",
                                                                "EXT_meshopt_compression", "KHR_meshopt_compression",
                                                                "KHR_texture_basisu",      "EXT_texture_webp",
                                                                "KHR_xmp_json_ld",         "VRM"};
    return extension.starts_with("KHR_materials_") || extension.starts_with("VRMC_") ||
           std::find(kKnown.begin(), kKnown.end(), extension) != kKnown.end();
}

void checkRequiredExtensions(const Json& json, FirstError& problem)
{
    const auto required = json.find("extensionsRequired");
    if (required == json.end()) return;
    if (!required->is_array()) return problem.set("\"extensionsRequired\" is not an array");
    for (const Json& name : *required) {
        if (!name.is_string()) return problem.set("\"extensionsRequired\" holds a value that is not a string");
        if (!isHarmless(name.get<std::string>()))
            return problem.set(Error{ErrorCode::Unsupported,
                                     "the file requires the glTF extension " + name.get<std::string>().substr(0, 60) +
                                         ", which is not supported; save it without",
                                     ""});
    }
}

} // namespace

Result<SourceModel> readModel(ModelFolder& folder, const ReadRequest& request)
{
    const auto progress = [&](std::string_view what) {
        if (request.progress) request.progress(what);
    };
    progress("its structure");
    auto asset = loadAsset(folder);
    if (!asset) return asset.error();

    SourceModel model;
    model.format = isGlb(folder.bytes()) ? "glb" : "gltf";
    FirstError problem;
    const Fields root(asset->json(), "", problem);
    checkRequiredExtensions(asset->json(), problem);
    if (!problem) readNodes(root, model);
    if (!problem) readCamerasAndLights(root, model);
    if (!problem) readRoles(root, model);
    if (!problem &&
        std::none_of(model.nodes.begin(), model.nodes.end(), [](const SourceNode& n) { return n.isInScene; }))
        problem.set(Error{ErrorCode::InvalidArgument, "the scene has no nodes; there is nothing to import", ""});
    progress("its skins");
    std::vector<SkinTable> skins;
    if (!problem) skins = readSkins(root, *asset, model);
    progress("its animations");
    if (!problem) readAnimations(root, *asset, model);
    progress("its meshes");
    if (!problem) unpackMeshes(root, *asset);
    if (!problem) readMeshes(root, *asset, skins, folder, request.readDrawnParts, model);
    if (problem) return problem.error();
    if (request.wantsSelfContained) {
        progress("its bytes to embed them");
        auto bytes = selfContained(*asset, folder, model.issues);
        if (!bytes) return bytes.error();
        model.selfContained = std::move(*bytes);
    }
    return model;
}

} // namespace tendon::gltf
