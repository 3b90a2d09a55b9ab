#pragma once

#include "app/cli/Cli.h"

namespace tendon::cli {

/// tendon samples: the projects that come with Tendon, listed or written.
void addSamplesCommand(CLI::App& app, Cli& cli);

} // namespace tendon::cli
