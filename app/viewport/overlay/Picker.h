#pragma once

#include "app/editor/FrameResult.h"
#include "app/editor/Selection.h"
#include "app/editor/ViewSettings.h"
#include "app/editor/Visibility.h"
#include "app/viewport/overlay/BoneOverlay.h"
#include "app/viewport/view/Gizmo.h"

#include <optional>

namespace tendon::viewport {

/// What there is to be picked.
struct PickedScene
{
    const editor::FramePtr& frame; ///< may be null or without a rig
    const editor::ViewState& state;
    const editor::Selection& selection;
    const editor::Visibility& visibility;
    double scale = 1; ///< of the interface: distances are in its pixels
};

/// Finds the item under the pointer, of what is shown and not locked. Each function finds one rank, of which the
/// nearest item on the screen counts.
class Picker
{
public:
    /// A goal, a pole or a point of a curve, as far as it is drawn: poles are with their handle's selection. What is
    /// selected wins over what is hardly nearer.
    [[nodiscard]] static editor::SelectionItem pickControl(const View& view, const PickedScene& scene,
                                                           const Vector2& pixel);

    /// A joint, an effector beside its joint, or a curve (its handle): the nearest; beside these a bone. The mesh hides
    /// joints and bones unless X-ray is on. With `alsoMeshes`, beside bones the joint with the largest influence on the
    /// deformed mesh there.
    [[nodiscard]] editor::SelectionItem pickRig(const View& view, const PickedScene& scene, const Vector2& pixel,
                                                bool alsoMeshes);

    /// The place on a curve under the pointer.
    [[nodiscard]] static std::optional<editor::Selection::CurvePlace>
    pickCurve(const View& view, const PickedScene& scene, const Vector2& pixel);

    /// All controls of handles within a rectangle that are drawn; if there are none, all joints within it.
    [[nodiscard]] static std::vector<editor::SelectionItem> inside(const View& view, const PickedScene& scene,
                                                                   const Vector2& corner, const Vector2& opposite);

private:
    struct CurvePick
    {
        std::optional<editor::Selection::CurvePlace> place;
        double distance = 1e300; ///< [px]
    };
    [[nodiscard]] static CurvePick nearestCurve(const View& view, const PickedScene& scene, const Vector2& pixel);
    struct MeshPick
    {
        editor::SelectionItem item;
        double distance = 1e300; ///< [m] along the pixel's ray
    };
    /// Skins the meshes once per frame.
    [[nodiscard]] const MeshPick& pickMeshes(const View& view, const PickedScene& scene, const Vector2& pixel);

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
