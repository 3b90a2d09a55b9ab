#pragma once

#include "core/solve/SolverRegistry.h"
#include "solvers/dls/DlsSolver.h"

#include <fstream>
#include <sstream>

namespace tendon::test {

/// A registry with damped least squares linked in under its shipped description: the solver without the plugin around it.
inline SolverRegistry dlsRegistry()
{
    std::ifstream file(TENDON_SOURCE_DIR "/solvers/dls/solver.json");
    std::stringstream json;
    json << file.rdbuf();
    const auto info = parseSolverInfo(json.str());
    SolverRegistry registry;
    if (!info || info->alias != "dls" || !registry.add(*info, [] { return std::make_unique<DlsSolver>(); })) std::abort();
    return registry;
}

} // namespace tendon::test
