#pragma once

#include "core/clip/ClipTask.h"

namespace tendon {

/// Solves a clip as a whole: the solver's own answer at each frame where these follow from each other; elsewhere a way
/// through other answers that jumps as seldom as can be, made smooth where goals leave directions open. A function of
/// the task alone: the same bits on any number of threads.
[[nodiscard]] ClipAnswer solveClip(const ClipTask& task);

/// The same, without looking for jumps and hastes: of a part of a clip.
[[nodiscard]] ClipAnswer solvePart(const ClipTask& task);

} // namespace tendon
