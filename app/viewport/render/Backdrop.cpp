#include "app/viewport/render/Backdrop.h"

#include "app/viewport/render/Effect.h"
#include "app/viewport/render/QtMath.h"
#include "app/viewport/render/RenderHost.h"

#include <Qt3DCore/QEntity>
#include <Qt3DRender/QEffect>
#include <Qt3DRender/QLayer>
#include <Qt3DRender/QMaterial>
#include <Qt3DRender/QParameter>

#include <QVector4D>

#include <cmath>

namespace tendon::viewport {
namespace {

QVector4D toVector(const QColor& colour) { return {colour.redF(), colour.greenF(), colour.blueF(), colour.alphaF()}; }

} // namespace

struct Backdrop::Impl
{
    RenderHost& host;
    BackdropColours colours = {};
    Qt3DCore::QEntity* entity = nullptr;
    int firstAxis = 0, secondAxis = 2;

    void set(const char* name, const QVariant& value)
    {
        host.sharedUniform(QString::fromLatin1(name))->setValue(value);
    }
    void setAxisColours()
    {
        const QColor axes[] = {colours.axisX, colours.axisY, colours.axisZ};
        set("axisColour0", toVector(axes[firstAxis]));
        set("axisColour1", toVector(axes[secondAxis]));
    }
};

Backdrop::Backdrop(RenderHost& host) : m_impl(std::make_unique<Impl>(Impl{.host = host}))
{
    auto* entity = m_impl->entity = new Qt3DCore::QEntity(host.root());
    addFullScreenTriangle(entity);
    auto* material = new Qt3DRender::QMaterial(entity);
    material->setEffect(makeEffect({.vertexShader = QStringLiteral("background.vert"),
                                    .fragmentShader = QStringLiteral("background.frag"),
                                    .hasDepthTest = false},
                                   material));
    entity->addComponent(material);
    entity->addComponent(host.backgroundLayer());
}

Backdrop::~Backdrop() { delete m_impl->entity; }

void Backdrop::setColours(const BackdropColours& colours)
{
    m_impl->colours = colours;
    m_impl->set("topColour", toVector(colours.top));
    m_impl->set("bottomColour", toVector(colours.bottom));
    m_impl->set("minorColour", toVector(colours.gridMinor));
    m_impl->set("majorColour", toVector(colours.gridMajor));
    m_impl->setAxisColours();
}

double gridCell(const Camera& camera)
{
    // From about four metres, where a whole figure is visible, the cell is one metre, with ten lines in each.
    return std::pow(10.0, std::floor(std::log10(camera.distance / 1.6)));
}

double Backdrop::setView(const View& view, bool hasGrid)
{
    int normalAxis = 1;
    if (const auto side = standardViewOf(view.camera()))
        normalAxis = *side == StandardView::Front || *side == StandardView::Back   ? 2
                     : *side == StandardView::Right || *side == StandardView::Left ? 0
                                                                                   : 1;
    m_impl->firstAxis = normalAxis == 0 ? 1 : 0;
    m_impl->secondAxis = normalAxis == 2 ? 1 : 2;
    m_impl->setAxisColours();

    const double cell = gridCell(view.camera());
    const double reach = view.camera().isOrthographic ? 1e4 : 6 * view.camera().distance;
    m_impl->set("gridAxis0", toQt(Vector3(Vector3::Unit(m_impl->firstAxis))));
    m_impl->set("gridAxis1", toQt(Vector3(Vector3::Unit(m_impl->secondAxis))));
    m_impl->set("gridFade", QVector3D(static_cast<float>(cell / 10), static_cast<float>(0.25 * reach),
                                      static_cast<float>(hasGrid ? reach : 0)));
    Vector3 centre = view.camera().target;
    centre[normalAxis] = 0;
    m_impl->set("gridCentre", toQt(centre));
    return cell;
}

} // namespace tendon::viewport
