#pragma once

#include "app/cli/Cli.h"

namespace tendon::cli {

/// tendon run: carries out a script of operations, all or nothing.
void addRunCommand(CLI::App& app, Cli& cli);

} // namespace tendon::cli
