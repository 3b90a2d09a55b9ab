#pragma once

#include "app/cli/Cli.h"
#include "core/solve/SolverRegistry.h"

namespace tendon::cli {

/// The registry of a command, still without solvers: plugins that are not Tendon's own run in host processes.
[[nodiscard]] SolverRegistry makeRegistry(const Cli& cli);

/// The solvers found on this machine. The first call searches for them and warns about plugins that cannot be loaded.
const SolverRegistry& solvers(const Cli& cli);

/// The exit of a command that has ended with `exit`. Names each plugin that was at fault: then the command has not
/// done all that it was to do, or its plugin fell over as it was let go.
[[nodiscard]] Exit judgePlugins(Exit exit);

} // namespace tendon::cli
