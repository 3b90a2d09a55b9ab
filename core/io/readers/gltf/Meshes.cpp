#include "core/base/Counted.h"
#include "core/io/readers/gltf/Parts.h"
#include "core/io/readers/gltf/PlainCopy.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tendon::gltf {
namespace {

/// What the reader itself keeps of a triangle primitive: the rest is in the copy.
struct Primitive
{
    std::string place;
    std::string name;
    std::size_t vertices = 0, indices = 0;
    bool hasMoreTextureCoordinates = false, hasMendedNormals = false;
    std::vector<std::string> targets;  ///< names of the morph targets
    std::vector<std::uint32_t> joints; ///< sets x 4 a vertex, vertex by vertex
    std::vector<float> weights;
    std::size_t sets = 0;
};

constexpr int kMaxSets = 8; ///< JOINTS_0 ... JOINTS_7: 32 influences

/// The accessor of an attribute; -1 if it is absent, has another type than `components` numbers, or another number of
/// elements than `vertices` (0: any number).
std::int64_t findAttribute(const Fields& attributes, const Asset& asset, const char* name, int components,
                           std::size_t vertices)
{
    const std::int64_t accessor = attributes.index(name, asset.accessors.size());
    if (accessor < 0 || attributes.problem()) return -1;
    const Accessor& found = asset.accessors[static_cast<std::size_t>(accessor)];
    if (found.components != components || found.isMatrix) {
        attributes.fail(std::string(name) + " has the wrong type");
        return -1;
    }
    if (vertices != 0 && found.count != vertices) {
        attributes.fail(std::string(name) + " has " + std::to_string(found.count) + " elements for " +
                        std::to_string(vertices) + " vertices");
        return -1;
    }
    return accessor;
}

/// Puts an attribute into the copy, and its number there into `to`. False if there is none, or an error. Numbers that
/// are not finite become 0 and are counted in `mended`; without it they are an error.
bool copyAttribute(const Fields& attributes, PlainCopy& copy, std::int64_t accessor, std::size_t components,
                   const char* name, Json& to, std::size_t* mended = nullptr)
{
    if (accessor < 0) return false;
    const auto copied = copy.addFloats(static_cast<std::size_t>(accessor), components, mended);
    if (!copied) {
        attributes.problem().set(copied.error());
        return false;
    }
    to[name] = *copied;
    return true;
}

/// Colours become rgba, whether the file has three or four numbers.
void copyColours(const Fields& attributes, const Asset& asset, std::size_t vertices, PlainCopy& copy, Json& to,
                 std::size_t& mended)
{
    const std::int64_t accessor = attributes.index("COLOR_0", asset.accessors.size());
    if (accessor < 0 || attributes.problem()) return;
    const int components = asset.accessors[static_cast<std::size_t>(accessor)].components == 4 ? 4 : 3;
    copyAttribute(attributes, copy, findAttribute(attributes, asset, "COLOR_0", components, vertices), 4, "COLOR_0", to,
                  &mended);
}

/// The vertices of the triangles, of strips and fans as they stand.
std::vector<std::uint32_t> readIndices(const Fields& fields, const Asset& asset, std::size_t vertices)
{
    const std::int64_t accessor = fields.index("indices", asset.accessors.size());
    if (fields.problem()) return {};
    if (accessor < 0) {
        std::vector<std::uint32_t> all(vertices);
        std::iota(all.begin(), all.end(), 0u);
        return all;
    }
    const auto index = static_cast<std::size_t>(accessor);
    if (asset.accessors[index].components != 1) {
        fields.fail("the indices are not scalars");
        return {};
    }
    auto indices = readWhole(asset, index);
    if (!indices) {
        fields.problem().set(indices.error());
        return {};
    }
    const auto past = std::find_if(indices->begin(), indices->end(), [&](std::uint32_t i) { return i >= vertices; });
    if (past != indices->end()) {
        fields.fail("index " + std::to_string(past - indices->begin()) + " refers to vertex " + std::to_string(*past) +
                    " of " + std::to_string(vertices));
        return {};
    }
    return std::move(*indices);
}

/// Strips and fans as single triangles, all facing the same way (glTF 2.0, 3.7.2.1). Leftover vertices are dropped.
std::vector<std::uint32_t> asTriangles(std::vector<std::uint32_t> indices, std::int64_t mode)
{
    constexpr std::int64_t kTriangles = 4, kStrip = 5;
    if (mode == kTriangles) {
        indices.resize(indices.size() / 3 * 3);
        return indices;
    }
    std::vector<std::uint32_t> triangles;
    for (std::size_t i = 0; i + 2 < indices.size(); ++i) {
        if (mode == kStrip)
            triangles.insert(triangles.end(), {indices[i], indices[i + 1 + i % 2], indices[i + 2 - i % 2]});
        else
            triangles.insert(triangles.end(), {indices[i + 1], indices[i + 2], indices[0]});
    }
    return triangles;
}

void readInfluences(const Fields& attributes, const Asset& asset, Primitive& primitive, std::size_t& mended)
{
    std::vector<std::vector<std::uint32_t>> joints;
    std::vector<std::vector<float>> weights;
    for (int set = 0; set < kMaxSets; ++set) {
        const std::string jointName = "JOINTS_" + std::to_string(set), weightName = "WEIGHTS_" + std::to_string(set);
        const std::int64_t jointAccessor = attributes.index(jointName.c_str(), asset.accessors.size());
        if (jointAccessor < 0 || !attributes.has(weightName.c_str())) break;
        const auto index = static_cast<std::size_t>(jointAccessor);
        const Accessor& accessor = asset.accessors[index];
        if (accessor.components != 4 || accessor.isMatrix || accessor.count != primitive.vertices)
            return attributes.fail(jointName + " does not have four joints per vertex");
        auto indices = readWhole(asset, index);
        if (!indices) return attributes.problem().set(indices.error());
        joints.push_back(std::move(*indices));
        const std::int64_t weightAccessor = findAttribute(attributes, asset, weightName.c_str(), 4, primitive.vertices);
        if (weightAccessor < 0) return;
        auto numbers = readMendedFloats(asset, static_cast<std::size_t>(weightAccessor), mended);
        if (!numbers) return attributes.problem().set(numbers.error());
        weights.push_back(std::move(*numbers));
    }
    primitive.sets = joints.size();
    primitive.joints.reserve(primitive.vertices * primitive.sets * 4);
    primitive.weights.reserve(primitive.vertices * primitive.sets * 4);
    for (std::size_t v = 0; v < primitive.vertices; ++v)
        for (std::size_t set = 0; set < primitive.sets; ++set)
            for (std::size_t i = 0; i < 4; ++i) {
                const float weight = weights[set][v * 4 + i];
                if (weight < 0) return attributes.fail("vertex " + std::to_string(v) + " has a negative weight");
                primitive.joints.push_back(joints[set][v * 4 + i]);
                primitive.weights.push_back(weight);
            }
}

std::vector<std::string> targetNames(const Fields& mesh)
{
    std::vector<std::string> names;
    const Json* extras = nullptr;
    if (mesh.has("extras")) extras = mesh.object("extras");
    const auto list = extras ? extras->find("targetNames") : Json::const_iterator();
    if (extras == nullptr || list == extras->end() || !list->is_array()) return names;
    for (const Json& name : *list) names.push_back(name.is_string() ? name.get<std::string>() : "");
    return names;
}

void copyTargets(const Fields& fields, const Asset& asset, const std::vector<std::string>& names, Primitive& primitive,
                 PlainCopy& copy, Json& to)
{
    const Json& targets = fields.objects("targets");
    for (std::size_t t = 0; t < targets.size() && !fields.problem(); ++t) {
        const Fields target = fields.inside(targets[t], "target " + std::to_string(t));
        Json deltas = Json::object();
        const auto copyDeltas = [&](const char* name) {
            return copyAttribute(target, copy, findAttribute(target, asset, name, 3, primitive.vertices), 3, name,
                                 deltas);
        };
        if (!copyDeltas("POSITION")) deltas["POSITION"] = copy.addZeros(primitive.vertices);
        copyDeltas("NORMAL");
        to["targets"].push_back(std::move(deltas));
        primitive.targets.push_back(t < names.size() ? names[t] : "");
    }
}

void reportMended(std::size_t count, const char* what, const Fields& primitive, Issues& issues)
{
    if (count > 0)
        issues.push_back({Severity::Warning, counted(count, "number", "numbers") + " of " + what, primitive.place()});
}

/// Gives vertices whose normal became zero that of the triangles around them.
void computeZeroNormals(Mesh& mesh)
{
    std::vector<Eigen::Vector3f> around(mesh.normals.size(), Eigen::Vector3f::Zero());
    for (std::size_t i = 0; i + 2 < mesh.indices.size() && !around.empty(); i += 3) {
        const auto corner = [&](std::size_t c) { return mesh.positions[mesh.indices[i + c]]; };
        const Eigen::Vector3f normal = (corner(1) - corner(0)).cross(corner(2) - corner(0));
        for (std::size_t c = 0; c < 3; ++c) around[mesh.indices[i + c]] += normal;
    }
    for (std::size_t v = 0; v < mesh.normals.size(); ++v)
        if (mesh.normals[v].isZero(1e-3f)) mesh.normals[v] = around[v].normalized();
}

struct Counts
{
    std::size_t vertices = 0, indices = 0;
};

bool isTooLarge(const Fields& root, const Primitive& primitive, Counts& counts, std::size_t meshes)
{
    counts.vertices += primitive.vertices * (1 + primitive.targets.size());
    counts.indices += primitive.indices;
    if (counts.vertices <= limits::kVertices && counts.indices <= limits::kIndices && meshes <= limits::kMeshes)
        return false;
    root.problem().set(Error{ErrorCode::LimitExceeded,
                             "the model is too large: more than " + std::to_string(limits::kVertices) + " vertices, " +
                                 std::to_string(limits::kIndices / 3) + " triangles or " +
                                 std::to_string(limits::kMeshes) + " meshes",
                             ""});
    return true;
}

/// Reads the triangles of a mesh; points, lines and primitives without a triangle are left out with an issue.
std::vector<Primitive> readPrimitives(const Fields& mesh, const Asset& asset, std::size_t materialCount,
                                      PlainCopy& copy, Counts& counts, Issues& issues)
{
    std::vector<Primitive> read;
    const std::vector<std::string> names = targetNames(mesh);
    const Json& primitives = mesh.objects("primitives");
    for (std::size_t p = 0; p < primitives.size() && !mesh.problem(); ++p) {
        const Fields fields = mesh.inside(primitives[p], "primitive " + std::to_string(p));
        const std::int64_t mode = fields.whole("mode", 4);
        if (mode > 6) fields.fail("invalid \"mode\" " + std::to_string(mode));
        const Json* attributesJson = fields.object("attributes", true);
        if (fields.problem()) break;
        const Fields attributes = fields.inside(*attributesJson, "attributes");
        Primitive primitive;
        primitive.place = fields.place();
        primitive.name = mesh.text("name");
        const std::int64_t material = fields.index("material", materialCount);
        Json json = {{"attributes", Json::object()}};
        Json& copied = json["attributes"];
        const std::int64_t positions = findAttribute(attributes, asset, "POSITION", 3, 0);
        if (!copyAttribute(attributes, copy, positions, 3, "POSITION", copied) && !fields.problem())
            attributes.fail("POSITION is missing");
        if (fields.problem()) break;
        const std::size_t count = primitive.vertices = asset.accessors[static_cast<std::size_t>(positions)].count;
        if (mode >= 4) {
            std::size_t normals = 0, others = 0, weights = 0;
            copyAttribute(attributes, copy, findAttribute(attributes, asset, "NORMAL", 3, count), 3, "NORMAL", copied,
                          &normals);
            copyAttribute(attributes, copy, findAttribute(attributes, asset, "TEXCOORD_0", 2, count), 2, "TEXCOORD_0",
                          copied, &others);
            primitive.hasMoreTextureCoordinates = attributes.has("TEXCOORD_1");
            copyColours(attributes, asset, count, copy, copied, others);
            readInfluences(attributes, asset, primitive, weights);
            copyTargets(fields, asset, names, primitive, copy, json);
            primitive.hasMendedNormals = normals > 0;
            reportMended(normals, "its normals are not finite; they are computed from the triangles", fields, issues);
            reportMended(others, "its texture coordinates or colours are not finite; they became 0", fields, issues);
            reportMended(weights, "its weights are not finite; they became 0", fields, issues);
            const auto triangles = asTriangles(readIndices(fields, asset, count), mode);
            primitive.indices = triangles.size();
            if (primitive.indices >= 3) json["indices"] = copy.addIndices(triangles);
        }
        if (fields.problem()) break;
        if (primitive.indices < 3) {
            issues.push_back({Severity::Warning, "has no triangles and was left out", fields.place()});
            continue;
        }
        if (isTooLarge(mesh, primitive, counts, copy.meshCount() + 1)) break;
        if (material >= 0) json["material"] = material;
        copy.addMesh(std::move(json));
        read.push_back(std::move(primitive));
    }
    return read;
}

/// A mesh at a node, with the influences of the node's skin.
SourceMesh instanceOf(const Fields& problems, const Primitive& primitive, Mesh mesh, std::int32_t node,
                      const SkinTable* skin)
{
    SourceMesh source;
    source.node = node;
    source.mesh = std::move(mesh);
    if (skin == nullptr || primitive.sets == 0) return source;
    source.jointNodes = skin->joints;
    Skin& bound = source.mesh.skin;
    bound.jointFromMesh = skin->jointFromMesh;
    bound.influenceBegin.push_back(0);
    const std::size_t perVertex = primitive.sets * 4;
    for (std::size_t v = 0; v < primitive.vertices; ++v) {
        for (std::size_t i = v * perVertex; i < (v + 1) * perVertex; ++i) {
            if (primitive.weights[i] <= 0) continue;
            if (primitive.joints[i] >= skin->joints.size()) {
                problems.fail(primitive.place + ": vertex " + std::to_string(v) + " refers to joint " +
                              std::to_string(primitive.joints[i]) + " of a skin of " +
                              std::to_string(skin->joints.size()));
                return source;
            }
            bound.influenceJoint.push_back(static_cast<std::uint16_t>(primitive.joints[i]));
            bound.influenceWeight.push_back(primitive.weights[i]);
        }
        bound.influenceBegin.push_back(static_cast<std::uint32_t>(bound.influenceJoint.size()));
    }
    return source;
}

/// Puts what Assimp made of the copy into the copy's order. False if a mesh is missing.
bool restoreOrder(DrawnParts& parts, std::size_t meshCount, std::size_t materialCount)
{
    DrawnParts ordered;
    ordered.meshes.resize(meshCount);
    ordered.materials.resize(materialCount);
    std::vector<std::int32_t> materialTo(parts.materials.size(), -1);
    for (std::size_t i = 0; i < parts.materials.size(); ++i)
        if (const auto to = PlainCopy::materialNumber(parts.materials[i].name, materialCount)) {
            ordered.materials[*to] = std::move(parts.materials[i]);
            materialTo[i] = static_cast<std::int32_t>(*to);
        }
    std::size_t found = 0;
    for (Mesh& mesh : parts.meshes)
        if (const auto to = PlainCopy::meshNumber(mesh.name, meshCount)) {
            mesh.material = mesh.material < 0 ? -1 : materialTo[static_cast<std::size_t>(mesh.material)];
            ordered.meshes[*to] = std::move(mesh);
            ++found;
        }
    parts = std::move(ordered);
    return found == meshCount;
}

/// Materials as Assimp read them, under the names that the file has for them. Pictures that no mesh needs are dropped.
void takeMaterials(std::vector<Material> materials, SourceModel& model)
{
    std::vector<bool> isUsed(model.textures.size(), false);
    for (std::size_t i = 0; i < materials.size(); ++i) {
        materials[i].name = std::move(model.materials[i].name);
        for (const std::int32_t texture :
             {materials[i].baseColourTexture, materials[i].normalTexture, materials[i].metallicRoughnessTexture,
              materials[i].emissiveTexture, materials[i].occlusionTexture})
            if (texture >= 0) isUsed[static_cast<std::size_t>(texture)] = true;
    }
    for (std::size_t t = 0; t < isUsed.size(); ++t)
        if (!isUsed[t]) model.textures[t] = {std::move(model.textures[t].name), {}, {}};
    model.materials = std::move(materials);
}

/// The weights of morph targets that a mesh or node states; none where they are no numbers.
std::vector<float> restWeights(const Json& owner)
{
    const auto list = owner.find("weights");
    std::vector<float> weights;
    for (const Json& weight : list != owner.end() && list->is_array() ? *list : Json::array())
        weights.push_back(weight.is_number() && std::isfinite(weight.get<float>()) ? weight.get<float>() : 0.0f);
    return weights;
}

} // namespace

