#include "core/io/readers/gltf/Parts.h"
#include "core/io/readers/gltf/PlainCopy.h"

namespace tendon::gltf {
namespace {

/// Reads all pictures into model.textures. Returns the copy's texture for each image; -1 for one that is not available.
std::vector<std::int64_t> readImages(const Fields& root, const Asset& asset, ModelFolder& folder, PlainCopy& copy,
                                     SourceModel& model)
{
    std::vector<std::int64_t> textureOfImage;
    for (const Json& json : root.objects("images")) {
        const Fields fields = root.inside(json, "image " + std::to_string(textureOfImage.size()));
        auto image = readImage(fields, asset, folder);
        if (!image) {
            model.issues.push_back(
                {Severity::Warning, image.error().message + "; the texture was left out", fields.place()});
            textureOfImage.push_back(-1);
            continue;
        }
        textureOfImage.push_back(static_cast<std::int64_t>(copy.addTexture(model.textures.size())));
        model.textures.push_back({std::move(image->name), std::move(image->mimeType), std::move(image->bytes)});
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
                          "the occlusion texture uses a second set of texture coordinates; it is kept only when a glTF "
                          "source is patched",
                          material.place()});
        return;
    }
    clean["occlusionTexture"] = std::move(texture);
    copyNumber(material, clean, "occlusionTexture", "strength");
}

} // namespace

void readMaterials(const Fields& root, const Asset& asset, ModelFolder& folder, PlainCopy& copy, SourceModel& model)
{
    const auto textures = readTextures(root, readImages(root, asset, folder, copy, model));
    const Json& materials = root.objects("materials");
    for (std::size_t i = 0; i < materials.size() && !root.problem(); ++i) {
        const Fields fields = root.inside(materials[i], "material " + std::to_string(i));
        Json clean = Json::object();
        model.materials.emplace_back().name = fields.text("name");
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
        addOcclusion(fields, textures, clean, model.issues);
        if (const auto emissive = fields.numbers("emissiveFactor", 3); !emissive.empty())
            clean["emissiveFactor"] = emissive;
        if (fields.has("alphaMode")) clean["alphaMode"] = fields.text("alphaMode");
        if (fields.has("alphaCutoff")) clean["alphaCutoff"] = fields.number("alphaCutoff", 0.5);
        clean["doubleSided"] = fields.flag("doubleSided");
        copy.addMaterial(std::move(clean));
    }
}

} // namespace tendon::gltf
