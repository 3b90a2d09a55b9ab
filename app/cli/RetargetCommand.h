#pragma once

#include "app/cli/Cli.h"

namespace tendon::cli {

void addRetargetCommand(CLI::App& app, Cli& cli); ///< tendon retarget

} // namespace tendon::cli
