#include "app/viewport/render/RenderHost.h"

#include "app/viewport/render/Effect.h"
#include "app/viewport/render/QtMath.h"
#include "app/viewport/view/Camera.h"

#include <Qt3DCore/QAspectEngine>
#include <Qt3DCore/QEntity>
#include <Qt3DCore/QTransform>
#include <Qt3DRender/QAbstractTexture>
#include <Qt3DRender/QBlendEquation>
#include <Qt3DRender/QBlendEquationArguments>
#include <Qt3DRender/QCameraLens>
#include <Qt3DRender/QCameraSelector>
#include <Qt3DRender/QClearBuffers>
#include <Qt3DRender/QEffect>
#include <Qt3DRender/QLayer>
#include <Qt3DRender/QLayerFilter>
#include <Qt3DRender/QMaterial>
#include <Qt3DRender/QNoDraw>
#include <Qt3DRender/QParameter>
#include <Qt3DRender/QPolygonOffset>
#include <Qt3DRender/QRasterMode>
#include <Qt3DRender/QRenderAspect>
#include <Qt3DRender/QRenderPassFilter>
#include <Qt3DRender/QRenderSettings>
#include <Qt3DRender/QRenderStateSet>
#include <Qt3DRender/QRenderSurfaceSelector>
#include <Qt3DRender/QRenderTarget>
#include <Qt3DRender/QRenderTargetOutput>
#include <Qt3DRender/QRenderTargetSelector>
#include <Qt3DRender/QSortPolicy>
#include <Qt3DRender/QSubtreeEnabler>
#include <Qt3DRender/QTechniqueFilter>
#include <Qt3DRender/QTexture>
#include <Qt3DRender/QViewport>

#include <QCoreApplication>
#include <QOffscreenSurface>
#include <QSurfaceFormat>
#include <QVector4D>

#include <map>

namespace tendon::viewport {
namespace {

QSurfaceFormat surfaceFormat()
{
    QSurfaceFormat format;
    format.setVersion(3, 3);
    format.setProfile(QSurfaceFormat::CoreProfile);
    format.setDepthBufferSize(24);
    return format;
}

/// A colour and a depth texture to draw into.
struct Target
{
    Qt3DRender::QRenderTarget* target = nullptr;
    Qt3DRender::QAbstractTexture* colour = nullptr;
    Qt3DRender::QAbstractTexture* depth = nullptr;
};

Target makeTarget(Qt3DCore::QNode* parent, QSize pixels, int samples, bool hasDepth)
{
    Target made;
    made.target = new Qt3DRender::QRenderTarget(parent);
    const auto attach = [&](Qt3DRender::QRenderTargetOutput::AttachmentPoint point,
                            Qt3DRender::QAbstractTexture::TextureFormat format) {
        auto* output = new Qt3DRender::QRenderTargetOutput(made.target);
        Qt3DRender::QAbstractTexture* texture = nullptr;
        if (samples > 0) {
            texture = new Qt3DRender::QTexture2DMultisample(output);
            texture->setSamples(samples);
        } else {
            texture = new Qt3DRender::QTexture2D(output);
        }
        texture->setFormat(format);
        texture->setSize(pixels.width(), pixels.height());
        texture->setGenerateMipMaps(false);
        output->setAttachmentPoint(point);
        output->setTexture(texture);
        made.target->addOutput(output);
        return texture;
    };
    made.colour = attach(Qt3DRender::QRenderTargetOutput::Color0, Qt3DRender::QAbstractTexture::RGBA8_UNorm);
    if (hasDepth) made.depth = attach(Qt3DRender::QRenderTargetOutput::Depth, Qt3DRender::QAbstractTexture::D24);
    return made;
}

} // namespace

struct RenderHost::Impl
{
    QSize size{16, 16};
    int samples = 0;
    std::uint64_t frames = 0;

    // The surface must outlive the engine: the other order corrupts the heap (Qt 6.4.2).
    QOffscreenSurface surface;
    std::unique_ptr<Qt3DCore::QAspectEngine> engine;

