#pragma once

#include "app/cli/Cli.h"

namespace tendon::cli {

void addRigCommand(CLI::App& app, Cli& cli);

} // namespace tendon::cli
