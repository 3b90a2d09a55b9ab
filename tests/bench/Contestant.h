#pragma once

#include "core/conformance/SolverProblemFile.h"
#include "core/solve/SolverRegistry.h"

#include <memory>
#include <string>
#include <vector>

namespace tendon::bench {

/// [s] What this process has had of the processors, all its threads together: what else the machine does hardly counts.
[[nodiscard]] double processorSeconds();

/// One answer: a configuration in the file's coordinates, and the number of iterations.
struct Answer
{
    std::vector<double> q;
    int iterations = 0;
    double seconds = 0;           ///< of processors, for the solve alone
    std::int64_t allocations = 0; ///< in it
};

/// Solves the cases of a problem set: one of our solvers or another library.
class Contestant
{
public:
    virtual ~Contestant() = default;

    [[nodiscard]] virtual std::string name() const = 0;

    /// Prepares for a set; returns the reason if the set is not supported. `problem` must outlive the solves.
    [[nodiscard]] virtual Result<void> prepare(const SolverProblem& problem) = 0;

    /// Solves from `seed` (in the file's coordinates). `isWarm`: only from there, without other starts.
    [[nodiscard]] virtual Result<void> solve(const SolverProblem::Case& wanted, const std::vector<double>& seed,
                                             bool isWarm, Answer& answer) = 0;
};

/// Every solver of the registry, then Orocos KDL's if it was found at build time.
[[nodiscard]] std::vector<std::unique_ptr<Contestant>> contestants(const SolverRegistry& registry);
[[nodiscard]] std::vector<std::unique_ptr<Contestant>> kdlContestants();

} // namespace tendon::bench
