#pragma once

#include "app/cli/Cli.h"

namespace tendon::cli {

/// tendon render: a picture of one frame.
void addRenderCommand(CLI::App& app, Cli& cli);

} // namespace tendon::cli
