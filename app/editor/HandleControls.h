#pragma once

#include "app/editor/FrameResult.h"
#include "app/editor/Selection.h"

#include <optional>
#include <vector>

namespace tendon::editor {

/// A point of a handle that is selected and dragged in the view.
struct HandleControl
{
    SelectionItem item;
    Vector3 place = Vector3::Zero(); ///< [m] in the world
};

/// The controls of a handle: the points of its curve; without a curve its goal and, if there is one, its pole.
[[nodiscard]] std::vector<HandleControl> controlsOf(const HandleView& view);

/// Where a control of the handle is; none if the handle has no such control.
[[nodiscard]] std::optional<Vector3> placeOf(const HandleView& view, SelectionItem control);

/// A goal that moves nothing: FK alone drives its limb at this frame.
[[nodiscard]] bool isGoalInFk(const SelectionItem& item, const FrameResult& frame);

/// The number that a point of the handle's curve gets that is inserted where the curve comes nearest to `place` [m, in
/// the world]. Precondition: the handle has a curve.
[[nodiscard]] int curveIndexAt(const HandleView& view, const Vector3& place);

} // namespace tendon::editor
