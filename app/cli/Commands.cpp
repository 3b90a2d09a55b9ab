#include "app/cli/Commands.h"

// One header per subcommand, each with `void addXCommand(CLI::App&, Cli&)`.
#include "app/cli/BenchCommand.h"
#include "app/cli/PluginsCommand.h"
#include "app/cli/RenderCommand.h"

namespace tendon::cli {

void addAllCommands(CLI::App& app, Cli& cli)
{
    // In the order of the manual: info, import, run, pose, bake, render, validate, plugins, bench, samples.
    addRenderCommand(app, cli);
    addPluginsCommand(app, cli);
    addBenchCommand(app, cli);
}

std::optional<int> runAsImportWorker(int argc, char** argv)
{
    // The importer puts its worker's entry here.
    static_cast<void>(argc);
    static_cast<void>(argv);
    return std::nullopt;
}

} // namespace tendon::cli
