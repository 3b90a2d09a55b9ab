#include "app/editor/FrameResult.h"

#include <algorithm>

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

} // namespace tendon::editor
