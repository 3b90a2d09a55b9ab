#pragma once

#include "app/cli/Cli.h"

#include <optional>

namespace tendon::cli {

/// Adds every subcommand, in the order in which the help lists them.
void addAllCommands(CLI::App& app, Cli& cli);

/// The hidden half of an import: when this process was started to parse a foreign file, does that and returns the exit
/// code; otherwise nothing. Called before anything else in main, so that the child is small and has touched nothing.
std::optional<int> runAsImportWorker(int argc, char** argv);

} // namespace tendon::cli
