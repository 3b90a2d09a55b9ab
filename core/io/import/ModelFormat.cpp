#include "core/io/import/ModelFormat.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace tendon {
namespace {

constexpr std::string_view kRead =
    "glTF 2 (.glb, .gltf, .vrm), FBX, Collada, BVH, MD5, B3D, DirectX .x, SMD and URDF are supported";

std::string suffixIn(std::string_view fileName)
{
    const std::size_t dot = fileName.rfind('.');
    std::string suffix(dot == std::string_view::npos ? "" : fileName.substr(dot + 1));
    std::transform(suffix.begin(), suffix.end(), suffix.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return suffix;
}

std::string_view textOf(std::span<const std::uint8_t> bytes)
{
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string_view withoutBlanks(std::string_view text)
{
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    return first == std::string_view::npos ? std::string_view() : text.substr(first);
}

ModelFormat bySuffix(const std::string& suffix)
{
    static constexpr std::array<std::string_view, 4> kGltf = {"glb", "gltf", "vrm", "vrma"};
    static constexpr std::array<std::string_view, 10> kOther = {"obj", "3ds",  "blend", "stl",  "ply",
                                                                "usd", "ms3d", "iqm",   "usda", "usdz"};
    static constexpr std::array<ModelFormat, 7> kByAssimp = {
        ModelFormat::Fbx, ModelFormat::Collada, ModelFormat::Bvh, ModelFormat::Md5,
        ModelFormat::B3d, ModelFormat::DirectX, ModelFormat::Smd};
    if (std::find(kGltf.begin(), kGltf.end(), suffix) != kGltf.end()) return ModelFormat::Gltf;
    if (suffix == "urdf") return ModelFormat::Urdf;
    for (const ModelFormat format : kByAssimp)
        if (suffix == suffixOf(format)) return format;
    return std::find(kOther.begin(), kOther.end(), suffix) != kOther.end() ? ModelFormat::Other : ModelFormat::Unknown;
}

} // namespace

std::string_view suffixOf(ModelFormat format)
{
    switch (format) {
    case ModelFormat::Fbx: return "fbx";
    case ModelFormat::Collada: return "dae";
    case ModelFormat::Bvh: return "bvh";
    case ModelFormat::Md5: return "md5mesh";
    case ModelFormat::B3d: return "b3d";
    case ModelFormat::DirectX: return "x";
    case ModelFormat::Smd: return "smd";
    default: return {};
    }
}

ModelFormat recogniseFormat(std::string_view fileName, std::span<const std::uint8_t> bytes)
{
    const std::string_view text = textOf(bytes);
    const std::string_view start = withoutBlanks(text.substr(0, 4096));
    if (text.starts_with("glTF")) return ModelFormat::Gltf;
    if (text.starts_with("Kaydara FBX Binary") || start.starts_with("; FBX")) return ModelFormat::Fbx;
    if (start.starts_with("HIERARCHY")) return ModelFormat::Bvh;
    if (start.starts_with("<") && start.find("<COLLADA") != std::string_view::npos) return ModelFormat::Collada;
    if (start.starts_with("<") && start.find("<robot") != std::string_view::npos) return ModelFormat::Urdf;
    if (start.starts_with("MD5Version")) return ModelFormat::Md5;
    if (text.starts_with("BB3D")) return ModelFormat::B3d;
    if (text.starts_with("xof 0")) return ModelFormat::DirectX;
    if (start.starts_with("{")) return ModelFormat::Gltf;
    return bySuffix(suffixIn(fileName));
}

Error unreadable(ModelFormat format, std::span<const std::uint8_t> bytes)
{
    if (bytes.empty()) return {ErrorCode::InvalidArgument, "the file is empty", ""};
    const char* what = format == ModelFormat::Other ? "unsupported format: it has no skeleton to pose; "
                                                    : "unknown model format; ";
    return {ErrorCode::Unsupported, what + std::string(kRead), ""};
}

} // namespace tendon
