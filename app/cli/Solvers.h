#pragma once

#include "app/cli/Cli.h"
#include "core/solve/SolverRegistry.h"

namespace tendon::cli {

/// The solvers of this machine, looked for at the first call; plugins that cannot be used are warned of then.
const SolverRegistry& solvers(const Cli& cli);

} // namespace tendon::cli
