#pragma once

#include "core/solve/SolverInfo.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tendon::sdk {
class Solver;
}

/// The contract of solvers/sdk, run against a solver: does it keep what the contract asks of all and what its
/// solver.json claims? The suite knows a solver by its interface alone, computes kinematics and errors by itself and
/// shares none of that code with the solvers. Same options, same problems, same verdict.
namespace tendon::conformance {

enum class Verdict {
    Passed,
    Failed,
    Skipped, ///< does not apply (not claimed), or could not be measured; `detail` says which
};

struct Check
{
    std::string name; ///< "limits-kept": stable, what people quote
    Verdict verdict = Verdict::Passed;
    std::string detail;     ///< Failed: what happened in the first failing case; otherwise figures
    std::string place;      ///< Failed: where that was, as Options::onlyPlace takes it to repeat just that case
    std::int64_t tried = 0; ///< how often it was looked at
    std::int64_t failed = 0;
};

/// What is examined.
struct Subject
{
    SolverInfo info;
    std::function<std::unique_ptr<sdk::Solver>()> create;
};

struct Options
{
    std::uint64_t seed = 1; ///< of all random problems
    int casesPerRig = 40;
    std::string onlyCheck; ///< empty = all

    /// What is examined, as "GROUP/RIG/GOALS/CASE" or the beginning of it, such as "limits" or "limits/ball chain of
    /// 5"; empty = all. Every problem depends on the seed and its own place alone: a case is the same with and without
    /// others.
    std::string onlyPlace;

    std::string
        afterGroup; ///< leaves out this group and those before it: to go on behind one that took its process down

    /// Allocations that the calling thread has made so far, by any function; empty = cannot be counted here, and then
    /// "no-allocations" is skipped and says so.
    std::function<std::int64_t()> allocations;

    /// Called as each group, and each rig and goals in it, begins: so that whoever waits for a solver that hangs or
    /// crashes knows where.
    std::function<void(const std::string& place)> began;

    /// Called as each group ends, with everything found so far.
    std::function<void(const std::vector<Check>& checks)> ended;
};

/// Runs the suite. A solver that crashes takes the caller with it: `tendon plugins check` runs this in a child process.
[[nodiscard]] std::vector<Check> examine(const Subject& subject, const Options& options = {});

[[nodiscard]] bool allPassed(const std::vector<Check>& checks);

/// Adds what another part of the same examination found: counts add up, the first failure stays, a skip gives way.
void merge(std::vector<Check>& checks, const std::vector<Check>& more);

/// The groups of checks, in their order.
[[nodiscard]] std::vector<std::string> groupNames();

} // namespace tendon::conformance
