#include "app/gui/ViewportBridge.h"

#include "app/editor/Editor.h"
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
    port.widget = &view;
    port.frameAll = [&view] { view.frameAll(); };
    port.frameSelected = [&view] { view.frameSelected(); };
    port.lookFrom = [&view](CameraKind kind) { lookFrom(view, kind); };
    port.startChainPick = [&view](JointId selected) { view.startChainPick(selected); };
    port.startModal = [&view](Tool tool) { return view.startModal(tool); };
    port.pickChainJoint = [&view](JointId joint) { view.pickChainJoint(joint); };
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
