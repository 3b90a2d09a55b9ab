#include "core/io/readers/draco/DracoMesh.h"

#include <draco/compression/decode.h>

#include <algorithm>

namespace tendon {
namespace {

Error damaged(const std::string& what)
{
    return {ErrorCode::InvalidArgument, "its Draco data " + what + "; the file is damaged", ""};
}

template <typename Number>
bool copyValues(const draco::PointCloud& mesh, const draco::PointAttribute& from, int components,
                std::vector<std::uint8_t>& to)
{
    const std::size_t width = static_cast<std::size_t>(components) * sizeof(Number);
    to.resize(width * mesh.num_points());
    for (draco::PointIndex p(0); p < mesh.num_points(); ++p) {
        const draco::AttributeValueIndex value = from.mapped_index(p);
        if (value.value() >= from.size()) return false;
        Number numbers[4] = {};
        if (!from.ConvertValue<Number>(value, static_cast<std::int8_t>(components), numbers)) return false;
        std::copy_n(reinterpret_cast<const std::uint8_t*>(numbers), width, to.data() + width * p.value());
    }
    return true;
}

bool copyAttribute(const draco::PointCloud& mesh, const draco::PointAttribute& from, const DracoAttribute& wanted,
                   std::vector<std::uint8_t>& to)
{
    switch (wanted.number) {
    case DracoNumber::Int8: return copyValues<std::int8_t>(mesh, from, wanted.components, to);
    case DracoNumber::Uint8: return copyValues<std::uint8_t>(mesh, from, wanted.components, to);
    case DracoNumber::Int16: return copyValues<std::int16_t>(mesh, from, wanted.components, to);
    case DracoNumber::Uint16: return copyValues<std::uint16_t>(mesh, from, wanted.components, to);
    case DracoNumber::Uint32: return copyValues<std::uint32_t>(mesh, from, wanted.components, to);
    default: return copyValues<float>(mesh, from, wanted.components, to);
    }
}

} // namespace

Result<DracoMesh> decodeDraco(std::span<const std::uint8_t> bytes, std::span<const DracoAttribute> attributes,
                              std::size_t maxVertices, std::size_t maxIndices)
{
    draco::DecoderBuffer buffer;
    buffer.Init(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    draco::Decoder decoder;
    auto decoded = decoder.DecodeMeshFromBuffer(&buffer);
    if (!decoded.ok()) return damaged("cannot be decoded (" + decoded.status().error_msg_string() + ")");
    const std::unique_ptr<draco::Mesh> mesh = std::move(decoded).value();
    if (mesh == nullptr) return damaged("holds no mesh");
    if (mesh->num_points() > maxVertices || mesh->num_faces() > maxIndices / 3)
        return Error{ErrorCode::LimitExceeded,
                     "the Draco data holds " + std::to_string(mesh->num_points()) + " vertices, which is too many", ""};

    DracoMesh result;
    result.vertices = mesh->num_points();
    result.indices.reserve(std::size_t{3} * mesh->num_faces());
    for (draco::FaceIndex f(0); f < mesh->num_faces(); ++f)
        for (const draco::PointIndex& point : mesh->face(f)) {
            if (point.value() >= mesh->num_points()) return damaged("refers to a vertex that does not exist");
            result.indices.push_back(point.value());
        }
    for (const DracoAttribute& wanted : attributes) {
        const draco::PointAttribute* from = mesh->GetAttributeByUniqueId(wanted.id);
        if (from == nullptr || from->num_components() != wanted.components || wanted.components < 1 ||
            wanted.components > 4)
            return damaged("lacks attribute " + std::to_string(wanted.id));
        if (!copyAttribute(*mesh, *from, wanted, result.attributes.emplace_back()))
            return damaged("has an attribute that cannot be read");
    }
    return result;
}

} // namespace tendon
