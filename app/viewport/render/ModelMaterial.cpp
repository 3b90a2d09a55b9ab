#include "app/viewport/render/ModelMaterial.h"

#include "app/viewport/render/Effect.h"
#include "app/viewport/render/TextureStore.h"

#include <Qt3DCore/QBuffer>
#include <Qt3DRender/QAbstractTexture>
#include <Qt3DRender/QEffect>
#include <Qt3DRender/QMaterial>
#include <Qt3DRender/QParameter>

#include <QVector2D>
#include <QVector3D>
#include <QVector4D>

namespace tendon::viewport {

struct ModelMaterials::Impl
{
    Qt3DCore::QNode* parent = nullptr;
    TextureStore& textures;
};

ModelMaterials::ModelMaterials(Qt3DCore::QNode* parent, TextureStore& textures)
    : m_impl(std::make_unique<Impl>(Impl{parent, textures}))
{
}

ModelMaterials::~ModelMaterials() = default;

Qt3DRender::QMaterial* ModelMaterials::make(const Material& material, const MeshPart& part, Qt3DCore::QBuffer* palette)
{
    QStringList defines;
    defines << QStringLiteral("INFLUENCES %1").arg(part.influences)
            << QStringLiteral("PALETTE_JOINTS %1").arg(part.influences == 0 ? 1 : kPaletteJoints);
    if (part.hasColours) defines << QStringLiteral("COLOURS");
    if (part.hasTextureCoordinates) defines << QStringLiteral("TEXTURE_COORDINATES");

    struct Map
    {
        std::int32_t index;
        TextureUse use;
        const char* define;
        const char* uniform;
    };
    const Map maps[] = {
        {material.baseColourTexture, TextureUse::Colour, "BASE_COLOUR_TEXTURE", "baseColourTexture"},
        {material.normalTexture, TextureUse::Normal, "NORMAL_TEXTURE", "normalTexture"},
        {material.metallicRoughnessTexture, TextureUse::Data, "METALLIC_ROUGHNESS_TEXTURE", "metallicRoughnessTexture"},
        {material.emissiveTexture, TextureUse::Colour, "EMISSIVE_TEXTURE", "emissiveTexture"},
    };
    auto* made = new Qt3DRender::QMaterial(m_impl->parent);
    const auto set = [&](const char* name, const QVariant& value) {
        made->addParameter(new Qt3DRender::QParameter(QString::fromLatin1(name), value, made));
    };
    for (const Map& map : maps) {
        if (map.index < 0 || !part.hasTextureCoordinates) continue;
        defines << QString::fromLatin1(map.define);
        made->addParameter(new Qt3DRender::QParameter(QString::fromLatin1(map.uniform),
                                                      m_impl->textures.texture(map.index, map.use), made));
    }
    set("baseColour", QVector4D(material.baseColour.x(), material.baseColour.y(), material.baseColour.z(),
                                material.isTransparent || material.isCutOut ? material.baseColour.w() : 1.0f));
    set("emissive", QVector3D(material.emissive.x(), material.emissive.y(), material.emissive.z()));
    set("metallicRoughness", QVector2D(material.metallic, material.roughness));
    // A material that is neither blended nor cut out ignores alpha: a cut-off at 0 makes it opaque and drops nothing.
    set("alphaCutoff", material.isTransparent ? -1.0f : material.isCutOut ? material.alphaCutoff : 0.0f);
    set("normalScale", material.normalScale);
    set("Palette", QVariant::fromValue(palette));
    made->setEffect(makeEffect({.vertexShader = QStringLiteral("model.vert"),
                                .fragmentShader = QStringLiteral("model.frag"),
                                .defines = defines,
                                .isBlended = material.isTransparent,
                                .writesDepth = !material.isTransparent},
                               made));
    return made;
}

} // namespace tendon::viewport
