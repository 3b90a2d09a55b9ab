#pragma once

#include "app/editor/FrameResult.h"
#include "app/editor/Selection.h"
#include "app/editor/ViewSettings.h"
#include "app/viewport/overlay/BoneOverlay.h"
#include "app/viewport/view/Gizmo.h"

#include <optional>

namespace tendon::viewport {

/// Finds the item under the pointer. Each function finds one rank, of which the nearest item on the screen counts.
/// `scale` of the interface: distances are in its pixels. `frame` may be null or without a rig.
class Picker
{
public:
    /// A goal, a pole or a point of a curve.
    [[nodiscard]] static editor::SelectionItem pickControl(const View& view, const editor::FramePtr& frame,
                                                           const editor::ViewState& state, const Vector2& pixel,
                                                           double scale);

    /// A joint, an effector beside its joint, or a curve (its handle): the nearest; beside these a bone. The mesh hides
    /// joints and bones unless X-ray is on. With `alsoMeshes`, beside bones the joint with the largest influence on the
    /// deformed mesh there.
    [[nodiscard]] editor::SelectionItem pickRig(const View& view, const editor::FramePtr& frame,
                                                const editor::ViewState& state, const Vector2& pixel, double scale,
                                                bool alsoMeshes);

    /// The place on a curve under the pointer.
    [[nodiscard]] static std::optional<editor::Selection::CurvePlace> pickCurve(const View& view,
                                                                                const editor::FramePtr& frame,
                                                                                const editor::ViewState& state,
                                                                                const Vector2& pixel, double scale);

    /// All controls of handles within a rectangle; if there are none, all joints within it.
    [[nodiscard]] static std::vector<editor::SelectionItem> inside(const View& view, const editor::FramePtr& frame,
                                                                   const editor::ViewState& state,
                                                                   const Vector2& corner, const Vector2& opposite);

private:
    struct CurvePick
    {
        std::optional<editor::Selection::CurvePlace> place;
        double distance = 1e300; ///< [px]
    };
    [[nodiscard]] static CurvePick nearestCurve(const View& view, const editor::FrameResult& frame,
                                                const Vector2& pixel, double scale);
    struct MeshPick
    {
        editor::SelectionItem item;
        double distance = 1e300; ///< [m] along the pixel's ray
    };
    /// Skins the meshes once per frame.
    [[nodiscard]] const MeshPick& pickMeshes(const View& view, const editor::FramePtr& frame, const Vector2& pixel);

    editor::FramePtr m_skinned;                            ///< the frame of m_positions
    std::vector<std::vector<Eigen::Vector3f>> m_positions; ///< [m] per mesh, segments last
    MeshPick m_pick;
    std::shared_ptr<const CompiledRig> m_rig; ///< the rig of the next two
    std::vector<Bone> m_bones;
    Mesh m_bodies;
};

/// The gizmo of a tool; none for the tools Select and Link.
[[nodiscard]] std::optional<GizmoKind> gizmoKind(editor::Tool tool);

/// The frame of an item's gizmo, with the axes of the chosen space (Scale always uses the joint's own); none if the
/// item is not in the FrameResult or the tool does not apply to it.
[[nodiscard]] std::optional<GizmoPlace> gizmoPlace(const View& view, const editor::FrameResult& frame,
                                                   const editor::SelectionItem& item, const editor::ViewState& state,
                                                   double scale);

} // namespace tendon::viewport
