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

/// The current use of the left button; Modal: of the mouse without one.
enum class Gesture { None, Camera, Pressed, Dragging, Box, Limit, Link, Trail, Modal };

inline constexpr int kViewTime = 180; ///< [ms] motion.camera-frame of the tokens

/// The implementation of Viewport. Painting is in Viewport.cpp, mouse and keys are in
/// ViewportInput.cpp, limits in ViewportLimits.cpp, chains and links in ViewportPicking.cpp.
struct Viewport::Impl
{
    Viewport& widget;
    editor::Editor& editor;
    Camera camera;
    ScenePainter scene;
    std::unique_ptr<OverlayRenderer> renderer; ///< for the widget's OpenGL context; null before there is one
    QMetaObject::Connection contextGoing;      ///< destroys the renderer before its context
    Overlay overlay;
    std::uint64_t shown = 0;
    double overlaySeconds = 0;
    static inline double drawingSeconds = 0; ///< [s] of all views
    bool isPlaced = false;                   ///< the camera has been framed on the model

    bool isActive = true;     ///< the view that commands and settings are about
    bool isCompanion = false; ///< beside the main view: no figures
    bool isNamed = false;     ///< one of several

    // What is hidden, and what is seen of other moments
    editor::Visibility visibility; ///< of the drawn frame
    std::vector<editor::Ghost> ghosts;
    std::vector<editor::Ghost> comparedGhosts; ///< of `compared`
    editor::RecordingPtr compared;
    bool hasGhostMeshes = true;
    editor::Trails trails;
    TrailKey trailFrom;             ///< the key that is dragged, where it was
    editor::FramePtr previewedFrom; ///< what was drawn before the preview of a limit

    // Views before and after this one, and what the camera goes along with
    ViewHistory history;
    std::optional<Camera> perspective; ///< the last one with perspective
    Camera gestureFrom;                ///< the camera when the mouse took it
    QElapsedTimer lastWheel;
    std::optional<Vector3> followed; ///< [m]
    int followedFrame = 0;
    editor::SelectionItem followedItem;
    JointId traveller; ///< carries the figure, in the clip and the document of:
    ClipId travellerClip;
    std::optional<std::uint64_t> travellerRevision;

    editor::FramePtr boundedFrame;
    Bounds wholeBounds; ///< of boundedFrame

    // Camera animation
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
    JointId pressedFigure;         ///< the joint of the second figure there
    editor::SelectionItem pressed; ///< the item under the pointer when the button was pressed
    std::optional<GizmoDrag> drag;
    std::optional<LimitDrag> limitDrag;
    JointId limitJoint;          ///< joint whose limit is dragged
    bool isLimitPreview = false; ///< only previewed, by moving the joint there
    std::string typed;
    bool isAtRest = false; ///< the newest picture is the one that shows the rest
    QTimer restTimer;      ///< stops the HUD's numbers a moment after the last frame

    // Moving by the keyboard
    struct Modal
    {
        editor::Tool tool = editor::Tool::Move;
        int axis = -1; ///< 0 x, 1 y, 2 z; -1 = free
        bool isPlane = false;
        editor::GizmoSpace space = editor::GizmoSpace::World;
    };
    std::optional<Modal> modal;
    QPointF modalPoint;          ///< where the mouse is; lastPoint is where it would be without fine moves
    editor::FramePtr modalFrame; ///< from which it began

    // Picking a chain
    bool isChainPicking = false;
    JointId chainStart;                 ///< the joint clicked first, or the one that was selected; invalid = none yet
    bool isStartSelected = false;       ///< chainStart was selected: the chain may also run from above down to it
    JointId proposedStart, proposedEnd; ///< a chain that Enter takes; invalid = none

    Impl(Viewport& viewport, editor::Editor& e) : widget(viewport), editor(e), scene([this] { widget.update(); }) {}

