#include "core/io/readers/gltf/Asset.h"

#include "core/io/formats/gltf/GltfUri.h"
#include "core/io/model/SourceModel.h"
#include "core/io/readers/meshopt/MeshoptView.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace tendon::gltf {
namespace {

constexpr std::size_t kMaxNumbers = limits::kIndices * 2;

std::string numbered(const char* what, std::size_t index) { return std::string(what) + " " + std::to_string(index); }

std::optional<ComponentType> componentType(std::int64_t code)
{
    for (const auto type : {ComponentType::Byte, ComponentType::UnsignedByte, ComponentType::Short,
                            ComponentType::UnsignedShort, ComponentType::UnsignedInt, ComponentType::Float})
        if (static_cast<std::int64_t>(type) == code) return type;
    return std::nullopt;
}

/// Bytes of one element. Columns of a matrix begin at multiples of four.
std::size_t elementBytes(const Accessor& accessor)
{
    const std::size_t size = byteCount(accessor.type);
    if (!accessor.isMatrix) return size * static_cast<std::size_t>(accessor.components);
    const std::size_t side = accessor.components == 4 ? 2 : accessor.components == 9 ? 3 : 4;
    return side * ((side * size + 3) / 4 * 4);
}

void readBuffers(const Fields& root, ModelFolder& folder, Asset& asset)
{
    for (const Json& json : root.objects("buffers")) {
        const std::size_t index = asset.buffers.size();
        const Fields buffer = root.inside(json, numbered("buffer", index));
        const std::int64_t length = buffer.whole("byteLength", 0, 1, true);
        Bytes bytes;
        if (buffer.has("uri")) {
            const std::string uri = buffer.text("uri");
            if (isDataUri(uri)) {
                auto data = decodeDataUri(uri);
                if (!data) return buffer.fail(data.error().message);
                bytes = std::move(*data);
            } else {
                auto file = folder.read(uri);
                if (!file) return buffer.problem().set(file.error().within(buffer.place()));
                bytes = std::move(*file);
            }
        } else if (index == 0 && asset.file.hasBin) {
            bytes = std::move(asset.file.bin);
            asset.file.bin = {};
        } else if (!buffer.object("extensions")) {
            return buffer.fail("has no data");
        }
        if (static_cast<std::int64_t>(bytes.size()) < length && !buffer.object("extensions"))
            return buffer.fail("should have " + std::to_string(length) + " bytes but has " +
                               std::to_string(bytes.size()));
        asset.buffers.push_back(std::move(bytes));
    }
}

bool isPastEnd(const View& view, const Asset& asset)
{
    const std::size_t size = asset.buffers[static_cast<std::size_t>(view.buffer)].size();
    return view.offset > size || view.length > size - view.offset;
}

/// What a view is compressed by; null = it is not.
const Json* compressionOf(const Fields& view)
{
    const Json* extensions = view.object("extensions");
    for (const char* name : {"EXT_meshopt_compression", "KHR_meshopt_compression"})
        if (extensions != nullptr && extensions->contains(name)) return &(*extensions)[name];
    return nullptr;
}

/// Puts the bytes of a compressed view into a buffer of their own.
void unpackView(const Fields& fields, const Fields& compression, View& view, Asset& asset)
{
    View packed;
    packed.buffer = static_cast<std::int32_t>(compression.index("buffer", asset.buffers.size(), true));
    packed.offset = static_cast<std::size_t>(compression.whole("byteOffset", 0));
    packed.length = static_cast<std::size_t>(compression.whole("byteLength", 0, 1, true));
    const std::string mode = compression.text("mode", true), filter = compression.text("filter");
    const MeshoptView layout{.count = static_cast<std::size_t>(compression.whole("count", 0, 1, true)),
                             .stride = static_cast<std::size_t>(compression.whole("byteStride", 0, 1, true)),
                             .mode = mode,
                             .filter = filter.empty() ? MeshoptView::kAsIs : std::string_view(filter)};
    if (fields.problem()) return;
    if (isPastEnd(packed, asset))
        return compression.fail("reads past the end of buffer " + std::to_string(packed.buffer));
    auto bytes = decodeMeshopt(asset.bytesOf(packed), layout, limits::kFileBytes);
    if (!bytes) return fields.problem().set(bytes.error().within(fields.place()));
    view.buffer = static_cast<std::int32_t>(asset.buffers.size());
    view.offset = 0;
    view.length = bytes->size();
    asset.buffers.push_back(std::move(*bytes));
}

void readViews(const Fields& root, Asset& asset)
{
    for (const Json& json : root.objects("bufferViews")) {
        const Fields fields = root.inside(json, numbered("bufferView", asset.views.size()));
        View view;
        view.buffer = static_cast<std::int32_t>(fields.index("buffer", asset.buffers.size(), true));
        view.offset = static_cast<std::size_t>(fields.whole("byteOffset", 0));
        view.length = static_cast<std::size_t>(fields.whole("byteLength", 0, 1, true));
        view.stride = static_cast<std::size_t>(fields.whole("byteStride", 0, 4));
        if (view.stride > 252) fields.fail("\"byteStride\" is " + std::to_string(view.stride) + ", more than 252");
        if (fields.problem()) return;
        if (const Json* compression = compressionOf(fields)) {
            if (!compression->is_object()) return fields.fail("has a compression that is not an object");
            unpackView(fields, fields.inside(*compression, "meshopt compression"), view, asset);
            if (fields.problem()) return;
        }
        if (isPastEnd(view, asset)) return fields.fail("reads past the end of buffer " + std::to_string(view.buffer));
        asset.views.push_back(view);
    }
}

/// Where `count` elements of `bytes` each lie in a view. `fields` is what names the view, for messages.
Elements placeElements(const Fields& fields, const Asset& asset, std::size_t count, std::size_t bytes, bool isRequired)
{
    const std::int64_t index = fields.index("bufferView", asset.views.size(), isRequired);
    const auto offset = static_cast<std::size_t>(fields.whole("byteOffset", 0));
    if (index < 0 || fields.problem()) return {};
    const View& view = asset.views[static_cast<std::size_t>(index)];
    const std::size_t stride = view.stride == 0 ? bytes : view.stride;
    if (stride < bytes) {
        fields.fail("its elements of " + std::to_string(bytes) + " bytes overlap in bufferView " +
                    std::to_string(index));
        return {};
    }
    if (offset > view.length || (count - 1) > view.length / stride ||
        (count - 1) * stride + bytes > view.length - offset) {
        fields.fail("reads past the end of bufferView " + std::to_string(index));
        return {};
    }
    return {view.buffer, view.offset + offset, stride};
}

void readSparse(const Fields& fields, const Asset& asset, Accessor& accessor)
{
    const Json* json = fields.object("sparse");
    if (json == nullptr) return;
    const Fields sparse = fields.inside(*json, "sparse");
    accessor.sparseCount = static_cast<std::size_t>(sparse.whole("count", 1, 1, true));
    if (accessor.sparseCount > accessor.count) return sparse.fail("has more values than the accessor");
    const Json* indices = sparse.object("indices", true);
    const Json* values = sparse.object("values", true);
    if (indices == nullptr || values == nullptr) return;
    const Fields indexFields = sparse.inside(*indices, "indices");
    const auto type = componentType(indexFields.whole("componentType", 0, 0, true));
    if (!type || *type == ComponentType::Float || *type == ComponentType::Byte || *type == ComponentType::Short)
        return indexFields.fail("invalid \"componentType\" for indices");
    accessor.sparseIndexType = *type;
    accessor.sparseIndices = placeElements(indexFields, asset, accessor.sparseCount, byteCount(*type), true);
    accessor.sparseValues = placeElements(sparse.inside(*values, "values"), asset, accessor.sparseCount,
                                          elementBytes(accessor), true);
}

void readAccessors(const Fields& root, Asset& asset)
{
    static const std::array<std::pair<const char*, int>, 7> kTypes = {
        {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}, {"MAT2", 4}, {"MAT3", 9}, {"MAT4", 16}}};
    for (const Json& json : root.objects("accessors")) {
        const Fields fields = root.inside(json, numbered("accessor", asset.accessors.size()));
        Accessor accessor;
        accessor.count = static_cast<std::size_t>(fields.whole("count", 1, 1, true));
        const auto component = componentType(fields.whole("componentType", 0, 0, true));
        const std::string typeName = fields.text("type", true);
        const auto type = std::find_if(kTypes.begin(), kTypes.end(),
                                       [&](const auto& t) { return t.first == typeName; });
        if (!component) fields.fail("invalid \"componentType\"");
        if (type == kTypes.end()) fields.fail("invalid \"type\" \"" + typeName.substr(0, 16) + "\"");
        if (fields.problem()) return;
        accessor.type = *component;
        accessor.components = type->second;
        accessor.isMatrix = typeName.starts_with("MAT");
        accessor.isNormalised = fields.flag("normalized");
        accessor.elements = placeElements(fields, asset, accessor.count, elementBytes(accessor), false);
        readSparse(fields, asset, accessor);
        if (fields.problem()) return;
        asset.accessors.push_back(accessor);
    }
}

