#pragma once

#include "app/cli/Cli.h"

namespace tendon::cli {

/// tendon import: a project from a model file.
void addImportCommand(CLI::App& app, Cli& cli);

} // namespace tendon::cli
