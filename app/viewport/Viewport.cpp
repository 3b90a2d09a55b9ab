#include "app/viewport/Viewport.h"

#include "app/editor/HandleControls.h"
#include "app/viewport/ViewportImpl.h"
#include "app/viewport/render/RenderHost.h"
#include "app/viewport/view/PreparedParts.h"
#include "app/viewport/view/SegmentBodies.h"
#include "core/runtime/Skinning.h"

#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QOpenGLFramebufferObject>
#include <QOpenGLPaintDevice>
#include <QPainter>

#include <chrono>
#include <ctime>

namespace tendon::viewport {
namespace {

constexpr double kFramedShare = 0.82; // of the view that what is framed fills
constexpr double kFrameTime = 180;    // [ms] motion.camera-frame of the tokens
constexpr int kRest = 700;            // [ms] without a picture: the figures show that nothing happens
constexpr int kStep = 15;             // [ms] between pictures of a camera on its way

/// [s] of a processor that this thread has had.
double threadSeconds()
{
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Enough of a large mesh's vertices, with their weights, to tell how far it reaches.
Mesh thinned(const Mesh& mesh)
{
    constexpr std::size_t kEnough = 8000;
    const std::size_t step = mesh.positions.size() / kEnough + 1;
    Mesh thin;
    thin.skin.joints = mesh.skin.joints;
    thin.skin.jointFromMesh = mesh.skin.jointFromMesh;
    thin.skin.worldFromMesh = mesh.skin.worldFromMesh;
    const bool isSkinned = !mesh.skin.isRigid();
    if (isSkinned) thin.skin.influenceBegin.push_back(0);
    for (std::size_t v = 0; v < mesh.positions.size(); v += step) {
        thin.positions.push_back(mesh.positions[v]);
        if (!isSkinned) continue;
        for (std::uint32_t i = mesh.skin.influenceBegin[v]; i < mesh.skin.influenceBegin[v + 1]; ++i) {
            thin.skin.influenceJoint.push_back(mesh.skin.influenceJoint[i]);
            thin.skin.influenceWeight.push_back(mesh.skin.influenceWeight[i]);
        }
        thin.skin.influenceBegin.push_back(static_cast<std::uint32_t>(thin.skin.influenceJoint.size()));
    }
    return thin;
}

QSize devicePixels(const QWidget& widget)
{
    return (QSizeF(widget.size()) * widget.devicePixelRatioF()).toSize().expandedTo({1, 1});
}

} // namespace

void Viewport::prepareApplication() { RenderHost::prepareApplication(); }

void Viewport::prepareModel(const std::shared_ptr<const ModelAsset>& model)
{
    if (model != nullptr) (void)preparedParts(model);
}

Viewport::Viewport(editor::Editor& editor, QWidget* parent)
    : QOpenGLWidget(parent), m_impl(std::make_unique<Impl>(*this, editor))
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setMinimumSize(160, 120);
    setAccessibleName(tr("Viewport"));

    connect(&editor, &editor::Editor::frameReady, this, [this] { m_impl->takeFrame(m_impl->editor.drawnFrame()); });
    connect(&editor, &editor::Editor::drawnFrameChanged, this,
            [this] { m_impl->takeFrame(m_impl->editor.drawnFrame()); });
    connect(&editor.selection(), &editor::Selection::changed, this, qOverload<>(&Viewport::update));
    connect(&editor.selection(), &editor::Selection::hoverChanged, this, qOverload<>(&Viewport::update));
    connect(&editor.view(), &editor::ViewSettings::changed, this, [this] { m_impl->takeSettings(); });
    connect(&editor.comparison(), &editor::Comparison::recorded, this, qOverload<>(&Viewport::update));
    connect(&editor.comparison(), &editor::Comparison::choiceChanged, this, qOverload<>(&Viewport::update));
    connect(&editor.document(), &editor::EditorDocument::replaced, this, [this] { m_impl->isPlaced = false; });
    connect(&editor.document(), &editor::EditorDocument::editChanged, this, qOverload<>(&Viewport::update));
    connect(&editor::Theme::instance(), &editor::Theme::changed, this, [this] { m_impl->takeTheme(); });

