#include "core/io/import/ModelFormat.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace tendon {
namespace {

constexpr std::string_view kRead = "glTF 2 (.glb, .gltf, .vrm) is read";

std::string suffixOf(std::string_view fileName)
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
    static constexpr std::array<std::string_view, 12> kOther = {"obj", "x",     "b3d", "md5mesh", "md5anim", "smd",
                                                                "3ds", "blend", "stl", "ply",     "usd",     "usdz"};
    if (std::find(kGltf.begin(), kGltf.end(), suffix) != kGltf.end()) return ModelFormat::Gltf;
    if (suffix == "fbx") return ModelFormat::Fbx;
    if (suffix == "dae") return ModelFormat::Collada;
    if (suffix == "bvh") return ModelFormat::Bvh;
    return std::find(kOther.begin(), kOther.end(), suffix) != kOther.end() ? ModelFormat::Other : ModelFormat::Unknown;
}

} // namespace

ModelFormat recogniseFormat(std::string_view fileName, std::span<const std::uint8_t> bytes)
{
    const std::string_view text = textOf(bytes);
    const std::string_view start = withoutBlanks(text.substr(0, 4096));
    if (text.starts_with("glTF")) return ModelFormat::Gltf;
    if (text.starts_with("Kaydara FBX Binary") || start.starts_with("; FBX")) return ModelFormat::Fbx;
    if (start.starts_with("HIERARCHY")) return ModelFormat::Bvh;
    if (start.starts_with("<") && start.find("<COLLADA") != std::string_view::npos) return ModelFormat::Collada;
    if (start.starts_with("{")) return ModelFormat::Gltf;
    return bySuffix(suffixOf(fileName));
}

Error unreadable(ModelFormat format, std::span<const std::uint8_t> bytes)
{
    const auto notYet = [](const char* name) {
        return Error{ErrorCode::Unsupported, std::string(name) + " is not read yet; " + std::string(kRead), ""};
    };
    if (bytes.empty()) return {ErrorCode::InvalidArgument, "it is empty", ""};
    switch (format) {
    case ModelFormat::Fbx: return notYet("FBX");
    case ModelFormat::Collada: return notYet("Collada");
    case ModelFormat::Bvh: return notYet("BVH");
    case ModelFormat::Other: return notYet("this format");
    default: return {ErrorCode::Unsupported, "it is no model file that is known here; " + std::string(kRead), ""};
    }
}

} // namespace tendon
