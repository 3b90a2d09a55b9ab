#pragma once

#include "core/clip/ClipTask.h"
#include "core/solve/SolverRegistry.h"
#include "tests/bench/Figures.h"
#include "tests/bench/OwnSets.h"

#include <string>
#include <vector>

namespace tendon::bench {

using Path = std::vector<std::vector<double>>; ///< (frames) configurations in the file's coordinates

[[nodiscard]] Figures figuresOf(const SolverProblem& problem, std::string way);

/// Counts a frame: whether it is solved, and within limits.
void judge(const SolverProblem& problem, const SolverProblem::Case& wanted, const std::vector<double>& q,
           Figures& figures);

/// The steps of a path beside those of the motion that made its targets. Large ones outside `jumps` are unlisted.
void judgeSteps(const PathWithTruth& made, const Path& path, const std::vector<ClipJump>& jumps, Figures& figures);

/// As one clip, into `path`.
[[nodiscard]] Figures runClip(const SolverRegistry& registry, const PathWithTruth& made, Path& path);

/// As one clip, of a path by againPath(), with some solver: how far frames that ask the same are apart.
[[nodiscard]] Figures runAgain(const SolverRegistry& registry, const std::string& solver, const PathWithTruth& made);

/// As one clip whose joints may be as fast, and change as fast, as in the motion that made the targets: so a clip that
/// holds all rates exists.
[[nodiscard]] Figures runSpeeds(const SolverRegistry& registry, const PathWithTruth& made);

} // namespace tendon::bench
