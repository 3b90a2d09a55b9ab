#pragma once

#include "app/cli/Cli.h"

namespace tendon::cli {

/// tendon info: lists the contents of a model.
void addInfoCommand(CLI::App& app, Cli& cli);

} // namespace tendon::cli
