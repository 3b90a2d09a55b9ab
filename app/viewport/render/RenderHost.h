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

/// How meshes are drawn: lit, lit with edges, or edges alone.
enum class Fill { Solid, SolidAndWire, Wire };

/// Drives Qt 3D by hand: draws a scene into a texture that every OpenGL context can read that shares with the global
/// one. Draws one frame per call, and none otherwise. GUI thread only.
class RenderHost
{
public:
    /// Sets the renderer, the surface format and shared contexts. Call it before the QApplication is created.
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

    /// The background layer is drawn once and then copied, so that it costs only a copy while the camera stands still.
    /// Call this when the layer has changed; it is drawn again in the next `frames` frames.
    void refreshBackground(int frames);

    /// Draws one frame now. New meshes, shaders, textures and sizes take up to kSettlingFrames frames to show.
    void drawFrame();
    static constexpr int kSettlingFrames = 3;
    [[nodiscard]] std::uint64_t framesDrawn() const;

    /// OpenGL name of the colour texture, which is multisampled if samples() > 0; 0 before the first frame.
    [[nodiscard]] unsigned texture() const;
    /// OpenGL name of the depth texture, 0 ... 1.
    [[nodiscard]] unsigned depthTexture() const;

    /// The nodes that other classes add entities to.
    [[nodiscard]] Qt3DCore::QEntity* root() const;
    [[nodiscard]] Qt3DRender::QLayer* backgroundLayer() const;
    [[nodiscard]] Qt3DRender::QLayer* ghostLayer() const; ///< behind what follows, whatever the depths
    [[nodiscard]] Qt3DRender::QLayer* opaqueLayer() const;
    [[nodiscard]] Qt3DRender::QLayer* transparentLayer() const;
    /// Sets a uniform for all shaders.
    [[nodiscard]] Qt3DRender::QParameter* sharedUniform(const QString& name);

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace tendon::viewport
