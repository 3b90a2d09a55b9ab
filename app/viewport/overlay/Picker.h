#pragma once

#include "app/editor/FrameResult.h"
#include "app/editor/Selection.h"
#include "app/editor/ViewSettings.h"
#include "app/viewport/overlay/BoneOverlay.h"
#include "app/viewport/view/Gizmo.h"

#include <optional>

namespace tendon::viewport {

/// Finds what is under the pointer among what is drawn, in the order of what is most wanted: goals and poles, joints,
/// bones (through the mesh in x-ray, else those it does not hide), and the deformed mesh itself, which stands for the
/// joint that moves it most there.
class Picker
{
public:
    /// `scale` of the interface: reaches are in its pixels.
    [[nodiscard]] editor::SelectionItem pick(const View& view, const editor::FramePtr& frame,
                                             const editor::ViewState& state, const Vector2& pixel, double scale,
                                             bool alsoMeshes);

    /// All goals and poles whose mark is within a rectangle; where there are none, all such joints.
    [[nodiscard]] static std::vector<editor::SelectionItem> inside(const View& view, const editor::FramePtr& frame,
                                                                   const editor::ViewState& state,
                                                                   const Vector2& corner, const Vector2& opposite);

private:
    [[nodiscard]] editor::SelectionItem pickRig(const View& view, const editor::FramePtr& frame,
                                                const editor::ViewState& state, const Vector2& pixel, double scale);
    struct MeshPick
    {
        editor::SelectionItem item;
        double distance = 1e300; ///< [m] along the pixel's ray
    };
    /// Skins once for a frame, however often it is asked about it.
    [[nodiscard]] const MeshPick& pickMeshes(const View& view, const editor::FramePtr& frame, const Vector2& pixel);

    editor::FramePtr m_skinned;                            ///< that m_positions are of
    std::vector<std::vector<Eigen::Vector3f>> m_positions; ///< [m] of each mesh, the bodies last
    MeshPick m_pick;
    std::shared_ptr<const CompiledRig> m_rig; ///< that the next two are of
    std::vector<Bone> m_bones;
    Mesh m_bodies;
};

/// The gizmo of a tool; none for selecting.
[[nodiscard]] std::optional<GizmoKind> gizmoKind(editor::Tool tool);

/// Where the gizmo of an item stands, with the axes of the chosen space (scaling always goes along the joint's own);
/// none for what is not in the frame or cannot be worked on with the tool.
[[nodiscard]] std::optional<GizmoPlace> gizmoPlace(const View& view, const editor::FrameResult& frame,
                                                   const editor::SelectionItem& item, const editor::ViewState& state,
                                                   double scale);

} // namespace tendon::viewport
