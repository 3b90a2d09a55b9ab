#include "app/viewport/ScenePainter.h"

#include "app/editor/CompareLook.h"
#include "app/editor/Theme.h"
#include "app/viewport/render/Backdrop.h"
#include "app/viewport/render/ModelDrawing.h"
#include "app/viewport/render/RenderHost.h"

#include <algorithm>
#include <array>
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
    std::vector<editor::Ghost> ghosts;
    std::vector<ModelPose> ghostPoses; ///< keep their memory
    bool areGhostsStale = false;       ///< they are to be set though they are the same
    Eigen::Vector4f past{1, 1, 1, 1}, future{1, 1, 1, 1}, pinned{1, 1, 1, 1};
    std::array<Eigen::Vector4f, 4> compared{}; ///< of editor::compareLook()

    [[nodiscard]] Eigen::Vector4f colourOf(const editor::Ghost& ghost) const
    {
        switch (ghost.side) {
        case editor::Ghost::Side::Past: return past;
        case editor::Ghost::Side::Future: return future;
        case editor::Ghost::Side::Pinned: return pinned;
        case editor::Ghost::Side::Compared: return compared[ghost.look % compared.size()];
        }
        return pinned;
    }

    explicit Impl(std::function<void()> wantsFrame)
        : model(host, [this, wantsFrame = std::move(wantsFrame)] {
              framesToDraw = RenderHost::kSettlingFrames;
              wantsFrame();
          })
    {
    }
    bool show(const editor::Visibility& visibility)
    {
        std::vector<bool> meshes;
        if (frame->scene->model && !frame->scene->view->hiddenMeshes.empty())
            for (const Mesh& mesh : frame->scene->model->meshes) meshes.push_back(visibility.isShown(mesh));
        if (!model.setVisible(visibility.joints(), meshes)) return false;
        areGhostsStale = true;
        needs(RenderHost::kSettlingFrames);
        return true;
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

void ScenePainter::setFrame(editor::FramePtr frame, const editor::Visibility& visibility)
{
    Impl& impl = *m_impl;
    if (!frame || !frame->rig || frame == impl.frame) return;
    const auto begin = std::chrono::steady_clock::now();
    impl.frame = std::move(frame);
    const bool isNewModel = impl.model.setModel(impl.frame->scene->model, impl.frame->rig);
    impl.areGhostsStale = impl.areGhostsStale || isNewModel;
    impl.needs(isNewModel ? RenderHost::kSettlingFrames : 1);
    (void)impl.show(visibility);
    impl.model.setPose(impl.frame->solved.model);
    impl.paletteSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void ScenePainter::setVisibility(const editor::Visibility& visibility)
{
    if (m_impl->frame && m_impl->show(visibility)) m_impl->model.setPose(m_impl->frame->solved.model);
}

void ScenePainter::setGhosts(std::span<const editor::Ghost> ghosts)
{
    constexpr float kStrongest = 0.42f, kAged = 0.4f; // opacity of the nearest one's rim; share of one that is stale
    constexpr float kCompared = 0.8f;                 // the same of one that is to be told from the model
    Impl& impl = *m_impl;
    if (!impl.areGhostsStale && std::equal(ghosts.begin(), ghosts.end(), impl.ghosts.begin(), impl.ghosts.end()))
        return;
    impl.areGhostsStale = false;
    impl.ghosts.assign(ghosts.begin(), ghosts.end());
    impl.ghostPoses.resize(std::max(impl.ghostPoses.size(), ghosts.size()));
    std::vector<GhostPose> poses;
    for (std::size_t i = 0; i < ghosts.size(); ++i) {
        const editor::Ghost& ghost = ghosts[i];
        ghost.pose->copyTo(impl.ghostPoses[i]);
        Eigen::Vector4f colour = impl.colourOf(ghost);
        colour.w() = (ghost.side == editor::Ghost::Side::Compared ? kCompared : kStrongest) *
                     static_cast<float>(ghost.strength) * (ghost.isAged ? kAged : 1.0f);
        poses.push_back({&impl.ghostPoses[i], colour});
    }
    impl.needs(impl.model.setGhosts(poses) ? RenderHost::kSettlingFrames : 1);
}

void ScenePainter::setTheme(const editor::Theme& theme)
{
    const auto token = [&](const char* name) { return theme.color(QString::fromLatin1(name)); };
    m_impl->backdrop.setColours({token("viewport.top"), token("viewport.bottom"), token("viewport.grid-minor"),
                                 token("viewport.grid-major"), token("axis.x"), token("axis.y"), token("axis.z")});
    m_impl->host.setWireColour(token("viewport.hud-dim"));
    const auto vector = [&](const char* name) {
        const QColor colour = token(name);
        return Eigen::Vector4f(colour.redF(), colour.greenF(), colour.blueF(), 1);
    };
    m_impl->past = vector("time.ghost-past");
    m_impl->future = vector("time.ghost-future");
    m_impl->pinned = vector("viewport.hud-dim");
    for (std::size_t i = 0; i < m_impl->compared.size(); ++i)
        m_impl->compared[i] = vector(editor::compareLook(i).token);
    m_impl->areGhostsStale = true;
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
