#pragma once

#include "core/solve/SolverProblemFile.h"
#include "core/solve/SolverRegistry.h"

#include <memory>
#include <string>
#include <vector>

namespace tendon::bench {

/// One answer: the file's configuration and how many iterations it took.
struct Answer
{
    std::vector<double> q;
    int iterations = 0;
    double seconds = 0;           ///< of the solve alone
    std::int64_t allocations = 0; ///< in it
};

/// Something that solves a problem set's cases, ours or not.
class Contestant
{
public:
    virtual ~Contestant() = default;

    [[nodiscard]] virtual std::string name() const = 0;

    /// Makes ready for a set; why not, when it does not take it. `problem` stays while it is solved.
    [[nodiscard]] virtual Result<void> prepare(const SolverProblem& problem) = 0;

    /// From `seed` (the file's configuration). `isWarm`: follow from there, no other starts.
    [[nodiscard]] virtual Result<void> solve(const SolverProblem::Case& wanted, const std::vector<double>& seed,
                                             bool isWarm, Answer& answer) = 0;
};

/// Every solver of the registry, then Orocos KDL's where it was there to build with.
[[nodiscard]] std::vector<std::unique_ptr<Contestant>> contestants(const SolverRegistry& registry);
[[nodiscard]] std::vector<std::unique_ptr<Contestant>> kdlContestants();

} // namespace tendon::bench
