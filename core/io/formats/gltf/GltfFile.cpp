#include "core/io/formats/gltf/GltfFile.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace tendon::gltf {

namespace {

constexpr std::uint32_t kMagic = 0x46546C67;     // "glTF"
constexpr std::uint32_t kJsonChunk = 0x4E4F534A; // "JSON"
constexpr std::uint32_t kBinChunk = 0x004E4942;  // "BIN\0"
constexpr int kMaxNesting = 256;                 // far beyond any real file, far below what recursion can take

std::uint32_t littleEndian(std::string_view bytes, std::size_t at)
{
    std::uint32_t value = 0;
    for (int i = 3; i >= 0; --i)
        value = value << 8 | static_cast<std::uint8_t>(bytes[at + static_cast<std::size_t>(i)]);
    return value;
}

void append(Bytes& out, std::uint32_t value)
{
    for (int i = 0; i < 4; ++i) out.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
}

Error invalid(std::string message, std::string where = {})
{
    return {ErrorCode::InvalidArgument, std::move(message), std::move(where)};
}

struct Chunks
{
    std::string_view json, bin;
    bool hasBin = false;
};

/// Chunks of other types, which the format allows after these two, are of no known use and left out.
Result<Chunks> splitChunks(std::string_view bytes)
{
    if (bytes.size() < 20) return invalid("the file ends within its header; copy it again");
    if (littleEndian(bytes, 4) != 2)
        return invalid("glb version " + std::to_string(littleEndian(bytes, 4)) + " is not known, 2 is");
    const std::size_t size = std::min<std::size_t>(bytes.size(), littleEndian(bytes, 8));
    Chunks chunks;
    bool isFirst = true;
    for (std::size_t at = 12; at + 8 <= size;) {
        const std::size_t length = littleEndian(bytes, at);
        const std::uint32_t type = littleEndian(bytes, at + 4);
        at += 8;
        if (length > size - at) return invalid("the file ends within a chunk; copy it again");
        if (isFirst && type != kJsonChunk) return invalid("the first chunk is not JSON");
        if (isFirst) chunks.json = bytes.substr(at, length);
        if (!isFirst && type == kBinChunk && !chunks.hasBin) {
            chunks.bin = bytes.substr(at, length);
            chunks.hasBin = true;
        }
        isFirst = false;
        at += (length + 3) / 4 * 4;
    }
    return chunks;
}

Result<Json> parseJson(std::string_view text)
{
    if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3); // byte order mark
    bool isTooDeep = false;
    const auto checkDepth = [&](int depth, Json::parse_event_t, Json&) {
        if (depth > kMaxNesting) isTooDeep = true;
        return !isTooDeep;
    };
    try {
        Json json = Json::parse(text.begin(), text.end(), checkDepth);
        if (isTooDeep) return invalid("the JSON is nested deeper than " + std::to_string(kMaxNesting) + " levels");
        if (!json.is_object()) return invalid("the JSON is not an object");
        return json;
    } catch (const Json::exception& exception) {
        return invalid(std::string("the JSON cannot be read: ") + exception.what());
    }
}

/// The arrays that an export reads or edits; everything else in the file stays unlooked at.
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

/// Every node has at most one parent and none is its own ancestor.
Result<void> checkNodes(const Json& json)
{
    const Json& nodes = arrayOf(json, "nodes");
    std::vector<int> parent(nodes.size(), -1);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const std::string where = "/nodes/" + std::to_string(i) + "/children";
        for (const Json& child : arrayOf(nodes[i], "children")) {
            if (!child.is_number_unsigned() || child.get<std::uint64_t>() >= nodes.size())
                return invalid("names a node that is not there", where);
            const auto c = child.get<std::size_t>();
            if (parent[c] >= 0) return invalid("node " + std::to_string(c) + " has two parents", where);
            parent[c] = static_cast<int>(i);
        }
    }
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        std::size_t steps = 0;
        for (int p = parent[i]; p >= 0; p = parent[static_cast<std::size_t>(p)])
            if (++steps > nodes.size()) return invalid("is among its own ancestors", "/nodes/" + std::to_string(i));
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
                return invalid("a channel names a sampler that is not there", where + "/channels");
            if (!channel.contains("target") || !channel["target"].is_object())
                return invalid("a channel has no target", where + "/channels");
        }
    }
    return {};
}

} // namespace

bool isGlb(std::string_view bytes) { return bytes.size() >= 4 && littleEndian(bytes, 0) == kMagic; }

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
    Chunks chunks{.json = bytes, .bin = {}};
    if (isGlb(bytes)) {
        const auto split = splitChunks(bytes);
        if (!split) return split.error();
        chunks = *split;
    }
    auto json = parseJson(chunks.json);
    if (!json) return json.error();
    for (const auto& check : {checkArrays, checkNodes, checkAnimations})
        if (const auto checked = check(*json); !checked) return checked.error();

    GltfFile file{.json = std::move(*json), .bin = {}, .hasBin = false};
    const Json& buffers = arrayOf(file.json, "buffers");
    for (std::size_t i = 0; i < buffers.size(); ++i) {
        const auto length = buffers[i].find("byteLength");
        if (length == buffers[i].end() || !length->is_number_unsigned())
            return invalid("has no byteLength", "/buffers/" + std::to_string(i));
    }
    if (chunks.hasBin && !buffers.empty() && !buffers[0].contains("uri")) {
        const auto length = buffers[0]["byteLength"].get<std::size_t>();
        if (length > chunks.bin.size())
            return invalid("is longer than the binary chunk; copy the file again", "/buffers/0");
        file.bin.assign(chunks.bin.begin(), chunks.bin.begin() + static_cast<std::ptrdiff_t>(length));
        file.hasBin = true;
    }
    return file;
}

Result<Bytes> gltfBytes(const Json& json)
{
    try {
        const std::string text = json.dump();
        return Bytes(text.begin(), text.end());
    } catch (const Json::exception& exception) {
        return Error{ErrorCode::InvalidArgument, std::string("the JSON cannot be written: ") + exception.what(), {}};
    }
}

Result<Bytes> glbBytes(const GltfFile& file)
{
    auto json = gltfBytes(file.json);
    if (!json) return json.error();
    while (json->size() % 4 != 0) json->push_back(' ');
    const std::size_t binSize = (file.bin.size() + 3) / 4 * 4;
    const std::size_t size = 12 + 8 + json->size() + (file.hasBin ? 8 + binSize : 0);
    if (size > std::numeric_limits<std::uint32_t>::max())
        return Error{ErrorCode::LimitExceeded, "a .glb holds at most 4 GiB; export fewer clips or a .gltf", {}};

    Bytes out;
    out.reserve(size);
    append(out, kMagic);
    append(out, 2);
    append(out, static_cast<std::uint32_t>(size));
    append(out, static_cast<std::uint32_t>(json->size()));
    append(out, kJsonChunk);
    out.insert(out.end(), json->begin(), json->end());
    if (file.hasBin) {
        append(out, static_cast<std::uint32_t>(binSize));
        append(out, kBinChunk);
        out.insert(out.end(), file.bin.begin(), file.bin.end());
        out.resize(size, 0);
    }
    return out;
}

} // namespace tendon::gltf
