#pragma once

#include "app/cli/Cli.h"

#include <cstdint>
#include <string>

namespace tendon::cli {

struct CheckArguments
{
    std::string file;            ///< the plugin
    std::uint64_t seed = 1;      ///< of the suite's problems
    int cases = 40;              ///< per rig and goal
    double patience = 60;        ///< [s] without a sign of life before the plugin counts as hanging
    bool inThisProcess = false;  ///< for debuggers: no child, nothing contained, allocations not counted
};

/// tendon plugins [list]: the solvers found, with features and parameters, and what could not be used and why.
/// tendon plugins check FILE: the conformance suite on one plugin, in a child process, so that one that crashes or hangs
/// fails by name and takes nobody along.
void addPluginsCommand(CLI::App& app, Cli& cli);

/// The child's half of a check.
Exit runCheckAsChild(const CheckArguments& arguments);

Exit runCheck(const Cli& cli, const CheckArguments& arguments);

} // namespace tendon::cli
