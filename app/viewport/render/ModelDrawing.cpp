#include "app/viewport/render/ModelDrawing.h"

#include "app/viewport/render/ModelMaterial.h"
#include "app/viewport/render/RenderHost.h"
#include "app/viewport/render/TextureStore.h"
#include "app/viewport/view/PreparedParts.h"
#include "app/viewport/view/SegmentBodies.h"
#include "core/runtime/Skinning.h"

#include <Qt3DCore/QAttribute>
#include <Qt3DCore/QBuffer>
#include <Qt3DCore/QEntity>
#include <Qt3DCore/QGeometry>
#include <Qt3DRender/QGeometryRenderer>
#include <Qt3DRender/QLayer>
#include <Qt3DRender/QMaterial>

#include <algorithm>
#include <cstring>

namespace tendon::viewport {
namespace {

using Qt3DCore::QAttribute;

QByteArray bytesOf(const auto& vector)
{
    return {reinterpret_cast<const char*>(vector.data()),
            static_cast<qsizetype>(vector.size() * sizeof(typename std::decay_t<decltype(vector)>::value_type))};
}

Qt3DCore::QGeometry* makeGeometry(const MeshPart& part, Qt3DCore::QNode* parent)
{
    auto* geometry = new Qt3DCore::QGeometry(parent);
    auto* vertices = new Qt3DCore::QBuffer(geometry);
    vertices->setData(bytesOf(part.vertices));
    auto* indices = new Qt3DCore::QBuffer(geometry);
    indices->setData(bytesOf(part.indices));

    const auto stride = static_cast<unsigned>(part.floatsPerVertex() * static_cast<int>(sizeof(float)));
    unsigned offset = 0;
    const auto add = [&](const QString& name, unsigned size) {
        geometry->addAttribute(new QAttribute(vertices, name, QAttribute::Float, size,
                                              static_cast<unsigned>(part.meshVertex.size()), offset, stride));
        offset += size * static_cast<unsigned>(sizeof(float));
    };
    add(QAttribute::defaultPositionAttributeName(), 3);
    add(QAttribute::defaultNormalAttributeName(), 3);
    if (part.hasTextureCoordinates) add(QAttribute::defaultTextureCoordinateAttributeName(), 2);
    if (part.hasColours) add(QAttribute::defaultColorAttributeName(), 4);
    if (part.influences > 0) add(QStringLiteral("vertexJoints"), 4);
    if (part.influences > 4) add(QStringLiteral("vertexJoints2"), 4);
    if (part.influences > 0) add(QStringLiteral("vertexWeights"), 4);
    if (part.influences > 4) add(QStringLiteral("vertexWeights2"), 4);

    auto* index = new QAttribute(indices, QAttribute::UnsignedInt, 1, static_cast<unsigned>(part.indices.size()));
    index->setAttributeType(QAttribute::IndexAttribute);
    geometry->addAttribute(index);
    return geometry;
}

struct DrawnPart
{
    DrawablePart part;
    Qt3DCore::QEntity* entity = nullptr;
    Qt3DCore::QBuffer* palette = nullptr;
    QByteArray rows; ///< palette as last sent
};

} // namespace

struct ModelDrawing::Impl
{
    Impl(RenderHost& h, std::function<void()> wants) : host(h), wantsFrame(std::move(wants)), ghosts(h) {}

    RenderHost& host;
    std::function<void()> wantsFrame;

    std::shared_ptr<const ModelAsset> model;
    std::vector<std::pair<JointId, Segment>> segments; ///< source of the bodies
    std::vector<SkinBinding> bindings;                 ///< per mesh, the bodies last
    std::shared_ptr<const CompiledRig> rig;

    Mesh bodies;
    Qt3DCore::QEntity* entity = nullptr; ///< owns everything below
    std::unique_ptr<TextureStore> textures;
    std::unique_ptr<ModelMaterials> materials;
    std::vector<DrawnPart> parts;
    GhostDrawing ghosts;
    bool isShown = true;
    std::vector<std::uint8_t> shownJoints; ///< of the bodies; empty = all
    std::vector<bool> shownMeshes;         ///< of the model, the bodies last; empty = all

