#pragma once

#include "core/base/Result.h"
#include "core/io/model/SourceModel.h"

#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace tendon::assimp {

/// Reads a file that a model names, or says why not.
using ReadBeside = std::function<Result<std::vector<std::uint8_t>>(std::string_view name)>;

struct ModelFile
{
    std::string name;   ///< without folders; its suffix chooses Assimp's reader
    std::string format; ///< "fbx", "dae", "bvh", ...: what SourceModel::format will be
    std::span<const std::uint8_t> bytes;
    ReadBeside beside; ///< pictures and animations that the file names
};

/// A whole model of any format but glTF: nodes, skins, meshes, materials, pictures and animations as Assimp reads them,
/// with its known faults mended. In the file's unit and axes. For use in the import child only: on some damaged files
/// Assimp crashes, runs away or takes all memory. Errors: one line that says what is wrong.
[[nodiscard]] Result<SourceModel> readModel(const ModelFile& file);

} // namespace tendon::assimp
