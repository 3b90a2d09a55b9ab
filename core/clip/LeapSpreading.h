#pragma once

#include "core/clip/ClipPath.h"
#include "core/clip/ClipTask.h"
#include "core/clip/Crew.h"

#include <span>
#include <vector>

namespace tendon {

/// A step of a path that does not follow from the frame before, and over how many frames to either side it is spread.
struct PathLeap
{
    int frame = 0; ///< the one that it leads to
    int half = 1;  ///< frames to either side, at most kSpreadHalf
};

/// Spreads leaps over the frames about them. What a leap is longer than the answer that follows from the frame before
/// goes to both sides of it, half each and less and less away from it, and each frame is brought back onto its goals.
/// So the path keeps its answers but about leaps, where it goes over from those before to those after. Frames in
/// `isKept` and in `isStill` (frames) keep every bit; the other side of a leap then takes all of it.
void spreadLeaps(const ClipTask& task, const AnswerSpace& space, Crew& crew, std::span<const PathLeap> leaps,
                 std::span<const char> isKept, std::span<const char> isStill, ClipPath& path);

inline constexpr int kSpreadHalf = 40;

} // namespace tendon
