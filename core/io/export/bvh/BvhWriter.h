#pragma once

#include "core/base/Issue.h"
#include "core/base/Result.h"
#include "core/runtime/BakedClip.h"
#include "core/scene/Scene.h"

#include <map>
#include <string>
#include <vector>

namespace tendon {

struct BvhOptions
{
    double metresPerUnit = 1; ///< the format states no unit
};

struct WrittenBvh
{
    std::string text;
    std::map<JointId, std::string> nameOf; ///< of the joints in the file, as readers name them
    Issues issues;
};

/// A clip as BVH: hierarchy and motion of the joints, nothing that is drawn. A joint's frame is parallel to the world's
/// axes at rest, as the format has it, so that all channels at zero are the rest pose; +Y up. Angles follow the joint's
/// rotation order, unrolled. The roots' positions are whole (their OFFSET is 0: readers disagree on adding it); other
/// joints have position channels only if they move against their parent, then whole as well. Several roots hang below a
/// new joint that stands still. Precondition: the samples are whole frames, one after another. Errors: no joint, no
/// sample.
[[nodiscard]] Result<WrittenBvh> writeBvh(const Scene& scene, const BakedClip& clip, const BvhOptions& options);

/// The clip at every whole frame of its rate from its first to its last, between samples as readers interpolate; a clip
/// too short for one is its first sample. An issue tells of samples that fall between frames.
[[nodiscard]] BakedClip wholeFrames(const BakedClip& clip, Issues& issues);

} // namespace tendon
