#pragma once

#include "app/cli/Cli.h"

#include <string>
#include <vector>

namespace tendon::cli {

struct BenchArguments
{
    std::string problem;               ///< NAME.json
    std::string solver;                ///< id or alias
    std::vector<std::string> settings; ///< NAME=VALUE
    std::string seed;                  ///< "reset", "warm", or empty: the default for the kind of problem
    std::string output;                ///< R.csv
    int maxIterations = 1000;          ///< per case, over all its starts
    int maxStarts = 100;               ///< with --seed reset
    int maxCases = 0;                  ///< 0 = all
};

/// tendon bench: solves every case of a solver problem and writes the answers.
void addBenchCommand(CLI::App& app, Cli& cli);

/// Returns DoneWithFindings if a case is unsolved by the problem's own kinematics, whatever the solver reports.
Exit runBench(const Cli& cli, const BenchArguments& arguments);

} // namespace tendon::cli
