#pragma once

#include "app/cli/Cli.h"

namespace tendon::cli {

/// tendon run: operations from a script, all or nothing.
void addRunCommand(CLI::App& app, Cli& cli);

} // namespace tendon::cli
