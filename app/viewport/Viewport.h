#pragma once

#include "app/editor/FrameResult.h"
#include "app/viewport/view/Camera.h"

#include <QImage>
#include <QOpenGLWidget>

#include <memory>

namespace tendon::editor {
class Editor;
enum class Tool;
} // namespace tendon::editor

namespace tendon::viewport {

/// The view of the scene: draws the editor's newest frame, moves the camera, and turns clicks and drags into the
/// editor's selection and DragSession. Draws only when something has changed. GUI thread.
///
/// Observes the editor's frames, selection, settings and theme by itself.
class Viewport : public QOpenGLWidget
{
    Q_OBJECT
public:
    /// Call this before the QApplication is created.
    static void prepareApplication();

    /// Prepares a model for drawing. Call it from a background thread, so that the window does not wait.
    static void prepareModel(const std::shared_ptr<const ModelAsset>& model);

    /// `editor` outlives the viewport.
    explicit Viewport(editor::Editor& editor, QWidget* parent = nullptr);
    ~Viewport() override;

    [[nodiscard]] const Camera& camera() const;
    void setCamera(const Camera& camera);
    /// Moves the camera there in `milliseconds`; 0: at once.
    void moveCamera(const Camera& camera, int milliseconds);

    void frameAll();
    void frameBounds(const Bounds& bounds);
    [[nodiscard]] Bounds bounds() const;       ///< of all that the newest frame shows
    void frameSelected();                      ///< frames everything if nothing is selected
    [[nodiscard]] bool isCameraMoving() const; ///< a movement with a duration has not ended
    void lookFrom(StandardView view);
    void lookWithPerspective(); ///< as it was before the view from a side
    void previousView();        ///< goes back to where the camera was
    void nextView();
    [[nodiscard]] bool hasPreviousView() const;
    [[nodiscard]] bool hasNextView() const;

    /// Of several views one is active: commands, and the settings that name its camera, are about it.
    void setActive(bool isActive);
    [[nodiscard]] bool isActive() const;
    void setCompanion(bool isCompanion); ///< a view beside the main one: it shows no figures
    void setNamed(bool isNamed);         ///< says what side it shows: it is one of several
    [[nodiscard]] editor::Editor& editor();

    /// The view from the world to this widget's logical pixels.
    [[nodiscard]] View view() const;

    /// The next two clicks pick the start and the end of a chain, with a rubber line between; Esc cancels. Emits
    /// `chainPicked`. With `selected` given, one click does: on a joint below it, which ends the chain there, or on one
    /// above it, which starts the chain there and ends it at `selected`. The chain from the root down to it, or that of
    /// the joint under the pointer, is proposed and drawn: Enter takes it.
    void startChainPick(JointId selected = {});
    void pickChainJoint(JointId joint); ///< as a click on it; without effect while no chain is picked
    void cancelChainPick();
    [[nodiscard]] bool isChainPicking() const;

    /// Moves, rotates or scales the selection with the mouse, no button held: X, Y and Z choose an axis of the world
    /// (again: of the object), digits a value, Shift is fine. Return or the left button keeps it as one step, Esc or
    /// the right one cancels. False: nothing that can be moved so is selected.
    bool startModal(editor::Tool tool);
    [[nodiscard]] bool isModal() const;

    /// Draws the current view at another size: the model with overlays, or the model alone. A thumbnail shows the whole
    /// model with its joints and handles wherever the camera is, and no words, figures or view cube, which would hide
    /// it in a small picture. A film shows the rig, but no words, figures, gizmo or view cube. `pixelRatio`: device
    /// pixels per logical pixel; overlays scale with it.
    enum class Content { Everything, ModelOnly, Thumbnail, Film };
    [[nodiscard]] QImage grabImage(QSize pixels, Content content = Content::Everything, double pixelRatio = 1);

    /// Measurements for tests and the HUD.
    [[nodiscard]] std::uint64_t framesDrawn() const; ///< of the 3D scene
    [[nodiscard]] std::uint64_t frameShown() const;  ///< FrameResult::request of the newest frame drawn
    [[nodiscard]] static double
    drawingSeconds(); ///< [s] CPU time of the window's thread that OpenGL and Qt 3D have used so far
    [[nodiscard]] double overlaySeconds() const; ///< [s] CPU time of the newest palette and overlay, without drawing

    /// The camera is still, and the HUD has stopped counting pictures: nothing more is drawn until something changes.
    [[nodiscard]] bool isAtRest() const;

signals:
    void cameraChanged();
    void activated();     ///< the mouse or the focus has come to this view
    void cameraArrived(); ///< after moveCamera() with a duration
    void contextMenuRequested(const QPoint& globalPosition);
    void chainPicked(tendon::JointId start, tendon::JointId end); ///< end is below start
    void chainPickingChanged(bool isPicking);
    /// Why a drag or a pick did nothing; `inFk`: the handle whose goal waits for IK, if that is why.
    void refused(const QString& reason, tendon::HandleId inFk = {});

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
    void focusInEvent(QFocusEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace tendon::viewport
