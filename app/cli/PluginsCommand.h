#pragma once

#include "app/cli/Cli.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tendon::cli {

struct CheckArguments
{
    std::vector<std::string> files; ///< plugins, or aliases of plugins found; empty = all found
    std::uint64_t seed = 1;         ///< of the suite's random problems
    int cases = 40;                 ///< per rig and goal
    double patience = 60;           ///< [s] without progress after which a plugin counts as hanging
    std::string onlyPlace;          ///< conformance::Options::onlyPlace
    std::string afterGroup;         ///< for the child: conformance::Options::afterGroup
    std::string shownCheck;         ///< for the child: the check whose first failing problem is told
    bool inThisProcess = false;     ///< for debuggers: crashes and hangs are not contained, allocations not counted
};

/// tendon plugins [list]: lists the solvers found, with features and parameters, and why others could not be loaded.
/// tendon plugins check [FILE...]: runs the conformance suite on plugins, each in a child process with limits. A plugin
/// that crashes or hangs fails a check; the suite goes on with the next group and the next plugin.
void addPluginsCommand(CLI::App& app, Cli& cli);

/// Runs in the child process of a check.
Exit runCheckAsChild(const CheckArguments& arguments);

Exit runCheck(const Cli& cli, const CheckArguments& arguments);

} // namespace tendon::cli
