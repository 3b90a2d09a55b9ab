#pragma once

#include "app/cli/Cli.h"

#include <optional>

namespace tendon::cli {

/// Adds every subcommand, in the order of the help.
void addAllCommands(CLI::App& app, Cli& cli);

/// The child's half of an import. If this process was started to parse a foreign file, parses it and returns the exit
/// code; otherwise returns nothing. Call it first in main, so that the child stays small and has no side effects.
std::optional<int> runAsImportWorker(int argc, char** argv);

} // namespace tendon::cli