    // Owned by the scene, which the engine holds.
    Qt3DCore::QEntity* root = nullptr;
    Qt3DRender::QRenderSurfaceSelector* surfaceSelector = nullptr;
    Qt3DRender::QRenderTargetSelector* targetSelector = nullptr;
    Target target;
    Qt3DRender::QRenderTargetSelector* backgroundSelector = nullptr;
    Target backgroundTarget; ///< one sample, no depth
    Qt3DRender::QParameter* backgroundPicture = nullptr;
    int backgroundFrames = 0; ///< number of frames in which to draw it again
    Qt3DRender::QTechniqueFilter* shared = nullptr;
    std::map<QString, Qt3DRender::QParameter*> uniforms;
    Qt3DRender::QCameraLens* lens = nullptr;
    Qt3DCore::QTransform* eye = nullptr;
    Qt3DRender::QSubtreeEnabler* backgroundBranch = nullptr;
    Qt3DRender::QSubtreeEnabler* solidBranch = nullptr; // disabling any other node only stops its own effect
    Qt3DRender::QSubtreeEnabler* wireBranch = nullptr;
    Qt3DRender::QPolygonOffset* retreat = nullptr; ///< pushes the solid faces behind their edges
    Qt3DRender::QParameter* wireColour = nullptr;
    Fill fill = Fill::Solid;
    QColor wire = Qt::white;
    Qt3DRender::QLayer* background = nullptr;
    Qt3DRender::QLayer* backgroundCopy = nullptr;
    Qt3DRender::QLayer* ghosts = nullptr;
    Qt3DRender::QLayer* opaque = nullptr;
    Qt3DRender::QLayer* transparent = nullptr;

