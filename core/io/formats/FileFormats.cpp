#include "core/io/formats/FileFormats.h"

#include <algorithm>
#include <array>

namespace tendon {
namespace {

constexpr std::array<FileFormat, 14> kFormats = {{
    {"glTF, one file", "glb", true, true},
    {"glTF", "gltf", true, true},
    {"FBX", "fbx", true, true},
    {"Collada", "dae", true, false},
    {"BVH", "bvh", true, true},
    {"URDF robots", "urdf", true, false},
    {"VRM", "vrm", true, false},
    {"VRM animations", "vrma", true, false},
    {"MD5", "md5mesh", true, false},
    {"B3D", "b3d", true, false},
    {"DirectX", "x", true, false},
    {"SMD", "smd", true, false},
    {"Joints as JSON", "json", false, true},
    {"Joints as CSV", "csv", false, true},
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
