#include "core/io/formats/FileFormats.h"

#include <algorithm>
#include <array>

namespace tendon {
namespace {

constexpr std::array<FileFormat, 12> kFormats = {{
    {"glTF, one file", "glb"},
    {"glTF", "gltf"},
    {"FBX", "fbx"},
    {"Collada", "dae"},
    {"BVH", "bvh"},
    {"URDF robots", "urdf"},
    {"VRM", "vrm"},
    {"VRM animations", "vrma"},
    {"MD5", "md5mesh"},
    {"B3D", "b3d"},
    {"DirectX", "x"},
    {"SMD", "smd"},
}};

} // namespace

std::span<const FileFormat> fileFormats() { return kFormats; }

const FileFormat* findFileFormat(std::string_view suffix)
{
    const auto found = std::find_if(kFormats.begin(), kFormats.end(),
                                    [&](const FileFormat& format) { return format.suffix == suffix; });
    return found == kFormats.end() ? nullptr : &*found;
}

} // namespace tendon
