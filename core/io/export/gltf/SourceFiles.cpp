#include "core/io/export/gltf/SourceFiles.h"

#include "core/io/base/Files.h"
#include "core/io/export/gltf/EditableGltf.h"
#include "core/io/export/gltf/GltfData.h"
#include "core/io/formats/PictureType.h"
#include "core/io/formats/gltf/GltfUri.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>

namespace tendon::gltf {

namespace {

/// The uri of a buffer or image when it names a file; empty otherwise.
std::string fileUriOf(const Json& object)
{
    const auto uri = object.find("uri");
    if (uri == object.end() || !uri->is_string()) return {};
    const auto& text = uri->get_ref<const std::string&>();
    return isDataUri(text) ? std::string() : text;
}

/// By the first bytes; else what the file's name suggests.
std::string mimeTypeOf(const Bytes& bytes, const std::string& name)
{
    if (const std::string known = pictureTypeOf(bytes); !known.empty()) return known;
    const std::string suffix = QFileInfo(QString::fromStdString(name)).suffix().toLower().toStdString();
    return "image/" + (suffix.empty() ? "png" : suffix);
}

/// Moves the views of buffer `from` to buffer 0 at `offset`, those of a mesh compression included.
void moveViews(Json& json, std::size_t from, std::size_t offset)
{
    const auto move = [&](Json& object) {
        if (indexOf(object, "buffer", from + 1) != static_cast<int>(from)) return;
        const auto known = object.find("byteOffset");
        const std::size_t old = known != object.end() && known->is_number_unsigned() ? known->get<std::size_t>() : 0;
        object["buffer"] = 0;
        object["byteOffset"] = old + offset;
    };
    for (Json& view : editArray(json, "bufferViews")) {
        move(view);
        if (view.contains("extensions") && view["extensions"].is_object())
            for (Json& extension : view["extensions"])
                if (extension.is_object() && extension.contains("buffer")) move(extension);
    }
}

/// Views of buffer `from` name buffer `to` from now on.
void renumberViews(Json& json, std::size_t from, std::size_t to)
{
    for (Json& view : editArray(json, "bufferViews"))
        if (indexOf(view, "buffer", from + 1) == static_cast<int>(from)) view["buffer"] = to;
}

Issue missingImage(const Error& error, std::size_t image)
{
    return {Severity::Warning, error.text() + "; the image is referred to as before, but does not come along",
            "/images/" + std::to_string(image)};
}

} // namespace

void ensureBin(GltfFile& file)
{
    Json& buffers = editArray(file.json, "buffers");
    if (buffers.empty()) buffers.push_back({{"byteLength", 0}});
    file.hasBin = true;
}

std::set<std::string> SourceFiles::namesIn(const Json& json) const
{
    std::set<std::string> names;
    for (const char* kind : {"buffers", "images"})
        for (const Json& object : arrayOf(json, kind))
            if (const auto name = localFileOf(fileUriOf(object))) names.insert(*name);
    return names;
}

Result<Bytes> SourceFiles::read(const std::string& uri) const
{
    const auto name = localFileOf(uri);
    if (!name || m_folder.empty())
        return Error{ErrorCode::InvalidArgument,
                     "lies outside the model's folder and is not read; put it beside the model", uri};
    const QDir folder(QString::fromStdString(m_folder));
    const QFileInfo file(folder.filePath(QString::fromStdString(*name)));
    const QString real = file.canonicalFilePath();
    if (!real.isEmpty() && !real.startsWith(folder.canonicalPath() + '/'))
        return Error{ErrorCode::InvalidArgument, "is a link that leaves the model's folder and is not read", uri};
    const auto bytes = readFile(file.filePath().toStdString());
    if (!bytes) return bytes.error();
    return Bytes(bytes->begin(), bytes->end());
}

Result<Bytes> SourceFiles::bufferBytes(const Json& buffer) const
{
    const std::string uri = fileUriOf(buffer);
    auto bytes = uri.empty() ? decodeDataUri(buffer["uri"].get_ref<const std::string&>()) : read(uri);
    if (!bytes) return bytes.error();
    const auto length = buffer["byteLength"].get<std::size_t>();
    if (bytes->size() < length) return Error{ErrorCode::InvalidArgument, "is shorter than its byteLength says", uri};
    bytes->resize(length);
    return bytes;
}

Result<void> SourceFiles::embedAll(GltfFile& file, Issues& issues) const
{
    Json& buffers = editArray(file.json, "buffers");
    Json kept = Json::array(); // buffer 0, and those without bytes (a fallback of mesh compression)
    for (std::size_t b = 0; b < buffers.size(); ++b) {
        const bool isBin = b == 0 && file.hasBin;
        if (isBin || !buffers[b].contains("uri") || !buffers[b]["uri"].is_string()) {
            if (!isBin && kept.empty()) kept.push_back({{"byteLength", 0}}); // buffer 0 must be the BIN chunk
            renumberViews(file.json, b, kept.size());
            kept.push_back(buffers[b]);
            continue;
        }
        const auto bytes = bufferBytes(buffers[b]);
        if (!bytes) return bytes.error().within("/buffers/" + std::to_string(b));
        file.bin.resize((file.bin.size() + 3) / 4 * 4, 0);
        if (kept.empty()) {
            kept.push_back(buffers[b]); // keeps its name and extras
            kept.back().erase("uri");
        }
        if (b != 0 || !file.bin.empty()) moveViews(file.json, b, file.bin.size());
        file.bin.insert(file.bin.end(), bytes->begin(), bytes->end());
        file.hasBin = true;
    }
    if (file.hasBin) kept[0]["byteLength"] = file.bin.size();
    buffers = std::move(kept);
    if (buffers.empty()) file.json.erase("buffers");
    if (arrayOf(file.json, "bufferViews").empty()) file.json.erase("bufferViews");
    embedImages(file, issues);
    return {};
}

void SourceFiles::embedImages(GltfFile& file, Issues& issues) const
{
    for (std::size_t i = 0; i < arrayOf(file.json, "images").size(); ++i) {
        const std::string uri = fileUriOf(file.json["images"][i]);
        if (uri.empty()) continue;
        const auto bytes = read(uri);
        if (!bytes) {
            issues.push_back(missingImage(bytes.error(), i));
            continue;
        }
        ensureBin(file);
        DataWriter data(file.json, 0, file.bin);
        const std::size_t view = data.addBlob(*bytes);
        data.finish();
        Json& image = file.json["images"][i];
        image.erase("uri");
        image["bufferView"] = view;
        if (!image.contains("mimeType")) image["mimeType"] = mimeTypeOf(*bytes, uri);
    }
}

Result<std::vector<OutputFile>> SourceFiles::copies(const Json& json, std::vector<OutputFile> known,
                                                    Issues& issues) const
{
    for (const char* kind : {"buffers", "images"}) {
        const Json& objects = arrayOf(json, kind);
        for (std::size_t i = 0; i < objects.size(); ++i) {
            const std::string uri = fileUriOf(objects[i]);
            const std::string where = std::string("/") + kind + "/" + std::to_string(i);
            const auto name = localFileOf(uri);
            if (uri.empty() || std::any_of(known.begin(), known.end(),
                                           [&](const OutputFile& file) { return name && file.name == *name; }))
                continue;
            auto bytes = read(uri);
            if (!bytes && kind == std::string_view("images")) {
                issues.push_back(missingImage(bytes.error(), i));
                continue;
            }
            if (!bytes) return bytes.error().within(where);
            known.push_back({*name, std::move(*bytes)});
        }
    }
    return known;
}

} // namespace tendon::gltf
