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
    setProperty("isView", true);

    connect(&editor, &editor::Editor::frameReady, this, [this] { m_impl->takeFrame(m_impl->editor.drawnFrame()); });
    connect(&editor, &editor::Editor::drawnFrameChanged, this,
            [this] { m_impl->takeFrame(m_impl->editor.drawnFrame()); });
    connect(&editor.selection(), &editor::Selection::changed, this, [this] {
        m_impl->takeMotion(false);
        update();
    });
    connect(&editor.range(), &editor::SolvedRange::changed, this, [this] { m_impl->takeMotion(true); });
    connect(&editor.selection(), &editor::Selection::hoverChanged, this, qOverload<>(&Viewport::update));
    connect(&editor.marks(), &editor::Marks::changed, this, qOverload<>(&Viewport::update));
    connect(&editor.view(), &editor::ViewSettings::changed, this, [this] { m_impl->takeSettings(); });
    const auto showCompared = [this] {
        m_impl->takeMotion(false);
        update();
    };
    connect(&editor.comparison(), &editor::Comparison::recorded, this, showCompared);
    connect(&editor.comparison(), &editor::Comparison::choiceChanged, this, showCompared);
    connect(&editor.steps(), &editor::StepPlayer::changed, this, showCompared);
    connect(&editor.document(), &editor::EditorDocument::replaced, this, [this] { m_impl->takeDocument(); });
    connect(&editor.document(), &editor::EditorDocument::editChanged, this, qOverload<>(&Viewport::update));
    connect(&editor::Theme::instance(), &editor::Theme::changed, this, [this] { m_impl->takeTheme(); });
    const editor::MotionFigure& figure = editor.shown().motion();
    connect(&figure, &editor::MotionFigure::changed, this, [this] { m_impl->takeFigure(); });
    connect(&figure, &editor::MotionFigure::hoverChanged, this, qOverload<>(&Viewport::update));

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
        if (m_impl->gesture == Gesture::Dragging || m_impl->gesture == Gesture::Modal) m_impl->endDrag(true);
    });
    m_impl->takeDocument();
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
    (void)visibility.update(*frame, editor.view().state());
    scene.setFrame(frame, visibility);
    follow(*frame);
    showDragText();
    takeMotion(false);
    if (!isPlaced && frame->rig && widget.width() > 1) {
        isPlaced = true;
        const Camera whole = framing(Camera(), boundsOfAll(), static_cast<double>(widget.width()) / widget.height(),
                                     kFramedShare);
        useCamera(whole);
    }
    widget.update();
}

/// A project opens as it was last seen.
void Viewport::Impl::takeDocument()
{
    history.clear();
    perspective.reset();
    followed.reset();
    isPlaced = false;
    const auto& saved = editor.document().edit().camera;
    if (!saved || isCompanion) return;
    isPlaced = true;
    useCamera(Camera(*saved));
}

void Viewport::Impl::takeTheme()
{
    scene.setTheme(editor::Theme::instance());
    overlay.setColours(OverlayColours(editor::Theme::instance()));
    takeMotion(true);
    widget.update();
}

void Viewport::Impl::takeSettings()
{
    const editor::ViewState& state = editor.view().state();
    scene.setState(shownState(), state.showsGrid);
    showCursor();
    const editor::FramePtr frame = editor.drawnFrame();
    if (frame && visibility.update(*frame, state)) scene.setVisibility(visibility);
    editor.range().setWatched(state.showsGhosts || state.showsTrails || !state.pinnedGhosts.empty());
    if (!isActive) {
        // The settings name the camera of another view.
    } else if (state.camera == editor::CameraKind::Perspective) {
        if (standardViewOf(camera)) lookWithPerspective();
    } else {
        constexpr StandardView views[] = {StandardView::Front, StandardView::Front, StandardView::Back,
                                          StandardView::Right, StandardView::Left,  StandardView::Top,
                                          StandardView::Bottom};
        lookFrom(views[static_cast<int>(state.camera)]);
    }
    takeMotion(true);
    widget.update();
}

