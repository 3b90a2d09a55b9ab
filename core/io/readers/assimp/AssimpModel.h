#pragma once

#include "core/base/Result.h"
#include "core/io/model/SourceModel.h"

#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace tendon::assimp {

/// Reads a file that the model refers to.
using ReadBeside = std::function<Result<std::vector<std::uint8_t>>(std::string_view name)>;

struct ModelFile
{
    std::string name;   ///< without folders; its suffix chooses Assimp's reader
    std::string format; ///< "fbx", "dae", "bvh", ...: becomes SourceModel::format
    std::span<const std::uint8_t> bytes;
    ReadBeside beside; ///< textures and animations that the file refers to
};

/// Reads a model of any format except glTF: nodes, skins, meshes, materials, textures and animations as Assimp reads
/// them, with its known faults corrected. Call it in the import child only: on some corrupt files Assimp crashes, does
/// not return or exhausts memory. Error: one line that says what is wrong.
[[nodiscard]] Result<SourceModel> readModel(const ModelFile& file);

} // namespace tendon::assimp
