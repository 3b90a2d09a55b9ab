#include "core/io/export/gltf/EditableGltf.h"

#include <limits>
#include <string>
#include <vector>

namespace tendon::gltf {
namespace {

Error invalid(std::string message, std::string where)
{
    return {ErrorCode::InvalidArgument, std::move(message), std::move(where)};
}

/// The arrays that an export reads or edits; nothing else in the file is checked.
Result<void> checkArrays(const Json& json)
{
    for (const char* name :
         {"accessors", "animations", "bufferViews", "buffers", "images", "meshes", "nodes", "scenes", "skins"}) {
        const auto found = json.find(name);
        if (found == json.end()) continue;
        if (!found->is_array()) return invalid("is not an array", std::string("/") + name);
        for (std::size_t i = 0; i < found->size(); ++i)
            if (!(*found)[i].is_object())
                return invalid("is not an object", std::string("/") + name + "/" + std::to_string(i));
    }
    return {};
}

/// Every node has at most one parent, and no node is its own ancestor.
Result<void> checkNodes(const Json& json)
{
    const Json& nodes = arrayOf(json, "nodes");
    std::vector<int> parent(nodes.size(), -1);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const std::string where = "/nodes/" + std::to_string(i) + "/children";
        for (const Json& child : arrayOf(nodes[i], "children")) {
            if (!child.is_number_unsigned() || child.get<std::uint64_t>() >= nodes.size())
                return invalid("refers to a node that does not exist", where);
            const auto c = child.get<std::size_t>();
            if (parent[c] >= 0) return invalid("node " + std::to_string(c) + " has two parents", where);
            parent[c] = static_cast<int>(i);
        }
    }
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        std::size_t steps = 0;
        for (int p = parent[i]; p >= 0; p = parent[static_cast<std::size_t>(p)])
            if (++steps > nodes.size()) return invalid("is its own ancestor", "/nodes/" + std::to_string(i));
    }
    return {};
}

Result<void> checkAnimations(const Json& json)
{
    const Json& animations = arrayOf(json, "animations");
    for (std::size_t i = 0; i < animations.size(); ++i) {
        const std::string where = "/animations/" + std::to_string(i);
        const Json& channels = arrayOf(animations[i], "channels");
        const Json& samplers = arrayOf(animations[i], "samplers");
        for (const Json& sampler : samplers)
            if (!sampler.is_object()) return invalid("is not an array of objects", where + "/samplers");
        for (const Json& channel : channels) {
            if (!channel.is_object() || indexOf(channel, "sampler", samplers.size()) < 0)
                return invalid("a channel refers to a sampler that does not exist", where + "/channels");
            if (!channel.contains("target") || !channel["target"].is_object())
                return invalid("a channel has no target", where + "/channels");
        }
    }
    return {};
}

/// Leaves in `bin` what buffers[0] holds; without such a buffer there is no BIN chunk to edit.
Result<void> trimBin(GltfFile& file)
{
    const Json& buffers = arrayOf(file.json, "buffers");
    for (std::size_t i = 0; i < buffers.size(); ++i) {
        const auto length = buffers[i].find("byteLength");
        if (length == buffers[i].end() || !length->is_number_unsigned())
            return invalid("has no byteLength", "/buffers/" + std::to_string(i));
    }
    if (!file.hasBin || buffers.empty() || buffers[0].contains("uri")) {
        file.bin.clear();
        file.hasBin = false;
        return {};
    }
    const auto length = buffers[0]["byteLength"].get<std::size_t>();
    if (length > file.bin.size()) return invalid("is longer than the binary chunk; copy the file again", "/buffers/0");
    file.bin.resize(length);
    return {};
}

} // namespace

const Json& arrayOf(const Json& object, const char* name)
{
    static const Json kNone = Json::array();
    const auto found = object.find(name);
    return found != object.end() && found->is_array() ? *found : kNone;
}

int indexOf(const Json& object, const char* name, std::size_t count)
{
    const auto found = object.find(name);
    if (found == object.end() || !found->is_number_unsigned()) return -1;
    const auto value = found->get<std::uint64_t>();
    return value < count && value <= std::numeric_limits<int>::max() ? static_cast<int>(value) : -1;
}

Result<GltfFile> parseGltf(std::string_view bytes)
{
    auto file = readGltfFile({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
    if (!file) return file;
    for (const auto& check : {checkArrays, checkNodes, checkAnimations})
        if (const auto checked = check(file->json); !checked) return checked.error();
    if (const auto trimmed = trimBin(*file); !trimmed) return trimmed.error();
    return file;
}

} // namespace tendon::gltf
