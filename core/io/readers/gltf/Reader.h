#pragma once

#include "core/base/Result.h"
#include "core/io/model/DrawnParts.h"
#include "core/io/model/ModelFolder.h"
#include "core/io/model/SourceModel.h"

#include <functional>
#include <string_view>

namespace tendon::gltf {

/// Decodes the meshes and materials of a plain .glb, under the names they have there. Its images have no bytes; the URI
/// of an image is the number that materials shall have for that texture.
using ReadDrawnParts = std::function<Result<DrawnParts>(std::span<const std::uint8_t> glb)>;

struct ReadRequest
{
    bool wantsSelfContained = false; ///< also fill SourceModel::selfContained
    std::function<void(std::string_view)>
        progress; ///< called with the part that is read next, to name it after a crash
    ReadDrawnParts readDrawnParts;
};

/// Reads a .glb or .gltf. Nodes, skins, animations and pictures are read here, exactly as they stand in the file;
/// meshes and materials are checked here and decoded by request.readDrawnParts, from a plain copy (PlainCopy). Errors
/// say which part of the file is wrong.
[[nodiscard]] Result<SourceModel> readModel(ModelFolder& folder, const ReadRequest& request);

} // namespace tendon::gltf
