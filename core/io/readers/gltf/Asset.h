#pragma once

#include "core/base/Issue.h"
#include "core/io/model/ModelFolder.h"
#include "core/io/readers/gltf/Fields.h"

#include <array>

namespace tendon::gltf {

enum class ComponentType {
    Byte = 5120,
    UnsignedByte = 5121,
    Short = 5122,
    UnsignedShort = 5123,
    UnsignedInt = 5125,
    Float = 5126
};

[[nodiscard]] std::size_t byteCount(ComponentType type);

/// Where the elements of something lie; checked: the last one ends within its buffer.
struct Elements
{
    std::int32_t buffer = -1; ///< -1: there are no bytes, all elements are zero
    std::size_t offset = 0;   ///< of the first element in the buffer
    std::size_t stride = 0;
};

struct Accessor
{
    Elements elements;
    std::size_t count = 0;
    ComponentType type = ComponentType::Float;
    int components = 1; ///< 1 ... 4, 9, 16
    bool isMatrix = false;
    bool isNormalised = false;
    std::size_t sparseCount = 0;
    Elements sparseIndices, sparseValues;
    ComponentType sparseIndexType = ComponentType::UnsignedInt;
};

struct View
{
    std::int32_t buffer = 0;
    std::size_t offset = 0, length = 0, stride = 0;
};

/// A glTF file with all bytes it refers to. What loadAsset() returned has passed these checks: buffers are there and
/// long enough, every view lies in its buffer and every accessor in its view.
struct Asset
{
    Container container;
    std::vector<Bytes> buffers;
    std::vector<View> views;
    std::vector<Accessor> accessors;

    [[nodiscard]] const Json& json() const { return container.json; }
    [[nodiscard]] std::span<const std::uint8_t> bytesOf(const View& view) const
    {
        return std::span(buffers[static_cast<std::size_t>(view.buffer)]).subspan(view.offset, view.length);
    }
};

[[nodiscard]] Result<Asset> loadAsset(ModelFolder& folder);

/// The bytes of a data: URI and its media type. Errors: not base64, not whole.
struct DataUri
{
    std::string mimeType;
    Bytes bytes;
};
[[nodiscard]] bool isDataUri(std::string_view uri);
[[nodiscard]] Result<DataUri> decodeDataUri(std::string_view uri);

/// All numbers of an accessor, count x components, normalised integers as the fractions they stand for, sparse values
/// filled in. Errors: too many, a number that is not finite; the place is "accessor N".
[[nodiscard]] Result<std::vector<float>> readFloats(const Asset& asset, std::size_t accessor);
/// The same for whole numbers (indices, joints). Error: the accessor holds others.
[[nodiscard]] Result<std::vector<std::uint32_t>> readWhole(const Asset& asset, std::size_t accessor);

} // namespace tendon::gltf
