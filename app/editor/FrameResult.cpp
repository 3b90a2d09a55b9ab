#include "app/editor/FrameResult.h"

#include "core/runtime/ForwardKinematics.h"

#include <algorithm>
#include <cmath>

namespace tendon::editor {

const HandleView* FrameResult::find(HandleId handle) const
{
    const auto found = std::find_if(handles.begin(), handles.end(),
                                    [&](const HandleView& view) { return view.handle == handle; });
    return found == handles.end() ? nullptr : &*found;
}

const Affine* FrameResult::worldFromJoint(JointId joint) const
{
    const JointIndex index = rig == nullptr ? -1 : rig->index(joint);
    return index < 0 ? nullptr : &solved.model.modelFromJoint[static_cast<std::size_t>(index)];
}

std::vector<Vector3> FrameResult::chainOf(const HandleView& handle) const
{
    std::vector<Vector3> places;
    JointIndex joint = handle.start < 0 ? -1 : handle.end;
    for (; joint >= 0; joint = rig->parent[static_cast<std::size_t>(joint)]) {
        places.push_back(solved.model.modelFromJoint[static_cast<std::size_t>(joint)].translation());
        if (joint == handle.start) break;
    }
    if (joint < 0) return {};
    std::reverse(places.begin(), places.end());
    return places;
}

FramePtr posedOtherwise(const FrameResult& frame, std::span<const JointIndex> joints,
                        std::span<const LocalTransform> local)
{
    const auto posed = std::make_shared<FrameResult>(frame);
    for (std::size_t i = 0; i < joints.size(); ++i)
        posed->solved.local.joints[static_cast<std::size_t>(joints[i])] = local[i];
    forwardKinematics(*posed->rig, posed->solved.local, posed->solved.model);
    posed->worstError = 0;
    for (std::size_t i = 0; i < posed->handles.size(); ++i) {
        HandleView& view = posed->handles[i];
        const Handle& handle = posed->rig->handles[i];
        const Vector3 effector = *posed->worldFromJoint(handle.end) * handle.offset;
        if (view.target.isActive() && effector != view.effector) {
            view.effector = effector;
            view.result.positionError = (view.target.goal.position - effector).norm();
            view.isMissed = !view.result.isHeld && view.result.positionError > 2 * handle.positionTolerance;
            view.isSoft = view.showsFk = false;
        }
        if (view.target.isActive() && !view.result.isHeld && std::isfinite(view.result.positionError))
            posed->worstError = std::max(posed->worstError, view.result.positionError);
    }
    return posed;
}

} // namespace tendon::editor