void Viewport::Impl::lookFrom(StandardView view)
{
    if (standardViewOf(camera) == view) return;
    noteView();
    wayTimer.stop();
    useCamera(viewport::lookingFrom(camera, view));
}

void Viewport::Impl::useCamera(const Camera& next)
{
    if (next == camera) return;
    if (!camera.isOrthographic && next.isOrthographic) perspective = camera;
    camera = next;
    noteCameraKind();
    widget.update();
    emit widget.cameraChanged();
}

void Viewport::Impl::noteCameraKind()
{
    // The setting says what the camera is, whoever moved it.
    if (!isActive) return;
    const auto side = standardViewOf(camera);
    const editor::CameraKind kind = side ? static_cast<editor::CameraKind>(static_cast<int>(*side) + 1)
                                         : editor::CameraKind::Perspective;
    editor.view().edit([&](editor::ViewState& state) { state.camera = kind; });
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
    if (const SeenFigure seen = seenFigure(); seen.figure != nullptr)
        for (const Affine& joint : seen.pose->solved.model.modelFromJoint) wholeBounds.add(joint.translation());
    return wholeBounds;
}

void Viewport::Impl::takeFigure()
{
    boundedFrame.reset();
    scene.setState(shownState(), editor.view().state().showsGrid);
    takeMotion(true);
    widget.update();
}

Bounds Viewport::Impl::boundsOfSelection() const
{
    constexpr double kLeastShare = 0.12; // of the whole model: what is smaller is shown with what is around it
    Bounds bounds;
    const editor::FramePtr frame = editor.frame();
    if (!frame || !frame->rig) return bounds;
    const CompiledRig& rig = *frame->rig;
    const auto add = [&](JointIndex joint) { bounds.add(frame->solved.model.modelFromJoint[at(joint)].translation()); };
    const auto addJoint = [&](JointIndex joint) {
        add(joint);
        for (std::size_t child = 0; child < rig.jointCount(); ++child)
            if (rig.parent[child] == joint) add(static_cast<JointIndex>(child));
    };
    for (const editor::SelectionItem& item : editor.selection().items()) {
        if (const JointIndex joint = rig.index(item.joint()); joint >= 0) addJoint(joint);
        const editor::HandleView* handle = frame->find(item.handle());
        if (handle == nullptr) continue;
        for (const editor::HandleControl& control : controlsOf(*handle)) bounds.add(control.place);
        for (const Vector3& place : frame->chainOf(*handle)) bounds.add(place);
    }
    if (bounds.isEmpty()) return bounds;
    // A hinge without length would fill the view with its ball.
    Bounds joints;
    for (const Affine& joint : frame->solved.model.modelFromJoint) joints.add(joint.translation());
    const double least = kLeastShare * joints.size().norm();
    if (bounds.size().norm() >= least) return bounds;
    const Vector3 middle = bounds.centre(), half = Vector3::Constant(least / 2 / std::sqrt(3.0));
    bounds.add(Vector3(middle - half));
    bounds.add(Vector3(middle + half));
    return bounds;
}

const Camera& Viewport::camera() const { return m_impl->camera; }

void Viewport::setCamera(const Camera& camera)
{
    if (m_impl->camera != camera) m_impl->noteView();
    m_impl->wayTimer.stop();
    m_impl->isPlaced = true;
    m_impl->useCamera(camera);
}

void Viewport::moveCamera(const Camera& camera, int milliseconds)
{
    if (m_impl->camera != camera) m_impl->noteView();
    m_impl->moveCamera(camera, milliseconds);
}

void Viewport::Impl::moveCamera(const Camera& next, int milliseconds)
{
    isPlaced = true;
    wayTimer.stop();
    if (milliseconds <= 0 || !widget.isVisible()) return useCamera(next);
    wayFrom = camera;
    wayTo = next;
    wayLength = milliseconds;
    wayTime.start();
    wayTimer.start();
}

editor::Editor& Viewport::editor() { return m_impl->editor; }

Bounds Viewport::bounds() const { return m_impl->boundsOfAll(); }

