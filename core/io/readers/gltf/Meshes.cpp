#include "core/io/readers/gltf/Parts.h"

#include <algorithm>
#include <charconv>
#include <numeric>

namespace tendon::gltf {
namespace {

/// One triangle primitive with checked, plain data: what the cleaned copy holds, and who influences its vertices.
struct Primitive
{
    std::string place;
    std::string name;
    std::vector<float> positions, normals, textureCoordinates, colours;
    std::vector<std::uint32_t> indices;
    std::int64_t material = -1;
    struct Target
    {
        std::string name;
        std::vector<float> positions, normals;
    };
    std::vector<Target> targets;
    std::vector<std::uint32_t> joints; ///< sets x 4 a vertex, vertex by vertex
    std::vector<float> weights;
    std::size_t sets = 0;

    [[nodiscard]] std::size_t vertexCount() const { return positions.size() / 3; }
};

constexpr int kMaxSets = 8; ///< JOINTS_0 ... JOINTS_7: 32 influences

/// The floats of an attribute; empty when it is absent. `count` 0: any number of elements.
std::vector<float> readAttribute(const Fields& attributes, const Asset& asset, const char* name, int components,
                                 std::size_t count)
{
    const std::int64_t accessor = attributes.index(name, asset.accessors.size());
    if (accessor < 0 || attributes.problem()) return {};
    const auto index = static_cast<std::size_t>(accessor);
    if (asset.accessors[index].components != components || asset.accessors[index].isMatrix) {
        attributes.fail(std::string(name) + " has the wrong type");
        return {};
    }
    if (count != 0 && asset.accessors[index].count != count) {
        attributes.fail(std::string(name) + " has " + std::to_string(asset.accessors[index].count) + " elements for " +
                        std::to_string(count) + " vertices");
        return {};
    }
    auto numbers = readFloats(asset, index);
    if (numbers) return std::move(*numbers);
    attributes.problem().set(numbers.error());
    return {};
}

/// Colours as rgba whether the file has three or four numbers.
std::vector<float> readColours(const Fields& attributes, const Asset& asset, std::size_t count)
{
    const std::int64_t accessor = attributes.index("COLOR_0", asset.accessors.size());
    if (accessor < 0 || attributes.problem()) return {};
    const int components = asset.accessors[static_cast<std::size_t>(accessor)].components;
    if (components == 4) return readAttribute(attributes, asset, "COLOR_0", 4, count);
    const std::vector<float> rgb = readAttribute(attributes, asset, "COLOR_0", 3, count);
    std::vector<float> rgba;
    rgba.reserve(rgb.size() / 3 * 4);
    for (std::size_t i = 0; i + 2 < rgb.size(); i += 3) rgba.insert(rgba.end(), {rgb[i], rgb[i + 1], rgb[i + 2], 1});
    return rgba;
}

void readIndices(const Fields& fields, const Asset& asset, Primitive& primitive)
{
    const std::int64_t accessor = fields.index("indices", asset.accessors.size());
    if (fields.problem()) return;
    if (accessor < 0) {
        primitive.indices.resize(primitive.vertexCount());
        std::iota(primitive.indices.begin(), primitive.indices.end(), 0u);
        return;
    }
    const auto index = static_cast<std::size_t>(accessor);
    if (asset.accessors[index].components != 1) return fields.fail("its indices are not single numbers");
    auto indices = readWhole(asset, index);
    if (!indices) return fields.problem().set(indices.error());
    const auto past = std::find_if(indices->begin(), indices->end(),
                                   [&](std::uint32_t i) { return i >= primitive.vertexCount(); });
    if (past != indices->end())
        return fields.fail("index " + std::to_string(past - indices->begin()) + " names vertex " +
                           std::to_string(*past) + " of " + std::to_string(primitive.vertexCount()));
    primitive.indices = std::move(*indices);
}

/// Strips and fans as single triangles, all facing the same way (glTF 2.0, 3.7.2.1). What is left over is dropped.
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

void readInfluences(const Fields& attributes, const Asset& asset, Primitive& primitive)
{
    std::vector<std::vector<std::uint32_t>> joints;
    std::vector<std::vector<float>> weights;
    for (int set = 0; set < kMaxSets; ++set) {
        const std::string jointName = "JOINTS_" + std::to_string(set), weightName = "WEIGHTS_" + std::to_string(set);
        const std::int64_t jointAccessor = attributes.index(jointName.c_str(), asset.accessors.size());
        if (jointAccessor < 0 || !attributes.has(weightName.c_str())) break;
        const auto index = static_cast<std::size_t>(jointAccessor);
        const Accessor& accessor = asset.accessors[index];
        if (accessor.components != 4 || accessor.isMatrix || accessor.count != primitive.vertexCount())
            return attributes.fail(jointName + " does not name four joints for every vertex");
        auto indices = readWhole(asset, index);
        if (!indices) return attributes.problem().set(indices.error());
        joints.push_back(std::move(*indices));
        weights.push_back(readAttribute(attributes, asset, weightName.c_str(), 4, primitive.vertexCount()));
        if (attributes.problem()) return;
    }
    primitive.sets = joints.size();
    primitive.joints.reserve(primitive.vertexCount() * primitive.sets * 4);
    primitive.weights.reserve(primitive.vertexCount() * primitive.sets * 4);
    for (std::size_t v = 0; v < primitive.vertexCount(); ++v)
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

void readTargets(const Fields& fields, const Asset& asset, const std::vector<std::string>& names, Primitive& primitive)
{
    const Json& targets = fields.objects("targets");
    for (std::size_t t = 0; t < targets.size() && !fields.problem(); ++t) {
        const Fields target = fields.inside(targets[t], "target " + std::to_string(t));
        Primitive::Target read;
        read.name = t < names.size() ? names[t] : "";
        read.positions = readAttribute(target, asset, "POSITION", 3, primitive.vertexCount());
        read.normals = readAttribute(target, asset, "NORMAL", 3, primitive.vertexCount());
        if (read.positions.empty()) read.positions.assign(primitive.positions.size(), 0);
        primitive.targets.push_back(std::move(read));
    }
}

/// Reads the triangles of a mesh; points, lines and primitives without a triangle are left out with an issue.
std::vector<Primitive> readPrimitives(const Fields& mesh, const Asset& asset, std::size_t materialCount, Issues& issues)
{
    std::vector<Primitive> read;
    const std::vector<std::string> names = targetNames(mesh);
    const Json& primitives = mesh.objects("primitives");
    for (std::size_t p = 0; p < primitives.size() && !mesh.problem(); ++p) {
        const Fields fields = mesh.inside(primitives[p], "primitive " + std::to_string(p));
        const std::int64_t mode = fields.whole("mode", 4);
        if (mode > 6) fields.fail("\"mode\" is none that glTF has");
        const Json* attributesJson = fields.object("attributes", true);
        if (fields.problem()) break;
        const Fields attributes = fields.inside(*attributesJson, "attributes");
        Primitive primitive;
        primitive.place = fields.place();
        primitive.name = mesh.text("name");
        primitive.material = fields.index("material", materialCount);
        primitive.positions = readAttribute(attributes, asset, "POSITION", 3, 0);
        if (!fields.problem() && primitive.positions.empty()) attributes.fail("there is no POSITION");
        if (fields.problem()) break;
        const std::size_t count = primitive.vertexCount();
        if (mode >= 4) {
            primitive.normals = readAttribute(attributes, asset, "NORMAL", 3, count);
            primitive.textureCoordinates = readAttribute(attributes, asset, "TEXCOORD_0", 2, count);
            primitive.colours = readColours(attributes, asset, count);
            readInfluences(attributes, asset, primitive);
            readTargets(fields, asset, names, primitive);
            readIndices(fields, asset, primitive);
            primitive.indices = asTriangles(std::move(primitive.indices), mode);
        }
        if (primitive.indices.size() >= 3)
            read.push_back(std::move(primitive));
        else if (!fields.problem())
            issues.push_back({Severity::Warning, "has no triangles and was left out", fields.place()});
    }
    return read;
}

// What is in the copy is told apart by names, because a reader may load in another order and only what is used.
constexpr const char* kMeshPrefix = "mesh";
constexpr const char* kMaterialPrefix = "material";
constexpr const char* kImagePrefix = "image";

std::string nameInCopy(const char* prefix, std::size_t number) { return prefix + std::to_string(number); }

/// The number in a name of the copy; none for names that are not ours.
std::optional<std::size_t> numberIn(const std::string& name, std::string_view prefix, std::size_t count)
{
    std::size_t number = 0;
    if (!name.starts_with(prefix)) return std::nullopt;
    const char* end = name.data() + name.size();
    const auto parsed = std::from_chars(name.data() + prefix.size(), end, number);
    if (parsed.ec != std::errc() || parsed.ptr != end || number >= count) return std::nullopt;
    return number;
}

/// Builds the cleaned copy: one mesh of one primitive for each, accessors as tight floats.
class CleanCopy
{
public:
    CleanCopy()
    {
        m_json["asset"] = {{"version", "2.0"}};
        m_json["scene"] = 0;
        m_json["scenes"] = Json::array({Json{{"nodes", Json::array({0})}}});
        m_json["nodes"] = Json::array({Json{{"name", "root"}, {"children", Json::array()}}});
        for (const char* list : {"meshes", "accessors", "bufferViews", "materials", "textures", "images"})
            m_json[list] = Json::array();
    }

    void addMesh(const Primitive& primitive)
    {
        Json attributes = {{"POSITION", addFloats(primitive.positions, "VEC3", 3)}};
        if (!primitive.normals.empty()) attributes["NORMAL"] = addFloats(primitive.normals, "VEC3", 3);
        if (!primitive.textureCoordinates.empty())
            attributes["TEXCOORD_0"] = addFloats(primitive.textureCoordinates, "VEC2", 2);
        if (!primitive.colours.empty()) attributes["COLOR_0"] = addFloats(primitive.colours, "VEC4", 4);
        Json json = {{"attributes", attributes},
                     {"indices", addAccessor(primitive.indices.data(), primitive.indices.size(), 5125, "SCALAR", 1)}};
        if (primitive.material >= 0) json["material"] = primitive.material;
        Json names = Json::array();
        for (const Primitive::Target& target : primitive.targets) {
            Json deltas = {{"POSITION", addFloats(target.positions, "VEC3", 3)}};
            if (!target.normals.empty()) deltas["NORMAL"] = addFloats(target.normals, "VEC3", 3);
            json["targets"].push_back(deltas);
            names.push_back("t" + std::to_string(names.size()));
        }
        const std::size_t index = m_json["meshes"].size();
        Json mesh = {{"name", nameInCopy(kMeshPrefix, index)}, {"primitives", Json::array({json})}};
        if (!names.empty()) mesh["extras"] = {{"targetNames", names}};
        m_json["meshes"].push_back(mesh);
        m_json["nodes"][0]["children"].push_back(m_json["nodes"].size());
        m_json["nodes"].push_back({{"name", nameInCopy("n", index)}, {"mesh", index}});
    }

    std::size_t addImage(const Image& image)
    {
        m_json["images"].push_back({{"name", nameInCopy(kImagePrefix, m_json["images"].size())},
                                    {"bufferView", addView(image.bytes)},
                                    {"mimeType", image.mimeType}});
        m_json["textures"].push_back({{"source", m_json["images"].size() - 1}});
        return m_json["images"].size() - 1;
    }

    void addMaterial(Json material) { m_json["materials"].push_back(std::move(material)); }

    [[nodiscard]] Bytes glb()
    {
        m_json["buffers"] = Json::array({Json{{"byteLength", m_binary.size()}}});
        for (const char* list : {"materials", "textures", "images"})
            if (m_json[list].empty()) m_json.erase(list);
        return writeGlb(m_json, m_binary);
    }

private:
    std::size_t addView(std::span<const std::uint8_t> bytes)
    {
        m_binary.resize((m_binary.size() + 3) / 4 * 4, 0);
        m_json["bufferViews"].push_back({{"buffer", 0}, {"byteOffset", m_binary.size()}, {"byteLength", bytes.size()}});
        m_binary.insert(m_binary.end(), bytes.begin(), bytes.end());
        return m_json["bufferViews"].size() - 1;
    }
    template <typename T>
    std::size_t addAccessor(const T* numbers, std::size_t size, int componentType, const char* type,
                            std::size_t components)
    {
        const std::size_t view = addView({reinterpret_cast<const std::uint8_t*>(numbers), size * sizeof(T)});
        m_json["accessors"].push_back(
            {{"bufferView", view}, {"componentType", componentType}, {"count", size / components}, {"type", type}});
        return m_json["accessors"].size() - 1;
    }
    std::size_t addFloats(const std::vector<float>& numbers, const char* type, std::size_t components)
    {
        return addAccessor(numbers.data(), numbers.size(), 5126, type, components);
    }

    Json m_json;
    Bytes m_binary;
};

/// Images that could be had, as texture numbers of the copy; -1 = not.
std::vector<std::int64_t> addImages(const Fields& root, const Asset& asset, ModelFolder& folder, CleanCopy& copy,
                                    std::vector<std::string>& names, Issues& issues)
{
    std::vector<std::int64_t> textureOfImage;
    for (const Json& json : root.objects("images")) {
        const Fields fields = root.inside(json, "image " + std::to_string(textureOfImage.size()));
        auto image = readImage(fields, asset, folder);
        if (!image) {
            issues.push_back({Severity::Warning, image.error().message + "; the texture was left out", fields.place()});
            textureOfImage.push_back(-1);
            continue;
        }
        names.push_back(image->name);
        textureOfImage.push_back(static_cast<std::int64_t>(copy.addImage(*image)));
    }
    return textureOfImage;
}

/// glTF texture -> texture of the copy. A texture whose image only an extension names counts as that image.
std::vector<std::int64_t> readTextures(const Fields& root, const std::vector<std::int64_t>& textureOfImage)
{
    std::vector<std::int64_t> textures;
    for (const Json& json : root.objects("textures")) {
        const Fields fields = root.inside(json, "texture " + std::to_string(textures.size()));
        std::int64_t image = fields.index("source", textureOfImage.size());
        static_cast<void>(fields.index("sampler", root.objects("samplers").size()));
        if (const Json* extensions = fields.object("extensions"); extensions && image < 0)
            for (const auto& [name, extension] : extensions->items())
                if (extension.is_object())
                    image = fields.inside(extension, name).index("source", textureOfImage.size());
        textures.push_back(image < 0 ? -1 : textureOfImage[static_cast<std::size_t>(image)]);
    }
    return textures;
}

/// A reference to a texture as the copy has it, or null.
Json textureReference(const Fields& owner, const char* name, const std::vector<std::int64_t>& textures)
{
    const Json* json = owner.object(name);
    if (json == nullptr) return nullptr;
    const Fields fields = owner.inside(*json, name);
    const std::int64_t index = fields.index("index", textures.size(), true);
    if (index < 0 || textures[static_cast<std::size_t>(index)] < 0) return nullptr;
    return {{"index", textures[static_cast<std::size_t>(index)]}};
}

/// One number of the object `name` of a material, where that has it.
void copyNumber(const Fields& material, Json& clean, const char* name, const char* number)
{
    if (!clean.contains(name)) return;
    const Fields fields = material.inside(*material.object(name), name);
    if (fields.has(number)) clean[name][number] = fields.number(number, 1);
}

/// The occlusion's picture, unless it lies by another set of texture coordinates than the one that meshes keep.
void addOcclusion(const Fields& material, const std::vector<std::int64_t>& textures, Json& clean, Issues& issues)
{
    Json texture = textureReference(material, "occlusionTexture", textures);
    if (texture.is_null()) return;
    if (material.inside(*material.object("occlusionTexture"), "occlusionTexture").whole("texCoord", 0) != 0) {
        issues.push_back({Severity::Info,
                          "its occlusion picture lies by further texture coordinates; it is kept in patched files only",
                          material.place()});
        return;
    }
    clean["occlusionTexture"] = std::move(texture);
    copyNumber(material, clean, "occlusionTexture", "strength");
}

void addMaterials(const Fields& root, const std::vector<std::int64_t>& textures, CleanCopy& copy,
                  std::vector<std::string>& names, Issues& issues)
{
    const Json& materials = root.objects("materials");
    for (std::size_t i = 0; i < materials.size() && !root.problem(); ++i) {
        const Fields fields = root.inside(materials[i], "material " + std::to_string(i));
        Json clean = {{"name", nameInCopy(kMaterialPrefix, i)}};
        names.push_back(fields.text("name"));
        if (const Json* json = fields.object("pbrMetallicRoughness")) {
            const Fields pbr = fields.inside(*json, "pbrMetallicRoughness");
            Json& part = clean["pbrMetallicRoughness"] = Json::object();
            if (const auto colour = pbr.numbers("baseColorFactor", 4); !colour.empty())
                part["baseColorFactor"] = colour;
            part["metallicFactor"] = pbr.number("metallicFactor", 1);
            part["roughnessFactor"] = pbr.number("roughnessFactor", 1);
            for (const char* name : {"baseColorTexture", "metallicRoughnessTexture"})
                if (Json texture = textureReference(pbr, name, textures); !texture.is_null()) part[name] = texture;
        }
        for (const char* name : {"normalTexture", "emissiveTexture"})
            if (Json texture = textureReference(fields, name, textures); !texture.is_null()) clean[name] = texture;
        copyNumber(fields, clean, "normalTexture", "scale");
        addOcclusion(fields, textures, clean, issues);
        if (const auto emissive = fields.numbers("emissiveFactor", 3); !emissive.empty())
            clean["emissiveFactor"] = emissive;
        if (fields.has("alphaMode")) clean["alphaMode"] = fields.text("alphaMode");
        if (fields.has("alphaCutoff")) clean["alphaCutoff"] = fields.number("alphaCutoff", 0.5);
        clean["doubleSided"] = fields.flag("doubleSided");
        copy.addMaterial(std::move(clean));
    }
}

/// The drawn primitive under a node, with the influences of the node's skin.
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
    for (std::size_t v = 0; v < primitive.vertexCount(); ++v) {
        for (std::size_t i = v * perVertex; i < (v + 1) * perVertex; ++i) {
            if (primitive.weights[i] <= 0) continue;
            if (primitive.joints[i] >= skin->joints.size()) {
                problems.fail(primitive.place + ": vertex " + std::to_string(v) + " follows joint " +
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

/// Puts what was drawn back into the order of the copy, with the file's own names for materials and textures. Material
/// and texture numbers follow. False when something that must be there is not.
bool restoreOrder(DrawnParts& parts, std::size_t meshCount, const std::vector<std::string>& materialNames,
                  const std::vector<std::string>& textureNames)
{
    DrawnParts ordered;
    ordered.meshes.resize(meshCount);
    ordered.materials.resize(materialNames.size());
    ordered.textures.resize(textureNames.size());
    std::vector<std::int32_t> textureTo(parts.textures.size(), -1), materialTo(parts.materials.size(), -1);
    for (std::size_t i = 0; i < parts.textures.size(); ++i)
        if (const auto to = numberIn(parts.textures[i].name, kImagePrefix, textureNames.size())) {
            ordered.textures[*to] = std::move(parts.textures[i]);
            textureTo[i] = static_cast<std::int32_t>(*to);
        }
    for (std::size_t i = 0; i < parts.materials.size(); ++i)
        if (const auto to = numberIn(parts.materials[i].name, kMaterialPrefix, materialNames.size())) {
            Material& material = ordered.materials[*to] = parts.materials[i];
            for (std::int32_t* texture :
                 {&material.baseColourTexture, &material.normalTexture, &material.metallicRoughnessTexture,
                  &material.emissiveTexture, &material.occlusionTexture})
                *texture = *texture < 0 ? -1 : textureTo[static_cast<std::size_t>(*texture)];
            materialTo[i] = static_cast<std::int32_t>(*to);
        }
    std::size_t found = 0;
    for (Mesh& mesh : parts.meshes)
        if (const auto to = numberIn(mesh.name, kMeshPrefix, meshCount)) {
            mesh.material = mesh.material < 0 ? -1 : materialTo[static_cast<std::size_t>(mesh.material)];
            ordered.meshes[*to] = std::move(mesh);
            ++found;
        }
    for (std::size_t i = 0; i < materialNames.size(); ++i) ordered.materials[i].name = materialNames[i];
    for (std::size_t i = 0; i < textureNames.size(); ++i) ordered.textures[i].name = textureNames[i];
    parts = std::move(ordered);
    return found == meshCount;
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

struct Counts
{
    std::size_t vertices = 0, indices = 0;
};

bool isTooLarge(const Fields& root, const Primitive& primitive, Counts& counts, std::size_t meshes)
{
    counts.vertices += primitive.vertexCount() * (1 + primitive.targets.size());
    counts.indices += primitive.indices.size();
    if (counts.vertices <= limits::kVertices && counts.indices <= limits::kIndices && meshes <= limits::kMeshes)
        return false;
    root.problem().set(Error{ErrorCode::LimitExceeded,
                             "it is too large to read: more than " + std::to_string(limits::kVertices) + " vertices, " +
                                 std::to_string(limits::kIndices / 3) + " triangles or " +
                                 std::to_string(limits::kMeshes) + " meshes",
                             ""});
    return true;
}

} // namespace

void readMeshes(const Fields& root, const Asset& asset, const std::vector<SkinTable>& skins, ModelFolder& folder,
                const ReadDrawnParts& readDrawnParts, SourceModel& model)
{
    const Json& meshes = root.objects("meshes");
    const Json& nodes = root.objects("nodes");
    std::vector<std::vector<Primitive>> primitives(meshes.size());
    std::vector<std::string> materialNames, textureNames;
    CleanCopy copy;
    const auto textureOfImage = addImages(root, asset, folder, copy, textureNames, model.issues);
    const auto textures = readTextures(root, textureOfImage);
    addMaterials(root, textures, copy, materialNames, model.issues);

    // Every mesh is read, used or not, so that damage in it is found; the copy holds them in this order.
    std::vector<std::size_t> firstOfMesh;
    std::size_t drawn = 0;
    Counts counts;
    for (std::size_t m = 0; m < meshes.size() && !root.problem(); ++m) {
        firstOfMesh.push_back(drawn);
        const Fields mesh = root.inside(meshes[m], "mesh " + std::to_string(m));
        primitives[m] = readPrimitives(mesh, asset, materialNames.size(), model.issues);
        for (const Primitive& primitive : primitives[m]) {
            if (root.problem() || isTooLarge(root, primitive, counts, ++drawn)) return;
            copy.addMesh(primitive);
        }
    }
    if (root.problem()) return;
    DrawnParts parts;
    if (drawn > 0) {
        auto read = readDrawnParts(copy.glb());
        if (!read) return root.problem().set(read.error());
        parts = std::move(*read);
    }
    if (!restoreOrder(parts, drawn, materialNames, textureNames))
        return root.problem().set(Error{ErrorCode::Internal, "its meshes could not be read back", ""});

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
            if (part.positions.size() != primitive.vertexCount())
                return root.problem().set(Error{ErrorCode::Internal, primitive.place + " could not be read back", ""});
            part.name = primitive.name;
            const std::vector<float> weights = restWeights(node.has("weights") ? nodes[n] : meshes[m]);
            for (std::size_t t = 0; t < part.morphTargets.size() && t < primitive.targets.size(); ++t) {
                part.morphTargets[t].name = primitive.targets[t].name;
                if (t < weights.size()) part.morphTargets[t].restWeight = weights[t];
            }
            model.meshes.push_back(instanceOf(root, primitive, std::move(part), static_cast<std::int32_t>(n),
                                              skin < 0 ? nullptr : &skins[static_cast<std::size_t>(skin)]));
        }
    }
    model.materials = std::move(parts.materials);
    model.textures = std::move(parts.textures);
}

} // namespace tendon::gltf
