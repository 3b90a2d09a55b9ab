#pragma once

#include "app/cli/Cli.h"

namespace tendon::cli {

/// tendon validate: lists the problems of a project or a model.
void addValidateCommand(CLI::App& app, Cli& cli);

} // namespace tendon::cli
