#pragma once

#include "app/cli/Cli.h"

namespace tendon::cli {

/// tendon import: makes a project from a model.
void addImportCommand(CLI::App& app, Cli& cli);

} // namespace tendon::cli
