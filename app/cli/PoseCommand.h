#pragma once

#include "app/cli/Cli.h"

namespace tendon::cli {

/// tendon pose: one evaluated frame, as numbers.
void addPoseCommand(CLI::App& app, Cli& cli);

} // namespace tendon::cli