template <typename T>
T load(const std::uint8_t* at)
{
    T value;
    std::memcpy(&value, at, sizeof value);
    return value;
}

std::uint32_t wholeAt(ComponentType type, const std::uint8_t* at)
{
    switch (type) {
    case ComponentType::UnsignedByte: return *at;
    case ComponentType::UnsignedShort: return load<std::uint16_t>(at);
    default: return load<std::uint32_t>(at);
    }
}

/// glTF 2.0, 3.6.2.2: signed fractions reach from -1 to 1, and the one number below -1 means -1.
float floatAt(ComponentType type, bool isNormalised, const std::uint8_t* at)
{
    const auto fraction = [isNormalised](float value, float largest) {
        return isNormalised ? std::max(value / largest, -1.0f) : value;
    };
    switch (type) {
    case ComponentType::Byte: return fraction(load<std::int8_t>(at), 127);
    case ComponentType::UnsignedByte: return fraction(*at, 255);
    case ComponentType::Short: return fraction(load<std::int16_t>(at), 32767);
    case ComponentType::UnsignedShort: return fraction(load<std::uint16_t>(at), 65535);
    case ComponentType::UnsignedInt: return static_cast<float>(load<std::uint32_t>(at));
    default: return load<float>(at);
    }
}

/// Where component `c` of an element begins in it.
std::size_t componentOffset(const Accessor& accessor, int c)
{
    const std::size_t size = byteCount(accessor.type);
    if (!accessor.isMatrix) return static_cast<std::size_t>(c) * size;
    const int side = accessor.components == 4 ? 2 : accessor.components == 9 ? 3 : 4;
    const std::size_t column = (static_cast<std::size_t>(side) * size + 3) / 4 * 4;
    return static_cast<std::size_t>(c / side) * column + static_cast<std::size_t>(c % side) * size;
}

