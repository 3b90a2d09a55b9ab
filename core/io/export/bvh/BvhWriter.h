#pragma once

#include "core/base/Issue.h"
#include "core/base/Result.h"
#include "core/runtime/BakedClip.h"
#include "core/scene/Scene.h"

#include <map>
#include <string>
#include <vector>

namespace tendon {

struct WrittenBvh
{
    std::string text;
    std::map<JointId, std::string> nameOf; ///< of the joints in the file, as readers name them
    Issues issues;
};

/// A clip as BVH: the hierarchy and the motion of the joints. A joint's frame is parallel to the world's
/// axes at rest, as the format requires, so all channels at zero are the rest pose; +Y up. Lengths are written as they
/// are, because the format states no unit. Angles use the joint's rotation order and are unrolled. The roots' positions
/// are complete and their OFFSET is 0, because readers disagree on adding the two; other joints have position channels
/// only if they move relative to their parent, complete as well. Several roots get a new joint as their parent, which
/// does not move. Precondition: the samples are consecutive whole frames. Errors: no joint, no sample.
[[nodiscard]] Result<WrittenBvh> writeBvh(const Scene& scene, const BakedClip& clip);

/// The clip at every whole frame of its rate from its first to its last, interpolated as readers do. A clip too short
/// for a whole frame becomes its first sample. An issue counts the samples between frames.
[[nodiscard]] BakedClip wholeFrames(const BakedClip& clip, Issues& issues);

} // namespace tendon
