#pragma once

#include "core/clip/AnswerSpace.h"
#include "core/clip/Crew.h"

#include <span>
#include <vector>

namespace tendon {

/// A path through a clip.
struct ClipPath
{
    std::vector<double> q; ///< (frames x nq)
    std::vector<sdk::Status> statuses;
    std::vector<double> allowance; ///< (frames) [rad] a larger step to a frame is a jump
};

/// Evens out what the goals leave open. Each frame's way from its reference is drawn to the mean of its neighbours', by
/// `share` (frames, 0 ... 1), and brought back onto its goals; not across jumps. Frames with share 0 keep every bit, and
/// a frame depends on kSmoothingReach frames to either side.
void smoothPath(const ClipTask& task, const AnswerSpace& space, Crew& crew, std::span<const double> share,
                ClipPath& path);

inline constexpr int kSmoothingPasses = 4;
inline constexpr int kSmoothingHalf = 24; ///< frames to either side that one pass takes the mean of
inline constexpr int kSmoothingReach = kSmoothingPasses * kSmoothingHalf;

} // namespace tendon
