#include "app/viewport/render/GhostDrawing.h"

#include "app/viewport/render/Effect.h"
#include "app/viewport/render/RenderHost.h"
#include "app/viewport/view/MeshParts.h"

#include <Qt3DCore/QBuffer>
#include <Qt3DCore/QEntity>
#include <Qt3DCore/QGeometry>
#include <Qt3DRender/QEffect>
#include <Qt3DRender/QGeometryRenderer>
#include <Qt3DRender/QLayer>
#include <Qt3DRender/QMaterial>
#include <Qt3DRender/QParameter>

#include <QVector4D>

#include <cstring>

namespace tendon::viewport {
namespace {

constexpr std::size_t kRow = 12 * sizeof(float);

std::size_t paletteBytes(int influences) { return (influences == 0 ? 1 : kPaletteJoints) * kRow; }

QVector4D toQtColour(const Eigen::Vector4f& c) { return {c.x(), c.y(), c.z(), c.w()}; }

} // namespace

void writePalette(const DrawablePart& part, const SkinBinding& binding, const ModelPose& pose,
                  std::span<const std::uint8_t> joints, char* rows)
{
    for (std::size_t k = 0; k < part.joints.size(); ++k, rows += kRow) {
        const std::size_t joint = part.joints[k];
        const JointIndex moving = binding.joints[joint];
        if (moving >= 0 && !joints.empty() && joints[static_cast<std::size_t>(moving)] == 0) {
            std::memset(rows, 0, kRow); // all its vertices at one point
            continue;
        }
        const Affine worldFromMesh = moving < 0 ? binding.jointFromMesh[joint]
                                                : Affine(pose.modelFromJoint[static_cast<std::size_t>(moving)] *
                                                         binding.jointFromMesh[joint]);
        const Eigen::Matrix<float, 3, 4, Eigen::RowMajor> values = worldFromMesh.matrix().topRows<3>().cast<float>();
        std::memcpy(rows, values.data(), kRow);
    }
}

struct GhostDrawing::Impl
{
    struct DrawnGhost
    {
        Qt3DCore::QEntity* entity = nullptr; ///< owns everything below
        std::vector<Qt3DCore::QEntity*> parts;
        std::vector<Qt3DCore::QBuffer*> palettes; ///< of each part
        std::vector<QByteArray> rows;             ///< as last sent
        std::vector<Qt3DRender::QParameter*> colours;
        Eigen::Vector4f colour{0, 0, 0, 0};
    };

    RenderHost& host;
    std::vector<DrawablePart> parts = {};
    std::vector<DrawnGhost> ghosts = {};
    std::vector<char> scratch = {};
    std::size_t shown = 0;

    void clear();
    DrawnGhost make();
    [[nodiscard]] Qt3DRender::QMaterial* makeMaterial(const DrawablePart& part, DrawnGhost& ghost,
                                                      Qt3DCore::QBuffer* palette);
};

void GhostDrawing::Impl::clear()
{
    for (DrawnGhost& ghost : ghosts) delete ghost.entity;
    ghosts.clear();
    shown = 0;
}

Qt3DRender::QMaterial* GhostDrawing::Impl::makeMaterial(const DrawablePart& part, DrawnGhost& ghost,
                                                        Qt3DCore::QBuffer* palette)
{
    auto* material = new Qt3DRender::QMaterial(ghost.entity);
    auto* colour = new Qt3DRender::QParameter(QStringLiteral("ghostColour"), QVector4D(), material);
    material->addParameter(colour);
    ghost.colours.push_back(colour);
    material->addParameter(
        new Qt3DRender::QParameter(QStringLiteral("Palette"), QVariant::fromValue(palette), material));
    material->setEffect(
        makeEffect({.vertexShader = QStringLiteral("model.vert"),
                    .fragmentShader = QStringLiteral("ghost.frag"),
                    .defines = {QStringLiteral("INFLUENCES %1").arg(part.influences),
                                QStringLiteral("PALETTE_JOINTS %1").arg(part.influences == 0 ? 1 : kPaletteJoints)},
                    .isBlended = true,
                    .writesDepth = false},
                   material));
    return material;
}

GhostDrawing::Impl::DrawnGhost GhostDrawing::Impl::make()
{
    DrawnGhost ghost;
    ghost.entity = new Qt3DCore::QEntity(host.root());
    for (const DrawablePart& part : parts) {
        auto* entity = new Qt3DCore::QEntity(ghost.entity);
        auto* palette = new Qt3DCore::QBuffer(entity);
        ghost.rows.emplace_back(static_cast<qsizetype>(paletteBytes(part.influences)), '\0');
        palette->setData(ghost.rows.back());
        auto* renderer = new Qt3DRender::QGeometryRenderer(entity);
        renderer->setGeometry(part.geometry);
        entity->addComponent(renderer);
        entity->addComponent(makeMaterial(part, ghost, palette));
        entity->addComponent(host.ghostLayer());
        ghost.palettes.push_back(palette);
        ghost.parts.push_back(entity);
    }
    return ghost;
}

GhostDrawing::GhostDrawing(RenderHost& host) : m_impl(std::make_unique<Impl>(Impl{host})) {}

GhostDrawing::~GhostDrawing() { m_impl->clear(); }

void GhostDrawing::setParts(std::vector<DrawablePart> parts)
{
    m_impl->clear();
    m_impl->parts = std::move(parts);
}

bool GhostDrawing::setGhosts(std::span<const GhostPose> ghosts, std::span<const SkinBinding> bindings,
                             std::span<const std::uint8_t> joints, const std::vector<bool>& meshes)
{
    Impl& impl = *m_impl;
    const bool isOther = ghosts.size() != impl.shown;
    while (impl.ghosts.size() < ghosts.size()) impl.ghosts.push_back(impl.make());
    for (std::size_t g = 0; g < impl.ghosts.size(); ++g) {
        Impl::DrawnGhost& drawn = impl.ghosts[g];
        drawn.entity->setEnabled(g < ghosts.size());
        if (g >= ghosts.size()) continue;
        if (drawn.colour != ghosts[g].colour) {
            drawn.colour = ghosts[g].colour;
            for (Qt3DRender::QParameter* colour : drawn.colours) colour->setValue(toQtColour(drawn.colour));
        }
        for (std::size_t p = 0; p < impl.parts.size(); ++p) {
            const DrawablePart& part = impl.parts[p];
            drawn.parts[p]->setEnabled(meshes[part.mesh]);
            impl.scratch.resize(part.joints.size() * kRow);
            const bool isBody = part.mesh + 1 == bindings.size(); // skins follow hidden joints, too
            writePalette(part, bindings[part.mesh], *ghosts[g].pose, isBody ? joints : std::span<const std::uint8_t>(),
                         impl.scratch.data());
            QByteArray& rows = drawn.rows[p];
            if (std::memcmp(rows.constData(), impl.scratch.data(), impl.scratch.size()) == 0) continue;
            std::memcpy(rows.data(), impl.scratch.data(), impl.scratch.size());
            drawn.palettes[p]->updateData(0, rows.left(static_cast<qsizetype>(impl.scratch.size())));
        }
    }
    impl.shown = ghosts.size();
    return isOther;
}

} // namespace tendon::viewport
