#pragma once

#include "app/cli/Cli.h"

namespace tendon::cli {

/// tendon plugins [list]: the solvers found, with features and parameters, and what could not be used and why.
void addPluginsCommand(CLI::App& app, Cli& cli);

} // namespace tendon::cli
