#include "core/io/formats/gltf/GltfFile.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <optional>

namespace tendon::gltf {
namespace {

constexpr std::uint32_t kMagic = 0x46546C67;     // "glTF"
constexpr std::uint32_t kJsonChunk = 0x4E4F534A; // "JSON"
constexpr std::uint32_t kBinChunk = 0x004E4942;  // "BIN\0"
constexpr std::size_t kHeader = 12, kChunkHeader = 8;

static_assert(std::endian::native == std::endian::little, "glTF's little-endian numbers are copied as they are");

Error corrupt(const std::string& message) { return {ErrorCode::InvalidArgument, "corrupt glTF: " + message, ""}; }

std::uint32_t wordAt(std::span<const std::uint8_t> file, std::size_t at)
{
    std::uint32_t word = 0;
    std::memcpy(&word, file.data() + at, sizeof word);
    return word;
}

/// How deep the brackets of a JSON text are nested, found before the text is parsed.
int nestingOf(std::span<const std::uint8_t> text)
{
    int depth = 0, deepest = 0;
    bool isString = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const std::uint8_t c = text[i];
        if (isString) {
            if (c == '\\')
                ++i;
            else if (c == '"')
                isString = false;
        } else if (c == '"') {
            isString = true;
        } else if (c == '[' || c == '{') {
            deepest = std::max(deepest, ++depth);
        } else if (c == ']' || c == '}') {
            --depth;
        }
    }
    return deepest;
}

Result<Json> parseJson(std::span<const std::uint8_t> text)
{
    if (nestingOf(text) > kMaxNesting)
        return corrupt("the JSON is nested deeper than " + std::to_string(kMaxNesting) + " levels");
    try {
        Json json = Json::parse(text.begin(), text.end());
        if (!json.is_object()) return corrupt("the JSON is not an object");
        return json;
    } catch (const Json::parse_error& error) {
        return corrupt("invalid JSON at byte " + std::to_string(error.byte));
    } catch (const Json::exception&) {
        return corrupt("the JSON holds a number that is out of range");
    }
}

std::optional<Error> checkVersion(const Json& json)
{
    if (const auto schema = json.find("schema"); schema != json.end() && *schema == "tendon.project")
        return Error{
            ErrorCode::InvalidArgument,
            "this is a project of Tendon, and no model or motion; export its clip first, or give the file that "
            "it was made from",
            ""};
    const auto asset = json.find("asset");
    if (asset == json.end() || !asset->is_object()) return corrupt("there is no \"asset\" object");
    const auto version = asset->find("version");
    if (version == asset->end() || !version->is_string()) return corrupt("\"asset\" states no version");
    const std::string text = version->get<std::string>();
    if (!text.starts_with("2."))
        return Error{ErrorCode::Unsupported,
                     "glTF version " + text.substr(0, 16) + " is not supported; save it as version 2", ""};
    return std::nullopt;
}

Result<GltfFile> readGlb(std::span<const std::uint8_t> bytes)
{
    if (bytes.size() < kHeader + kChunkHeader) return corrupt("the file ends within its header");
    const std::uint32_t version = wordAt(bytes, 4), length = wordAt(bytes, 8);
    if (version != 2)
        return Error{ErrorCode::Unsupported,
                     "glb version " + std::to_string(version) + " is not supported; save it as version 2", ""};
    if (length > bytes.size())
        return corrupt("the file should have " + std::to_string(length) + " bytes but has " +
                       std::to_string(bytes.size()));
    if (length < kHeader + kChunkHeader) return corrupt("the header states a length too small for any content");
    bytes = bytes.first(length); // bytes beyond the stated end are not part of the file

    GltfFile file;
    std::size_t at = kHeader;
    for (int chunk = 0; at < bytes.size(); ++chunk) {
        const std::string name = "chunk " + std::to_string(chunk);
        if (bytes.size() - at < kChunkHeader) return corrupt("the file ends within the header of " + name);
        const std::size_t size = wordAt(bytes, at);
        const std::uint32_t type = wordAt(bytes, at + 4);
        at += kChunkHeader;
        if (size > bytes.size() - at)
            return corrupt(name + " of " + std::to_string(size) + " bytes reads past the end of the file");
        const auto content = bytes.subspan(at, size);
        if (chunk == 0) {
            if (type != kJsonChunk) return corrupt("the first chunk is not JSON");
            auto json = parseJson(content);
            if (!json) return json.error();
            file.json = std::move(*json);
        } else if (type == kBinChunk && chunk == 1) {
            file.bin.assign(content.begin(), content.end());
            file.hasBin = true;
        } else if (type == kBinChunk || type == kJsonChunk) {
            return corrupt(name + " is a second or misplaced JSON or BIN chunk");
        }
        at += size;
    }
    return file;
}

void append(Bytes& bytes, std::uint32_t word)
{
    const auto* raw = reinterpret_cast<const std::uint8_t*>(&word);
    bytes.insert(bytes.end(), raw, raw + sizeof word);
}

} // namespace

bool isGlb(std::span<const std::uint8_t> bytes) { return bytes.size() >= 4 && wordAt(bytes, 0) == kMagic; }

Result<GltfFile> readGltfFile(std::span<const std::uint8_t> bytes)
{
    if (bytes.empty()) return Error{ErrorCode::InvalidArgument, "the file is empty", ""};
    GltfFile file;
    if (isGlb(bytes)) {
        auto glb = readGlb(bytes);
        if (!glb) return glb.error();
        file = std::move(*glb);
    } else {
        const auto first = std::find_if(bytes.begin(), bytes.end(),
                                        [](std::uint8_t c) { return c > ' ' && c != 0xEF && c != 0xBB && c != 0xBF; });
        if (first == bytes.end() || *first != '{') return corrupt("the file begins neither like a .glb nor like JSON");
        auto json = parseJson(bytes);
        if (!json) return json.error();
        file.json = std::move(*json);
    }
    if (const auto error = checkVersion(file.json)) return *error;
    return file;
}

Result<Bytes> gltfBytes(const Json& json)
{
    try {
        const std::string text = json.dump();
        return Bytes(text.begin(), text.end());
    } catch (const Json::exception& exception) {
        return Error{ErrorCode::InvalidArgument, std::string("the JSON cannot be written: ") + exception.what(), ""};
    }
}

Result<Bytes> glbBytes(const GltfFile& file)
{
    auto json = gltfBytes(file.json);
    if (!json) return json.error();
    while (json->size() % 4 != 0) json->push_back(' ');
    const std::size_t binSize = (file.bin.size() + 3) / 4 * 4;
    const std::size_t size = kHeader + kChunkHeader + json->size() + (file.hasBin ? kChunkHeader + binSize : 0);
    if (size > std::numeric_limits<std::uint32_t>::max())
        return Error{ErrorCode::LimitExceeded, "a .glb holds at most 4 GiB; export fewer clips or a .gltf", ""};

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
