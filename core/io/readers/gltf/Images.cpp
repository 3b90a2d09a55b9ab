#include "core/io/readers/gltf/Parts.h"

#include "core/io/formats/PictureType.h"
#include "core/io/formats/gltf/GltfUri.h"

#include <algorithm>

namespace tendon::gltf {
namespace {

std::size_t appendAligned(Bytes& binary, std::span<const std::uint8_t> bytes)
{
    binary.resize((binary.size() + 3) / 4 * 4, 0);
    const std::size_t offset = binary.size();
    binary.insert(binary.end(), bytes.begin(), bytes.end());
    return offset;
}

/// Takes the name of an extension that no view has any more out of the lists of extensions.
void dropUnused(Json& json, const char* extension)
{
    for (const char* list : {"extensionsUsed", "extensionsRequired"}) {
        const auto found = json.find(list);
        if (found == json.end() || !found->is_array()) continue;
        found->erase(std::remove(found->begin(), found->end(), Json(extension)), found->end());
        if (found->empty()) json.erase(list);
    }
}

} // namespace

Result<Image> readImage(const Fields& fields, const Asset& asset, ModelFolder& folder)
{
    FirstError problem; // an image that cannot be had is no reason to refuse the model
    Image image;
    if (fields.has("name")) image.name = fields.text("name");
    const std::int64_t view = fields.index("bufferView", asset.views.size());
    if (view >= 0) {
        const auto bytes = asset.bytesOf(asset.views[static_cast<std::size_t>(view)]);
        image.bytes.assign(bytes.begin(), bytes.end());
    } else if (const std::string uri = fields.text("uri"); isDataUri(uri)) {
        auto data = decodeDataUri(uri);
        if (!data) return data.error();
        image.bytes = std::move(*data);
    } else if (!uri.empty()) {
        auto file = folder.read(uri);
        if (!file) return file.error();
        image.bytes = std::move(*file);
        if (image.name.empty()) image.name = percentDecoded(uri);
    }
    image.mimeType = pictureTypeOf(image.bytes);
    if (image.mimeType.empty())
        return Error{ErrorCode::InvalidArgument, "the image is not a PNG, JPEG, WebP or KTX2 file", ""};
    return image;
}

Result<Bytes> selfContained(const Asset& asset, ModelFolder& folder, Issues& issues)
{
    Json json = asset.json();
    Bytes binary;
    std::vector<std::size_t> bufferOffset;
    const std::size_t own = asset.json().contains("buffers") ? asset.json()["buffers"].size()
                                                             : 0; // others hold what was decoded
    for (std::size_t b = 0; b < own; ++b) bufferOffset.push_back(appendAligned(binary, asset.buffers[b]));
    for (std::size_t i = 0; i < asset.views.size(); ++i) {
        Json& stored = json["bufferViews"][i];
        const View& view = asset.views[i];
        const auto buffer = static_cast<std::size_t>(view.buffer);
        stored["buffer"] = 0;
        stored["byteOffset"] = buffer < own ? view.offset + bufferOffset[buffer]
                                            : appendAligned(binary, asset.bytesOf(view)); // it was compressed
        stored["byteLength"] = view.length;
        if (buffer >= own) stored.erase("extensions");
    }
    dropUnused(json, "EXT_meshopt_compression");
    dropUnused(json, "KHR_meshopt_compression");
    FirstError problem;
    const std::size_t imageCount = json.contains("images") ? json["images"].size() : 0;
    for (std::size_t i = 0; i < imageCount; ++i) {
        Json& image = json["images"][i];
        if (!image.contains("uri")) continue;
        const std::string place = "image " + std::to_string(i);
        auto read = readImage(Fields(image, place, problem), asset, folder);
        if (!read) {
            issues.push_back({Severity::Warning, read.error().message + "; it is not embedded", place});
            continue;
        }
        const std::size_t offset = appendAligned(binary, read->bytes);
        json["bufferViews"].push_back({{"buffer", 0}, {"byteOffset", offset}, {"byteLength", read->bytes.size()}});
        image.erase("uri");
        image["bufferView"] = json["bufferViews"].size() - 1;
        image["mimeType"] = read->mimeType;
    }
    if (binary.empty())
        json.erase("buffers");
    else
        json["buffers"] = Json::array({Json{{"byteLength", binary.size()}}});
    const bool hasBin = !binary.empty();
    return glbBytes({std::move(json), std::move(binary), hasBin});
}

} // namespace tendon::gltf
