#pragma once

#include "core/conformance/SolverProblemFile.h"

#include <cstdint>
#include <vector>

namespace tendon::bench {

/// Our own problem sets, made from seeds, so that the table needs no other files: ball chains, an arm of seven hinges
/// and a figure with five goals, each cold (independent cases), and the last two also along a path. Some configuration
/// within limits meets every target, except in "out of reach".
[[nodiscard]] std::vector<SolverProblem> ownSets();

/// A path, and the motion that made its targets.
struct PathWithTruth
{
    SolverProblem problem;
    std::vector<std::vector<double>> truth; ///< (frames) configurations
};

/// Our own mechanisms along paths made from a seed: an arm of seven hinges, and the figure with positions and with
/// poses.
[[nodiscard]] std::vector<PathWithTruth> ownPaths(std::uint64_t seed);

/// Another path for the mechanism of `like`, as long and about as fast: four sines for each DOF, within its limits.
[[nodiscard]] PathWithTruth otherPath(const PathWithTruth& like, std::uint64_t seed);

/// For the mechanism of `like`: from a pose A to others and back again each time, at frames kLeg apart: A B A C A D A.
/// What is asked at A is the same each time.
[[nodiscard]] PathWithTruth againPath(const PathWithTruth& like, std::uint64_t seed);
inline constexpr int kLeg = 14;

/// An arm of three balls, which its goal leaves much open, as an animator draws one.
[[nodiscard]] PathWithTruth ownLimb();

/// [rad | m] The largest change of a DOF from frame to frame, at that share of the sorted changes.
[[nodiscard]] double stepPercentile(const std::vector<std::vector<double>>& path, double share);

} // namespace tendon::bench
