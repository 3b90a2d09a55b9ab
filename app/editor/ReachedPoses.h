#pragma once

#include "app/editor/FrameResult.h"

#include <map>

namespace tendon::editor {

/// What a handle that holds (Handle::unreachable) shows while the mouse drags something: the pose that it had last
/// within its reach. A still goal has no earlier frame to hold, and the document knows of no drag, so that its arm
/// would go to the FK pose in the middle of one. When the drag is over, the handle shows what the document says.
class ReachedPoses
{
public:
    /// The frame as it is to be shown. Remembers the poses of the handles within reach; those before a drag count,
    /// those of other frames do not.
    [[nodiscard]] FramePtr shown(FramePtr frame, bool isDragged);

private:
    using Pose = std::vector<std::pair<JointId, LocalTransform>>;

    std::map<HandleId, Pose> m_poses;
    std::int32_t m_frame = 0; ///< that they are of
};

} // namespace tendon::editor