    void clear();
    void addMesh(std::size_t index, const std::vector<MeshPart>& meshParts, const Material& material);
    void bind();
    void applyMeshes();
    [[nodiscard]] std::vector<bool> meshesShown() const; ///< of each mesh, the bodies last
    /// Skins follow their joints whether these are shown or not; bodies are the joints' own.
    [[nodiscard]] std::span<const std::uint8_t> jointsOf(std::size_t mesh) const
    {
        return mesh + 1 == bindings.size() ? std::span<const std::uint8_t>(shownJoints)
                                           : std::span<const std::uint8_t>();
    }
};

std::vector<bool> ModelDrawing::Impl::meshesShown() const
{
    std::vector<bool> shown(bindings.size(), true);
    for (std::size_t i = 0; i < std::min(shown.size(), shownMeshes.size()); ++i) shown[i] = shownMeshes[i];
    return shown;
}

void ModelDrawing::Impl::applyMeshes()
{
    const std::vector<bool> shown = meshesShown();
    for (const DrawnPart& drawn : parts) drawn.entity->setEnabled(shown[drawn.part.mesh]);
}

void ModelDrawing::Impl::clear()
{
    ghosts.setParts({});
    parts.clear();
    materials.reset();
    textures.reset();
    delete entity;
    entity = nullptr;
}

void ModelDrawing::Impl::addMesh(std::size_t index, const std::vector<MeshPart>& meshParts, const Material& material)
{
    for (const MeshPart& part : meshParts) {
        DrawnPart drawn;
        auto* part3d = new Qt3DCore::QEntity(entity);
        drawn.entity = part3d;
        drawn.palette = new Qt3DCore::QBuffer(part3d);
        drawn.rows = QByteArray(
            static_cast<qsizetype>((part.influences == 0 ? 1 : kPaletteJoints) * 12 * sizeof(float)), 0);
        drawn.palette->setData(drawn.rows);
        auto* renderer = new Qt3DRender::QGeometryRenderer(part3d);
        drawn.part = {index, part.influences, part.joints, makeGeometry(part, renderer)};
        renderer->setGeometry(drawn.part.geometry);
        part3d->addComponent(renderer);
        part3d->addComponent(materials->make(material, part, drawn.palette));
        part3d->addComponent(ModelMaterials::isTransparent(material) ? host.transparentLayer() : host.opaqueLayer());
        parts.push_back(std::move(drawn));
    }
}

void ModelDrawing::Impl::bind()
{
    bindings.clear();
    if (model)
        for (const Mesh& mesh : model->meshes) bindings.push_back(bindSkin(*rig, mesh.skin));
    bindings.push_back(bindSkin(*rig, bodies.skin));
}

ModelDrawing::ModelDrawing(RenderHost& host, std::function<void()> wantsFrame)
    : m_impl(std::make_unique<Impl>(host, std::move(wantsFrame)))
{
}

ModelDrawing::~ModelDrawing() { m_impl->clear(); }

bool ModelDrawing::setModel(const std::shared_ptr<const ModelAsset>& model,
                            const std::shared_ptr<const CompiledRig>& rig)
{
    Impl& impl = *m_impl;
    std::vector<std::pair<JointId, Segment>> segments;
    if (impl.rig != rig)
        for (const Joint& joint : rig->authored)
            if (joint.segment.shape != Segment::Shape::None) segments.emplace_back(joint.id, joint.segment);
    const bool isSame = impl.entity != nullptr && model == impl.model && (impl.rig == rig || segments == impl.segments);
    if (impl.rig != rig) {
        impl.rig = rig;
        impl.segments = std::move(segments);
        if (isSame) impl.bind();
    }
    if (isSame) return false;

    impl.clear();
    impl.model = model;
    impl.bodies = segmentBodies(*rig);
    impl.bind();
    impl.entity = new Qt3DCore::QEntity(impl.host.root());
    const auto asset = model ? model : std::make_shared<const ModelAsset>();
    impl.textures = std::make_unique<TextureStore>(asset, impl.wantsFrame);
    impl.materials = std::make_unique<ModelMaterials>(impl.entity, *impl.textures);
    const Material plain;
    const auto prepared = preparedParts(asset);
    for (std::size_t i = 0; i < asset->meshes.size(); ++i) {
        const auto material = static_cast<std::size_t>(asset->meshes[i].material);
        impl.addMesh(i, (*prepared)[i], material < asset->materials.size() ? asset->materials[material] : plain);
    }
    impl.addMesh(asset->meshes.size(), meshParts(impl.bodies), segmentMaterial());
    impl.entity->setEnabled(impl.isShown);
    std::vector<DrawablePart> all;
    for (const DrawnPart& drawn : impl.parts) all.push_back(drawn.part);
    impl.ghosts.setParts(std::move(all));
    impl.applyMeshes();
    return true;
}

void ModelDrawing::setPose(const ModelPose& pose)
{
    for (DrawnPart& drawn : m_impl->parts) {
        QByteArray rows(drawn.rows.size(), '\0');
        writePalette(drawn.part, m_impl->bindings[drawn.part.mesh], pose, m_impl->jointsOf(drawn.part.mesh),
                     rows.data());
        if (rows == drawn.rows) continue;
        drawn.rows = rows;
        drawn.palette->updateData(0, rows.left(static_cast<qsizetype>(drawn.part.joints.size() * 12 * sizeof(float))));
    }
}

bool ModelDrawing::setGhosts(std::span<const GhostPose> ghosts)
{
    Impl& impl = *m_impl;
    if (ghosts.empty() || impl.entity == nullptr || !impl.isShown)
        return impl.ghosts.setGhosts({}, impl.bindings, {}, impl.meshesShown());
    return impl.ghosts.setGhosts(ghosts, impl.bindings, impl.shownJoints, impl.meshesShown());
}

bool ModelDrawing::setVisible(std::span<const std::uint8_t> joints, const std::vector<bool>& meshes)
{
    Impl& impl = *m_impl;
    if (std::equal(joints.begin(), joints.end(), impl.shownJoints.begin(), impl.shownJoints.end()) &&
        meshes == impl.shownMeshes)
        return false;
    impl.shownJoints.assign(joints.begin(), joints.end());
    impl.shownMeshes = meshes;
    impl.applyMeshes();
    return true;
}

void ModelDrawing::setShown(bool isShown)
{
    m_impl->isShown = isShown;
    if (m_impl->entity != nullptr) m_impl->entity->setEnabled(isShown);
}

bool ModelDrawing::hasPendingTextures() const { return m_impl->textures && !m_impl->textures->isComplete(); }

void ModelDrawing::waitForTextures()
{
    if (m_impl->textures) m_impl->textures->waitUntilComplete();
}

} // namespace tendon::viewport
