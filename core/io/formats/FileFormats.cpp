#include "core/io/formats/FileFormats.h"

#include <algorithm>
#include <array>

namespace tendon {
namespace {

constexpr std::array<FileFormat, 12> kFormats = {{
    {"glTF, one file", "glb", true},
    {"glTF", "gltf", true},
    {"FBX", "fbx", true},
    {"Collada", "dae", true},
    {"BVH", "bvh", true},
    {"URDF robots", "urdf", false},
    {"VRM", "vrm", false},
    {"VRM animations", "vrma", true},
    {"MD5", "md5mesh", false},
    {"B3D", "b3d", true},
    {"DirectX", "x", true},
    {"SMD", "smd", true},
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