/// Reads every number of an accessor through `read(pointer)`; sparse values take the place of the others.
template <typename T, typename Read>
Result<std::vector<T>> readAll(const Asset& asset, std::size_t index, Read read)
{
    const Accessor& accessor = asset.accessors[index];
    const auto components = static_cast<std::size_t>(accessor.components);
    if (accessor.count > kMaxNumbers / components)
        return Error{ErrorCode::LimitExceeded,
                     "holds " + std::to_string(accessor.count) + " elements, too many to read",
                     numbered("accessor", index)};
    std::vector<T> numbers(accessor.count * components, T{});
    const auto readElement = [&](const Elements& from, std::size_t element, std::size_t to) {
        const std::uint8_t* at = asset.buffers[static_cast<std::size_t>(from.buffer)].data() + from.offset +
                                 element * from.stride;
        for (std::size_t c = 0; c < components; ++c)
            numbers[to * components + c] = read(at + componentOffset(accessor, static_cast<int>(c)));
    };
    if (accessor.elements.buffer >= 0)
        for (std::size_t i = 0; i < accessor.count; ++i) readElement(accessor.elements, i, i);
    for (std::size_t i = 0; i < accessor.sparseCount; ++i) {
        const Elements& from = accessor.sparseIndices;
        const std::uint8_t* at = asset.buffers[static_cast<std::size_t>(from.buffer)].data() + from.offset +
                                 i * from.stride;
        const std::size_t to = wholeAt(accessor.sparseIndexType, at);
        if (to >= accessor.count)
            return Error{ErrorCode::InvalidArgument,
                         "a sparse value is for an element past its end; the file is damaged",
                         numbered("accessor", index)};
        readElement(accessor.sparseValues, i, to);
    }
    return numbers;
}

/// As they are in the file, finite or not.
Result<std::vector<float>> readStoredFloats(const Asset& asset, std::size_t index)
{
    const Accessor& accessor = asset.accessors[index];
    return readAll<float>(asset, index,
                          [&](const std::uint8_t* at) { return floatAt(accessor.type, accessor.isNormalised, at); });
}

} // namespace

std::size_t byteCount(ComponentType type)
{
    switch (type) {
    case ComponentType::Byte:
    case ComponentType::UnsignedByte: return 1;
    case ComponentType::Short:
    case ComponentType::UnsignedShort: return 2;
    default: return 4;
    }
}

Result<Asset> loadAsset(ModelFolder& folder)
{
    auto file = readGltfFile(folder.bytes());
    if (!file) return file.error();
    Asset asset;
    asset.file = std::move(*file);

    FirstError problem;
    const Fields root(asset.json(), "", problem);
    readBuffers(root, folder, asset);
    if (!problem) readViews(root, asset);
    if (!problem) readAccessors(root, asset);
    if (problem) return problem.error();
    return asset;
}

Result<std::vector<float>> readMendedFloats(const Asset& asset, std::size_t index, std::size_t& mended)
{
    auto numbers = readStoredFloats(asset, index);
    if (!numbers) return numbers;
    for (float& number : *numbers)
        if (!std::isfinite(number)) number = 0, ++mended;
    return numbers;
}

Result<std::vector<float>> readFloats(const Asset& asset, std::size_t index)
{
    const Accessor& accessor = asset.accessors[index];
    auto numbers = readStoredFloats(asset, index);
    if (!numbers) return numbers;
    const auto bad = std::find_if(numbers->begin(), numbers->end(),
                                  [](float number) { return !std::isfinite(number); });
    if (bad != numbers->end())
        return Error{ErrorCode::InvalidArgument,
                     "element " + std::to_string((bad - numbers->begin()) / accessor.components) +
                         " is not a finite number; the file is damaged",
                     numbered("accessor", index)};
    return numbers;
}

Result<std::vector<std::uint32_t>> readWhole(const Asset& asset, std::size_t index)
{
    const ComponentType type = asset.accessors[index].type;
    if (type != ComponentType::UnsignedByte && type != ComponentType::UnsignedShort &&
        type != ComponentType::UnsignedInt)
        return Error{ErrorCode::InvalidArgument, "must hold unsigned whole numbers; the file is damaged",
                     numbered("accessor", index)};
    return readAll<std::uint32_t>(asset, index, [type](const std::uint8_t* at) { return wholeAt(type, at); });
}

} // namespace tendon::gltf
