#pragma once

#include "core/base/Result.h"
#include "core/io/model/ModelFolder.h"
#include "core/io/model/SourceModel.h"

#include <functional>
#include <string_view>

namespace tendon::gltf {

/// What another reader is asked to do with a plain, self-contained .glb: its meshes (one each, same order), materials
/// and textures.
struct DrawnParts
{
    std::vector<Mesh> meshes;
    std::vector<Material> materials;
    std::vector<Texture> textures;
};
using ReadDrawnParts = std::function<Result<DrawnParts>(std::span<const std::uint8_t> glb)>;

struct ReadRequest
{
    bool wantsSelfContained = false;                ///< also make SourceModel::selfContained
    std::function<void(std::string_view)> progress; ///< told what is being read, for messages after a crash
    ReadDrawnParts readDrawnParts;
};

/// Reads a .glb or .gltf. Nodes, skins and animations come from the file's own JSON, exactly as they stand there; what
/// is drawn goes through request.readDrawnParts, which gets a cleaned copy: floats only, plain triangles, no hierarchy,
/// no skins, no animations, all bytes inside. Errors say which part of the file is wrong.
[[nodiscard]] Result<SourceModel> readModel(ModelFolder& folder, const ReadRequest& request);

} // namespace tendon::gltf
