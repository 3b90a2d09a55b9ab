#pragma once

#include "app/cli/Cli.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tendon::cli {

struct CheckArguments
{
    std::vector<std::string> files; ///< plugins, or aliases of plugins found; empty = all found
    std::uint64_t seed = 1;         ///< of the suite's problems
    int cases = 40;                 ///< per rig and goal
    double patience = 60;           ///< [s] without a sign of life before the plugin counts as hanging
    std::string onlyPlace;          ///< conformance::Options::onlyPlace
    std::string afterGroup;         ///< the child's: conformance::Options::afterGroup
    bool inThisProcess = false;     ///< for debuggers: no child, nothing contained, allocations not counted
};

/// tendon plugins [list]: the solvers found, with features and parameters, and what could not be used and why.
/// tendon plugins check [FILE...]: the conformance suite on plugins, each in a child process with limits, so that one
/// that crashes or hangs fails by name, is examined further, and takes nobody along.
void addPluginsCommand(CLI::App& app, Cli& cli);

/// The child's half of a check.
Exit runCheckAsChild(const CheckArguments& arguments);

Exit runCheck(const Cli& cli, const CheckArguments& arguments);

} // namespace tendon::cli
