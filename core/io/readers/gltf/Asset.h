#pragma once

#include "core/base/Issue.h"
#include "core/io/formats/gltf/GltfFile.h"
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

/// The elements of an accessor in a buffer. Checked: the last one ends within the buffer.
struct Elements
{
    std::int32_t buffer = -1; ///< -1 = no bytes: all elements are zero
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

/// A glTF file with all buffers it refers to. loadAsset() has checked that all buffers exist and are long enough, that
/// every view is within its buffer, and every accessor within its view.
struct Asset
{
    GltfFile file; ///< its BIN chunk is among the buffers
    std::vector<Bytes> buffers;
    std::vector<View> views;
    std::vector<Accessor> accessors;

    [[nodiscard]] const Json& json() const { return file.json; }
    [[nodiscard]] std::span<const std::uint8_t> bytesOf(const View& view) const
    {
        return std::span(buffers[static_cast<std::size_t>(view.buffer)]).subspan(view.offset, view.length);
    }
};

[[nodiscard]] Result<Asset> loadAsset(ModelFolder& folder);

/// All numbers of an accessor, count x components, with normalised integers converted to fractions and sparse values
/// filled in. Errors, at "accessor N": too many, a number that is not finite.
[[nodiscard]] Result<std::vector<float>> readFloats(const Asset& asset, std::size_t accessor);
/// The same, but numbers that are not finite become 0; `mended` counts them.
[[nodiscard]] Result<std::vector<float>> readMendedFloats(const Asset& asset, std::size_t accessor,
                                                          std::size_t& mended);
/// The same for unsigned integers (indices, joints). Error: the accessor has another type.
[[nodiscard]] Result<std::vector<std::uint32_t>> readWhole(const Asset& asset, std::size_t accessor);

} // namespace tendon::gltf
