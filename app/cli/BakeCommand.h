#pragma once

#include "app/cli/Cli.h"

namespace tendon::cli {

/// tendon bake: solves every frame of a project's clips and exports the animation with the model.
void addBakeCommand(CLI::App& app, Cli& cli);

} // namespace tendon::cli
