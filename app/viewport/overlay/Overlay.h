#pragma once

#include "app/editor/FrameResult.h"
#include "app/editor/Marks.h"
#include "app/editor/Selection.h"
#include "app/editor/ViewSettings.h"
#include "app/viewport/overlay/BoneOverlay.h"
#include "app/viewport/overlay/CompareOverlay.h"
#include "app/viewport/overlay/Hud.h"
#include "app/viewport/overlay/Labels.h"
#include "app/viewport/overlay/MotionOverlay.h"
#include "app/viewport/view/Gizmo.h"
#include "app/viewport/view/LimitShapes.h"

#include <optional>

namespace tendon::viewport {

/// A dashed line from a joint to the pointer, or to a point.
struct RubberLine
{
    Vector3 from = Vector3::Zero(); ///< [m]
    std::optional<Vector3> to = {}; ///< [m] of an effector that is dragged
    bool isRefused = false;         ///< red: letting go there does nothing
    QString refusal = {};           ///< why, beside the pointer
};

/// The overlay's state that depends on the mouse: the hot part of the gizmo, the selection box, ...
struct PointerState
{
    GizmoPart gizmo = GizmoPart::None;
    bool isDraggingGizmo = false;
    bool hidesGizmo = false;
    QString dragText;                          ///< shown beside the pointer: the value of a drag
    Vector2 pointer = Vector2::Zero();         ///< [px]
    std::optional<std::array<Vector2, 2>> box; ///< corners of the selection box
    std::optional<RubberLine> rubber;          ///< while a chain or a link is picked, or an effector is dragged
    std::vector<Vector3> proposal;             ///< [m] joints of a chain that Enter takes, start first
    QString proposalText;
    std::optional<CubePlace> cube;     ///< hovered
    std::optional<LimitGripName> grip; ///< of a limit: hovered or dragged
    std::optional<TrailKey> trailKey;  ///< hovered or dragged
    QString viewName;                  ///< beside other views: which one this is
    JointId terminator;                ///< at which interactive IK stops what is being dragged; invalid = none
};

/// Everything painted over the scene. Built again from one FrameResult each time something is drawn.
class Overlay
{
    Q_DECLARE_TR_FUNCTIONS(Overlay)
public:
    void setColours(const OverlayColours& colours);
    [[nodiscard]] const OverlayColours& colours() const { return m_colours; }

    /// `frame` may be null or without a rig.
    void build(const View& view, const editor::FramePtr& frame, const editor::Selection& selection,
               const editor::ViewState& state, const PointerState& pointer, double scale, const WatchedSolve& solve,
               const SeenMotion& motion, const editor::ViewMarks& marks);
    [[nodiscard]] const DisplayList& shapes() const { return m_list; }

    /// Labels, numbers and view cube; call it after the shapes have been drawn.
    void paintWords(QPainter& painter, const View& view, const editor::FramePtr& frame, const editor::ViewState& state,
                    const PointerState& pointer, double gridCell, double pixelRatio);
    [[nodiscard]] Hud& hud() { return m_hud; }

private:
    [[nodiscard]] std::vector<BoneState> boneStates(const editor::FrameResult& frame,
                                                    const editor::Selection& selection,
                                                    const editor::Visibility& visibility,
                                                    const editor::ViewMarks& marks) const;
    void addPointer(const View& view, const PointerState& pointer);

    OverlayColours m_colours;
    DisplayList m_list;
    std::vector<Label> m_labels;
    LabelPainter m_labelPainter;
    Hud m_hud;
    std::shared_ptr<const CompiledRig> m_rig; ///< the rig of m_bones
    std::vector<Bone> m_bones;
};

} // namespace tendon::viewport