void readMeshes(const Fields& root, const Asset& asset, const std::vector<SkinTable>& skins, ModelFolder& folder,
                const ReadDrawnParts& readDrawnParts, SourceModel& model)
{
    const Json& meshes = root.objects("meshes");
    const Json& nodes = root.objects("nodes");
    PlainCopy copy(asset);
    readMaterials(root, asset, folder, copy, model);

    // Every mesh is read, used or not, so that damage in it is found; the copy holds them in this order.
    std::vector<std::vector<Primitive>> primitives;
    std::vector<std::size_t> firstOfMesh;
    Counts counts;
    for (std::size_t m = 0; m < meshes.size() && !root.problem(); ++m) {
        firstOfMesh.push_back(copy.meshCount());
        const Fields mesh = root.inside(meshes[m], "mesh " + std::to_string(m));
        primitives.push_back(readPrimitives(mesh, asset, model.materials.size(), copy, counts, model.issues));
    }
    if (root.problem()) return;
    DrawnParts parts;
    if (copy.meshCount() > 0) {
        const auto glb = copy.glb();
        if (!glb) return root.problem().set(glb.error());
        auto read = readDrawnParts(*glb);
        if (!read) return root.problem().set(read.error());
        parts = std::move(*read);
    }
    if (!restoreOrder(parts, copy.meshCount(), model.materials.size()))
        return root.problem().set(Error{ErrorCode::Internal, "Assimp lost a mesh", ""});
    takeMaterials(std::move(parts.materials), model);

    counts = {};
    for (std::size_t n = 0; n < nodes.size() && !root.problem(); ++n) {
        const Fields node = root.inside(nodes[n], "node " + std::to_string(n));
        const std::int64_t mesh = node.index("mesh", meshes.size());
        const std::int64_t skin = node.index("skin", skins.size());
        if (mesh < 0 || root.problem() || !model.nodes[n].isInScene) continue;
        const auto m = static_cast<std::size_t>(mesh);
        for (std::size_t p = 0; p < primitives[m].size() && !root.problem(); ++p) {
            const Primitive& primitive = primitives[m][p];
            if (isTooLarge(root, primitive, counts, model.meshes.size())) return;
            Mesh part = parts.meshes[firstOfMesh[m] + p];
            if (part.positions.size() != primitive.vertices)
                return root.problem().set(Error{ErrorCode::Internal, primitive.place + " was changed by Assimp", ""});
            part.name = primitive.name;
            if (primitive.hasMendedNormals) computeZeroNormals(part);
            part.hasMoreTextureCoordinates = primitive.hasMoreTextureCoordinates;
            const std::vector<float> weights = restWeights(node.has("weights") ? nodes[n] : meshes[m]);
            for (std::size_t t = 0; t < part.morphTargets.size() && t < primitive.targets.size(); ++t) {
                part.morphTargets[t].name = primitive.targets[t];
                if (t < weights.size()) part.morphTargets[t].restWeight = weights[t];
            }
            model.meshes.push_back(instanceOf(root, primitive, std::move(part), static_cast<std::int32_t>(n),
                                              skin < 0 ? nullptr : &skins[static_cast<std::size_t>(skin)]));
        }
    }
}

} // namespace tendon::gltf