void Viewport::frameBounds(const Bounds& bounds)
{
    moveCamera(framing(camera(), bounds, static_cast<double>(width()) / height(), kFramedShare), kViewTime);
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

void Viewport::lookFrom(StandardView view) { m_impl->lookFrom(view); }

void Viewport::lookWithPerspective() { m_impl->lookWithPerspective(); }

View Viewport::view() const { return {m_impl->camera, static_cast<double>(width()), static_cast<double>(height())}; }

std::uint64_t Viewport::framesDrawn() const { return m_impl->scene.framesDrawn(); }

std::uint64_t Viewport::frameShown() const { return m_impl->shown; }

double Viewport::drawingSeconds() { return Impl::drawingSeconds; }

double Viewport::overlaySeconds() const { return m_impl->overlaySeconds; }

void Viewport::Impl::paint(OverlayRenderer& target, QPaintDevice& device, const View& view, QSize pixels,
                           unsigned framebuffer, Content content)
{
    const auto begin = std::chrono::steady_clock::now();
    static const editor::ViewMarks kNoMarks;
    const editor::FramePtr frame = editor.drawnFrame();
    if (content != Content::ModelOnly) {
        editor::ViewState shownState = this->shownState();
        PointerState shownPointer = pointer;
        if (isNamed) shownPointer.viewName = viewName();
        if (editor.shown().motion().isShown()) shownPointer.hidesGizmo = true;
        if (content != Content::Everything) {
            shownState.showsLabels = shownState.showsLimits = false;
            shownPointer = {};
            shownPointer.hidesGizmo = true;
        }
        overlay.build(view, frame, editor.selection(), shownState, shownPointer, scale(),
                      {editor.comparison(), editor.steps(), editor.stepDisplay(), frame != editor.frame()},
                      content == Content::Everything ? seenMotion() : SeenMotion{visibility},
                      content == Content::Everything ? editor.marks().marks() : kNoMarks);
    }
    overlaySeconds = scene.paletteSeconds() +
                     std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    const double before = threadSeconds();
    draw(target, device, view, pixels, framebuffer, content);
    const double spent = threadSeconds() - before;
    drawingSeconds += spent;
    overlay.hud().setDrawSeconds(spent);
    if (content == Content::Everything && frame) shown = frame->request;
}

/// Else a picture needs its bones.
bool Viewport::Impl::showsModel() const
{
    const editor::FramePtr frame = editor.drawnFrame();
    return editor.view().state().showsMesh && frame != nullptr && frame->scene->model != nullptr &&
           !frame->scene->model->meshes.empty();
}

void Viewport::Impl::draw(OverlayRenderer& target, QPaintDevice& device, const View& view, QSize pixels,
                          unsigned framebuffer, Content content)
{
    const QOpenGLContext* context = QOpenGLContext::currentContext();
    QSurface* surface = context->surface();
    const ScenePainter::Picture picture = scene.paint(view, pixels);
    const_cast<QOpenGLContext*>(context)->makeCurrent(surface); // drawing the scene has made its own current
    target.drawScene(picture.texture, pixels, picture.isMultisampled, framebuffer);
    if (content == Content::ModelOnly || (content == Content::Thumbnail && showsModel())) return;
    target.draw(overlay.shapes(), Vector2(view.width(), view.height()), pixels, picture.depth, picture.isMultisampled);
    if (content != Content::Everything) return;
    QPainter painter(&device);
    editor::ViewState state = shownState();
    state.showsHud = state.showsHud && !isCompanion;
    overlay.paintWords(painter, view, editor.drawnFrame(), state, pointer, scene.gridCell(),
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
    if (content != Content::Everything) impl.scene.setGhosts({});
    impl.scene.setState(impl.editor.view().state(), impl.editor.view().state().showsGrid &&
                                                        (content == Content::Everything || content == Content::Film));

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
    impl.takeMotion(false);
    update();
    return std::move(image).convertToFormat(QImage::Format_RGB32);
}

} // namespace tendon::viewport
