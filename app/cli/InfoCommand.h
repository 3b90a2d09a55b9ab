#pragma once

#include "app/cli/Cli.h"

namespace tendon::cli {

/// tendon info: what a model file holds.
void addInfoCommand(CLI::App& app, Cli& cli);

} // namespace tendon::cli