    m_impl->wayTimer.setInterval(kStep);
    connect(&m_impl->wayTimer, &QTimer::timeout, this, [this] {
        Impl& impl = *m_impl;
        const double share = impl.wayLength > 0 ? static_cast<double>(impl.wayTime.elapsed()) / impl.wayLength : 1;
        if (share >= 1) impl.wayTimer.stop();
        impl.useCamera(between(impl.wayFrom, impl.wayTo, share));
        if (share >= 1) emit cameraArrived();
    });
    // When pictures stop coming the figures say so, once.
    m_impl->restTimer.setSingleShot(true);
    m_impl->restTimer.setInterval(kRest);
    connect(&m_impl->restTimer, &QTimer::timeout, this, [this] {
        m_impl->overlay.hud().rest();
        update();
    });
    connect(&editor.drag(), &editor::DragSession::ended, this, [this] {
        if (m_impl->gesture == Gesture::Dragging) m_impl->endDrag(true);
    });
    m_impl->takeTheme();
    m_impl->takeSettings();
    m_impl->takeFrame(editor.drawnFrame());
}

Viewport::~Viewport()
{
    makeCurrent();
    m_impl->renderer.reset();
    doneCurrent();
    disconnect(m_impl->contextGoing); // it goes with the base class, when there is nothing left here to release
}

void Viewport::Impl::takeFrame(const editor::FramePtr& frame)
{
    if (!frame) return;
    scene.setFrame(frame);
    if (!isPlaced && frame->rig && widget.width() > 1) {
        isPlaced = true;
        const Camera whole = framing(Camera(), boundsOfAll(), static_cast<double>(widget.width()) / widget.height(),
                                     kFramedShare);
        useCamera(whole);
    }
    widget.update();
}

void Viewport::Impl::takeTheme()
{
    scene.setTheme(editor::Theme::instance());
    overlay.setColours(OverlayColours(editor::Theme::instance()));
    widget.update();
}

void Viewport::Impl::takeSettings()
{
    const editor::ViewState& state = editor.view().state();
    scene.setState(state, state.showsGrid);
    showCursor();
    if (state.camera == editor::CameraKind::Perspective) {
        if (camera.isOrthographic) {
            Camera next = camera;
            next.isOrthographic = false;
            useCamera(next);
        }
    } else {
        constexpr StandardView views[] = {StandardView::Front, StandardView::Front, StandardView::Back,
                                          StandardView::Right, StandardView::Left,  StandardView::Top,
                                          StandardView::Bottom};
        const StandardView wanted = views[static_cast<int>(state.camera)];
        if (standardViewOf(camera) != wanted) useCamera(lookingFrom(camera, wanted));
    }
    widget.update();
}

void Viewport::Impl::useCamera(const Camera& next)
{
    if (next == camera) return;
    camera = next;
    // The setting says what the camera is, whoever moved it.
    const auto side = standardViewOf(camera);
    const editor::CameraKind kind = side ? static_cast<editor::CameraKind>(static_cast<int>(*side) + 1)
                                         : editor::CameraKind::Perspective;
    editor.view().edit([&](editor::ViewState& state) { state.camera = kind; });
    widget.update();
    emit widget.cameraChanged();
}

const Bounds& Viewport::Impl::boundsOfAll()
{
    const editor::FramePtr frame = editor.frame();
    if (frame == boundedFrame) return wholeBounds;
    boundedFrame = frame;
    wholeBounds = {};
    if (!frame || !frame->rig) return wholeBounds;
    for (const Affine& joint : frame->solved.model.modelFromJoint) wholeBounds.add(joint.translation());
    const auto addMesh = [&](const Mesh& whole) {
        if (whole.positions.empty()) return;
        const Mesh mesh = thinned(whole);
        std::vector<Eigen::Vector3f> positions(mesh.positions.size());
        skinVertices(mesh, bindSkin(*frame->rig, mesh.skin), frame->solved.model, positions);
        for (const Eigen::Vector3f& position : positions)
            if (position.allFinite()) wholeBounds.add(position.cast<double>());
    };
    if (frame->scene->model)
        for (const Mesh& mesh : frame->scene->model->meshes) addMesh(mesh);
    addMesh(segmentBodies(*frame->rig));
    return wholeBounds;
}

Bounds Viewport::Impl::boundsOfSelection() const
{
    Bounds bounds;
    const editor::FramePtr frame = editor.frame();
    if (!frame || !frame->rig) return bounds;
    const auto addJoint = [&](JointIndex joint) {
        const CompiledRig& rig = *frame->rig;
        bounds.add(frame->solved.model.modelFromJoint[static_cast<std::size_t>(joint)].translation());
        for (std::size_t child = 0; child < rig.jointCount(); ++child)
            if (rig.parent[child] == joint) bounds.add(frame->solved.model.modelFromJoint[child].translation());
    };
    for (const editor::SelectionItem& item : editor.selection().items()) {
        if (const JointIndex joint = frame->rig->index(item.joint()); joint >= 0) addJoint(joint);
        const editor::HandleView* handle = frame->find(item.handle());
        if (handle == nullptr) continue;
        for (const editor::HandleControl& control : controlsOf(*handle)) bounds.add(control.place);
        for (const Vector3& place : frame->chainOf(*handle)) bounds.add(place);
    }
    return bounds;
}

const Camera& Viewport::camera() const { return m_impl->camera; }

void Viewport::setCamera(const Camera& camera)
{
    m_impl->wayTimer.stop();
    m_impl->isPlaced = true;
    m_impl->useCamera(camera);
}

void Viewport::moveCamera(const Camera& camera, int milliseconds)
{
    if (milliseconds <= 0 || !isVisible()) return setCamera(camera);
    m_impl->isPlaced = true;
    m_impl->wayFrom = m_impl->camera;
    m_impl->wayTo = camera;
    m_impl->wayLength = milliseconds;
    m_impl->wayTime.start();
    m_impl->wayTimer.start();
}

Bounds Viewport::bounds() const { return m_impl->boundsOfAll(); }

void Viewport::frameBounds(const Bounds& bounds)
{
    moveCamera(framing(camera(), bounds, static_cast<double>(width()) / height(), kFramedShare),
               static_cast<int>(kFrameTime));
}

void Viewport::frameAll() { frameBounds(m_impl->boundsOfAll()); }

void Viewport::frameSelected()
{
    Bounds bounds = m_impl->boundsOfSelection();
    if (bounds.isEmpty()) return frameAll();
    constexpr double kLeast = 0.1; // of the whole scene: nearer, the eye would be inside a short bone or a hinge
    const Vector3 centre = bounds.centre();
    const double least = 0.5 * kLeast * m_impl->boundsOfAll().size().maxCoeff();
    bounds.add(centre + Vector3::Constant(least));
    bounds.add(centre - Vector3::Constant(least));
    frameBounds(bounds);
}

bool Viewport::isCameraMoving() const { return m_impl->wayTimer.isActive(); }

bool Viewport::isAtRest() const { return !isCameraMoving() && m_impl->isAtRest; }

void Viewport::lookFrom(StandardView view) { moveCamera(lookingFrom(camera(), view), 0); }

void Viewport::lookWithPerspective()
{
    Camera next = camera();
    next.isOrthographic = false;
    moveCamera(next, 0);
}

View Viewport::view() const { return {m_impl->camera, static_cast<double>(width()), static_cast<double>(height())}; }

std::uint64_t Viewport::framesDrawn() const { return m_impl->scene.framesDrawn(); }

std::uint64_t Viewport::frameShown() const { return m_impl->shown; }

double Viewport::drawingSeconds() { return Impl::drawingSeconds; }

double Viewport::overlaySeconds() const { return m_impl->overlaySeconds; }

void Viewport::Impl::paint(OverlayRenderer& target, QPaintDevice& device, const View& view, QSize pixels,
                           unsigned framebuffer, Content content)
{
    const auto begin = std::chrono::steady_clock::now();
    const editor::FramePtr frame = editor.drawnFrame();
    if (content != Content::ModelOnly) {
        editor::ViewState shownState = editor.view().state();
        PointerState shownPointer = pointer;
        if (content == Content::Thumbnail) {
            shownState.showsLabels = shownState.showsLimits = false;
            shownPointer = {};
            shownPointer.hidesGizmo = true;
        }
        overlay.build(view, frame, editor.selection(), shownState, shownPointer, scale(),
                      {editor.comparison(), editor.steps(), editor.stepDisplay(), frame != editor.frame()});
    }
    overlaySeconds = scene.paletteSeconds() +
                     std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    const double before = threadSeconds();
    draw(target, device, view, pixels, framebuffer, content);
    drawingSeconds += threadSeconds() - before;
    if (content == Content::Everything && frame) shown = frame->request;
}

void Viewport::Impl::draw(OverlayRenderer& target, QPaintDevice& device, const View& view, QSize pixels,
                          unsigned framebuffer, Content content)
{
    const QOpenGLContext* context = QOpenGLContext::currentContext();
    QSurface* surface = context->surface();
    const ScenePainter::Picture picture = scene.paint(view, pixels);
    const_cast<QOpenGLContext*>(context)->makeCurrent(surface); // drawing the scene has made its own current
    target.drawScene(picture.texture, pixels, picture.isMultisampled, framebuffer);
    if (content == Content::ModelOnly) return;
    target.draw(overlay.shapes(), Vector2(view.width(), view.height()), pixels, picture.depth, picture.isMultisampled);
    if (content == Content::Thumbnail) return;
    QPainter painter(&device);
    overlay.paintWords(painter, view, editor.drawnFrame(), editor.view().state(), pointer, scene.gridCell(),
                       pixels.width() / view.width());
    painter.end();
}

void Viewport::initializeGL()
{
    m_impl->renderer = std::make_unique<OverlayRenderer>();
    // The context goes when the widget moves to another window.
    disconnect(m_impl->contextGoing);
    m_impl->contextGoing = connect(
        context(), &QOpenGLContext::aboutToBeDestroyed, this,
        [this] {
            makeCurrent();
            m_impl->renderer.reset();
            doneCurrent();
        },
        Qt::DirectConnection);
}

void Viewport::paintGL()
{
    m_impl->isAtRest = m_impl->overlay.hud().isAtRest();
    if (!m_impl->isAtRest) m_impl->restTimer.start();
    m_impl->overlay.hud().noteFrame();
    if (!m_impl->isPlaced) m_impl->takeFrame(m_impl->editor.drawnFrame());
    // Not the widget itself: a picture taken of the window sends painters on widgets elsewhere.
    QOpenGLPaintDevice device(devicePixels(*this));
    device.setDevicePixelRatio(devicePixelRatioF());
    m_impl->paint(*m_impl->renderer, device, view(), devicePixels(*this), defaultFramebufferObject(),
                  Content::Everything);
}

void Viewport::resizeGL(int, int) {}

QImage Viewport::grabImage(QSize pixels, Content content, double pixelRatio)
{
    Impl& impl = *m_impl;
    if (!impl.isPlaced) impl.takeFrame(impl.editor.drawnFrame());
    impl.scene.finishLoading();
    impl.scene.setState(impl.editor.view().state(),
                        impl.editor.view().state().showsGrid && content == Content::Everything);

    const double begin = threadSeconds() - Impl::drawingSeconds;
    QOffscreenSurface surface;
    surface.create();
    QOpenGLContext context;
    context.setShareContext(QOpenGLContext::globalShareContext());
    if (!context.create() || !context.makeCurrent(&surface)) return {};
    QImage image;
    {
        QOpenGLFramebufferObject framebuffer(pixels, QOpenGLFramebufferObject::CombinedDepthStencil);
        OverlayRenderer renderer;
        framebuffer.bind();
        QOpenGLPaintDevice device(pixels);
        device.setDevicePixelRatio(pixelRatio);
        const Camera camera = content == Content::Thumbnail
                                  ? framing(impl.camera, impl.boundsOfAll(),
                                            static_cast<double>(pixels.width()) / pixels.height(), kFramedShare)
                                  : impl.camera;
        const View view(camera, pixels.width() / pixelRatio, pixels.height() / pixelRatio);
        impl.paint(renderer, device, view, pixels, framebuffer.handle(), content);
        image = framebuffer.toImage();
    }
    context.doneCurrent();
    Impl::drawingSeconds = threadSeconds() - begin; // reading back waits for it
    impl.scene.setState(impl.editor.view().state(), impl.editor.view().state().showsGrid);
    update();
    return std::move(image).convertToFormat(QImage::Format_RGB32);
}

} // namespace tendon::viewport
