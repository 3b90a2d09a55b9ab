#include "app/viewport/ScenePainter.h"

#include "app/editor/Theme.h"
#include "app/viewport/render/Backdrop.h"
#include "app/viewport/render/ModelDrawing.h"
#include "app/viewport/render/RenderHost.h"

#include <chrono>
#include <optional>

namespace tendon::viewport {
namespace {

constexpr int kSamples = 4; // the most that software renderers offer

} // namespace

struct ScenePainter::Impl
{
    // The host goes last: what stands in its scene must be gone by then.
    RenderHost host;
    Backdrop backdrop{host};
    ModelDrawing model;

    editor::FramePtr frame;
    editor::ViewState state;
    bool showsGrid = true;
    std::optional<Camera> drawnCamera;
    QSize drawnSize;
    int framesToDraw = RenderHost::kSettlingFrames;
    double paletteSeconds = 0, gridCell = 1;

    explicit Impl(std::function<void()> wantsFrame)
        : model(host, [this, wantsFrame = std::move(wantsFrame)] {
              framesToDraw = RenderHost::kSettlingFrames;
              wantsFrame();
          })
    {
    }
    void needs(int frames) { framesToDraw = std::max(framesToDraw, frames); }
    void needsBackground(int frames)
    {
        needs(frames);
        host.refreshBackground(frames);
    }
};

ScenePainter::ScenePainter(std::function<void()> wantsFrame) : m_impl(std::make_unique<Impl>(std::move(wantsFrame))) {}

ScenePainter::~ScenePainter() = default;

void ScenePainter::setFrame(editor::FramePtr frame)
{
    Impl& impl = *m_impl;
    if (!frame || !frame->rig || frame == impl.frame) return;
    const auto begin = std::chrono::steady_clock::now();
    impl.frame = std::move(frame);
    impl.needs(impl.model.setModel(impl.frame->scene->model, impl.frame->rig) ? RenderHost::kSettlingFrames : 1);
    impl.model.setPose(impl.frame->solved.model);
    impl.paletteSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void ScenePainter::setTheme(const editor::Theme& theme)
{
    const auto token = [&](const char* name) { return theme.color(QString::fromLatin1(name)); };
    m_impl->backdrop.setColours({token("viewport.top"), token("viewport.bottom"), token("viewport.grid-minor"),
                                 token("viewport.grid-major"), token("axis.x"), token("axis.y"), token("axis.z")});
    m_impl->host.setWireColour(token("viewport.hud-dim"));
    m_impl->needsBackground(1);
}

void ScenePainter::setState(const editor::ViewState& state, bool showsGrid)
{
    Impl& impl = *m_impl;
    if (showsGrid == impl.showsGrid && state == impl.state) return;
    impl.showsGrid = showsGrid;
    impl.state = state;
    impl.drawnCamera.reset();
    impl.host.setFill(state.shading == editor::Shading::Wire         ? Fill::Wire
                      : state.shading == editor::Shading::ShadedWire ? Fill::SolidAndWire
                                                                     : Fill::Solid);
    impl.model.setShown(state.showsMesh);
    // A change of layer or size shows only after the scene has been taken up anew.
    impl.needs(RenderHost::kSettlingFrames);
}

ScenePainter::Picture ScenePainter::paint(const View& view, QSize pixels)
{
    Impl& impl = *m_impl;
    const int samples = impl.state.isMultisampled ? kSamples : 0;
    if (pixels != impl.host.size() || samples != impl.host.samples()) {
        impl.host.resize(pixels, samples);
        impl.needs(RenderHost::kSettlingFrames);
    }
    if (impl.drawnCamera != view.camera() || impl.drawnSize != pixels) {
        impl.host.setView(view);
        impl.gridCell = impl.backdrop.setView(view, impl.showsGrid);
        impl.drawnCamera = view.camera();
        impl.drawnSize = pixels;
        impl.needsBackground(1);
    }
    for (; impl.framesToDraw > 0; --impl.framesToDraw) impl.host.drawFrame();
    return {impl.host.texture(), impl.host.depthTexture(), impl.host.samples() > 0};
}

void ScenePainter::finishLoading() { m_impl->model.waitForTextures(); }

std::uint64_t ScenePainter::framesDrawn() const { return m_impl->host.framesDrawn(); }

double ScenePainter::paletteSeconds() const { return m_impl->paletteSeconds; }

double ScenePainter::gridCell() const { return m_impl->gridCell; }

} // namespace tendon::viewport
