#pragma once

#include "app/cli/Cli.h"

namespace tendon::cli {

/// tendon samples: lists the projects that come with Tendon, or writes one.
void addSamplesCommand(CLI::App& app, Cli& cli);

} // namespace tendon::cli
