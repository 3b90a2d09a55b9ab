#pragma once

#include "app/editor/Editor.h"
#include "app/editor/Theme.h"
#include "app/viewport/ScenePainter.h"
#include "app/viewport/Viewport.h"
#include "app/viewport/overlay/Overlay.h"
#include "app/viewport/overlay/Picker.h"
#include "app/viewport/render/OverlayRenderer.h"
#include "app/viewport/view/Navigation.h"

#include <QElapsedTimer>
#include <QTimer>

namespace tendon::viewport {

/// What the left button is doing.
enum class Gesture { None, Camera, Pressed, Dragging, Box, Limit };

/// What a Viewport is made of. Painting is in Viewport.cpp, the mouse and keys in ViewportInput.cpp.
struct Viewport::Impl
{
    Viewport& widget;
    editor::Editor& editor;
    Camera camera;
    ScenePainter scene;
    std::unique_ptr<OverlayRenderer> renderer; ///< of the widget's context; null before it is there
    QMetaObject::Connection contextGoing;      ///< of that context's end to the renderer's
    Overlay overlay;
    std::uint64_t shown = 0;
    double overlaySeconds = 0;
    static inline double drawingSeconds = 0; ///< of all views
    bool isPlaced = false;                   ///< the camera has been put before the model

    editor::FramePtr boundedFrame;
    Bounds wholeBounds; ///< of boundedFrame

    // Camera on its way
    Camera wayFrom, wayTo;
    QElapsedTimer wayTime;
    QTimer wayTimer;
    int wayLength = 0; // [ms]

    // Mouse
    Picker picker;
    PointerState pointer;
    Gesture gesture = Gesture::None;
    CameraMove cameraMove = CameraMove::None;
    QPointF lastPoint, pressPoint;
    editor::SelectionItem pressed; ///< what was under the button when it went down
    std::optional<GizmoDrag> drag;
    std::optional<LimitDrag> limitDrag;
    JointId limitJoint;          ///< whose limit is dragged
    bool isLimitPreview = false; ///< only shown, by moving the joint there
    std::string typed;
    QTimer restTimer; ///< figures come to rest a moment after the last picture

    // Picking a chain
    bool isChainPicking = false;
    JointId chainStart;

    Impl(Viewport& viewport, editor::Editor& e) : widget(viewport), editor(e), scene([this] { widget.update(); }) {}

    void takeFrame(const editor::FramePtr& frame);
    void takeTheme();
    void takeSettings();
    void useCamera(const Camera& next);
    /// Paints scene and overlay into the current context's framebuffer.
    void paint(OverlayRenderer& target, QPaintDevice& device, const View& view, QSize pixels, unsigned framebuffer,
               Content content);
    void draw(OverlayRenderer& target, QPaintDevice& device, const View& view, QSize pixels, unsigned framebuffer,
              Content content);
    [[nodiscard]] const Bounds& boundsOfAll(); ///< of the newest frame
    [[nodiscard]] Bounds boundsOfSelection() const;

    [[nodiscard]] double scale() const { return editor::Theme::instance().scale(); }
    void hover(const QPointF& point);
    void press(const QPointF& point, Qt::KeyboardModifiers held);
    void beginDrag();
    void updateDrag(Qt::KeyboardModifiers held);
    void endDrag(bool isCommitted);
    /// The grip of a shown limit under a pixel.
    [[nodiscard]] std::optional<LimitGripName> gripAt(const View& view, const Vector2& pixel) const;
    void beginLimitDrag();
    void updateLimitDrag(Qt::KeyboardModifiers held);
    void endLimitDrag(bool isCommitted);
    void finishBox(Qt::KeyboardModifiers held);
    void pickChainJoint(const QPointF& point);
    void showChainTarget(const QPointF& point);
    /// Empty: a chain may end there.
    [[nodiscard]] QString chainRefusal(JointId end) const;
    void endChainPick();
    bool takeKey(int key, const QString& text); ///< true: it was for the drag or the chain
};

} // namespace tendon::viewport