    Qt3DRender::QLayer* makeLayer()
    {
        auto* layer = new Qt3DRender::QLayer(root);
        layer->setRecursive(true);
        return layer;
    }
    void buildFrameGraph(Qt3DRender::QRenderSettings* settings);
    void buildBackground(Qt3DRender::QFrameGraphNode* parent);
    void makeTargets();
    void buildSolidBranch(Qt3DRender::QFrameGraphNode* parent);
    void buildWireBranch(Qt3DRender::QFrameGraphNode* parent);
    void applyFill();
};

void RenderHost::Impl::buildFrameGraph(Qt3DRender::QRenderSettings* settings)
{
    surfaceSelector = new Qt3DRender::QRenderSurfaceSelector();
    surfaceSelector->setSurface(&surface);
    surfaceSelector->setExternalRenderTargetSize(size);
    settings->setActiveFrameGraph(surfaceSelector);
    auto* area = new Qt3DRender::QViewport(surfaceSelector);
    shared = new Qt3DRender::QTechniqueFilter(area);

    auto* cameraEntity = new Qt3DCore::QEntity(root);
    lens = new Qt3DRender::QCameraLens(cameraEntity);
    eye = new Qt3DCore::QTransform(cameraEntity);
    cameraEntity->addComponent(lens);
    cameraEntity->addComponent(eye);
    auto* cameraSelector = new Qt3DRender::QCameraSelector(shared);
    cameraSelector->setCamera(cameraEntity);

    buildBackground(cameraSelector);
    targetSelector = new Qt3DRender::QRenderTargetSelector(cameraSelector);
    auto* clear = new Qt3DRender::QClearBuffers(targetSelector);
    clear->setBuffers(Qt3DRender::QClearBuffers::DepthBuffer); // the background covers all colours
    new Qt3DRender::QNoDraw(clear);
    auto* copy = new Qt3DRender::QLayerFilter(targetSelector);
    copy->addLayer(backgroundCopy);
    ghosts = makeLayer();
    auto* ghostFilter = new Qt3DRender::QLayerFilter(targetSelector);
    ghostFilter->addLayer(ghosts);
    opaque = makeLayer();
    transparent = makeLayer();
    buildSolidBranch(targetSelector);
    buildWireBranch(targetSelector);
    makeTargets();
}

void RenderHost::Impl::makeTargets()
{
    target = makeTarget(root, size, samples, true);
    backgroundTarget = makeTarget(root, size, 0, false);
    targetSelector->setTarget(target.target);
    backgroundSelector->setTarget(backgroundTarget.target);
    backgroundPicture->setValue(QVariant::fromValue(backgroundTarget.colour));
}

void RenderHost::Impl::buildBackground(Qt3DRender::QFrameGraphNode* parent)
{
    background = makeLayer();
    backgroundCopy = makeLayer();
    backgroundBranch = new Qt3DRender::QSubtreeEnabler(parent);
    backgroundSelector = new Qt3DRender::QRenderTargetSelector(backgroundBranch);
    auto* filter = new Qt3DRender::QLayerFilter(backgroundSelector);
    filter->addLayer(background);

    auto* copy = new Qt3DCore::QEntity(root);
    addFullScreenTriangle(copy);
    auto* material = new Qt3DRender::QMaterial(copy);
    material->setEffect(makeEffect({.vertexShader = QStringLiteral("background.vert"),
                                    .fragmentShader = QStringLiteral("copy.frag"),
                                    .hasDepthTest = false,
                                    .writesDepth = false},
                                   material));
    backgroundPicture = new Qt3DRender::QParameter(material);
    backgroundPicture->setName(QStringLiteral("picture"));
    material->addParameter(backgroundPicture);
    copy->addComponent(material);
    copy->addComponent(backgroundCopy);
}

void RenderHost::Impl::buildSolidBranch(Qt3DRender::QFrameGraphNode* parent)
{
    solidBranch = new Qt3DRender::QSubtreeEnabler(parent);
    auto* pass = new Qt3DRender::QRenderPassFilter(solidBranch); // only for its parameter
    pass->addParameter(new Qt3DRender::QParameter(QStringLiteral("wireColour"), QVector4D(0, 0, 0, 0), pass));
    auto* states = new Qt3DRender::QRenderStateSet(pass);
    retreat = new Qt3DRender::QPolygonOffset(states);
    states->addRenderState(retreat);
    auto* filter = new Qt3DRender::QLayerFilter(states);
    filter->addLayer(opaque);
    auto* sort = new Qt3DRender::QSortPolicy(states);
    sort->setSortTypes(QList<Qt3DRender::QSortPolicy::SortType>{Qt3DRender::QSortPolicy::BackToFront});
    auto* sorted = new Qt3DRender::QLayerFilter(sort);
    sorted->addLayer(transparent);
}

void RenderHost::Impl::buildWireBranch(Qt3DRender::QFrameGraphNode* parent)
{
    wireBranch = new Qt3DRender::QSubtreeEnabler(parent);
    auto* pass = new Qt3DRender::QRenderPassFilter(wireBranch);
    wireColour = new Qt3DRender::QParameter(QStringLiteral("wireColour"), QVector4D(0, 0, 0, 0), pass);
    pass->addParameter(wireColour);
    auto* states = new Qt3DRender::QRenderStateSet(pass);
    auto* lines = new Qt3DRender::QRasterMode(states);
    lines->setRasterMode(Qt3DRender::QRasterMode::Lines);
    lines->setFaceMode(Qt3DRender::QRasterMode::FrontAndBack);
    states->addRenderState(lines);
    auto* arguments = new Qt3DRender::QBlendEquationArguments(states);
    arguments->setSourceRgba(Qt3DRender::QBlendEquationArguments::One);
    arguments->setDestinationRgba(Qt3DRender::QBlendEquationArguments::OneMinusSourceAlpha);
    states->addRenderState(arguments);
    auto* equation = new Qt3DRender::QBlendEquation(states);
    equation->setBlendFunction(Qt3DRender::QBlendEquation::Add);
    states->addRenderState(equation);
    auto* filter = new Qt3DRender::QLayerFilter(states);
    filter->addLayer(opaque);
    filter->addLayer(transparent);
}

void RenderHost::Impl::applyFill()
{
    solidBranch->setEnabled(fill != Fill::Wire);
    wireBranch->setEnabled(fill != Fill::Solid);
    const float steps = fill == Fill::SolidAndWire ? 1 : 0;
    retreat->setScaleFactor(steps);
    retreat->setDepthSteps(steps);
    // Edges are faint over faces and strong alone.
    const float share = fill == Fill::Wire ? 0.7f : 0.4f;
    wireColour->setValue(QVector4D(wire.redF(), wire.greenF(), wire.blueF(), share));
}

void RenderHost::prepareApplication()
{
    Q_ASSERT(QCoreApplication::instance() == nullptr);
    qputenv("QT3D_RENDERER", "opengl"); // the other renderer does not support our uniform blocks
    QSurfaceFormat::setDefaultFormat(surfaceFormat());
    QCoreApplication::setAttribute(Qt::AA_ShareOpenGLContexts);
}

RenderHost::RenderHost() : m_impl(std::make_unique<Impl>())
{
    Impl& impl = *m_impl;
    impl.surface.setFormat(surfaceFormat());
    impl.surface.create();

    impl.engine = std::make_unique<Qt3DCore::QAspectEngine>();
    impl.engine->setRunMode(Qt3DCore::QAspectEngine::Manual);
    impl.engine->registerAspect(new Qt3DRender::QRenderAspect());

    impl.root = new Qt3DCore::QEntity();
    auto* settings = new Qt3DRender::QRenderSettings(impl.root);
    settings->setRenderPolicy(Qt3DRender::QRenderSettings::Always);
    impl.buildFrameGraph(settings);
    impl.applyFill();
    impl.backgroundFrames = kSettlingFrames;
    impl.root->addComponent(settings);
    impl.engine->setRootEntity(Qt3DCore::QEntityPtr(impl.root));
}

RenderHost::~RenderHost()
{
    m_impl->engine->setRootEntity({});
    m_impl->engine.reset();
}

void RenderHost::resize(QSize pixels, int samples)
{
    Impl& impl = *m_impl;
    pixels = pixels.expandedTo({1, 1});
    if (pixels == impl.size && samples == impl.samples) return;
    impl.size = pixels;
    impl.samples = samples;
    Qt3DRender::QRenderTarget* former[] = {impl.target.target, impl.backgroundTarget.target};
    impl.makeTargets();
    impl.surfaceSelector->setExternalRenderTargetSize(pixels);
    for (Qt3DRender::QRenderTarget* target : former) target->deleteLater();
    refreshBackground(kSettlingFrames);
}

QSize RenderHost::size() const { return m_impl->size; }

int RenderHost::samples() const { return m_impl->samples; }

void RenderHost::setView(const View& view)
{
    const Matrix4 clipFromWorld = view.clipFromView() * view.viewFromWorld();
    m_impl->lens->setProjectionMatrix(toQt(view.clipFromView()));
    m_impl->eye->setMatrix(toQt(Matrix4(view.viewFromWorld().inverse())));
    sharedUniform(QStringLiteral("clipFromWorld"))->setValue(QVariant::fromValue(toQt(clipFromWorld)));
    sharedUniform(QStringLiteral("worldFromClip"))
        ->setValue(QVariant::fromValue(toQt(Matrix4(clipFromWorld.inverse()))));
    sharedUniform(QStringLiteral("eye"))->setValue(toQt(view.camera().eye()));
    sharedUniform(QStringLiteral("towardEye"))
        ->setValue(toQt(view.camera().isOrthographic ? Vector3(-view.forward()) : Vector3(Vector3::Zero())));

    // The key light is above the viewer's left shoulder and moves with the camera, so that the visible side is lit.
    const Quaternion level(Eigen::AngleAxisd(view.camera().yaw, Vector3::UnitY()));
    sharedUniform(QStringLiteral("keyDirection"))
        ->setValue(toQt(Vector3(level * Vector3(-0.55, 0.85, 0.75).normalized())));
}

void RenderHost::setFill(Fill fill)
{
    m_impl->fill = fill;
    m_impl->applyFill();
}

void RenderHost::setWireColour(const QColor& colour)
{
    m_impl->wire = colour;
    m_impl->applyFill();
}

void RenderHost::drawFrame()
{
    m_impl->engine->processFrame();
    ++m_impl->frames;
    if (m_impl->backgroundFrames > 0 && --m_impl->backgroundFrames == 0) m_impl->backgroundBranch->setEnabled(false);
}

void RenderHost::refreshBackground(int frames)
{
    m_impl->backgroundFrames = std::max(m_impl->backgroundFrames, frames);
    m_impl->backgroundBranch->setEnabled(true);
}

std::uint64_t RenderHost::framesDrawn() const { return m_impl->frames; }

unsigned RenderHost::texture() const { return m_impl->target.colour->handle().toUInt(); }

unsigned RenderHost::depthTexture() const { return m_impl->target.depth->handle().toUInt(); }

Qt3DCore::QEntity* RenderHost::root() const { return m_impl->root; }

Qt3DRender::QLayer* RenderHost::backgroundLayer() const { return m_impl->background; }

Qt3DRender::QLayer* RenderHost::ghostLayer() const { return m_impl->ghosts; }

Qt3DRender::QLayer* RenderHost::opaqueLayer() const { return m_impl->opaque; }

Qt3DRender::QLayer* RenderHost::transparentLayer() const { return m_impl->transparent; }

Qt3DRender::QParameter* RenderHost::sharedUniform(const QString& name)
{
    Qt3DRender::QParameter*& parameter = m_impl->uniforms[name];
    if (parameter == nullptr) {
        parameter = new Qt3DRender::QParameter(m_impl->shared);
        parameter->setName(name);
        m_impl->shared->addParameter(parameter);
    }
    return parameter;
}

} // namespace tendon::viewport
