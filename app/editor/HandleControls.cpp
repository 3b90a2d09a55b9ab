#include "app/editor/HandleControls.h"

#include "core/solve/CurveFit.h"

namespace tendon::editor {

std::vector<HandleControl> controlsOf(const HandleView& view)
{
    std::vector<HandleControl> controls;
    for (std::size_t i = 0; i < view.target.curve.size(); ++i)
        controls.push_back({SelectionItem::curvePointOf(view.handle, static_cast<int>(i)), view.target.curve[i]});
    if (!controls.empty()) return controls;
    controls.push_back({SelectionItem::of(view.handle), view.target.goal.position});
    if (view.target.pole) controls.push_back({SelectionItem::poleOf(view.handle), *view.target.pole});
    return controls;
}

std::optional<Vector3> placeOf(const HandleView& view, SelectionItem control)
{
    for (const HandleControl& candidate : controlsOf(view))
        if (candidate.item == control) return candidate.place;
    return std::nullopt;
}

int curveIndexAt(const HandleView& view, const Vector3& place)
{
    const std::vector<Vector3>& points = view.target.curve;
    return insertionIndex(points, nearestOnCurve(points, place).parameter);
}

bool isGoalInFk(const SelectionItem& item, const FrameResult& frame)
{
    const HandleView* view = item.kind == SelectionItem::Kind::Handle ? frame.find(item.handle()) : nullptr;
    return view != nullptr && view->target.blend <= 0;
}

} // namespace tendon::editor
