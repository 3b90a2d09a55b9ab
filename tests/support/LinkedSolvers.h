#pragma once

#include "core/solve/SolverRegistry.h"
#include "solvers/dls/DlsSolver.h"
#include "solvers/plane_chain/PlaneChainSolver.h"
#include "solvers/spline/SplineSolver.h"

#include <fstream>
#include <sstream>

namespace tendon::test {

/// Registers a solver that is linked into the test, with the description `file` (relative to the sources).
inline void addLinked(SolverRegistry& registry, const std::string& file, std::unique_ptr<sdk::Solver> (*make)())
{
    std::ifstream stream(std::string(TENDON_SOURCE_DIR "/") + file);
    std::stringstream json;
    json << stream.rdbuf();
    const auto info = parseSolverInfo(json.str());
    if (!info || !registry.add(*info, make)) std::abort();
}

/// The solvers "dls", "two-bone" and "spline" without their plugins.
inline SolverRegistry shippedSolvers()
{
    SolverRegistry registry;
    addLinked(registry, "solvers/dls/solver.json", makeDlsSolver);
    addLinked(registry, "solvers/plane_chain/two_bone/solver.json", makeTwoBoneSolver);
    addLinked(registry, "solvers/spline/solver.json", makeSplineSolver);
    return registry;
}

} // namespace tendon::test
