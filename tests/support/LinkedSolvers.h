#pragma once

#include "core/solve/SolverRegistry.h"
#include "solvers/dls/DlsSolver.h"
#include "solvers/two_bone/TwoBoneSolver.h"

#include <fstream>
#include <sstream>

namespace tendon::test {

/// Registers a solver that is linked into the test, with the description `file` (relative to the sources).
template <typename Solver>
void addLinked(SolverRegistry& registry, const std::string& file)
{
    std::ifstream stream(std::string(TENDON_SOURCE_DIR "/") + file);
    std::stringstream json;
    json << stream.rdbuf();
    const auto info = parseSolverInfo(json.str());
    if (!info || !registry.add(*info, [] { return std::make_unique<Solver>(); })) std::abort();
}

/// The solvers "dls" and "two-bone" without their plugins.
inline SolverRegistry shippedSolvers()
{
    SolverRegistry registry;
    addLinked<DlsSolver>(registry, "solvers/dls/solver.json");
    addLinked<TwoBoneSolver>(registry, "solvers/two_bone/solver.json");
    return registry;
}

} // namespace tendon::test
