#include "core/io/model/SourceModel.h"
#include "core/io/readers/draco/DracoMesh.h"
#include "core/io/readers/gltf/Parts.h"

namespace tendon::gltf {
namespace {

DracoNumber dracoNumberOf(ComponentType type)
{
    switch (type) {
    case ComponentType::Byte: return DracoNumber::Int8;
    case ComponentType::UnsignedByte: return DracoNumber::Uint8;
    case ComponentType::Short: return DracoNumber::Int16;
    case ComponentType::UnsignedShort: return DracoNumber::Uint16;
    case ComponentType::UnsignedInt: return DracoNumber::Uint32;
    default: return DracoNumber::Float;
    }
}

/// Puts bytes behind an accessor that has none of its own.
void fill(Asset& asset, std::size_t accessor, ComponentType type, std::size_t count, Bytes bytes)
{
    Accessor& to = asset.accessors[accessor];
    to.type = type;
    to.count = count;
    to.sparseCount = 0;
    to.elements = {static_cast<std::int32_t>(asset.buffers.size()), 0,
                   byteCount(type) * static_cast<std::size_t>(to.components)};
    asset.buffers.push_back(std::move(bytes));
}

void unpackPrimitive(const Fields& primitive, const Fields& draco, Asset& asset)
{
    const std::int64_t view = draco.index("bufferView", asset.views.size(), true);
    const Json* idsJson = draco.object("attributes", true);
    const Json* attributesJson = primitive.object("attributes", true);
    const std::int64_t indices = primitive.index("indices", asset.accessors.size());
    if (primitive.problem()) return;
    const Fields ids = draco.inside(*idsJson, "attributes"),
                 attributes = primitive.inside(*attributesJson, "attributes");
    std::vector<DracoAttribute> wanted;
    std::vector<std::size_t> accessors;
    for (const auto& [name, id] : idsJson->items()) {
        const std::int64_t accessor = attributes.index(name.c_str(), asset.accessors.size(), true);
        const std::int64_t number = ids.whole(name.c_str(), 0, 0, true);
        if (primitive.problem()) return;
        const Accessor& to = asset.accessors[static_cast<std::size_t>(accessor)];
        wanted.push_back({static_cast<std::uint32_t>(number), to.isMatrix ? 0 : to.components, dracoNumberOf(to.type)});
        accessors.push_back(static_cast<std::size_t>(accessor));
    }
    auto mesh = decodeDraco(asset.bytesOf(asset.views[static_cast<std::size_t>(view)]), wanted, limits::kVertices,
                            limits::kIndices);
    if (!mesh) return primitive.problem().set(mesh.error().within(primitive.place()));
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        if (asset.accessors[accessors[i]].count != mesh->vertices)
            return primitive.fail("the Draco data has " + std::to_string(mesh->vertices) + " vertices, its accessor " +
                                  std::to_string(asset.accessors[accessors[i]].count));
        fill(asset, accessors[i], asset.accessors[accessors[i]].type, mesh->vertices, std::move(mesh->attributes[i]));
    }
    if (indices < 0) return;
    const auto* from = reinterpret_cast<const std::uint8_t*>(mesh->indices.data());
    fill(asset, static_cast<std::size_t>(indices), ComponentType::UnsignedInt, mesh->indices.size(),
         Bytes(from, from + mesh->indices.size() * sizeof(std::uint32_t)));
}

} // namespace

void unpackMeshes(const Fields& root, Asset& asset)
{
    const Json& meshes = root.objects("meshes");
    for (std::size_t m = 0; m < meshes.size() && !root.problem(); ++m) {
        const Fields mesh = root.inside(meshes[m], "mesh " + std::to_string(m));
        const Json& primitives = mesh.objects("primitives");
        for (std::size_t p = 0; p < primitives.size() && !root.problem(); ++p) {
            const Fields primitive = mesh.inside(primitives[p], "primitive " + std::to_string(p));
            const Json* extensions = primitive.object("extensions");
            if (extensions == nullptr || !extensions->contains("KHR_draco_mesh_compression")) continue;
            const Fields inside = primitive.inside(*extensions, "extensions");
            if (const Json* draco = inside.object("KHR_draco_mesh_compression", true))
                unpackPrimitive(primitive, inside.inside(*draco, "KHR_draco_mesh_compression"), asset);
        }
    }
}

} // namespace tendon::gltf
