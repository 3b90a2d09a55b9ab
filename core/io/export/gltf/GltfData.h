#pragma once

#include "core/io/formats/gltf/GltfJson.h"

#include <map>
#include <span>
#include <utility>

namespace tendon::gltf {

/// Appends numbers to one buffer of a document, with the buffer views and accessors that describe them. One buffer view
/// is open at a time; equal data within it are stored once. Borrows the JSON and the bytes.
class DataWriter
{
public:
    /// Appends to `bytes`, which is what buffers[buffer] will hold; finish() sets its byteLength.
    DataWriter(Json& json, std::size_t buffer, Bytes& bytes) : m_json(json), m_buffer(buffer), m_bytes(bytes) {}

    enum class Use { Animation, Vertices, Indices, Other };

    /// Starts a buffer view. Data for Use::Vertices should be one accessor per view.
    void beginView(Use use);
    void endView();

    /// Adds an accessor over `values` to the open view and returns its index. `type` is "SCALAR", "VEC2", ...
    std::size_t addFloats(std::span<const float> values, const char* type, bool withRange);
    std::size_t addBytes(std::span<const std::uint8_t> values, const char* type);
    std::size_t addShorts(std::span<const std::uint16_t> values, const char* type);
    std::size_t addInts(std::span<const std::uint32_t> values, const char* type);

    /// A buffer view of its own without an accessor (an image). Returns its index. None may be open.
    std::size_t addBlob(std::span<const std::uint8_t> bytes);

    void finish();

private:
    std::size_t addAccessor(std::span<const std::uint8_t> raw, int componentType, std::size_t count, const char* type,
                            Json range);

    Json& m_json;
    std::size_t m_buffer;
    Bytes& m_bytes;
    std::size_t m_viewBegin = 0;
    std::map<std::pair<std::string, Bytes>, std::size_t> m_known; ///< of the open view: kind and bytes -> accessor
};

/// The number of components of an accessor type; 0 for an unknown one.
[[nodiscard]] std::size_t componentCountOf(std::string_view type);

/// A member that is an array, made when it is not there.
[[nodiscard]] Json& editArray(Json& object, const char* name);

} // namespace tendon::gltf
