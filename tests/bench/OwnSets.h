#pragma once

#include "core/conformance/SolverProblemFile.h"

#include <vector>

namespace tendon::bench {

/// Our own problem sets, made from seeds, so that the table needs no other files: ball chains, an arm of seven hinges
/// and a figure with five goals, each cold (independent cases), and the last two also along a path. Some configuration
/// within limits meets every target, except in "out of reach".
[[nodiscard]] std::vector<SolverProblem> ownSets();

} // namespace tendon::bench
