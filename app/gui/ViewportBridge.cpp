#include "app/gui/ViewportBridge.h"

#include "app/editor/Editor.h"
#include "app/gui/Playblast.h"
#include "app/viewport/ViewGrid.h"
#include "app/viewport/Viewport.h"
#include "app/widgets/MainWindow.h"

namespace tendon::editor {
namespace {

void lookFrom(viewport::Viewport& view, CameraKind kind)
{
    using viewport::StandardView;
    switch (kind) {
    case CameraKind::Perspective: view.lookWithPerspective(); break;
    case CameraKind::Front: view.lookFrom(StandardView::Front); break;
    case CameraKind::Back: view.lookFrom(StandardView::Back); break;
    case CameraKind::Right: view.lookFrom(StandardView::Right); break;
    case CameraKind::Left: view.lookFrom(StandardView::Left); break;
    case CameraKind::Top: view.lookFrom(StandardView::Top); break;
    case CameraKind::Bottom: view.lookFrom(StandardView::Bottom); break;
    }
}

/// Uses an invisible editor and viewport of its own.
QImage drawModel(const SolverRegistry& solvers, const Scene& scene, QSize pixels, double pixelRatio)
{
    Editor editor(solvers);
    editor.document().adopt(Project{.scene = scene, .state = {}}, {}, {});
    editor.view().edit([](ViewState& state) { state.showsHud = false; });
    const FramePtr frame = editor.finishFrame();
    if (frame == nullptr || frame->rig == nullptr) return {};
    viewport::Viewport view(editor);
    view.resize((QSizeF(pixels) / pixelRatio).toSize());
    view.frameAll();
    return view.grabImage(pixels, viewport::Viewport::Content::Everything, pixelRatio);
}

} // namespace

ViewportPort portOf(viewport::Viewport& view, const SolverRegistry& solvers)
{
    ViewportPort port;
    auto* grid = new viewport::ViewGrid(view);
    port.widget = &view;
    port.area = grid;
    port.frameAll = [grid] { grid->frameAll(); };
    port.frameSelected = [grid] { grid->active().frameSelected(); };
    port.lookFrom = [grid](CameraKind kind) { lookFrom(grid->active(), kind); };
    port.startChainPick = [grid](JointId selected) { grid->active().startChainPick(selected); };
    port.startModal = [grid](Tool tool) { return grid->active().startModal(tool); };
    port.pickChainJoint = [grid](JointId joint) { grid->active().pickChainJoint(joint); };
    port.camera = [grid] { return ViewCamera(grid->active().camera()); };
    port.setCamera = [grid](const ViewCamera& camera) {
        constexpr int kTime = 180; // [ms] motion.camera-frame of the tokens
        grid->active().moveCamera(viewport::Camera(camera), kTime);
    };
    port.previousView = [grid] { grid->active().previousView(); };
    port.nextView = [grid] { grid->active().nextView(); };
    port.hasPreviousView = [grid] { return grid->active().hasPreviousView(); };
    port.hasNextView = [grid] { return grid->active().hasNextView(); };
    port.setFourViews = [grid](bool isFour) { grid->setFour(isFour); };
    port.hasFourViews = [grid] { return grid->isFour(); };
    view.editor().view().camera = [&view] { return ViewCamera(view.camera()); };
    port.playblast = [&view, &solvers](const PlayblastOptions& options) -> PlayblastRun* {
        Editor& editor = view.editor();
        return new Playblast(solvers, editor.document(), editor.view().state(), options);
    };
    port.draw = [&solvers](const Scene& scene, QSize pixels, double pixelRatio) {
        return drawModel(solvers, scene, pixels, pixelRatio);
    };
    port.prepare = [](const Scene& scene) { viewport::Viewport::prepareModel(scene.model); };
    port.grab = [&view](QSize size) {
        constexpr double kFine = 0.5; // lines of the thickness of the window's would hide a small model
        return view.grabImage(size, viewport::Viewport::Content::Thumbnail, kFine);
    };
    return port;
}

void join(viewport::Viewport& view, MainWindow& window)
{
    using viewport::Viewport;
    QObject::connect(&view, &Viewport::chainPicked, &window, &MainWindow::makeHandle);
    QObject::connect(&view, &Viewport::chainPickingChanged, &window, &MainWindow::showChainPicking);
    QObject::connect(&view, &Viewport::refused, &window, &MainWindow::showRefusal);
    QObject::connect(&view, &Viewport::contextMenuRequested, &window, &MainWindow::openViewMenu);
}

} // namespace tendon::editor
