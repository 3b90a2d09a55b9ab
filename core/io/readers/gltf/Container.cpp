#include "core/io/readers/gltf/Container.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

namespace tendon::gltf {
namespace {

constexpr std::uint32_t kMagic = 0x46546C67;     // "glTF"
constexpr std::uint32_t kJsonChunk = 0x4E4F534A; // "JSON"
constexpr std::uint32_t kBinChunk = 0x004E4942;  // "BIN\0"
constexpr std::size_t kHeader = 12, kChunkHeader = 8;
constexpr int kMaxDepth = 200; ///< glTF itself needs about 10; extras may hold more

static_assert(std::endian::native == std::endian::little, "glTF's little-endian numbers are read as they stand");

Error damaged(const std::string& message)
{
    return {ErrorCode::InvalidArgument, message + "; the file is damaged", ""};
}

std::uint32_t wordAt(std::span<const std::uint8_t> file, std::size_t at)
{
    std::uint32_t word = 0;
    std::memcpy(&word, file.data() + at, sizeof word);
    return word;
}

/// How deep the brackets of a JSON text go: known before it is parsed, because what recurses over it later must not
/// exhaust the stack.
int depthOf(std::span<const std::uint8_t> text)
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
    if (depthOf(text) > kMaxDepth)
        return damaged("its JSON is nested more than " + std::to_string(kMaxDepth) + " levels deep");
    try {
        Json json = Json::parse(text.begin(), text.end());
        if (!json.is_object()) return damaged("its JSON is not an object");
        return json;
    } catch (const Json::parse_error& error) {
        return damaged("its JSON cannot be read at byte " + std::to_string(error.byte));
    } catch (const Json::exception&) {
        return damaged("its JSON holds a number that is out of range");
    }
}

std::optional<Error> checkVersion(const Json& json)
{
    const auto asset = json.find("asset");
    if (asset == json.end() || !asset->is_object()) return damaged("it has no \"asset\" member");
    const auto version = asset->find("version");
    if (version == asset->end() || !version->is_string()) return damaged("\"asset\" names no version");
    const std::string text = version->get<std::string>();
    if (!text.starts_with("2."))
        return Error{ErrorCode::Unsupported, "it is glTF version " + text.substr(0, 16) + "; only version 2 is read",
                     ""};
    return std::nullopt;
}

Result<Container> parseGlb(std::span<const std::uint8_t> file)
{
    if (file.size() < kHeader + kChunkHeader) return damaged("it ends within the header");
    const std::uint32_t version = wordAt(file, 4);
    if (version != 2)
        return Error{ErrorCode::Unsupported,
                     "its header says glTF version " + std::to_string(version) + "; only version 2 is read", ""};
    if (wordAt(file, 8) > file.size())
        return damaged("it should have " + std::to_string(wordAt(file, 8)) + " bytes but has " +
                       std::to_string(file.size()));
    file = file.first(wordAt(file, 8)); // what stands after the end is not part of it
    if (file.size() < kHeader + kChunkHeader) return damaged("its header gives a length too small for any content");

    Container container;
    container.isBinary = true;
    std::size_t at = kHeader;
    for (int chunk = 0; at < file.size(); ++chunk) {
        if (file.size() - at < kChunkHeader)
            return damaged("it ends within the header of chunk " + std::to_string(chunk));
        const std::size_t length = wordAt(file, at);
        const std::uint32_t type = wordAt(file, at + 4);
        at += kChunkHeader;
        if (length > file.size() - at)
            return damaged("chunk " + std::to_string(chunk) + " of " + std::to_string(length) +
                           " bytes reads past its end");
        const auto content = file.subspan(at, length);
        if (chunk == 0) {
            if (type != kJsonChunk) return damaged("its first chunk is not JSON");
            auto json = parseJson(content);
            if (!json) return json.error();
            container.json = std::move(*json);
        } else if (type == kBinChunk && chunk == 1) {
            container.binary.assign(content.begin(), content.end());
            container.hasBinary = true;
        } else if (type == kBinChunk || type == kJsonChunk) {
            return damaged("chunk " + std::to_string(chunk) + " is a second or misplaced JSON or BIN chunk");
        }
        at += length;
    }
    return container;
}

void append(Bytes& bytes, std::uint32_t word)
{
    const auto* raw = reinterpret_cast<const std::uint8_t*>(&word);
    bytes.insert(bytes.end(), raw, raw + sizeof word);
}

} // namespace

bool looksLikeGlb(std::span<const std::uint8_t> file) { return file.size() >= 4 && wordAt(file, 0) == kMagic; }

Result<Container> parseContainer(std::span<const std::uint8_t> file)
{
    if (file.empty()) return damaged("it is empty");
    Container container;
    if (looksLikeGlb(file)) {
        auto glb = parseGlb(file);
        if (!glb) return glb.error();
        container = std::move(*glb);
    } else {
        const auto first = std::find_if(file.begin(), file.end(),
                                        [](std::uint8_t c) { return c > ' ' && c != 0xEF && c != 0xBB && c != 0xBF; });
        if (first == file.end() || *first != '{') return damaged("it begins neither as a .glb nor as JSON");
        auto json = parseJson(file);
        if (!json) return json.error();
        container.json = std::move(*json);
    }
    if (const auto error = checkVersion(container.json)) return *error;
    return container;
}

Bytes writeGlb(const Json& json, std::span<const std::uint8_t> binary)
{
    std::string text = json.dump();
    text.resize((text.size() + 3) / 4 * 4, ' ');
    const std::size_t padded = (binary.size() + 3) / 4 * 4;
    const std::size_t total = kHeader + kChunkHeader + text.size() + (binary.empty() ? 0 : kChunkHeader + padded);

    Bytes file;
    file.reserve(total);
    append(file, kMagic);
    append(file, 2);
    append(file, static_cast<std::uint32_t>(total));
    append(file, static_cast<std::uint32_t>(text.size()));
    append(file, kJsonChunk);
    file.insert(file.end(), text.begin(), text.end());
    if (!binary.empty()) {
        append(file, static_cast<std::uint32_t>(padded));
        append(file, kBinChunk);
        file.insert(file.end(), binary.begin(), binary.end());
        file.resize(total, 0);
    }
    return file;
}

} // namespace tendon::gltf
