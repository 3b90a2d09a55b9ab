#pragma once

#include <QColor>
#include <QSize>

#include <memory>

namespace Qt3DCore {
class QEntity;
}
namespace Qt3DRender {
class QLayer;
class QParameter;
} // namespace Qt3DRender

namespace tendon::viewport {

class View;

/// How meshes are drawn: lit, with the triangles' edges over that, or the edges alone.
enum class Fill { Solid, SolidAndWire, Wire };

/// Runs Qt 3D by hand: a scene of our own, drawn into a texture that any OpenGL context sharing with the global one can
/// read, one frame at each call and none otherwise. GUI thread only.
class RenderHost
{
public:
    /// What has to be set before the QApplication is made: the renderer, the surface format, shared contexts.
    static void prepareApplication();

    RenderHost();
    ~RenderHost();
    RenderHost(const RenderHost&) = delete;
    RenderHost& operator=(const RenderHost&) = delete;

    void resize(QSize pixels, int samples); ///< samples 0: no multisampling
    [[nodiscard]] QSize size() const;
    [[nodiscard]] int samples() const;

    void setView(const View& view);
    void setFill(Fill fill);
    void setWireColour(const QColor& colour);

    /// What is in the background layer is drawn into a picture of its own and copied from there, until this says that
    /// it has changed: a camera that stands still costs a copy. `frames`: how many of the next ones draw it anew.
    void refreshBackground(int frames);

    /// Draws one frame now. New meshes, shaders, textures and sizes take up to kSettlingFrames frames to show.
    void drawFrame();
    static constexpr int kSettlingFrames = 3;
    [[nodiscard]] std::uint64_t framesDrawn() const;

    /// OpenGL's name of the picture: a 2D texture, a multisampled one when samples() > 0. 0 before the first frame.
    [[nodiscard]] unsigned texture() const;
    /// The same of the depths, 0 ... 1.
    [[nodiscard]] unsigned depthTexture() const;

    /// For those who put things into the scene.
    [[nodiscard]] Qt3DCore::QEntity* root() const;
    [[nodiscard]] Qt3DRender::QLayer* backgroundLayer() const;
    [[nodiscard]] Qt3DRender::QLayer* opaqueLayer() const;
    [[nodiscard]] Qt3DRender::QLayer* transparentLayer() const;
    /// A uniform that all shaders see.
    [[nodiscard]] Qt3DRender::QParameter* sharedUniform(const QString& name);

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace tendon::viewport
