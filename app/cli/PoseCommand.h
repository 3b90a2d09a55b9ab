#pragma once

#include "app/cli/Cli.h"

namespace tendon::cli {

/// tendon pose: prints the solved pose of one frame.
void addPoseCommand(CLI::App& app, Cli& cli);

} // namespace tendon::cli
