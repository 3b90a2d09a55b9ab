#pragma once

#include "core/math/Transform.h"
#include "core/runtime/HandleResult.h"
#include "core/scene/Time.h"

#include <string>
#include <vector>

namespace tendon {

/// A clip with every handle solved: each joint's local transform at each sample.
struct BakedClip
{
    std::string name;
    std::int32_t sourceAnimation = -1; ///< as Clip::sourceAnimation
    FrameRate fps;
    std::vector<Time> times;                        ///< (s) increasing
    std::vector<JointId> joints;                    ///< (n)
    std::vector<LocalTransform> locals;             ///< (s x n) sample by sample; quaternion signs continuous over time
    std::vector<Vector3> angles;                    ///< (s x n) [rad] from rest, continuous over time
    std::vector<bool> isAnimated;                   ///< (n) false = the same local transform in all samples
    std::vector<std::vector<HandleResult>> handles; ///< (s) in the document's order
};

} // namespace tendon
