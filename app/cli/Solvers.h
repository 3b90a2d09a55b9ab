#pragma once

#include "app/cli/Cli.h"
#include "core/solve/SolverRegistry.h"

namespace tendon::cli {

/// The solvers found on this machine. The first call searches for them and warns about plugins that cannot be loaded.
const SolverRegistry& solvers(const Cli& cli);

} // namespace tendon::cli
