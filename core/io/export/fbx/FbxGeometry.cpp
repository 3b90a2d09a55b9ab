#include "core/io/export/fbx/FbxScene.h"
#include "core/io/export/prepare/Influences.h"

#include <numeric>

namespace tendon::fbx {
namespace {

/// `values[index]` for each corner of each triangle: the mapping every reader handles alike.
template <typename Vector>
std::vector<double> byCorner(const std::vector<Vector>& values, const std::vector<std::uint32_t>& corners)
{
    std::vector<double> flat;
    flat.reserve(corners.size() * Vector::SizeAtCompileTime);
    for (const std::uint32_t corner : corners)
        for (Eigen::Index i = 0; i < values[corner].size(); ++i) flat.push_back(static_cast<double>(values[corner][i]));
    return flat;
}

template <typename Vector>
std::vector<double> flat(const std::vector<Vector>& values)
{
    std::vector<double> numbers;
    numbers.reserve(values.size() * Vector::SizeAtCompileTime);
    for (const Vector& value : values)
        for (Eigen::Index i = 0; i < value.size(); ++i) numbers.push_back(static_cast<double>(value[i]));
    return numbers;
}

Node& addLayerElement(Node& geometry, const char* kind, const char* name, const char* mapping, const char* reference)
{
    Node& element = geometry.add(kind);
    element.integer(0);
    element.add("Version", 101);
    element.add("Name", name);
    element.add("MappingInformationType", mapping);
    element.add("ReferenceInformationType", reference);
    return element;
}

void addAttributes(Node& geometry, const MeshGroup& group)
{
    const Mesh& mesh = group.mesh;
    const std::vector<std::int32_t> corners(mesh.indices.begin(), mesh.indices.end());
    std::vector<const char*> layers;
    if (!mesh.normals.empty()) {
        addLayerElement(geometry, "LayerElementNormal", "", "ByPolygonVertex", "Direct")
            .add("Normals")
            .numbers(byCorner(mesh.normals, mesh.indices));
        layers.push_back("LayerElementNormal");
    }
    if (!mesh.colours.empty()) {
        Node& element = addLayerElement(geometry, "LayerElementColor", "Colour", "ByPolygonVertex", "IndexToDirect");
        element.add("Colors").numbers(flat(mesh.colours));
        element.add("ColorIndex").integers(corners);
        layers.push_back("LayerElementColor");
    }
    if (!mesh.textureCoordinates.empty()) {
        std::vector<double> uv = flat(mesh.textureCoordinates);
        for (std::size_t i = 1; i < uv.size(); i += 2) uv[i] = 1 - uv[i]; // FBX counts v upward
        Node& element = addLayerElement(geometry, "LayerElementUV", "UVMap", "ByPolygonVertex", "IndexToDirect");
        element.add("UV").numbers(uv);
        element.add("UVIndex").integers(corners);
        layers.push_back("LayerElementUV");
    }
    const bool hasOne = group.materials.size() < 2;
    addLayerElement(geometry, "LayerElementMaterial", "", hasOne ? "AllSame" : "ByPolygon", "IndexToDirect")
        .add("Materials")
        .integers(hasOne ? std::vector<std::int32_t>{0} : group.slotOfTriangle);
    layers.push_back("LayerElementMaterial");

    Node& layer = geometry.add("Layer");
    layer.integer(0);
    layer.add("Version", 100);
    for (const char* kind : layers) {
        Node& element = layer.add("LayerElement");
        element.add("Type", kind);
        element.add("TypedIndex", 0);
    }
}

void addShapes(Objects& objects, const Mesh& mesh, std::int64_t geometry, std::vector<std::int64_t>& channels)
{
    if (mesh.morphTargets.empty()) return;
    objects.add("Deformer", mesh.name, "Deformer", "BlendShape").add("Version", 100);
    const std::int64_t deformer = objects.lastId();
    objects.connect(deformer, geometry);
    std::vector<std::int32_t> all(mesh.positions.size());
    std::iota(all.begin(), all.end(), 0);
    for (const MorphTarget& target : mesh.morphTargets) {
        // Programs find channels by name.
        const std::string name = !target.name.empty() ? target.name : "morph" + std::to_string(channels.size() + 1);
        Node& channel = objects.add("Deformer", name, "SubDeformer", "BlendShapeChannel");
        const std::int64_t channelId = objects.lastId();
        channel.add("Version", 100);
        channel.add("DeformPercent").number(100 * static_cast<double>(target.restWeight));
        channel.add("FullWeights").numbers(std::vector<double>{100});
        objects.connect(channelId, deformer);
        channels.push_back(channelId);
        Node& shape = objects.add("Geometry", name, "Geometry", "Shape");
        shape.add("Version", 100);
        shape.add("Indexes").integers(all);
        shape.add("Vertices").numbers(flat(target.positionDeltas));
        const std::vector<double> unchanged(3 * all.size(), 0); // readers demand normals
        shape.add("Normals").numbers(target.normalDeltas.empty() ? unchanged : flat(target.normalDeltas));
        objects.connect(objects.lastId(), channelId);
    }
}

} // namespace

std::int64_t addGeometry(Objects& objects, const MeshGroup& group, std::vector<std::int64_t>& morphChannels)
{
    const Mesh& mesh = group.mesh;
    Node& geometry = objects.add("Geometry", mesh.name, "Geometry", "Mesh");
    const std::int64_t id = objects.lastId();
    Properties properties(geometry);
    geometry.add("GeometryVersion", 124);
    geometry.add("Vertices").numbers(flat(mesh.positions));
    std::vector<std::int32_t> corners(mesh.indices.begin(), mesh.indices.end());
    for (std::size_t i = 2; i < corners.size(); i += 3) corners[i] = ~corners[i]; // the last corner of a polygon
    geometry.add("PolygonVertexIndex").integers(corners);
    addAttributes(geometry, group);
    addShapes(objects, mesh, id, morphChannels);
    return id;
}

void addSkin(Objects& objects, const Mesh& mesh, std::int64_t geometry, const std::map<JointId, std::int64_t>& modelOf)
{
    Node& skin = objects.add("Deformer", mesh.name, "Deformer", "Skin");
    const std::int64_t skinId = objects.lastId();
    skin.add("Version", 101);
    skin.add("Link_DeformAcuracy").number(50);
    objects.connect(skinId, geometry);

    std::vector<std::vector<std::int32_t>> vertices(mesh.skin.joints.size());
    std::vector<std::vector<double>> weights(mesh.skin.joints.size());
    for (std::size_t v = 0; v < mesh.positions.size(); ++v)
        for (const Influence& influence : influencesOf(mesh.skin, v, mesh.skin.joints.size())) {
            vertices[influence.joint].push_back(static_cast<std::int32_t>(v));
            weights[influence.joint].push_back(influence.weight);
        }
    for (std::size_t j = 0; j < vertices.size(); ++j) {
        const auto model = modelOf.find(mesh.skin.joints[j]);
        if (vertices[j].empty() || model == modelOf.end()) continue;
        Node& cluster = objects.add("Deformer", mesh.name, "SubDeformer", "Cluster");
        const std::int64_t clusterId = objects.lastId();
        cluster.add("Version", 100);
        cluster.add("UserData").text("").text("");
        cluster.add("Indexes").integers(vertices[j]);
        cluster.add("Weights").numbers(weights[j]);
        // The mesh stands at the origin when it is bound: the joint stood at the inverse of its offset.
        cluster.add("Transform").numbers(numbersOf(mesh.skin.jointFromMesh[j]));
        cluster.add("TransformLink").numbers(numbersOf(mesh.skin.jointFromMesh[j].inverse()));
        cluster.add("TransformAssociateModel").numbers(numbersOf(Affine::Identity()));
        objects.connect(clusterId, skinId);
        objects.connect(model->second, clusterId);
    }
}

} // namespace tendon::fbx
