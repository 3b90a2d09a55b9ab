#include "app/editor/FrameResult.h"

#include <algorithm>

namespace tendon::editor {

const HandleView* FrameResult::find(HandleId handle) const
{
    const auto found = std::find_if(handles.begin(), handles.end(), [&](const HandleView& view) { return view.handle == handle; });
    return found == handles.end() ? nullptr : &*found;
}

const Affine* FrameResult::worldFromJoint(JointId joint) const
{
    const JointIndex index = rig == nullptr ? -1 : rig->index(joint);
    return index < 0 ? nullptr : &pose.model.modelFromJoint[static_cast<std::size_t>(index)];
}

} // namespace tendon::editor