    void takeFrame(const editor::FramePtr& frame);
    void takeDocument();
    void takeTheme();
    void takeSettings();
    void useCamera(const Camera& next);
    void moveCamera(const Camera& next, int milliseconds); ///< without a note in the history
    void noteCameraKind();                                 ///< in the settings, if this view is the active one
    void noteView();                                       ///< the camera is about to leave this view
    void lookFrom(StandardView view);
    void lookWithPerspective(); ///< as it was before the view from a side
    void follow(const editor::FrameResult& frame);
    [[nodiscard]] std::optional<Vector3> followedPlace(const editor::FrameResult& frame);
    [[nodiscard]] editor::ViewState shownState() const; ///< the settings, without the rig where playback hides it
    void addComparedGhosts(const editor::FrameResult& frame);
    void takeMotion(bool isChanged); ///< ghosts and trails; `isChanged`: or what they are made from
    [[nodiscard]] SeenMotion seenMotion() const;
    [[nodiscard]] SeenFigure seenFigure() const;
    void takeFigure(); ///< the second figure has come, changed or gone
    [[nodiscard]] QString viewName() const;
    [[nodiscard]] PickedScene picked(const editor::FramePtr& frame, const editor::ViewState& state) const
    {
        return {frame, state, editor.selection(), visibility, scale()};
    }
    void beginTrailDrag();
    void updateTrailDrag();
    void endTrailDrag(bool isCommitted);
    /// Paints scene and overlay into the current context's framebuffer.
    void paint(OverlayRenderer& target, QPaintDevice& device, const View& view, QSize pixels, unsigned framebuffer,
               Content content);
    void draw(OverlayRenderer& target, QPaintDevice& device, const View& view, QSize pixels, unsigned framebuffer,
              Content content);
    [[nodiscard]] bool showsModel() const;
    [[nodiscard]] const Bounds& boundsOfAll(); ///< of the newest frame
    [[nodiscard]] Bounds boundsOfSelection() const;

    [[nodiscard]] double scale() const { return editor::Theme::instance().scale(); }
    /// What a press takes: at most one of these.
    struct Taken
    {
        GizmoPart gizmo = GizmoPart::None;      ///< of the active item
        std::optional<LimitGripName> grip = {}; ///< of a visible limit
        std::optional<TrailKey> trailKey = {};
        editor::SelectionItem item = {};
        JointId figure = {}; ///< of the second figure
    };
    /// What is first under a pixel in the one order that clicks, drags, menus and highlights go by.
    [[nodiscard]] Taken takenAt(const View& view, const Vector2& pixel, bool alsoMeshes);
    [[nodiscard]] GizmoHit gizmoAt(const View& view, const Vector2& pixel) const;
    void hover(const QPointF& point);
    void click(Qt::KeyboardModifiers held); ///< a press that has not become a drag has ended
    void press(const QPointF& point, Qt::KeyboardModifiers held);
    void beginDrag();
    /// [m] Where the item is dragged to. An effector snaps to its bone with Shift, and gets a rubber line.
    [[nodiscard]] Vector3 draggedTo(Qt::KeyboardModifiers held);
    void updateDrag(Qt::KeyboardModifiers held);
    void showDragText();
    [[nodiscard]] JointId terminatorOf(JointId dragged) const; ///< set by auto-termination alone; invalid = none
    void endDrag(bool isCommitted);
    [[nodiscard]] static GizmoUnit gizmoUnit(); ///< of the user
    [[nodiscard]] bool beginModal(editor::Tool tool);
    [[nodiscard]] bool aimModal();
    void moveModal(const QPointF& to, Qt::KeyboardModifiers held);
    void updateModal(Qt::KeyboardModifiers held);
    bool takeModalKey(int key, Qt::KeyboardModifiers held); ///< X, Y or Z
    /// The grip of a visible limit under a pixel.
    [[nodiscard]] std::optional<LimitGripHit> gripAt(const View& view, const Vector2& pixel) const;
    void beginLimitDrag();
    void updateLimitDrag(Qt::KeyboardModifiers held);
    void endLimitDrag(bool isCommitted);
    void finishBox(Qt::KeyboardModifiers held);
    /// The joint under a pixel, even if a goal covers it.
    [[nodiscard]] editor::SelectionItem jointAt(const QPointF& point, bool alsoMeshes);
    /// Draws the rubber line from a joint to the pointer, red with the reason if there is one.
    void showRubber(const QPointF& point, JointId from, const QString& refusal);
    void showCursor(); ///< a cross while joints are picked
    void pickChainJoint(JointId joint);
    void showChainTarget(const QPointF& point);
    /// With a joint selected: the chain that a click on `under` makes, or that from the root down to the selected one.
    void proposeChain(JointId under);
    [[nodiscard]] bool mayStartAt(JointId joint) const; ///< the chain would run from there down to the selected joint
    /// Says why a click there makes no chain; empty if it does.
    [[nodiscard]] QString chainRefusal(JointId end) const;
    void endChainPick();

    // Linking by dragging
    [[nodiscard]] bool isLinking() const { return editor.view().state().tool == editor::Tool::Link; } ///< the tool
    [[nodiscard]] std::vector<JointId> linkedJoints() const; ///< the pressed joint, with the others that are selected
    void showLinkTarget(const QPointF& point);
    /// Says why the dragged joints cannot be children of `parent`; empty if they can.
    [[nodiscard]] QString linkRefusal(JointId parent) const;
    void finishLink(const QPointF& point);
    void endLink();
    bool takeKey(int key, const QString& text,
                 Qt::KeyboardModifiers held); ///< true if the drag or the chain used the key
};

} // namespace tendon::viewport
