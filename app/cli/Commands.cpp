#include "app/cli/Commands.h"

// One header per subcommand, each with `void addXCommand(CLI::App&, Cli&)`.
#include "app/cli/BakeCommand.h"
#include "app/cli/BenchCommand.h"
#include "app/cli/ImportCommand.h"
#include "app/cli/InfoCommand.h"
#include "app/cli/PluginsCommand.h"
#include "app/cli/PoseCommand.h"
#include "app/cli/RenderCommand.h"
#include "app/cli/RetargetCommand.h"
#include "app/cli/RigCommand.h"
#include "app/cli/RunCommand.h"
#include "app/cli/SamplesCommand.h"
#include "app/cli/ValidateCommand.h"
#include "core/io/import/ImportWorker.h"

#include <cstring>

namespace tendon::cli {

void addAllCommands(CLI::App& app, Cli& cli)
{
    // In the order of the manual: info, import, run, pose, rig, bake, retarget, render, validate, plugins, bench,
    // samples.
    addInfoCommand(app, cli);
    addImportCommand(app, cli);
    addRunCommand(app, cli);
    addPoseCommand(app, cli);
    addRigCommand(app, cli);
    addBakeCommand(app, cli);
    addRetargetCommand(app, cli);
    addRenderCommand(app, cli);
    addValidateCommand(app, cli);
    addPluginsCommand(app, cli);
    addBenchCommand(app, cli);
    addSamplesCommand(app, cli);
}

std::optional<int> runAsImportWorker(int argc, char** argv)
{
    if (argc < 2 || std::strcmp(argv[1], kImportWorkerArgument) != 0) return std::nullopt;
    return runImportWorker(argc, argv);
}

} // namespace tendon::cli
