#include "core/io/export/gltf/GltfData.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstring>

namespace tendon::gltf {

namespace {

constexpr int kUnsignedByte = 5121, kUnsignedShort = 5123, kUnsignedInt = 5125, kFloat = 5126;

template <typename T>
std::span<const std::uint8_t> rawBytes(std::span<const T> values)
{
    return {reinterpret_cast<const std::uint8_t*>(values.data()),
            values.size_bytes()}; // little-endian hosts only, see README
}

void align(Bytes& bytes) { bytes.resize((bytes.size() + 3) / 4 * 4, 0); }

Json rangeOf(std::span<const float> values, std::size_t components)
{
    std::vector<float> low(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(components)), high = low;
    for (std::size_t i = 0; i < values.size(); ++i) {
        low[i % components] = std::min(low[i % components], values[i]);
        high[i % components] = std::max(high[i % components], values[i]);
    }
    // Floats as doubles, so that the text gives the very same number back.
    return {{"min", std::vector<double>(low.begin(), low.end())},
            {"max", std::vector<double>(high.begin(), high.end())}};
}

} // namespace

std::size_t componentCountOf(std::string_view type)
{
    static const std::map<std::string_view, std::size_t> kCounts{{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4},
                                                                 {"MAT2", 4},   {"MAT3", 9}, {"MAT4", 16}};
    const auto found = kCounts.find(type);
    return found == kCounts.end() ? 0 : found->second;
}

Json& editArray(Json& object, const char* name)
{
    Json& member = object[name];
    if (!member.is_array()) member = Json::array();
    return member;
}

void DataWriter::beginView(Use use)
{
    align(m_bytes);
    m_viewBegin = m_bytes.size();
    m_known.clear();
    Json view{{"buffer", m_buffer}, {"byteOffset", m_viewBegin}, {"byteLength", 0}};
    if (use == Use::Vertices) view["target"] = 34962; // ARRAY_BUFFER
    if (use == Use::Indices) view["target"] = 34963;  // ELEMENT_ARRAY_BUFFER
    editArray(m_json, "bufferViews").push_back(std::move(view));
}

void DataWriter::endView() { m_json["bufferViews"].back()["byteLength"] = m_bytes.size() - m_viewBegin; }

std::size_t DataWriter::addAccessor(std::span<const std::uint8_t> raw, int componentType, std::size_t count,
                                    const char* type, Json range)
{
    auto key = std::make_pair(type + std::to_string(componentType) + (range.is_null() ? "" : "r"),
                              Bytes(raw.begin(), raw.end()));
    if (const auto known = m_known.find(key); known != m_known.end()) return known->second;

    align(m_bytes);
    Json accessor{{"bufferView", m_json["bufferViews"].size() - 1},
                  {"byteOffset", m_bytes.size() - m_viewBegin},
                  {"componentType", componentType},
                  {"count", count},
                  {"type", type}};
    if (!range.is_null()) accessor.update(range);
    m_bytes.insert(m_bytes.end(), raw.begin(), raw.end());
    Json& accessors = editArray(m_json, "accessors");
    accessors.push_back(std::move(accessor));
    m_known.emplace(std::move(key), accessors.size() - 1);
    return accessors.size() - 1;
}

std::size_t DataWriter::addFloats(std::span<const float> values, const char* type, bool withRange)
{
    const std::size_t components = componentCountOf(type);
    return addAccessor(rawBytes(values), kFloat, values.size() / components, type,
                       withRange ? rangeOf(values, components) : Json());
}

std::size_t DataWriter::addBytes(std::span<const std::uint8_t> values, const char* type)
{
    return addAccessor(values, kUnsignedByte, values.size() / componentCountOf(type), type, Json());
}

std::size_t DataWriter::addShorts(std::span<const std::uint16_t> values, const char* type)
{
    return addAccessor(rawBytes(values), kUnsignedShort, values.size() / componentCountOf(type), type, Json());
}

std::size_t DataWriter::addInts(std::span<const std::uint32_t> values, const char* type)
{
    return addAccessor(rawBytes(values), kUnsignedInt, values.size() / componentCountOf(type), type, Json());
}

std::size_t DataWriter::addBlob(std::span<const std::uint8_t> bytes)
{
    beginView(Use::Other);
    m_bytes.insert(m_bytes.end(), bytes.begin(), bytes.end());
    endView();
    return m_json["bufferViews"].size() - 1;
}

void DataWriter::finish() { m_json["buffers"][m_buffer]["byteLength"] = m_bytes.size(); }

} // namespace tendon::gltf
