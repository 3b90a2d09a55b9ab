#pragma once

#include "core/clip/AnswerSpace.h"
#include "core/clip/ClipPath.h"
#include "core/clip/Crew.h"

#include <limits>
#include <span>

namespace tendon {

/// Evens out what the goals leave open. Each frame's way from its reference is drawn to the mean of its neighbours', by
/// `share` (frames, 0 ... 1), and the result brought back onto its goals; not across jumps (ClipPath::jumps() by
/// `leap`). Frames with share 0 keep every bit, and no frame depends on more than kSmoothingReach frames to either
/// side.
void smoothPath(const ClipTask& task, const AnswerSpace& space, Crew& crew, std::span<const double> share, double leap,
                ClipPath& path);

/// A `leap` that smoothes across all jumps.
inline constexpr double kAcrossAll = std::numeric_limits<double>::infinity();

inline constexpr int kSmoothingPasses = 4;
inline constexpr int kSmoothingHalf = 24; ///< frames to either side that one pass takes the mean of
inline constexpr int kSmoothingReach = kSmoothingPasses * kSmoothingHalf;

} // namespace tendon
