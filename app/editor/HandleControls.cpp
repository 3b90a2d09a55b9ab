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

Vector3 boneDirection(const FrameResult& frame, JointIndex joint)
{
    const auto place = [&](JointIndex j) { return Vector3(frame.solved.model.modelFromJoint[at(j)].translation()); };
    constexpr double kMinBone = 1e-6; // [m]
    for (std::size_t child = 0; child < frame.rig->jointCount(); ++child)
        if (frame.rig->parent[child] == joint)
            if (const Vector3 bone = place(static_cast<JointIndex>(child)) - place(joint); bone.norm() > kMinBone)
                return bone.normalized();
    const JointIndex parent = frame.rig->parent[at(joint)];
    const Vector3 bone = parent < 0 ? Vector3(Vector3::Zero()) : Vector3(place(joint) - place(parent));
    return bone.norm() > kMinBone ? Vector3(bone.normalized()) : Vector3(Vector3::UnitY());
}

int curveIndexAt(const HandleView& view, const Vector3& place)
{
    const std::vector<Vector3>& points = view.target.curve;
    return insertionIndex(points, nearestOnCurve(points, place).parameter);
}

} // namespace tendon::editor
