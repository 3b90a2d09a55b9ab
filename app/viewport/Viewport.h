#pragma once

#include "app/editor/FrameResult.h"
#include "app/viewport/view/Camera.h"

#include <QImage>
#include <QOpenGLWidget>

#include <memory>

namespace tendon::editor {
class Editor;
}

namespace tendon::viewport {

/// The view of the scene: draws the editor's newest frame, lets the camera be moved, and turns clicks and drags into
/// the editor's selection and DragSession. Draws a frame when something has changed and none otherwise. GUI thread.
///
/// Frames, selection, settings and theme are followed by themselves; there is nothing to feed.
class Viewport : public QOpenGLWidget
{
    Q_OBJECT
public:
    /// To be called before the QApplication is made.
    static void prepareApplication();

    /// Makes of a model what will be drawn: for a thread in the background, so that the window does not wait for it.
    static void prepareModel(const std::shared_ptr<const ModelAsset>& model);

    /// `editor` outlives the viewport.
    explicit Viewport(editor::Editor& editor, QWidget* parent = nullptr);
    ~Viewport() override;

    [[nodiscard]] const Camera& camera() const;
    void setCamera(const Camera& camera);
    /// Goes there in `milliseconds`, 0: at once.
    void moveCamera(const Camera& camera, int milliseconds);

    void frameAll();
    void frameSelected(); ///< everything when nothing is selected
    void lookFrom(StandardView view);
    void lookWithPerspective();

    /// What takes the world to this widget's logical pixels.
    [[nodiscard]] View view() const;

    /// The next two clicks pick a chain's start and its end, with a rubber line between; Esc ends it. `chainPicked`
    /// tells.
    void startChainPick();
    void cancelChainPick();
    [[nodiscard]] bool isChainPicking() const;

    /// The picture at another size, as it is drawn now: model and overlays, or the model alone. So many of its pixels
    /// stand for one of the window's: what overlays draw is that much larger.
    enum class Content { Everything, ModelOnly };
    [[nodiscard]] QImage grabImage(QSize pixels, Content content = Content::Everything, double pixelRatio = 1);

    /// Figures for tests and the HUD.
    [[nodiscard]] std::uint64_t framesDrawn() const; ///< of the 3D scene
    [[nodiscard]] std::uint64_t frameShown() const;  ///< FrameResult::request of the newest one drawn
    [[nodiscard]] static double
    drawingSeconds(); ///< of the window's thread's processor time, all that OpenGL and Qt 3D took so far
    [[nodiscard]] double overlaySeconds() const; ///< CPU time of the newest palette and overlay, without drawing

signals:
    void cameraChanged();
    void contextMenuRequested(const QPoint& globalPosition);
    void chainPicked(tendon::JointId start, tendon::JointId end); ///< end is below start
    void chainPickingChanged(bool isPicking);
    void refused(const QString& reason); ///< why a drag or a pick did nothing

protected:
    void initializeGL() override;
    void paintGL() override;
    void resizeGL(int width, int height) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace tendon::viewport
