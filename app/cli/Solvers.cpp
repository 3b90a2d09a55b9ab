#include "app/cli/Solvers.h"

namespace tendon::cli {

const SolverRegistry& solvers(const Cli& cli)
{
    static SolverRegistry registry;
    static bool isScanned = false;
    if (!isScanned) {
        registry.scan();
        isScanned = true;
        printIssues(cli, registry.issues());
    }
    return registry;
}

} // namespace tendon::cli
