#pragma once

#include "core/solve/SolverProblemFile.h"

#include <vector>

namespace tendon::bench {

/// Problem sets of our own, made from seeds, so that the table says something wherever it is run: ball chains, an arm
/// of seven hinges and a figure with five goals, each cold (cases by themselves) and the latter two along a path. Every
/// target but those of "out of reach" is met by some configuration within limits.
[[nodiscard]] std::vector<SolverProblem> ownSets();

} // namespace tendon::bench
