#pragma once

#include "app/cli/Cli.h"

namespace tendon::cli {

/// tendon render: draws one frame as a picture.
void addRenderCommand(CLI::App& app, Cli& cli);

} // namespace tendon::cli
