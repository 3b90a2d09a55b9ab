#include "core/io/export/fbx/FbxScene.h"

#include <algorithm>

namespace tendon::fbx {
namespace {

std::string fileNameOf(const Texture& texture, std::size_t index)
{
    std::string name = texture.name.empty() ? "picture" + std::to_string(index) : texture.name;
    std::replace_if(
        name.begin(), name.end(), [](char c) { return c == '/' || c == '\\' || c == ':'; }, '_');
    const std::string suffix = texture.mimeType == "image/jpeg" ? ".jpg" : ".png";
    if (!name.ends_with(suffix) && !(suffix == ".jpg" && name.ends_with(".jpeg"))) name += suffix;
    return name;
}

/// A texture and its embedded picture; the texture's id.
std::int64_t addTexture(Objects& objects, const Texture& texture, std::size_t index)
{
    const std::string file = fileNameOf(texture, index);
    Node& video = objects.add("Video", file, "Video", "Clip");
    const std::int64_t videoId = objects.lastId();
    video.add("Type", "Clip");
    Properties(video).text("Path", file);
    video.add("UseMipMap", 0);
    video.add("Filename", file);
    video.add("RelativeFilename", file);
    video.add("Content").raw(texture.encoded);

    Node& node = objects.add("Texture", file, "Texture", "");
    const std::int64_t textureId = objects.lastId();
    node.add("Type", "TextureVideoClip");
    node.add("Version", 202);
    node.add("TextureName").objectName(file, "Texture");
    node.add("Media").objectName(file, "Video");
    node.add("FileName", file);
    node.add("RelativeFilename", file);
    Properties(node).text("UVSet", "UVMap").flag("UseMaterial", true);
    objects.connect(videoId, textureId);
    return textureId;
}

bool isPicture(const Texture& texture)
{
    return !texture.encoded.empty() && (texture.mimeType == "image/png" || texture.mimeType == "image/jpeg");
}

} // namespace

std::vector<std::int64_t> addMaterials(Objects& objects, const ModelAsset& model)
{
    std::vector<std::int64_t> ids;
    for (const Material& material : model.materials) {
        Node& node = objects.add("Material", material.name, "Material", "");
        const std::int64_t id = objects.lastId();
        ids.push_back(id);
        node.add("Version", 102);
        node.add("ShadingModel", "phong");
        node.add("MultiLayer", 0);
        const auto colour = [](float c) { return static_cast<double>(c); };
        const Eigen::Vector4f& base = material.baseColour;
        const double opacity = material.isTransparent ? colour(base[3]) : 1;
        // Roughness and metal as readers of phong files take them back: shininess (10 (1 - r))^2, reflection factor.
        const double gloss = 10 * (1 - std::clamp(colour(material.roughness), 0.0, 1.0));
        Properties(node)
            .vector("DiffuseColor", "Color", colour(base[0]), colour(base[1]), colour(base[2]))
            .animated("DiffuseFactor", 1)
            .vector("EmissiveColor", "Color", colour(material.emissive[0]), colour(material.emissive[1]),
                    colour(material.emissive[2]))
            .animated("EmissiveFactor", 1)
            .vector("SpecularColor", "Color", 1, 1, 1)
            .animated("SpecularFactor", 0.25)
            .animated("Shininess", gloss * gloss)
            .animated("ShininessExponent", gloss * gloss)
            .animated("ReflectionFactor", colour(material.metallic))
            .animated("TransparencyFactor", 1 - opacity)
            .animated("Opacity", opacity);
        const auto use = [&](std::int32_t texture, const char* property) {
            if (texture < 0 || !isPicture(model.textures[static_cast<std::size_t>(texture)])) return;
            const auto index = static_cast<std::size_t>(texture);
            objects.connect(addTexture(objects, model.textures[index], index), id, property);
        };
        use(material.baseColourTexture, "DiffuseColor");
        use(material.normalTexture, "NormalMap");
        use(material.emissiveTexture, "EmissiveColor");
        use(material.occlusionTexture, "Maya|TEX_ao_map"); // phong has no word for it; Maya's physical material has
    }
    return ids;
}

} // namespace tendon::fbx
