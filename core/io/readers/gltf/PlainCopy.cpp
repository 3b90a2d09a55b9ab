#include "core/io/readers/gltf/PlainCopy.h"

#include <array>
#include <charconv>

namespace tendon::gltf {
namespace {

constexpr int kUnsignedInt = 5125, kFloat = 5126;
constexpr std::array<const char*, 5> kTypes = {"", "SCALAR", "VEC2", "VEC3", "VEC4"};
constexpr std::string_view kMesh = "mesh", kMaterial = "material";

std::string numbered(std::string_view prefix, std::size_t number)
{
    return std::string(prefix) + std::to_string(number);
}

std::optional<std::size_t> numberIn(const std::string& name, std::string_view prefix, std::size_t count)
{
    std::size_t number = 0;
    if (!name.starts_with(prefix)) return std::nullopt;
    const char* end = name.data() + name.size();
    const auto parsed = std::from_chars(name.data() + prefix.size(), end, number);
    if (parsed.ec != std::errc() || parsed.ptr != end || number >= count) return std::nullopt;
    return number;
}

template <typename T>
std::span<const std::uint8_t> bytesOf(std::span<const T> numbers)
{
    return {reinterpret_cast<const std::uint8_t*>(numbers.data()), numbers.size_bytes()};
}

} // namespace

PlainCopy::PlainCopy(const Asset& asset) : m_asset(asset)
{
    Json& json = m_file.json;
    json["asset"] = {{"version", "2.0"}};
    json["scene"] = 0;
    json["scenes"] = Json::array({Json{{"nodes", Json::array({0})}}});
    json["nodes"] = Json::array({Json{{"name", "root"}, {"children", Json::array()}}});
    for (const char* list : {"meshes", "accessors", "bufferViews", "materials", "textures", "images"})
        json[list] = Json::array();
    m_file.hasBin = true;
}

std::size_t PlainCopy::addAccessor(std::span<const std::uint8_t> bytes, std::size_t elements, int componentType,
                                   const char* type)
{
    Json& json = m_file.json;
    m_file.bin.resize((m_file.bin.size() + 3) / 4 * 4, 0);
    json["bufferViews"].push_back({{"buffer", 0}, {"byteOffset", m_file.bin.size()}, {"byteLength", bytes.size()}});
    m_file.bin.insert(m_file.bin.end(), bytes.begin(), bytes.end());
    json["accessors"].push_back({{"bufferView", json["bufferViews"].size() - 1},
                                 {"componentType", componentType},
                                 {"count", elements},
                                 {"type", type}});
    return json["accessors"].size() - 1;
}

Result<std::size_t> PlainCopy::addFloats(std::size_t accessor, std::size_t components, std::size_t* mended)
{
    const auto [known, isNew] = m_copied.try_emplace({accessor, components}, 0);
    if (!isNew) return known->second;
    auto numbers = mended == nullptr ? readFloats(m_asset, accessor) : readMendedFloats(m_asset, accessor, *mended);
    if (!numbers) return numbers.error();
    const auto own = static_cast<std::size_t>(m_asset.accessors[accessor].components);
    const std::size_t elements = m_asset.accessors[accessor].count;
    if (own != components) {
        std::vector<float> wider(elements * components, 1.0f);
        for (std::size_t i = 0; i < numbers->size(); ++i) wider[i / own * components + i % own] = (*numbers)[i];
        *numbers = std::move(wider);
    }
    return known->second = addAccessor(bytesOf(std::span<const float>(*numbers)), elements, kFloat, kTypes[components]);
}

std::size_t PlainCopy::addZeros(std::size_t elements)
{
    const std::vector<float> zeros(elements * 3, 0.0f);
    return addAccessor(bytesOf(std::span<const float>(zeros)), elements, kFloat, kTypes[3]);
}

std::size_t PlainCopy::addIndices(std::span<const std::uint32_t> indices)
{
    return addAccessor(bytesOf(indices), indices.size(), kUnsignedInt, kTypes[1]);
}

void PlainCopy::addMesh(Json primitive)
{
    Json& json = m_file.json;
    const std::size_t number = json["meshes"].size();
    json["meshes"].push_back({{"name", numbered(kMesh, number)}, {"primitives", Json::array({std::move(primitive)})}});
    json["nodes"][0]["children"].push_back(json["nodes"].size());
    json["nodes"].push_back({{"name", numbered("n", number)}, {"mesh", number}});
}

std::size_t PlainCopy::meshCount() const { return m_file.json["meshes"].size(); }

void PlainCopy::addMaterial(Json material)
{
    Json& materials = m_file.json["materials"];
    material["name"] = numbered(kMaterial, materials.size());
    materials.push_back(std::move(material));
}

std::size_t PlainCopy::addTexture(std::size_t number)
{
    Json& json = m_file.json;
    json["images"].push_back({{"uri", std::to_string(number)}});
    json["textures"].push_back({{"source", json["images"].size() - 1}});
    return json["textures"].size() - 1;
}

Result<Bytes> PlainCopy::glb()
{
    Json& json = m_file.json;
    m_file.bin.resize((m_file.bin.size() + 3) / 4 * 4, 0);
    json["buffers"] = Json::array({Json{{"byteLength", m_file.bin.size()}}});
    for (const char* list : {"materials", "textures", "images"})
        if (json[list].empty()) json.erase(list);
    return glbBytes(m_file);
}

std::optional<std::size_t> PlainCopy::meshNumber(const std::string& name, std::size_t count)
{
    return numberIn(name, kMesh, count);
}

std::optional<std::size_t> PlainCopy::materialNumber(const std::string& name, std::size_t count)
{
    return numberIn(name, kMaterial, count);
}

} // namespace tendon::gltf
